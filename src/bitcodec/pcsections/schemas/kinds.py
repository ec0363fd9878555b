"""Data that may follow a PC: kinds of entries, and the fields of their constants.

Rules: docs/reference/pc-sections.md, 2.1 to 2.3.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.encoding.constants import uleb128

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bitcodec.containers.elf_headers import ByteOrder
    from bitcodec.pcsections.encoding.encode import Layout

__all__ = ["CUT", "Field", "Kind", "Operation", "SectionSchema", "integer_bits"]


class Operation(IntEnum):
    """A step over constants: known bytes, bytes of any value, a ULEB128, or all up to the next PC field."""

    KNOWN = 0
    ANY = 1
    ULEB128 = 2
    REST = 3


Step = tuple[Operation, int, bytes, int]
"""The operation, its length in bytes (bits of a ULEB128), the known bytes, and its condition."""


class Field(NamedTuple):
    """A constant.

    Attributes:
        type: as assembly text spells it; None where all bytes up to the next PC field are one value.
        size: in bytes; 0 for a ULEB128, None for an address of the file's pointer size.
        value: its known value: a number, or its bytes; None if unknown.
        holes: first and last byte of the parts of a known value that the linker fills in.
        name: its name; "" if absent.
        condition: bits of the ULEB128 before it, one of which is set where this field is present; 0 if it always is.
    """

    type: str | None
    size: int | None
    value: int | bytes | None = None
    holes: tuple[tuple[int, int], ...] = ()
    name: str = ""
    condition: int = 0

    def steps(self, pointer_size: int, byte_order: ByteOrder) -> Iterator[Step]:
        """Yield the steps of a matcher over it."""
        if self.value is None:
            if self.type is None:
                yield Operation.REST, 0, b"", 0
            elif self.size == 0:
                yield Operation.ULEB128, integer_bits(self.type) or 64, b"", self.condition
            else:
                yield Operation.ANY, pointer_size if self.size is None else self.size, b"", self.condition
            return
        known = self.value if isinstance(self.value, bytes) else self._encoded(self.value, pointer_size, byte_order)
        place = 0
        for start, end in (*self.holes, (len(known), len(known))):
            if place < start:
                yield Operation.KNOWN, start - place, known[place:start], self.condition
            if start < end:
                yield Operation.ANY, end - start, b"", self.condition
            place = end

    def _encoded(self, value: int, pointer_size: int, byte_order: ByteOrder) -> bytes:
        bits = integer_bits(self.type) or 8 * pointer_size
        value &= (1 << bits) - 1
        if self.size == 0:
            return uleb128(value)
        stored = value.to_bytes(-(-bits // 8), byte_order)
        return stored.ljust(pointer_size if self.size is None else self.size, b"\0")


class Kind(NamedTuple):
    """Possible form of an entry: a PC of a function, its size and constants; or PCs of instructions, and constants.

    Attributes:
        is_function: whether it is the entry of a function.
        fields: the constants.
        is_compressed: whether the size of the function is a ULEB128.
    """

    is_function: bool
    fields: tuple[Field, ...] = ()
    is_compressed: bool = False

    @property
    def size_length(self) -> int:
        """Bytes of the size of the function, 0 where it is a ULEB128."""
        return 0 if self.is_compressed else 4

    def steps(self, pointer_size: int, byte_order: ByteOrder) -> list[Step]:
        """Return the steps of a matcher over the constants, consecutive known bytes as one step."""
        steps: list[Step] = []
        for field in self.fields:
            for step in field.steps(pointer_size, byte_order):
                operation, length, known, condition = step
                if steps and operation is Operation.KNOWN and (steps[-1][0], steps[-1][3]) == (operation, condition):
                    steps[-1] = (operation, steps[-1][1] + length, steps[-1][2] + known, condition)
                else:
                    steps.append(step)
        return steps


class SectionSchema(NamedTuple):
    """Possible contents of one section behind its PCs.

    Attributes:
        kinds: of its entries.
        by_function: the numbers of the kinds that a function requests, by its name; None if any may have any.
        layout: position of constants: `backend`: once after PCs that share them, as LLVM writes them; `document`: after
            each PC.
        pc_size: bytes of a PC field, None if the file specifies it.
    """

    kinds: tuple[Kind, ...]
    by_function: Mapping[str, tuple[int, ...]] | None = None
    layout: Layout = "backend"
    pc_size: int | None = None


CUT = SectionSchema((Kind(is_function=False, fields=(Field(None, None),)),), layout="document")
"""Schema of a section about which only the PC fields are known."""


def integer_bits(type: str | None) -> int | None:
    """Return the width of an integer type; None for another type."""
    if type is None:
        return None
    digits = type[1:]
    return int(digits) if type[:1] == "i" and digits.isdecimal() and len(digits) <= 7 else None
