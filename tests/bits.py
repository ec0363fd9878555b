"""Bitstreams in words, for tests only: a writer that shares no code with the product's, so that no bug hides in both.

It is written to be seen to be right, a character for each bit, and checks nothing: malformed streams are its business.

    >>> Bits().enter_block(8, width=3).unabbreviated(1, [2]).end_block().stream().hex()
    '4243c0de210c0000010000000b020100'
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Literal

CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
LLVM_IR = b"BC\xc0\xde"

END_BLOCK, ENTER_SUBBLOCK, DEFINE_ABBREV, UNABBREV_RECORD = range(4)
FIXED, VBR, ARRAY, CHAR6, BLOB = range(1, 6)

Field = int | tuple[Literal["fixed", "vbr"], int] | Literal["array", "char6", "blob"]
"""One operand of an abbreviation; an `int` is a literal."""

_CODES = {"fixed": FIXED, "vbr": VBR, "array": ARRAY, "char6": CHAR6, "blob": BLOB}


class Bits:
    """A stream that grows at its end.  Every method returns it, so that a test reads as the stream does."""

    def __init__(self, magic: bytes = LLVM_IR) -> None:
        self._bits = bytearray()
        self._widths = [2]
        self._lengths: list[int] = []
        for byte in magic:
            self.fixed(byte, 8)

    @property
    def size(self) -> int:
        """Bits so far."""
        return len(self._bits)

    def stream(self) -> bytes:
        """Return the bytes, zero bits filling the last word."""
        self.align32()
        return int(b"0" + self._bits[::-1], 2).to_bytes(len(self._bits) // 8, "little")

    # Primitives

    def fixed(self, value: int, width: int) -> Bits:
        if width:
            self._bits += format(value, f"0{width}b")[::-1].encode()
        return self

    def vbr(self, value: int, width: int) -> Bits:
        more = 1 << (width - 1)
        while value >= more:
            self.fixed(value % more + more, width)
            value //= more
        return self.fixed(value, width)

    def char6(self, character: str) -> Bits:
        return self.fixed(CHARACTERS.index(character), 6)

    def align32(self) -> Bits:
        self._bits += b"0" * (-len(self._bits) % 32)
        return self

    def raw(self, data: bytes) -> Bits:
        for byte in data:
            self.fixed(byte, 8)
        return self

    def repeated(self, other: Bits, times: int) -> Bits:
        """Write the bits of another one over and over."""
        self._bits += other._bits * times
        return self

    # Blocks

    def id(self, abbreviation_id: int) -> Bits:
        """Write an abbreviation id as wide as it is here."""
        return self.fixed(abbreviation_id, self._widths[-1])

    def enter_block(self, block_id: int, *, width: int = 3) -> Bits:
        self.id(ENTER_SUBBLOCK).vbr(block_id, 8).vbr(width, 4).align32()
        self._lengths.append(self.size)
        self._widths.append(width)
        return self.fixed(0, 32)

    def end_block(self, *, words: int | None = None) -> Bits:
        """End the block; its header will state its length, or `words`."""
        self.id(END_BLOCK).align32()
        start = self._lengths.pop()
        self._widths.pop()
        length = (self.size - start) // 32 - 1 if words is None else words
        self._bits[start : start + 32] = format(length, "032b")[::-1].encode()
        return self

    # Abbreviations and records

    def define(self, *fields: Field) -> Bits:
        self.id(DEFINE_ABBREV).vbr(len(fields), 5)
        for field in fields:
            if isinstance(field, int):
                self.fixed(1, 1).vbr(field, 8)
            elif isinstance(field, str):
                self.fixed(0, 1).fixed(_CODES[field], 3)
            else:
                self.fixed(0, 1).fixed(_CODES[field[0]], 3).vbr(field[1], 5)
        return self

    def unabbreviated(self, code: int, operands: Iterable[int] = ()) -> Bits:
        values = list(operands)
        self.id(UNABBREV_RECORD).vbr(code, 6).vbr(len(values), 6)
        for value in values:
            self.vbr(value, 6)
        return self

    def abbreviated(
        self, abbreviation_id: int, fields: Sequence[Field], values: Iterable[int], blob: bytes = b""
    ) -> Bits:
        """Write a record by an abbreviation; the first of `values` is its code."""
        self.id(abbreviation_id)
        rest = list(values)
        for index, field in enumerate(fields):
            if field == "array":
                self.vbr(len(rest), 6)
                for value in rest:
                    self.value(fields[index + 1], value)
                break
            if field == "blob":
                self.blob(blob)
            else:
                self.value(field, rest.pop(0))
        return self

    def value(self, field: Field, value: int) -> Bits:
        if isinstance(field, int):
            return self
        if isinstance(field, str):
            return self.char6(chr(value))
        kind, width = field
        return self.fixed(value, width) if kind == "fixed" or not width else self.vbr(value, width)

    def blob(self, data: bytes) -> Bits:
        return self.vbr(len(data), 6).align32().raw(data).align32()


def wrapped(
    stream: bytes,
    *,
    before: bytes = b"",
    after: bytes = b"",
    cpu_type: int = 7,
    offset: int | None = None,
    size: int | None = None,
) -> bytes:
    """Return a wrapper around `stream`: the header, `before`, the stream, `after`."""
    header = struct.pack(
        "<5I",
        0x0B17C0DE,
        0,
        20 + len(before) if offset is None else offset,
        len(stream) if size is None else size,
        cpu_type,
    )
    return header + before + stream + after
