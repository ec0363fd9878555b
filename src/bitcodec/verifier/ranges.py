"""Rules of lists of ranges: `!range`, `!absolute_symbol`, `!noalias.addrspace`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import constant_integer
from bitcodec.ir.type_properties import is_integer
from bitcodec.named_tuple import NamedTuple
from bitcodec.verifier.rules import Problem

if TYPE_CHECKING:
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.metadata import MDNode, Operand
    from bitcodec.ir.types import Type

__all__ = ["range_problem"]


class _Range(NamedTuple):
    """The integers of a width from one up to but not another, around the end if that is less; both are unsigned."""

    lower: int
    upper: int
    width: int

    def holds(self, value: int) -> bool:
        size = self.upper - self.lower & (1 << self.width) - 1
        return value - self.lower & (1 << self.width) - 1 < size or self.is_all

    @property
    def is_all(self) -> bool:
        return self.lower == self.upper == (1 << self.width) - 1

    @property
    def is_none(self) -> bool:
        return self.lower == self.upper == 0

    @property
    def start(self) -> int:
        """The lower bound, as a signed number."""
        return self.lower - ((self.lower >> self.width - 1) << self.width)

    def overlaps(self, other: _Range) -> bool:
        return self.holds(other.lower) or other.holds(self.lower)

    def touches(self, other: _Range) -> bool:
        return self.upper == other.lower or self.lower == other.upper


def range_problem(node: MDNode, type_: Type | None, *, may_be_full: bool = False) -> str | None:
    """Return the error in a list of ranges; LLVM prints the list, or, below a message, its owner.

    Args:
        node: the list: lower and upper bound of each range, in turn.
        type_: the type that the bounds must have; None for any 32-bit integer.
        may_be_full: whether a range may contain all integers.
    """
    operands = node.operands
    if len(operands) % 2:
        return Problem("Unfinished range!", node)
    if not operands:
        return Problem("It should have at least one range!", node)
    ranges: list[_Range] = []
    for low, high in zip(operands[::2], operands[1::2], strict=True):
        found, problem = _range(low, high, type_)
        if found is not None:
            order = _order_problem(found, ranges[-1:], may_be_full=may_be_full)
            problem = None if order is None else Problem(order, node)
            ranges.append(found)
        if problem is not None:
            return problem
    end = _end_problem(ranges[0], ranges[-1]) if len(ranges) > 2 else None
    return None if end is None else Problem(end, node)


def _range(low: Operand, high: Operand, type_: Type | None) -> tuple[_Range | None, str | None]:
    """Return a range, or the error in its bounds."""
    lower, upper = constant_integer(low), constant_integer(high)
    if lower is None or upper is None:
        return None, Problem(f"The {'lower' if lower is None else 'upper'} limit must be an integer!")
    problem = _bounds_problem(lower, upper, type_)
    if problem is not None:
        return None, problem
    return _Range(lower.unsigned, upper.unsigned, lower.type.bit_width), None


def _bounds_problem(lower: ConstantInt, upper: ConstantInt, type_: Type | None) -> str | None:
    if lower.type is not upper.type:
        return "Range pair types must match!"
    if type_ is None and not is_integer(lower.type, 32):
        return "noalias.addrspace type must be i32!"
    if type_ is not None and lower.type is not type_.scalar_type:
        return "Range types must match instruction type!"
    if lower is upper and lower.unsigned not in {0, (1 << lower.type.bit_width) - 1}:
        return "The upper and lower limits cannot be the same value"
    return None


def _order_problem(found: _Range, last: list[_Range], *, may_be_full: bool) -> str | None:
    if found.is_none or (found.is_all and not may_be_full):
        return "Range must not be empty!"
    for before in last:
        if found.overlaps(before):
            return "Intervals are overlapping"
        if found.start <= before.start:
            return "Intervals are not in order"
        if found.touches(before):
            return "Intervals are contiguous"
    return None


def _end_problem(first: _Range, last: _Range) -> str | None:
    """Return the error between the first and the last range, which may wrap around."""
    if first.overlaps(last):
        return "Intervals are overlapping"
    return "Intervals are contiguous" if first.touches(last) else None
