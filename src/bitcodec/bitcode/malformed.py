"""How a decoder of records refuses one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.malformed import Malformed
from bitcodec.tables.versions import NEWEST

if TYPE_CHECKING:
    from bitcodec.bitcode.schema.codes import NamedCode

__all__ = ["Malformed", "is_of_newer_version", "unknown", "unknown_number"]


def unknown(what: str, codes: type[NamedCode], code: int) -> Malformed:
    """Return the error about a record that has no meaning in LLVM 22, and must not be skipped.

    Args:
        what: what such records are.
        codes: those of the block.
        code: that of the record.
    """
    known = next((each for each in codes if each == code), None)
    if known is None:
        return Malformed(f"no such {what} is known: {_NEWER} {NEWEST} may have it")
    if not known.since:
        return Malformed(f"no such {what} is known")
    return Malformed(f"the {what} is of LLVM {known.since}, and {_NOT_IN_22}")


def unknown_number(what: str, number: int, *, is_newer: bool) -> Malformed:
    """Return the error about a number that has no meaning, which a version of LLVM may have added."""
    return Malformed(f"unknown {what} ({number})" + (f": {_NEWER} {NEWEST} may have it" if is_newer else ""))


def is_of_newer_version(reason: str) -> bool:
    """Return whether a reason for an error is that something is of a version of LLVM newer than 22."""
    return _NOT_IN_22 in reason or _NEWER in reason


_NOT_IN_22, _NEWER = "LLVM 22 has none like it", "a version of LLVM newer than"
