"""Facts about the callee of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.attributes import MemoryAccess
from bitcodec.tables.linkage import Linkage
from bitcodec.verifier.kinds import stripped

if TYPE_CHECKING:
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import CallBase
    from bitcodec.verifier.reporter import Interposition

__all__ = [
    "KnownIntrinsic",
    "callee_of",
    "calls_assembly",
    "calls_intrinsic",
    "has_function_attribute",
    "has_on_parameter",
    "has_parameter_attribute",
    "is_interposable",
    "memory_effects",
]

_INTERPOSABLE = {Linkage.WEAK, Linkage.LINKONCE, Linkage.COMMON, Linkage.EXTERN_WEAK}


class KnownIntrinsic(NamedTuple):
    """An intrinsic that calls call.

    Attributes:
        base: its name between `llvm.` and the suffixes for its types.
        problem: the error in its declaration, None if it is valid.
    """

    base: str
    problem: str | None


def callee_of(call: CallBase) -> Function | None:
    """Return the function that a call calls, whatever its type; None if it is not known."""
    callee = call.callee
    found = callee if isinstance(callee, Function) else stripped(callee)
    return found if isinstance(found, Function) else None


def calls_intrinsic(call: CallBase, name: str | tuple[str, ...] = "llvm.") -> bool:
    """Return whether a call is one of an intrinsic whose name begins so, or in one of several ways."""
    callee = callee_of(call)
    return callee is not None and callee.name.startswith(name)


def calls_assembly(call: CallBase) -> bool:
    """Return whether a call is one of assembly text."""
    return isinstance(call.callee, InlineAsm)


def has_parameter_attribute(call: CallBase, index: int, name: str) -> bool:
    """Return whether a call, or its callee, has an attribute for an argument."""
    if name in call.attributes.for_parameter(index):
        return True
    callee = call.called_function
    return callee is not None and name in callee.attributes.for_parameter(index)


def has_function_attribute(call: CallBase, name: str) -> bool:
    """Return whether a call, or its callee, has an attribute as a whole."""
    if name in call.attributes.for_function:
        return True
    callee = call.called_function
    return callee is not None and name in callee.attributes.for_function


def has_on_parameter(function: Function, name: str) -> bool:
    """Return whether any parameter of a function has an attribute."""
    return any(name in found for found in function.attributes.parameters.values())


def is_interposable(value: GlobalValue, module: Interposition) -> bool:
    """Return whether something else may take the place of a definition when a program is linked or loaded."""
    return value.linkage in _INTERPOSABLE or (not value.is_dso_local and module.has_interposition)


def memory_effects(call: CallBase) -> MemoryEffects:
    """Return the accesses that the attributes of a call, and of the function that it calls, allow."""
    allowed = call.attributes.for_function.memory
    effects = MemoryEffects(MemoryEffects.ALL) if allowed is None else allowed
    if isinstance(call.callee, Function):
        declared = call.callee.attributes.for_function.memory
        if declared is not None:
            effects = effects & (declared | _effects_of_bundles(call))
    return effects


def _effects_of_bundles(call: CallBase) -> MemoryEffects:
    tags = {bundle.tag for bundle in call.bundles} - {"ptrauth", "kcfi", "convergencectrl"}
    access = MemoryAccess.READ if tags else MemoryAccess.NONE
    if tags - {"deopt", "funclet"}:
        access |= MemoryAccess.WRITE
    return MemoryEffects.everywhere(access)
