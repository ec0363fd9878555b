"""LLVM's messages for records that no version reads, by bitcodec's own reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode
from bitcodec.doctor.fault_rows import FAULTS, UNNOTICED
from bitcodec.doctor.layouts import message_about_layout
from bitcodec.doctor.record_names import message_about_record
from bitcodec.doctor.removed_expressions import message_about_expressions
from bitcodec.doctor.rule import Effect
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from bitcodec.errors import PlacedError

__all__ = ["Reaction", "reaction_to"]


class Reaction(NamedTuple):
    """Effect of a malformed record on a version of LLVM, and the version's message; "" if absent."""

    effect: Effect
    message: str


_NUMBERED = (Reason.NO_TYPE, Reason.NO_VALUE, Reason.NO_NAMED_VALUE, Reason.NO_SUMMARIZED_VALUE)
"""Reasons that refuse the number of a type or a value."""
_FIRST_CUT = 1 << 32
"""The first number of a type or a value that readers, which take 32 bits of it, take for another."""


def _is_unknown(error: PlacedError, version: int) -> bool:
    """Return whether a version passes over a malformed constant because it does not know such records."""
    in_constants = error.block_path[-1:] == (BlockId.CONSTANTS_BLOCK,)
    code = ConstantsCode.__members__.get(error.reason.record) if in_constants else None
    return code is not None and code.since > version


def _is_cut(error: PlacedError) -> bool:
    reason = error.reason
    return reason.identity in _NUMBERED and int(reason.parameters["number"]) >= _FIRST_CUT


def reaction_to(error: PlacedError, version: int) -> Reaction | None:
    """Return the reaction of a version of LLVM to a malformed record; None if it does not notice."""
    reason, path = error.reason, error.block_path
    if _is_cut(error) or _is_unknown(error, version) or any(row.fits(reason, path) for row in UNNOTICED):
        return None
    if reason.identity is Reason.REMOVED_EXPRESSIONS:
        return _refusal(message_about_expressions(reason, version))
    if reason.identity is Reason.DATA_LAYOUT:
        return _refusal(message_about_layout(reason, version))
    for row in FAULTS:
        if row.oldest <= version <= row.newest and row.fits(reason, path):
            if row.effect is not Effect.REFUSES:
                return Reaction(row.effect, "")
            return _refusal(row.message.format_map(reason.parameters))
    return _refusal(message_about_record(path[-1] if path else None, reason.record, version))


def _refusal(message: str | None) -> Reaction | None:
    return Reaction(Effect.REFUSES, message) if message else None
