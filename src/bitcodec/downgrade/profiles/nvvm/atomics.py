"""Atomic operations that libNVVM has no instruction for: loops around `cmpxchg` of words, which PTX has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir import instructions as ir
from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import FloatingPointType, IntegerType, VectorType
from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.transforms.atomic_expand.access import Access
from bitcodec.transforms.atomic_expand.loops import cmpxchg_loop, exchanged
from bitcodec.transforms.atomic_expand.operations import new_value
from bitcodec.transforms.atomic_expand.partword import LOGIC, expand_part, part_of_word, widened
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder

if TYPE_CHECKING:
    from bitcodec.ir.types import Type

__all__ = ["can_loop", "expand_exchange", "expand_operation"]

_WORD = 32
_WIDTHS = frozenset({8, 16, 32, 64})


def can_loop(operation: ir.AtomicRMW) -> bool:
    """Return whether a loop can take the place of an operation."""
    type_: Type = operation.value.type
    if isinstance(type_.scalar_type, FloatingPointType):
        is_known = type_.scalar_type.spelling in {*rows.HALVES, "float", "double"}
        return is_known and scalar_width(type_) * _count(type_) in _WIDTHS
    return isinstance(type_, IntegerType) and type_.bit_width in _WIDTHS


def _count(type_: Type) -> int:
    return type_.count if isinstance(type_, VectorType) and not type_.is_scalable else 1


def expand_operation(operation: ir.AtomicRMW) -> None:
    """Replace an operation by a loop; operations on bits of a part of a word become operations on the word."""
    type_ = operation.value.type
    if scalar_width(type_) * _count(type_) >= _WORD:
        builder = ReplacementBuilder(operation)
        found = cmpxchg_loop(
            builder,
            type_,
            Access.of(operation),
            lambda loaded: new_value(builder, operation.operation, loaded, operation.value),
            exchanged,
        )
        operation.replace_with(found.loaded)
    elif operation.operation in LOGIC:
        widened(operation, _WORD)
    else:
        expand_part(operation, _WORD)


def expand_exchange(exchange: ir.AtomicCmpXchg) -> None:
    """Let a loop around a `cmpxchg` of words take the place of one of 8 bits: it ends when only other bits differ."""
    builder = ReplacementBuilder(exchange)
    part = part_of_word(builder, exchange.compare.type, exchange.pointer, exchange.alignment, _WORD)
    start = builder.block
    end = builder.split_off("cmpxchg.end")
    loop, failure = (builder.block_before(end, name) for name in ("cmpxchg.start", "cmpxchg.failure"))
    wanted, written = (
        builder.binary("shl", builder.cast("zext", value, part.word), part.shift)
        for value in (exchange.compare, exchange.new_value)
    )
    first = builder.binary("and", builder.load(part.word, part.pointer, alignment=part.alignment), part.rest)
    builder.br(loop)
    builder.at_end(loop)
    rest = builder.phi(part.word, [(first, start)])
    pair = builder.cmpxchg(
        part.pointer,
        builder.binary("or", rest, wanted),
        builder.binary("or", rest, written),
        alignment=part.alignment,
        success_ordering=exchange.success_ordering,
        failure_ordering=exchange.failure_ordering,
        sync_scope=exchange.sync_scope,
    )
    old, success = builder.extractvalue(pair, 0), builder.extractvalue(pair, 1)
    builder.cond_br(success, end, failure)
    builder.at_end(failure)
    other = builder.binary("and", old, part.rest)
    rest.add_incoming(other, failure)
    builder.cond_br(builder.compare(ICmpPredicate.NE, rest, other), loop, end)
    builder.before(exchange)
    made = builder.insertvalue(builder.constants.poison(exchange.type), part.extracted(builder, old), 0)
    exchange.replace_with(builder.insertvalue(made, success, 1))
