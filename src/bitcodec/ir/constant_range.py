"""Ranges of integers: the values of `range` and `initializes`."""

from __future__ import annotations

from typing import Self

from bitcodec.frozen import Frozen
from bitcodec.ir.decimals import decimal_text

__all__ = ["ConstantRange"]


class ConstantRange(Frozen):
    """The integers of `width` bits from `lower` up to but not `upper`, both signed; it may wrap around.

    If both bounds are equal it holds everything (both -1) or nothing (both 0).
    """

    __slots__ = __match_args__ = ("width", "lower", "upper")

    width: int
    lower: int
    upper: int

    def __init__(self, width: int, lower: int, upper: int) -> None:
        object.__setattr__(self, "width", width)
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @classmethod
    def of(cls, width: int, lower: int, upper: int) -> Self:
        """Return the range between two bounds of any signedness; more bits than `width` are cut off."""
        return cls(width, _signed(lower, width), _signed(upper, width))

    @property
    def is_full(self) -> bool:
        """Whether it holds every integer."""
        return self.lower == self.upper == -1

    @property
    def bounds(self) -> str:
        """The two bounds, as text has them."""
        return f"{decimal_text(self.lower)}, {decimal_text(self.upper)}"

    def __contains__(self, value: int) -> bool:
        value = _signed(value, self.width)
        if self.lower < self.upper:
            return self.lower <= value < self.upper
        if self.lower == self.upper:
            return self.is_full
        return value >= self.lower or value < self.upper

    def __str__(self) -> str:
        return f"i{self.width} {self.bounds}"


def _signed(value: int, width: int) -> int:
    # So small a number costs nothing, however wide the range is.
    if (value if value >= 0 else ~value).bit_length() < width:
        return value
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value
