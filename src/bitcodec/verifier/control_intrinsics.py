"""Rules of calls of intrinsics around control flow: deoptimization, coroutines, frames, exceptions, `callbr`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import (
    ConstantArray,
    ConstantInt,
    ConstantPointerNull,
    ConstantStruct,
)
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.instructions import Alloca, Call, CallBranch, CatchPad, Return
from bitcodec.ir.types import ArrayType, IntegerType, StructType, VoidType
from bitcodec.verifier.callees import is_interposable
from bitcodec.verifier.calling_conventions import ANY_REGISTER
from bitcodec.verifier.kinds import stripped
from bitcodec.verifier.rules import without_values

if TYPE_CHECKING:
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["CONTROL_RULES", "check_deoptimizers"]

_NOT_SINGLE = (VoidType, ArrayType, StructType)
"""Types that `anyregcc` cannot return."""


# Deoptimization


def _deoptimizing(name: str) -> tuple[Rule, Rule]:
    return (
        (f"{name} cannot be invoked", lambda call, _: isinstance(call, Call)),
        (
            f'{name} must have exactly one "deopt" operand bundle',
            lambda call, _: sum(bundle.tag == "deopt" for bundle in call.bundles) == 1,
            without_values,
        ),
    )


def _is_value_returned(call: CallBase, body: Body) -> bool:
    following: Any = body.beside(call, 1)
    return isinstance(call.type, VoidType) or following.value is call


_DEOPTIMIZED: Rules = (
    *_deoptimizing("experimental_deoptimize"),
    (
        "experimental_deoptimize return type must match caller return type",
        lambda call, body: call.type is body.function.return_type,
        without_values,
    ),
    (
        "calls to experimental_deoptimize must be followed by a return",
        lambda call, body: isinstance(body.beside(call, 1), Return),
        without_values,
    ),
    (
        (
            "calls to experimental_deoptimize must be followed by a return of the value computed by "
            "experimental_deoptimize"
        ),
        _is_value_returned,
        without_values,
    ),
)


# Frames and coroutines


def _is_in_entry(found: Instruction, body: Body) -> bool:
    return found.parent is body.blocks[0]


def _is_defined(value: Value) -> bool:
    return isinstance(value, Function) and not value.is_declaration


def _is_static(value: Any, body: Body) -> bool:
    """Return whether it is an alloca of known size, or null."""
    found = stripped(value)
    if isinstance(found, Alloca):
        return isinstance(found.array_size, ConstantInt) and _is_in_entry(found, body)
    return isinstance(value, ConstantPointerNull)


def _is_area_offset(call: CallBase, body: Body) -> bool:
    width = body.layout.pointer(body.layout.alloca_address_space).bit_width
    return isinstance(call.type, IntegerType) and call.type.bit_width == width


def _has_constant_info(call: CallBase, body: Body) -> bool:
    found = stripped(call.operand_at(3))
    if isinstance(found, ConstantPointerNull):
        return True
    return (
        isinstance(found, GlobalVariable)
        and found.is_constant
        and found.initializer is not None
        and not found.is_externally_initialized
        and not is_interposable(found, body.verifier)
    )


def _has_info_parts(call: CallBase, _: object) -> bool:
    found = stripped(call.operand_at(3))
    initializer = found.initializer if isinstance(found, GlobalVariable) else None
    return isinstance(found, ConstantPointerNull) or isinstance(initializer, (ConstantStruct, ConstantArray))


_COROUTINE: Rules = (
    ("info argument of llvm.coro.id must refer to an initialized constant", _has_constant_info, without_values),
    ("info argument of llvm.coro.id must refer to either a struct or an array", _has_info_parts, without_values),
)


# Where `callbr` lands


def _only_predecessor(block: BasicBlock | None, body: Body) -> BasicBlock | None:
    found = set() if block is None else set(body.predecessors.get(block, ()))
    return found.pop() if len(found) == 1 else None


def _follows_callbr(call: CallBase, body: Body) -> bool:
    block = _only_predecessor(call.parent, body)
    return block is not None and isinstance(block.terminator, CallBranch)


def _is_indirect_destination(call: CallBase, _: object) -> bool:
    branch = call.operand_at(0)
    return isinstance(branch, CallBranch) and call.parent in branch.indirect_destinations


_LANDED: Rules = (
    ("intrinstic requires callbr operand", lambda call, _: isinstance(call.operand_at(0), CallBranch)),
    (
        "Intrinsic in block must have 1 unique predecessor",
        lambda call, body: _only_predecessor(call.parent, body) is not None,
    ),
    ("Intrinsic must have corresponding callbr in predecessor", _follows_callbr),
    (
        ("Intrinsic's corresponding callbr must have intrinsic's parent basic block in indirect destination list"),
        _is_indirect_destination,
    ),
    (
        "No other instructions may proceed intrinsic",
        lambda call, _: call.parent.instructions[0] is call,
    ),
)
_HANDLED: Rules = (
    (
        "eh.exceptionpointer argument must be a catchpad",
        lambda call, _: isinstance(call.operand_at(0), CatchPad),
    ),
)

CONTROL_RULES: dict[str, Rules] = {
    "experimental.guard": _deoptimizing("experimental_guard"),
    "experimental.deoptimize": _DEOPTIMIZED,
    "va_start": (
        ("va_start called in a non-varargs function", lambda _, body: body.function.is_vararg, without_values),
    ),
    "get.dynamic.area.offset": (
        (
            "get_dynamic_area_offset result type must be scalar integer matching alloca address space width",
            _is_area_offset,
        ),
    ),
    "coro.id": _COROUTINE,
    "callbr.landingpad": _LANDED,
    "eh.exceptioncode": _HANDLED,
    "eh.exceptionpointer": _HANDLED,
    "experimental.patchpoint": (
        (
            "patchpoint: invalid return type used with anyregcc",
            lambda call, _: call.calling_convention != ANY_REGISTER or not isinstance(call.type, _NOT_SINGLE),
        ),
    ),
    "localescape": (
        ("llvm.localescape used outside of entry block", _is_in_entry),
        (
            "llvm.localescape only accepts static allocas",
            lambda call, body: all(_is_static(value, body) for value in call.arguments),
        ),
    ),
    "localrecover": (
        (
            "llvm.localrecover first argument must be function defined in this module",
            lambda call, _: _is_defined(stripped(call.operand_at(0))),
        ),
    ),
}
"""By name, without `llvm.` and suffixes for types."""


def check_deoptimizers(verifier: Verifier) -> None:
    """Check that all declarations of `llvm.experimental.deoptimize` have one calling convention."""
    found = [
        function for function in verifier.module.functions if function.name.startswith("llvm.experimental.deoptimize.")
    ]
    for function in found[1:]:
        if function.calling_convention != found[0].calling_convention:
            verifier.where = function
            verifier.report(
                "All llvm.experimental.deoptimize declarations must have the same calling convention",
                found[0],
                function,
            )
            return
