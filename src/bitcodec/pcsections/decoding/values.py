"""Constants as Python values, from their bytes.  Rules: docs/reference/pc-sections.md, 2.3."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from bitcodec.pcsections.decoding.entries import AuxValue
from bitcodec.pcsections.schemas.kinds import integer_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.containers.elf_headers import ByteOrder
    from bitcodec.pcsections.decoding.entries import Value
    from bitcodec.pcsections.references import Reference
    from bitcodec.pcsections.schemas.kinds import Field, Kind

__all__ = ["Constants", "read_uleb128"]


class Constants:
    """The constants in a section.

    Args:
        data: the bytes of the section.
        byte_order: of its numbers.
        pointer_size: bytes of an address.
        references: addresses that the linker or the loader fills in, by byte offset.
    """

    def __init__(
        self, data: memoryview, byte_order: ByteOrder, pointer_size: int, references: Mapping[int, Reference]
    ) -> None:
        self._data = data
        self._byte_order = byte_order
        self._pointer_size = pointer_size
        self._references = references

    @property
    def has_references(self) -> bool:
        """Whether there are addresses that the linker or the loader fills in."""
        return bool(self._references)

    def values(self, kind: Kind, start: int, end: int) -> tuple[AuxValue, ...]:
        """Return the constants of a kind, which a matcher has found between two bytes."""
        return tuple(self._values(kind, start, end))

    def _values(self, kind: Kind, place: int, end: int) -> Iterator[AuxValue]:
        number = 0
        for field in kind.fields:
            if field.condition and not number & field.condition:
                continue
            if field.type is None:
                if place < end:
                    yield AuxValue(None, self._data[place:end].hex())
                return
            if field.size == 0:
                number, place = read_uleb128(self._data, place)
                yield AuxValue(field.type, _signed(number, integer_bits(field.type) or 64), field.name)
                continue
            size = self._pointer_size if field.size is None else field.size
            yield AuxValue(field.type, self._value(field, place, size), field.name)
            place += size

    def _value(self, field: Field, place: int, size: int) -> Value:
        reference = self._references.get(place)
        data = bytes(self._data[place : place + size])
        bits = integer_bits(field.type)
        if reference is not None and reference.size == size:
            return _told(reference)
        if bits is not None:
            number = int.from_bytes(data[: -(-bits // 8)], self._byte_order)
            return _signed(number & ((1 << bits) - 1), bits)
        if str(field.type).startswith("ptr"):
            return int.from_bytes(data, self._byte_order)
        read = _FLOATS.get(str(field.type))
        return data.hex() if read is None else read(data, self._byte_order)


def read_uleb128(data: memoryview, place: int) -> tuple[int, int]:
    """Return the number at a place, and the place after it."""
    value = shift = 0
    while data[place] > 0x7F:
        value |= (data[place] & 0x7F) << shift
        shift += 7
        place += 1
    return value | data[place] << shift, place + 1


def _told(reference: Reference) -> Value:
    """Return a symbol with the distance from it; without a symbol, the address."""
    if not reference.symbol:
        return reference.addend
    return f"{reference.symbol}{reference.addend:+d}" if reference.addend else reference.symbol


def _signed(number: int, bits: int) -> int:
    return number - (1 << bits) if bits > 1 and number >> bits - 1 else number


def _ieee(format: str) -> Callable[[bytes, ByteOrder], float]:
    def read(data: bytes, byte_order: ByteOrder) -> float:
        value: float = struct.unpack((">" if byte_order == "big" else "<") + format, data)[0]
        return value

    return read


def _bfloat(data: bytes, byte_order: ByteOrder) -> float:
    """Return the float whose first half this is."""
    value: float = struct.unpack(">f", int.from_bytes(data, byte_order).to_bytes(2) + b"\0\0")[0]
    return value


_FLOATS: dict[str, Callable[[bytes, ByteOrder], float]] = {
    "half": _ieee("e"),
    "bfloat": _bfloat,
    "float": _ieee("f"),
    "double": _ieee("d"),
}
"""Wider ones do not fit a Python float, and stay bytes."""
