"""Errors as rows: a kind that programs can compare, a message, and the place."""

from __future__ import annotations

from bitcodec.errors import BitcodecError, NoBitstreamError, PlacedError
from bitcodec.named_tuple import NamedTuple

__all__ = ["KINDS", "CorpusProblem", "problem_of"]

KINDS = {
    "file": "The file cannot be read.",
    "no-bitcode": "The file contains no bitcode.",
    "malformed": "The file, the stream, the module or a part of it is malformed.",
    "changed": "The file changed between its two readings.",
    "time": "Reading took longer than the time limit.",
    "memory": "Reading needed more memory than the memory limit.",
    "crash": "The process that read it ended.",
    "internal": "A bug in bitcodec: please report it.",
}
"""Values of the column `kind` of the table `errors`."""


class CorpusProblem(NamedTuple):
    """An error.

    Attributes:
        kind: a key of `KINDS`.
        message: the error in one line.
        bit: offset in the stream in bits, None if unknown.
        table: the table that was being made, None if it concerns the whole file.
        function: position of the function that it concerns, None if it concerns no function.
    """

    kind: str
    message: str
    bit: int | None = None
    table: str | None = None
    function: int | None = None


def problem_of(error: BaseException) -> CorpusProblem:
    """Return the row of an error."""
    if isinstance(error, NoBitstreamError):
        return CorpusProblem("no-bitcode", str(error))
    if isinstance(error, PlacedError):
        return CorpusProblem("malformed", str(error), error.bit_offset)
    if isinstance(error, BitcodecError):
        return CorpusProblem("malformed", str(error))
    if isinstance(error, OSError):
        return CorpusProblem("file", error.strerror or str(error))
    if isinstance(error, MemoryError):
        return CorpusProblem("memory", "not enough memory")
    return CorpusProblem("internal", f"{type(error).__name__}: {error}")
