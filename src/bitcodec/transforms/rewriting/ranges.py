"""Ranges of integers that hold for two values, or for either of two.

Ranges are pairs of bounds, from the first up to but not the second, in order; the last may wrap around.
Rules: LLVM Language Reference, "'range' Metadata" and "'noalias.addrspace' Metadata"; `MDNode::getMostGenericRange` and
`MDNode::getMostGenericNoaliasAddrspace` of LLVM 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import constant_integer
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.types import IntegerType
    from bitcodec.transforms.rewriting.merging import Pair

__all__ = ["holds_zero", "range_node", "shared_ranges", "united_ranges"]


class _IntegerRange(NamedTuple):
    """Some integers in a row, around the circle of all of a width.

    Attributes:
        lower: the first, unsigned.
        size: how many.
    """

    lower: int
    size: int


def united_ranges(pair: Pair) -> MDNode | None:
    """Return the union of the ranges of two values, None if unknown or if it contains every value."""
    if pair.kept is None or pair.gone is None or pair.kept is pair.gone:
        return pair.kept if pair.gone is not None else None
    bounds = _bounds(pair.gone), _bounds(pair.kept)
    if not bounds[0] or not bounds[1] or bounds[0][0].type is not bounds[1][0].type:
        return None
    type_ = bounds[0][0].type
    everything = 1 << type_.bit_width
    found: list[_IntegerRange] = []
    for each in _in_order(_ranges(bounds[0]), _ranges(bounds[1]), everything):
        if not _meets_last(found, each, everything):
            found.append(each)
    while len(found) > 1 and _meets_last(found, found[0], everything):
        del found[0]  # the last, which wraps around, has taken it in
    if len(found) == 1 and found[0].size == everything:
        return None
    return range_node(pair.context, type_, [_spelled(each, everything) for each in found])


def shared_ranges(pair: Pair) -> MDNode | None:
    """Return the ranges that both lists have, None if there are none."""
    if pair.kept is None or pair.gone is None or pair.kept is pair.gone:
        return pair.kept if pair.gone is not None else None
    bounds = _bounds(pair.gone), _bounds(pair.kept)
    if not bounds[0] or not bounds[1] or bounds[0][0].type is not bounds[1][0].type:
        return None
    ours, theirs = ([(low.signed, high.signed) for low, high in _paired(one)] for one in bounds)
    found: list[tuple[int, int]] = []
    first = second = 0
    while first < len(ours) and second < len(theirs):
        low, high = max(ours[first][0], theirs[second][0]), min(ours[first][1], theirs[second][1])
        if low < high:
            found.append((low, high))
        if ours[first][1] < theirs[second][1]:
            first += 1
        else:
            second += 1
    return range_node(pair.context, bounds[0][0].type, found) if found else None


def range_node(context: Context, type_: IntegerType, ranges: Iterable[tuple[int, int]]) -> MDNode:
    """Return the node of some ranges, each from the first of two signed integers up to but not the second."""
    metadata, constants = context.metadata, context.constants
    return metadata.tuple(metadata.value(constants.integer(type_, bound)) for each in ranges for bound in each)


def holds_zero(node: MDNode) -> bool:
    """Return whether zero is in one of the ranges of a node, or may be."""
    bounds = _bounds(node)
    if not bounds:
        return True
    everything = 1 << bounds[0].type.bit_width
    return any(-each.lower % everything < each.size for each in _ranges(bounds))


def _bounds(node: MDNode) -> list[ConstantInt]:
    """Return the bounds that a node lists, none if they are not pairs of integers of one type."""
    found = [number for number in map(constant_integer, node.operands) if number is not None]
    sound = len(found) == len(node.operands) and not len(found) % 2 and len({number.type for number in found}) == 1
    return found if sound else []


def _paired(bounds: list[ConstantInt]) -> Iterator[tuple[ConstantInt, ConstantInt]]:
    return zip(bounds[::2], bounds[1::2], strict=True)


def _ranges(bounds: list[ConstantInt]) -> list[_IntegerRange]:
    everything = 1 << bounds[0].type.bit_width
    return [
        _IntegerRange(low.unsigned, (high.unsigned - low.unsigned) % everything or everything)
        for low, high in _paired(bounds)
    ]


def _in_order(ours: list[_IntegerRange], theirs: list[_IntegerRange], everything: int) -> Iterator[_IntegerRange]:
    """Yield ranges of two lists by their lower bounds, as signed integers; of equal ones the latter's first."""
    first = second = 0
    while first < len(ours) or second < len(theirs):
        from_first = second == len(theirs) or (
            first < len(ours) and _signed(ours[first].lower, everything) < _signed(theirs[second].lower, everything)
        )
        yield ours[first] if from_first else theirs[second]
        first, second = first + from_first, second + (not from_first)


def _meets_last(found: list[_IntegerRange], new: _IntegerRange, everything: int) -> bool:
    """Return whether a range meets the last of others; that one then takes it in."""
    if not found:
        return False
    united = _united(found[-1], new, everything) or _united(new, found[-1], everything)
    if united is not None:
        found[-1] = united
    return united is not None


def _united(first: _IntegerRange, second: _IntegerRange, everything: int) -> _IntegerRange | None:
    """Return two ranges as one, None if the second does not begin in the first or right behind it."""
    distance = (second.lower - first.lower) % everything
    if distance > first.size:
        return None
    return _IntegerRange(first.lower, min(max(first.size, distance + second.size), everything))


def _spelled(each: _IntegerRange, everything: int) -> tuple[int, int]:
    if each.size == everything:
        return -1, -1
    return _signed(each.lower, everything), _signed((each.lower + each.size) % everything, everything)


def _signed(value: int, everything: int) -> int:
    return value - everything if value >= everything >> 1 else value
