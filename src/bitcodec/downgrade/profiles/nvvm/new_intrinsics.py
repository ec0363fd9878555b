"""Intrinsics that LLVM 7 lacks or compiles wrongly, as instructions in the copy of the module.

The table is the one for older versions of LLVM, with a few rows for libNVVM alone.  The instructions are made before
types of 16 bits are replaced, so that operations on these are lowered like all other code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.downgrade.building import UnlistedBuilder
from bitcodec.downgrade.constructs import Construct
from bitcodec.downgrade.expansions import EXPANSIONS, ExpansionRow, vectors
from bitcodec.downgrade.intrinsic_versions import first_version, known_since
from bitcodec.downgrade.intrinsics import is_regular
from bitcodec.downgrade.profiles.editing import calls_of, editor, intrinsics_of, name_of, replace
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.downgrade.profiles.nvvm.halves import is_half
from bitcodec.downgrade.profiles.nvvm.intrinsics import has_lowering
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Call
from bitcodec.ir.types import FloatingPointType, VectorType
from bitcodec.tables.intrinsics import PREFIX, base_in, intrinsic_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType
    from bitcodec.ir.values import Value

__all__ = ["expand_intrinsics"]

_VERSION = 7
_PAIR = 2
_Made = TypeVar("_Made", bound="Instruction")


class _InsertingBuilder(UnlistedBuilder):
    """Inserts the instructions in front of the call."""

    def __init__(self, call: Call, module: Module) -> None:
        super().__init__(call, module, self._declared)
        self._editor = editor(call)

    def renamed(self, name: str, arguments: Sequence[Value]) -> Value | None:
        """Return a call of another function with the same result, None if the module cannot declare that function."""
        made = self.call_of(name, arguments, self.call.type)
        if isinstance(made, Call):
            old = self.call.attributes
            kept = {index: old.for_parameter(index) for index in range(len(arguments))}
            made.attributes = AttributeList(old.for_function, old.for_return, kept)
        return made

    def remove(self) -> None:
        """Remove the instructions."""
        for made in reversed(self.made):
            made.erase_from_parent()

    def _declared(self, name: str, type_: FunctionType) -> Function | None:
        module = self._editor.module
        found = module.get(name)
        if found is None:
            found = module.get_or_insert_function(name, type_)
        return found if isinstance(found, Function) and found.value_type is type_ else None

    def _add(self, made: _Made) -> _Made:
        self.made.append(made)
        return self._editor.insert(made)


def _by_element(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Call an intrinsic for each element of vectors of 16-bit numbers, of which PTX has pairs at most."""
    type_ = call.type
    callee = call.called_function
    if not isinstance(type_, VectorType) or not is_half(type_) or type_.count == _PAIR or callee is None:
        return None
    scalar = type_.element_type
    name = callee.name.removesuffix(builder.suffix(type_)) + builder.suffix(scalar)
    found: Value = builder.constants.undef(type_)
    for index in range(type_.count):
        made = builder.call_of(name, [builder.extract(each, index) for each in call.arguments], scalar)
        if made is None:
            return None
        found = builder.insert(found, made, index)
    return found


def _by_call(name: str) -> vectors.Combine:
    """Return a function that combines two numbers with an intrinsic, which PTX has an instruction for."""

    def combine(builder: UnlistedBuilder, one: Value, other: Value) -> Value:
        made = builder.call_of(f"{PREFIX}{name}.{builder.suffix(one.type)}", [one, other])
        return one if made is None else made

    return combine


_OWN: dict[str, ExpansionRow] = {
    "fma": ExpansionRow(_by_element, "one operation for each element"),
    **{
        f"vector.reduce.{name}": ExpansionRow(
            vectors.reduced(_by_call(other), FloatingPointType), EXPANSIONS[f"vector.reduce.{name}"].instead
        )
        for name, other in (("fmax", "maxnum"), ("fmin", "minnum"))
    },
}
"""By name without `llvm.` and types, rows that differ from those for LLVM 7."""
_REDUCTION = "vector.reduce."
_KNOWN = {name: 0 for name in EXPANSIONS if name.startswith(_REDUCTION)} | dict.fromkeys(_OWN, 0)
"""Intrinsics that LLVM 7 knows, but has no right code for: it takes the number of elements for a power of two."""


def expand_intrinsics(module: Module, losses: Losses) -> None:
    """Write instructions for the calls of intrinsics that have a row, and of intrinsics that the instructions call."""
    seen: set[Function] = set()
    while True:
        found = [pair for pair in intrinsics_of(module) if pair[0] not in seen]
        if not found:
            return
        for function, name in found:
            seen.add(function)
            _expand_calls(function, name, losses)


def _expand_calls(function: Function, name: str, losses: Losses) -> None:
    base = base_in(name, intrinsic_rows())
    is_needed = first_version(base, function.value_type) > _VERSION or base in _KNOWN
    expansion = _OWN.get(base) or EXPANSIONS.get(base)
    if expansion is None or not is_needed or not is_regular(function, base) or _is_lowered_later(function, name):
        return
    for call in calls_of(function):
        if isinstance(call, Call):
            _expand(call, base, expansion, losses)
    if not function.is_used:
        function.erase_from_parent()


def _is_lowered_later(function: Function, name: str) -> bool:
    """Return whether another step lowers an intrinsic: that for numbers of 32 and 64 bits, or that for 16 bits."""
    if not has_lowering(name):
        return False
    types = function.value_type.element_types
    return not (name.startswith(("modf", "sincos.")) and any(map(is_half, types)))


def _expand(call: Call, base: str, expansion: ExpansionRow, losses: Losses) -> None:
    module = call.module
    assert module is not None  # noqa: S101 - it is in a function of the module
    builder = _InsertingBuilder(call, module)
    value = expansion.make(builder, call)
    if value is None:
        builder.remove()
        return
    since = known_since(base)
    if since > _VERSION:
        construct = Construct(PREFIX + base, since, expansion.way, expansion.instead)
    else:
        construct = rows.intrinsic(PREFIX + base, expansion.instead, expansion.way, "")
    losses.add(construct, name_of(call), call)
    replace(call, value)
