"""What the text of decoders calls by name: tables and functions for fields that are more than one lookup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.reader.integers import constant_range, range_width
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.ir.type_properties import holds_floating_point
from bitcodec.ir.types import VectorType
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.layouts import State
    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["ALIGNMENTS", "PARTS"]

_MAX_ALIGNMENT_EXPONENT = 32


class _Alignments(dict[int, "int | None"]):
    """Alignments in bytes by their codes; None stands for the target's own."""

    def __missing__(self, code: int) -> int:
        raise Malformed(f"an alignment of 2**{code - 1} bytes is too large")


class _Orderings(dict[int, AtomicOrdering]):
    """Atomic orderings by their codes."""

    def __missing__(self, _code: int) -> AtomicOrdering:
        return AtomicOrdering.SEQUENTIALLY_CONSISTENT


ALIGNMENTS = _Alignments({0: None} | {exponent + 1: 1 << exponent for exponent in range(_MAX_ALIGNMENT_EXPONENT + 1)})
_ORDERINGS = _Orderings(enumerate(AtomicOrdering))


def _element_type(vector: Value) -> Type:
    if not isinstance(vector.type, VectorType):
        raise Malformed(f"a {vector.type.brief} where a vector should be")
    return vector.type.element_type


def _refuse_rest(operands: list[int]) -> None:
    raise Malformed(f"has {len(operands)} operands, more than it has fields")


# Operands that remain are taken from the end of a reversed list, which costs the same for each.


def _reversed_from(operands: list[int], index: int) -> list[int]:
    return operands[index:][::-1]


# As many operands as they say themselves: what they mean, and the index behind them.


def _one_range(operands: list[int], index: int) -> tuple[ConstantRange, int]:
    rest = _reversed_from(operands, index)
    return constant_range(range_width(rest.pop), rest.pop), len(operands) - len(rest)


def _counted_values(state: State, operands: list[int], index: int) -> tuple[list[Value], int]:
    rest = _reversed_from(operands, index)
    return [state.value(rest.pop(), rest, -1) for _ in range(rest.pop())], len(operands) - len(rest)


def _counted_blocks(state: State, operands: list[int], index: int) -> tuple[list[BasicBlock], int]:
    rest = _reversed_from(operands, index)
    return [state.block(rest.pop()) for _ in range(rest.pop())], len(operands) - len(rest)


def _clauses(state: State, operands: list[int], index: int) -> tuple[list[tuple[int, Value]], int]:
    rest = _reversed_from(operands, index)
    return [(rest.pop(), state.value(rest.pop(), rest, -1)) for _ in range(rest.pop())], len(operands) - len(rest)


# All operands that remain


def _all_values(state: State, operands: list[int]) -> list[Value]:
    if state.is_direct:
        values, count = state.values, len(state.values)
        known = [values[-number] for number in operands if 0 < number <= count]
        if len(known) == len(operands):
            return known
    rest = operands[::-1]
    found: list[Value] = []
    type_ids = state.operand_type_ids = []
    while rest:
        found.append(state.value(rest.pop(), rest, -1))
        type_ids.append(state.last_type_id)
    return found


def _pairs(operands: list[int]) -> list[tuple[int, int]]:
    rest = iter(operands)
    return [(first, next(rest)) for first in rest]


def _incoming(state: State, operands: list[int], type_: Type) -> tuple[list[Value], list[BasicBlock], int]:
    """Return values and blocks of a phi's edges, and its flags: an odd operand at the end."""
    flags = 0
    if len(operands) & 1:
        if not holds_floating_point(type_):
            raise Malformed(f"fast-math flags on a phi of {type_.brief}")
        flags = operands.pop()
    numbers, known = operands[::2], state.blocks
    block_count = len(known)
    blocks = [known[number] if number < block_count else state.block(number) for number in operands[1::2]]
    if not state.is_direct:
        return [state.incoming_value(number, type_) for number in numbers], blocks, flags
    values, count = state.values, len(state.values)
    found = [
        value
        # Those that are there already have even numbers, twice as large as those of other records.
        if not number & 1 and 0 < (back := number >> 1) <= count and (value := values[-back]).type is type_
        else state.incoming_value(number, type_)
        for number in numbers
    ]
    return found, blocks, flags


def _cases(state: State, operands: list[int], type_: Type) -> list[tuple[Value, BasicBlock]]:
    rest = iter(operands)
    return [(state.absolute(number, type_), state.block(next(rest))) for number in rest]


PARTS: dict[str, Any] = {
    "alignments": ALIGNMENTS,
    "orderings": _ORDERINGS,
    "refuse_rest": _refuse_rest,
    "element_type": _element_type,
    "one_range": _one_range,
    "counted_values": _counted_values,
    "counted_blocks": _counted_blocks,
    "clauses": _clauses,
    "all_values": _all_values,
    "pairs": _pairs,
    "incoming": _incoming,
    "cases": _cases,
}
"""By the name that the text of decoders has for each."""
