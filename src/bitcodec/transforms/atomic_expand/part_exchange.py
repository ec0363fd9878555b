"""`cmpxchg` of a part of a word, on targets that exchange whole words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.transforms.atomic_expand.partword import part_of_word
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, replace_and_erase

if TYPE_CHECKING:
    from bitcodec.ir.instructions import AtomicCmpXchg

__all__ = ["exchange_part"]

_NAME = "partword.cmpxchg"


def exchange_part(exchange: AtomicCmpXchg, least: int) -> None:
    """Replace a `cmpxchg` of a part by one of a word of so many bits.

    The rest of the word is expected not to change; where it alone has, the exchange is repeated.
    """
    builder = ReplacementBuilder(exchange)
    start = builder.block
    end = builder.split_off(f"{_NAME}.end")
    failure = builder.block_before(end, f"{_NAME}.failure")
    loop = builder.block_before(failure, f"{_NAME}.loop")
    part = part_of_word(builder, exchange.compare.type, exchange.pointer, exchange.alignment, least)
    written, compare = (
        builder.binary("shl", builder.cast("zext", value, part.word), part.shift)
        for value in (exchange.new_value, exchange.compare)
    )
    word = builder.load(part.word, part.pointer, alignment=least // 8, volatile=exchange.is_volatile)
    first = builder.binary("and", word, part.rest)
    builder.br(loop)
    builder.at_end(loop)
    rest = builder.phi(part.word, [(first, start)])
    new_word = builder.binary("or", rest, written)
    made = builder.cmpxchg(
        part.pointer,
        builder.binary("or", rest, compare),
        new_word,
        alignment=part.alignment,
        success_ordering=exchange.success_ordering,
        failure_ordering=exchange.failure_ordering,
        sync_scope=exchange.sync_scope,
        volatile=exchange.is_volatile,
        weak=exchange.is_weak,
    )
    found, success = builder.extractvalue(made, 0), builder.extractvalue(made, 1)
    if exchange.is_weak:
        builder.br(end)
    else:
        builder.cond_br(success, end, failure)
    builder.at_end(failure)
    changed = builder.binary("and", found, part.rest)
    builder.cond_br(builder.compare(ICmpPredicate.NE, rest, changed), loop, end)
    rest.add_incoming(changed, failure)
    builder.before(exchange)
    pair = builder.insertvalue(builder.constants.poison(exchange.type), part.extracted(builder, found), 0)
    replace_and_erase(exchange, builder.insertvalue(pair, success, 1))
