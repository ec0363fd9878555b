"""Intrinsics that change a part of a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation, ICmpPredicate
from bitcodec.transforms.atomic_expand.access import merged_ordering
from bitcodec.transforms.atomic_expand.partword import WordPart, part_of_word, shifted_value
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, replace_and_erase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW
    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.description import MaskedCalls

__all__ = ["masked_exchange", "masked_operation"]

_Op = AtomicRMWOperation
_SIGNED = frozenset({_Op.MAX, _Op.MIN})
_FILLINGS: Mapping[int, AtomicRMWOperation] = {0: _Op.AND, -1: _Op.OR}
"""Operations that set all bits to the same value, by that value."""
_ORDERINGS: Mapping[AtomicOrdering, int] = {
    AtomicOrdering.MONOTONIC: 2,
    AtomicOrdering.ACQUIRE: 4,
    AtomicOrdering.RELEASE: 5,
    AtomicOrdering.ACQUIRE_RELEASE: 6,
    AtomicOrdering.SEQUENTIALLY_CONSISTENT: 7,
}
"""Numbers of orderings for the intrinsics; they differ from bitcode's."""


def masked_operation(rmw: AtomicRMW, calls: MaskedCalls, least: int) -> None:
    """Replace an `atomicrmw` of less than a word by an intrinsic."""
    builder = ReplacementBuilder(rmw)
    part = part_of_word(builder, rmw.type, rmw.pointer, rmw.alignment, least)
    shifted = shifted_value(builder, part, rmw.value, is_signed=rmw.operation in _SIGNED)
    if rmw.operation is _Op.XCHG and isinstance(rmw.value, ConstantInt) and rmw.value.value in _FILLINGS:
        found = _filled(builder, rmw, part, rmw.value.value)
    else:
        found = _called(builder, rmw, part, shifted, calls)
    replace_and_erase(rmw, part.extracted(builder, found))


def masked_exchange(exchange: AtomicCmpXchg, calls: MaskedCalls, least: int) -> None:
    """Replace a `cmpxchg` of less than a word by an intrinsic."""
    builder = ReplacementBuilder(exchange)
    register = builder.integer(calls.register)
    part = part_of_word(builder, exchange.compare.type, exchange.pointer, exchange.alignment, least)
    compare, written = (
        builder.binary("shl", builder.cast("zext", value, part.word), part.shift, name)
        for value, name in ((exchange.compare, "CmpVal_Shifted"), (exchange.new_value, "NewVal_Shifted"))
    )
    taken = exchange.failure_ordering if calls.takes_failure else merged_ordering(exchange)
    ordering = builder.constants.integer(register, _ORDERINGS[taken])
    operands = [builder.cast("sext", value, register) for value in (compare, written, part.mask)]
    called = builder.reuse.overloaded(calls.exchange, register, part.pointer.type)
    result = builder.intrinsic(called, register, [part.pointer, *operands, ordering])
    word = builder.cast("trunc", result, part.word)
    found = part.extracted(builder, word)
    pair = builder.insertvalue(builder.constants.poison(exchange.type), found, 0)
    success = builder.compare(ICmpPredicate.EQ, compare, builder.binary("and", word, part.mask), "Success")
    replace_and_erase(exchange, builder.insertvalue(pair, success, 1))


def _filled(builder: ReplacementBuilder, rmw: AtomicRMW, part: WordPart, filling: int) -> Value:
    """Set or clear all bits of the part."""
    return builder.atomicrmw(
        _FILLINGS[filling],
        part.pointer,
        part.mask if filling else builder.invert(part.mask, "Inv_Mask"),
        alignment=rmw.alignment,
        ordering=rmw.ordering,
    )


def _called(builder: ReplacementBuilder, rmw: AtomicRMW, part: WordPart, shifted: Value, calls: MaskedCalls) -> Value:
    register = builder.integer(calls.register)
    ordering = builder.constants.integer(register, _ORDERINGS[rmw.ordering])
    *operands, shift = (builder.cast("sext", value, register) for value in (shifted, part.mask, part.shift))
    if rmw.operation in _SIGNED:
        # What is compared with its sign is first shifted to the top of the register, and back.
        width = builder.module.data_layout.store_size(rmw.type) * 8
        unused = builder.constants.integer(register, calls.register - width)
        operands.append(builder.binary("sub", unused, shift))
    called = builder.reuse.overloaded(calls.operations[rmw.operation], register, part.pointer.type)
    result = builder.intrinsic(called, register, [part.pointer, *operands, ordering])
    return builder.cast("trunc", result, part.word)
