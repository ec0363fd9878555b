"""How a decoder of records refuses one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.malformed import Malformed
from bitcodec.reasons import Reason
from bitcodec.tables.versions import NEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sized

    from bitcodec.bitcode.schema.codes import NamedCode
    from bitcodec.sentences import Sentence

__all__ = ["Malformed", "is_of_newer_version", "require_operands", "take_operand", "unknown", "unknown_number"]


def require_operands(operands: Sized, count: int) -> None:
    """Refuse a record that has fewer operands.

    Raises:
        Malformed: it has.
    """
    if len(operands) < count:
        raise Malformed(Reason.TOO_FEW_OPERANDS())


def take_operand(left: Iterator[int]) -> int:
    """Return the next operand of a record.

    Raises:
        Malformed: none is left.
    """
    for operand in left:
        return operand
    raise Malformed(Reason.TOO_FEW_OPERANDS())


def unknown(what: str, codes: type[NamedCode], code: int) -> Malformed:
    """Return the error about a record that has no meaning in LLVM 22, and must not be skipped.

    Args:
        what: the name of such records.
        codes: the record codes of the block.
        code: the code of the record.
    """
    known = next((each for each in codes if each == code), None)
    if known is None:
        return Malformed(Reason.NEWER_CODE(what=what, newest=NEWEST))
    if not known.since:
        return Malformed(Reason.UNKNOWN_CODE(what=what))
    return Malformed(Reason.LATER_CODE(what=what, version=known.since))


def unknown_number(what: str, number: int, *, is_newer: bool) -> Malformed:
    """Return the error about a number that has no meaning, which a version of LLVM may have added."""
    if is_newer:
        return Malformed(Reason.NEWER_ATTRIBUTE(what=what, number=number, newest=NEWEST))
    return Malformed(Reason.UNKNOWN_ATTRIBUTE(what=what, number=number))


def is_of_newer_version(reason: Sentence) -> bool:
    """Return whether a reason for an error is that something is of a version of LLVM newer than 22."""
    return reason.identity in _NEWER


_NEWER = (Reason.NEWER_CODE, Reason.LATER_CODE, Reason.NEWER_ATTRIBUTE, Reason.ELEMENTWISE_ATOMICRMW)
