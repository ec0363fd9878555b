"""`cmpxchg` by load-linked and store-conditional."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder import metadata_node
from bitcodec.ir.instructions import ExtractValue
from bitcodec.tables.opcodes import AtomicOrdering, ICmpPredicate
from bitcodec.transforms.atomic_expand.access import merged_ordering
from bitcodec.transforms.atomic_expand.fences import leading_barrier, put_barrier, trailing_barrier
from bitcodec.transforms.atomic_expand.linked import clear_link, load_linked, store_conditional
from bitcodec.transforms.atomic_expand.partword import part_of_word
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, replace_and_erase

if TYPE_CHECKING:
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions import AtomicCmpXchg, Phi
    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.description import AtomicTarget

__all__ = ["linked_exchange"]

_LIKELY = (1 << 20) - 1
"""Weight of an edge that is nearly always taken, against 1 of the other edge."""
_WEIGHT_BITS = 32
_SEQ_CST = AtomicOrdering.SEQUENTIALLY_CONSISTENT
_UNFENCED = frozenset({AtomicOrdering.MONOTONIC, AtomicOrdering.ACQUIRE})


def linked_exchange(exchange: AtomicCmpXchg, target: AtomicTarget) -> None:
    """Replace a `cmpxchg` by a load-linked and a store-conditional."""
    _LinkedExchange(exchange, target).expand()


class _LinkedExchange:
    """The blocks that take the place of a `cmpxchg`, from top to bottom.

    A barrier that releases is put off until something is about to be stored.  If that store fails, the load that
    follows comes after the barrier, and so has a separate block.
    """

    def __init__(self, exchange: AtomicCmpXchg, target: AtomicTarget) -> None:
        builder = ReplacementBuilder(exchange)
        self.exchange = exchange
        self.target = target
        self.builder = builder
        self.is_fenced = exchange.opcode in target.fences.opcodes
        self.ordering = AtomicOrdering.MONOTONIC if self.is_fenced else merged_ordering(exchange)
        is_small = "minsize" in builder.function.attributes.for_function
        self.is_fenced_at_once = is_small and not exchange.is_weak
        self.loads_again = (
            self.is_fenced and not exchange.is_weak and not is_small and exchange.success_ordering not in _UNFENCED
        )
        self.end = builder.split_off("cmpxchg.end")
        # From bottom to top, which decides the numbers of names that are taken.
        self.failure = builder.block_before(self.end, "cmpxchg.failure")
        self.no_store = builder.block_before(self.failure, "cmpxchg.nostore")
        self.success = builder.block_before(self.no_store, "cmpxchg.success")
        self.released_load = builder.block_before(self.success, "cmpxchg.releasedload")
        self.try_store = builder.block_before(self.released_load, "cmpxchg.trystore")
        self.fenced_store = builder.block_before(self.try_store, "cmpxchg.fencedstore")
        self.start = builder.block_before(self.fenced_store, "cmpxchg.start")

    def expand(self) -> None:
        builder, exchange = self.builder, self.exchange
        if self.is_fenced and self.is_fenced_at_once:
            leading_barrier(builder, self.target.fences, exchange, exchange.success_ordering)
        least = self.target.least_exchange
        self.part = part_of_word(builder, exchange.compare.type, exchange.pointer, exchange.alignment, least)
        builder.br(self.start)
        first = self._load(self.start, self.fenced_store)
        self._fence_store()
        stored_over = self._store(first)
        again = self._load_again(stored_over)
        self._succeed()
        not_stored = self._give_up(first, again)
        failed = self._fail(not_stored, stored_over)
        self._finish(stored_over, failed)

    def _load(self, block: BasicBlock, store: BasicBlock) -> Value:
        """Load in a block; continue with the store if memory holds the expected value."""
        builder, part = self.builder, self.part
        builder.at_end(block)
        loaded = load_linked(builder, self.target, part.word, part.pointer, self.ordering)
        found = part.extracted(builder, loaded)
        should_store = builder.compare(ICmpPredicate.EQ, found, self.exchange.compare, "should_store")
        self._likely(should_store, store, self.no_store)
        return loaded

    def _fence_store(self) -> None:
        self.builder.at_end(self.fenced_store)
        if self.is_fenced and not self.is_fenced_at_once:
            leading_barrier(self.builder, self.target.fences, self.exchange, self.exchange.success_ordering)
        self.builder.br(self.try_store)

    def _store(self, loaded: Value) -> Phi:
        builder, part = self.builder, self.part
        builder.at_end(self.try_store)
        stored_over = builder.phi(part.word, [(loaded, self.fenced_store)], name="loaded.trystore")
        word = part.inserted(builder, stored_over, self.exchange.new_value)
        status = store_conditional(builder, self.target, word, part.pointer, self.ordering)
        retry = self.released_load if self.loads_again else self.start
        done = builder.compare(ICmpPredicate.EQ, status, 0, "success")
        self._likely(done, self.success, self.failure if self.exchange.is_weak else retry)
        return stored_over

    def _load_again(self, stored_over: Phi) -> Value | None:
        if not self.loads_again:
            self.builder.at_end(self.released_load)
            self.builder.unreachable()
            return None
        loaded = self._load(self.released_load, self.try_store)
        stored_over.add_incoming(loaded, self.released_load)
        return loaded

    def _succeed(self) -> None:
        self.builder.at_end(self.success)
        if self.is_fenced:
            trailing_barrier(self.builder, self.target.fences, self.exchange, self.exchange.success_ordering)
        elif self.exchange.success_ordering is _SEQ_CST:
            put_barrier(self.builder, self.target.stored_barrier, self.exchange)
        self.builder.br(self.end)

    def _give_up(self, first: Value, again: Value | None) -> Phi:
        builder = self.builder
        builder.at_end(self.no_store)
        loaded = builder.phi(self.part.word, [(first, self.start)], name="loaded.nostore")
        if again is not None:
            loaded.add_incoming(again, self.released_load)
        clear_link(builder, self.target)
        builder.br(self.failure)
        return loaded

    def _fail(self, not_stored: Phi, stored_over: Phi) -> Phi:
        builder = self.builder
        builder.at_end(self.failure)
        loaded = builder.phi(self.part.word, [(not_stored, self.no_store)], name="loaded.failure")
        if self.exchange.is_weak:
            loaded.add_incoming(stored_over, self.try_store)
        if self.is_fenced:
            trailing_barrier(builder, self.target.fences, self.exchange, self.exchange.failure_ordering)
        builder.br(self.end)
        return loaded

    def _finish(self, stored_over: Phi, failed: Phi) -> None:
        """Join both ends; users of one half of the result get it without the pair."""
        builder, exchange, constants = self.builder, self.exchange, self.builder.constants
        builder.before(exchange)
        word = builder.phi(self.part.word, [(stored_over, self.success), (failed, self.failure)], name="loaded.exit")
        edges = [(constants.boolean(value=True), self.success), (constants.boolean(value=False), self.failure)]
        success = builder.phi(builder.integer(1), edges, name="success")
        found = self.part.extracted(builder, word)
        for user in dict.fromkeys(exchange.users):
            if isinstance(user, ExtractValue):
                replace_and_erase(user, success if user.indices[0] else found)
        if exchange.is_used:
            pair = builder.insertvalue(constants.poison(exchange.type), found, 0)
            exchange.replace_all_uses_with(builder.insertvalue(pair, success, 1))
        exchange.erase_from_parent()

    def _likely(self, condition: Value, likely: BasicBlock, unlikely: BasicBlock) -> None:
        builder = self.builder
        branch = builder.cond_br(condition, likely, unlikely)
        i32 = builder.integer(_WEIGHT_BITS)
        weights = [builder.constants.integer(i32, weight) for weight in (_LIKELY, 1)]
        branch.metadata["prof"] = metadata_node(builder.module, "branch_weights", *weights)
