"""A compact form for records, so that a fuzzer that changes bytes changes codes and operands, not bits of a stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

OTHER_BLOCK = 0x80
"""Bit of the first byte: the record belongs to the second block of a target."""
_WIDE = 0xE0
_NEGATIVE = 0xE8
_LONG = 0xFF
_MASK = (1 << 64) - 1


class PlainRecord(NamedTuple):
    """A record without an abbreviation, and whether it belongs to the second block."""

    code: int
    operands: tuple[int, ...]
    is_in_other_block: bool = False


def unpack_records(data: bytes) -> Iterator[PlainRecord]:
    """Yield the records of a compact text; every text has a meaning.

    A record is its code (one byte), the number of operands (one byte, or 255 and two bytes), and the operands: one byte
    below 224, else 224 + the number of bytes that follow, less one; 232 + n is the 64-bit number -1 - n.
    """
    place = 0
    while place + 1 < len(data):
        code, count = data[place], data[place + 1]
        place += 2
        if count == _LONG:
            count = int.from_bytes(data[place : place + 2], "little")
            place += 2
        operands: list[int] = []
        while len(operands) < count and place < len(data):
            value = data[place]
            place += 1
            if value >= _NEGATIVE:
                value = _MASK - (value - _NEGATIVE)
            elif value >= _WIDE:
                size = value - _WIDE + 1
                value = int.from_bytes(data[place : place + size], "little")
                place += size
            operands.append(value)
        yield PlainRecord(code & ~OTHER_BLOCK, tuple(operands), bool(code & OTHER_BLOCK))


def pack_records(records: Iterable[PlainRecord]) -> bytes:
    """Return the compact text of records, the inverse of `unpack_records`."""
    data = bytearray()
    for code, operands, is_in_other_block in records:
        data.append(code | (OTHER_BLOCK if is_in_other_block else 0))
        if len(operands) < _LONG:
            data.append(len(operands))
        else:
            data += bytes([_LONG]) + min(len(operands), 0xFFFF).to_bytes(2, "little")
        for operand in operands[:0xFFFF]:
            data += _pack_operand(operand)
    return bytes(data)


def _pack_operand(value: int) -> bytes:
    if value < _WIDE:
        return bytes([value])
    if value > _MASK - (_LONG - _NEGATIVE):
        return bytes([_NEGATIVE + _MASK - value])
    size = (value.bit_length() + 7) // 8
    return bytes([_WIDE + size - 1]) + value.to_bytes(size, "little")
