"""Unwinding: from fields to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.malformed import Malformed
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

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.layouts import Fields
    from bitcodec.ir.instructions import Instruction

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


def resume(state: FunctionState, fields: Fields) -> Instruction:
    """`resume`."""
    return Resume(state.void, fields["value"])


def landing_pad(_state: FunctionState, fields: Fields) -> Instruction:
    """`landingpad`."""
    clauses = []
    for kind, value in fields["clauses"]:
        if kind > _FILTER or (kind == _FILTER) != isinstance(value.type, ArrayType):
            raise Malformed(f"a clause of kind {kind} with a {value.type.brief}")
        clauses.append(Clause(kind == _FILTER, value))
    return LandingPad(fields["type"], clauses, is_cleanup=fields["is_cleanup"])


def landing_pad_old(state: FunctionState, fields: Fields) -> Instruction:
    """`landingpad` of old files, which name the personality in each instead of in the function."""
    personality = fields["personality"]
    if not isinstance(personality, Constant):
        raise Malformed("the personality is no constant")
    known = state.function.personality
    if known is None:
        state.function.personality = personality
    elif known is not personality:
        raise Malformed("a function has two personalities")
    return landing_pad(state, fields)


def cleanup_pad(state: FunctionState, fields: Fields) -> Instruction:
    """`cleanuppad`."""
    return CleanupPad(state.types.token, fields["parent_pad"], fields["arguments"])


def catch_pad(state: FunctionState, fields: Fields) -> Instruction:
    """`catchpad`."""
    return CatchPad(state.types.token, fields["parent_pad"], fields["arguments"])


def catch_return(state: FunctionState, fields: Fields) -> Instruction:
    """`catchret`."""
    return CatchReturn(state.void, fields["pad"], fields["successor"])


def cleanup_return(state: FunctionState, fields: Fields) -> Instruction:
    """`cleanupret`."""
    return CleanupReturn(state.void, fields["pad"], fields["unwind_destination"])


def catch_switch(state: FunctionState, fields: Fields) -> Instruction:
    """`catchswitch`."""
    return CatchSwitch(state.types.token, fields["parent_pad"], fields["handlers"], fields["unwind_destination"])
