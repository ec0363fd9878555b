"""Abbreviations: how a record's code and operands are laid out in bits.

Rules: LLVM Bitcode File Format, "Abbreviations"; widths as LLVM's reader limits them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from bitcodec.frozen import Frozen
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "CHAR6_ALPHABET",
    "FIRST_ABBREVIATION_ID",
    "MAX_WIDTH",
    "TOP_LEVEL_WIDTH",
    "Abbreviation",
    "AbbreviationId",
    "Encoding",
    "Operand",
    "array",
    "blob",
    "char6",
    "fixed",
    "literal",
    "vbr",
]

CHAR6_ALPHABET = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
MAX_WIDTH = 32
"""The widest Fixed or VBR field, in bits, that LLVM's reader takes."""

FIRST_ABBREVIATION_ID = 4
TOP_LEVEL_WIDTH = 2
"""Width of abbreviation ids outside all blocks, in bits."""


class AbbreviationId(IntEnum):
    """The four abbreviation ids that every stream has; a stream's own begin at `FIRST_ABBREVIATION_ID`."""

    END_BLOCK = 0
    ENTER_SUBBLOCK = 1
    DEFINE_ABBREV = 2
    UNABBREV_RECORD = 3


class Encoding(IntEnum):
    """How one operand of an abbreviation is written.  `LITERAL` has no code in the stream, only a flag bit."""

    LITERAL = 0
    FIXED = 1
    VBR = 2
    ARRAY = 3
    CHAR6 = 4
    BLOB = 5

    @property
    def has_width(self) -> bool:
        """Whether a width follows in the definition."""
        return self in (Encoding.FIXED, Encoding.VBR)

    @property
    def is_scalar(self) -> bool:
        """Whether the operand represents exactly one value."""
        return self not in (Encoding.ARRAY, Encoding.BLOB)


class Operand(NamedTuple):
    """One operand of an abbreviation; `value` is a literal's value, or a Fixed or VBR width in bits."""

    encoding: Encoding
    value: int = 0

    def __str__(self) -> str:
        if self.encoding is Encoding.LITERAL:
            return str(self.value)
        name = self.encoding.name.lower()
        return f"{name}({self.value})" if self.encoding.has_width else name


def literal(value: int) -> Operand:
    """Make an operand for a constant (0..2**64-1) that takes no bits in a record."""
    return Operand(Encoding.LITERAL, value)


def fixed(width: int) -> Operand:
    """Make an operand for a field of `width` (0..32) bits."""
    return Operand(Encoding.FIXED, width)


def vbr(width: int) -> Operand:
    """Make an operand for groups of `width` (0..32) bits, the top bit of each telling whether one more follows."""
    return Operand(Encoding.VBR, width)


array = Operand(Encoding.ARRAY)
"""A vbr6 count and that many elements; the operand after it, the last one, defines their encoding."""
char6 = Operand(Encoding.CHAR6)
"""One of the 64 characters of `CHAR6_ALPHABET`, in 6 bits."""
blob = Operand(Encoding.BLOB)
"""A vbr6 count and, aligned to 32 bits, that many bytes."""


class Abbreviation(Frozen):
    """The layout of a record; its first operand gives the record's code."""

    __slots__ = __match_args__ = ("operands",)

    operands: tuple[Operand, ...]

    def __init__(self, operands: tuple[Operand, ...]) -> None:
        object.__setattr__(self, "operands", operands)

    @classmethod
    def of(cls, *operands: Operand | int) -> Abbreviation:
        """Build one from operands, plain integers standing for literals: `Abbreviation.of(8, array, char6)`."""
        return cls(tuple(literal(item) if isinstance(item, int) else item for item in operands))

    @property
    def flaw(self) -> str | None:
        """Why no record can be read by this definition, or None.  Streams may define such, as long as none uses it."""
        return find_flaw(self.operands)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.operands))}]"

    def __repr__(self) -> str:
        return f"Abbreviation.of({', '.join(map(str, self.operands))})"


def find_flaw(operands: Iterable[Operand]) -> str | None:  # noqa: PLR0911 - one return for each flaw
    """Say why a record cannot be read by `operands`, or return None."""
    layout = list(operands)
    if not layout:
        return "has no operands"
    encodings = [operand.encoding for operand in layout]
    if not encodings[0].is_scalar:
        return "starts with an array or a blob"
    if Encoding.BLOB in encodings[:-1]:
        return "has a blob that is not last"
    if Encoding.ARRAY not in encodings:
        return None
    if encodings.index(Encoding.ARRAY) != len(encodings) - 2:
        return "has an array that is not second to last"
    element = layout[-1]
    if element.encoding is Encoding.LITERAL or (element.encoding.has_width and element.value == 0):
        return "has an array whose elements take no bits"
    if not element.encoding.is_scalar:
        return "has an array of arrays or blobs"
    return None


def abbreviation_from_rows(encodings: Sequence[int], values: Sequence[int], first: int, last: int) -> Abbreviation:
    """Build an abbreviation from rows `first` to `last` (excluded) of a table of operands."""
    rows = zip(encodings[first:last], values[first:last], strict=True)
    return Abbreviation(tuple(Operand(Encoding(encoding), value) for encoding, value in rows))
