"""Advice about a malformed file, which often shows how it was damaged, or that its producer wrote it so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.doctor.removed_expressions import span_of
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.errors import PlacedError

__all__ = ["DAMAGED", "WITHOUT_MODULE", "repair_of", "report_to_producer", "without_rest"]

WITHOUT_MODULE = "write the file again: it ends before a module begins"
"""Advice about a stream without a module."""
DAMAGED = "write the file again: it is damaged"
"""Advice if the kind of damage is unknown."""
_HEADER_WORDS, _WORD = 2, 32
_LEAST_LINES = 4
"""By chance, a carriage return precedes each of them in one of 2**32 files."""


def repair_of(fault: PlacedError, payload: memoryview, is_whole: Callable[[bytes], bool]) -> str:
    """Return advice about a malformed stream.

    Args:
        fault: the first error.
        payload: the bitstream.
        is_whole: returns whether a stream can be read.
    """
    data = bytes(payload)
    lines = data.count(b"\n")
    if lines >= _LEAST_LINES and data.count(b"\r\n") == lines:
        return "copy it again as a binary file: each line feed has a carriage return in front, as in copies of text"
    identity = fault.reason.identity
    if identity in (Reason.NO_MODULE, Reason.MODULE_MISSING):
        return WITHOUT_MODULE
    if identity is Reason.LONG_BLOCK and not fault.block_path:
        size = (fault.bit_offset // _WORD + _HEADER_WORDS + int(fault.reason.parameters["words"])) * _WORD // 8
        return f"copy or write it again: it is cut off, {len(data)} bytes of at least {size}"
    if identity in (Reason.TRAILING_BYTES, Reason.WRONG_WIDTH) and not fault.block_path:
        place = fault.bit_offset // 8
        if is_whole(data[:place]):
            return without_rest(len(data) - place)
    return DAMAGED


def report_to_producer(fault: PlacedError, producer: str, readers: list[int]) -> str:
    """Return advice about a sound stream with a record that breaks a rule.

    Args:
        fault: the first such record.
        producer: the producer of the file, "" if unknown.
        readers: the versions of LLVM that read it nevertheless.
    """
    whom = f"its producer, {producer}," if producer else "its producer"
    use = f"use {span_of(readers)}, or " if readers else ""
    return (
        f"{use}report it to {whom} if the file is the same when it is written again: "
        f"its bits are sound, but the record at bit {fault.bit_offset} breaks a rule"
    )


def without_rest(size: int) -> str:
    """Return advice about bytes behind a whole stream, given their number."""
    return f"remove the last {size} bytes, which do not belong to it: what precedes them is whole"
