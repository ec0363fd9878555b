"""Unwinding: from fields to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.ir.constants import Constant
from bitcodec.ir.instructions import (
    CatchPad,
    CatchReturn,
    CatchSwitch,
    Clause,
    CleanupPad,
    CleanupReturn,
    LandingPad,
    Resume,
)
from bitcodec.ir.types import ArrayType
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "catch_pad",
    "catch_return",
    "catch_switch",
    "cleanup_pad",
    "cleanup_return",
    "landing_pad",
    "landing_pad_old",
    "resume",
]

_FILTER = 1


def resume(state: FunctionState, value: Value) -> Instruction:
    """`resume`."""
    return Resume(state.void, value)


def landing_pad(
    _state: FunctionState,
    type: Type,
    is_cleanup: bool,  # noqa: FBT001 - fields are given in order
    clauses: list[tuple[int, Value]],
) -> Instruction:
    """`landingpad`."""
    made = []
    for kind, value in clauses:
        if kind > _FILTER or (kind == _FILTER) != isinstance(value.type, ArrayType):
            raise Malformed(Reason.CLAUSE(number=kind, type=value.type.brief))
        made.append(Clause(kind == _FILTER, value))
    return LandingPad(type, made, is_cleanup=is_cleanup)


def landing_pad_old(
    state: FunctionState,
    type: Type,
    personality: Value,
    is_cleanup: bool,  # noqa: FBT001 - fields are given in order
    clauses: list[tuple[int, Value]],
) -> Instruction:
    """`landingpad` of old files, which name the personality in each instead of in the function."""
    if not isinstance(personality, Constant):
        raise Malformed(Reason.PERSONALITY())
    known = state.function.personality
    if known is None:
        state.function.personality = personality
        state.module.shared_uses.holds_late(state.function)
    elif known is not personality:
        raise Malformed(Reason.TWO_PERSONALITIES())
    return landing_pad(state, type, is_cleanup, clauses)


def cleanup_pad(state: FunctionState, parent_pad: Value, arguments: list[Value]) -> Instruction:
    """`cleanuppad`."""
    return CleanupPad(state.types.token, parent_pad, arguments)


def catch_pad(state: FunctionState, parent_pad: Value, arguments: list[Value]) -> Instruction:
    """`catchpad`."""
    return CatchPad(state.types.token, parent_pad, arguments)


def catch_return(state: FunctionState, pad: Value, successor: BasicBlock) -> Instruction:
    """`catchret`."""
    return CatchReturn(state.void, pad, successor)


def cleanup_return(state: FunctionState, pad: Value, unwind_destination: BasicBlock | None) -> Instruction:
    """`cleanupret`."""
    return CleanupReturn(state.void, pad, unwind_destination)


def catch_switch(
    state: FunctionState, parent_pad: Value, handlers: list[BasicBlock], unwind_destination: BasicBlock | None
) -> Instruction:
    """`catchswitch`."""
    return CatchSwitch(state.types.token, parent_pad, handlers, unwind_destination)
