"""Expands an atomic instruction to code that its target supports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Load, Store
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.transforms.atomic_expand.access import (
    accessed_type,
    at_least_monotonic,
    failure_ordering,
    merged_ordering,
)
from bitcodec.transforms.atomic_expand.description import ACQUIRING, RELEASING, Expansion, chosen
from bitcodec.transforms.atomic_expand.exchanges import linked_exchange
from bitcodec.transforms.atomic_expand.fences import put_behind, put_between_fences
from bitcodec.transforms.atomic_expand.flags import expand_for_uses
from bitcodec.transforms.atomic_expand.generic_space import add_nothing, check_space, use_generic_address
from bitcodec.transforms.atomic_expand.idempotent import fenced_load, is_idempotent, unchanged_load
from bitcodec.transforms.atomic_expand.integers import (
    from_integer,
    integer_exchange,
    integer_load,
    integer_store,
    integer_type,
    integer_xchg,
    to_integer,
)
from bitcodec.transforms.atomic_expand.library import call_library
from bitcodec.transforms.atomic_expand.linked import clear_link, linked_loop, load_linked
from bitcodec.transforms.atomic_expand.loops import expand_to_loop
from bitcodec.transforms.atomic_expand.masked import masked_exchange, masked_operation
from bitcodec.transforms.atomic_expand.operations import new_value
from bitcodec.transforms.atomic_expand.pairs import pair_exchange, pair_operation
from bitcodec.transforms.atomic_expand.part_exchange import exchange_part
from bitcodec.transforms.atomic_expand.partword import LOGIC, expand_part, widened
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, replace_and_erase
from bitcodec.transforms.atomic_expand.unordered import lower_exchange, lower_operation, relax

if TYPE_CHECKING:
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.transforms.atomic_expand.access import Atomic
    from bitcodec.transforms.atomic_expand.description import AtomicTarget

__all__ = ["Expander"]

_Op = AtomicRMWOperation
_MONOTONIC = AtomicOrdering.MONOTONIC
_SEQ_CST = AtomicOrdering.SEQUENTIALLY_CONSISTENT
_WORD = 32
_NO_TRAITS = frozenset[str]()


class Expander:
    """Expands instructions of a module for one target.

    Args:
        target: the target.
        layout: the data layout of the module.
    """

    def __init__(self, target: AtomicTarget, layout: DataLayout) -> None:
        self.target = target
        self._layout = layout
        self._widths: dict[Type, int] = {}
        self._chosen: dict[tuple[object, ...], Expansion] = {}

    def expand(self, instruction: Atomic) -> None:
        """Expand one instruction, and the results of that."""
        if not self._is_supported(instruction):
            call_library(instruction)
            return
        match instruction:
            case Load():
                self._expand_load(instruction if self.target.keeps_floats else integer_load(instruction))
            case Store():
                self._expand_store(instruction if self.target.keeps_floats else integer_store(instruction))
            case AtomicRMW():
                self._expand_operation(instruction if self.target.keeps_exchanged else integer_xchg(instruction))
            case AtomicCmpXchg():
                self._expand_exchange(integer_exchange(instruction))

    def _is_supported(self, instruction: Atomic) -> bool:
        size = self._width(instruction) // 8
        return instruction.alignment >= size and size * 8 <= self.target.largest

    def _choose(
        self,
        opcode: str,
        width: int,
        ordering: AtomicOrdering,
        type: Type | None = None,
        operation: _Op | None = None,
        traits: frozenset[str] = _NO_TRAITS,
    ) -> Expansion:
        """Return the expansion of an instruction; the rules are applied once to equal instructions."""
        key = opcode, width, ordering, type, operation, traits
        found = self._chosen.get(key)
        if found is None:
            rules = getattr(self.target, opcode)
            spelling = "" if type is None else str(type)
            found = self._chosen[key] = chosen(rules, width, spelling, operation, ordering, traits)
        return found

    def _traits(self, instruction: Atomic) -> frozenset[str]:
        """Return the traits of an instruction: see `AtomicTarget.traits`."""
        return _NO_TRAITS if self.target.traits is None else self.target.traits(instruction)

    def _width(self, instruction: Atomic) -> int:
        """Return how many bits are accessed."""
        type_ = accessed_type(instruction)
        found = self._widths.get(type_)
        if found is None:
            found = self._widths[type_] = self._layout.size_in_bits(type_)
        return found

    # Loads and stores

    def _expand_load(self, load: Load) -> None:
        target = self.target
        width, ordering = self._width(load), load.ordering
        if ordering in ACQUIRING and target.fences.are_around(load.opcode, width, ordering):
            self._fence(load)
        match self._choose("load", width, ordering, traits=self._traits(load)):
            case Expansion.NOT_ATOMIC:
                relax(load)
            case Expansion.GENERIC_ADDRESS:
                use_generic_address(load)
            case Expansion.LL_SC:
                builder = ReplacementBuilder(load)
                loaded = linked_loop(builder, target, load.type, load.pointer, load.ordering, lambda found: found)
                replace_and_erase(load, loaded)
            case Expansion.LL_ONLY:
                builder = ReplacementBuilder(load)
                loaded = load_linked(builder, target, load.type, load.pointer, load.ordering)
                clear_link(builder, target)
                replace_and_erase(load, loaded)
            case Expansion.CMPXCHG:
                _load_by_exchange(load)

    def _expand_store(self, store: Store) -> None:
        width, ordering = self._width(store), store.ordering
        if self.target.fences.are_around(store.opcode, width, ordering):
            if ordering in RELEASING:
                self._fence(store)
        else:
            self._follow(store, ordering)
        match self._choose("store", width, ordering, traits=self._traits(store)):
            case Expansion.NOT_ATOMIC:
                relax(store)
            case Expansion.GENERIC_ADDRESS:
                use_generic_address(store)
            case Expansion.EXCHANGE:
                self._store_by_exchange(store, width, ordering)

    def _store_by_exchange(self, store: Store, width: int, ordering: AtomicOrdering) -> None:
        builder = ReplacementBuilder(store)
        value = store.value
        if self._choose("operation", width, ordering, None, _Op.XCHG) is Expansion.NONE:
            value = to_integer(builder, value)  # what stays cannot be of a vector
        made = AtomicRMW(
            AtomicRMWOperation.XCHG,
            store.pointer,
            value,
            store.alignment,
            ordering=at_least_monotonic(store.ordering),
        )
        builder.insert(made)  # maybe of a vector, which only what it becomes can be
        store.erase_from_parent()
        self._expand_unfenced(made)

    # `atomicrmw`

    def _expand_operation(self, rmw: AtomicRMW) -> None:
        target = self.target
        if target.fences.are_around(rmw.opcode, self._width(rmw)):
            if rmw.ordering in ACQUIRING | RELEASING:
                self._fence(rmw)
        else:
            self._follow(rmw, rmw.ordering)
        if not (is_idempotent(rmw) and self._load_unchanged(rmw)):
            self._expand_unfenced(rmw)

    def _load_unchanged(self, rmw: AtomicRMW) -> bool:
        """Replace an `atomicrmw` that changes nothing by a load, if the target wants that."""
        if self.target.loads_unchanged:
            loaded = unchanged_load(rmw)
            if loaded is not None:
                self._expand_load(loaded)
            return loaded is not None
        return self.target.fenced_load > 0 and fenced_load(rmw, self.target.fenced_load)

    def _expand_unfenced(self, rmw: AtomicRMW) -> None:
        target, width = self.target, self._width(rmw)
        expansion = self._choose("operation", width, rmw.ordering, rmw.type, rmw.operation, self._traits(rmw))
        if expansion is Expansion.FLAGS:
            expansion = expand_for_uses(rmw)
        if expansion is Expansion.NONE or _expand_by_space(rmw, expansion):
            return
        is_part = width < target.least_exchange
        if is_part and rmw.operation in LOGIC:
            self._expand_unfenced(widened(rmw, target.least_exchange))
        elif expansion is Expansion.WIDEN:
            self._expand_unfenced(widened(rmw, _WORD, by_target=True))
        elif expansion is Expansion.MASKED:
            assert target.masked is not None, "the rule is for targets that have them"  # noqa: S101
            masked_operation(rmw, target.masked, target.least_exchange)
        elif expansion is Expansion.PAIR:
            assert target.pair is not None, "the rule is for targets that have them"  # noqa: S101
            pair_operation(rmw, target.pair)
        elif is_part:
            linked = target if expansion is Expansion.LL_SC else None
            expand_part(rmw, target.least_exchange, linked)
        elif expansion is Expansion.LL_SC:
            self._loop_linked(rmw)
        else:
            expand_to_loop(rmw)

    def _loop_linked(self, rmw: AtomicRMW) -> None:
        builder = ReplacementBuilder(rmw)
        loaded = linked_loop(
            builder,
            self.target,
            rmw.type,
            rmw.pointer,
            rmw.ordering,
            lambda found: new_value(builder, rmw.operation, found, rmw.value),
        )
        replace_and_erase(rmw, loaded)

    # `cmpxchg`

    def _expand_exchange(self, exchange: AtomicCmpXchg) -> None:
        target = self.target
        width = self._width(exchange)
        expansion = self._choose("exchange", width, exchange.success_ordering, traits=self._traits(exchange))
        success, failure = exchange.success_ordering, exchange.failure_ordering
        is_ordered = success in ACQUIRING | RELEASING or failure in ACQUIRING
        ordering, is_native = merged_ordering(exchange), target.fences.is_native_exchange(width)
        is_fenced = target.fences.are_around(exchange.opcode, width) and (not is_native or ordering is _SEQ_CST)
        if expansion is Expansion.NONE and is_fenced and is_ordered:
            split = AtomicOrdering.ACQUIRE if is_native else _MONOTONIC
            exchange.success_ordering = exchange.failure_ordering = split
            put_between_fences(target.fences, exchange, ordering, only_leading=is_native)
        elif expansion is not Expansion.LL_SC and not is_fenced:
            self._follow(exchange, success)
        if _expand_by_space(exchange, expansion):
            return
        if expansion is Expansion.LL_SC:
            linked_exchange(exchange, target)
        elif expansion is Expansion.MASKED:
            assert target.masked is not None, "the rule is for targets that have them"  # noqa: S101
            masked_exchange(exchange, target.masked, target.least_exchange)
        elif expansion is Expansion.PAIR:
            assert target.pair is not None, "the rule is for targets that have them"  # noqa: S101
            pair_exchange(exchange, target.pair, target.fences)
        elif width < target.least_exchange:
            exchange_part(exchange, target.least_exchange)

    def _follow(self, access: Instruction, ordering: AtomicOrdering) -> None:
        target = self.target
        is_followed = target.stored_barrier is not None and access.opcode in target.stored_opcodes
        if is_followed and ordering is AtomicOrdering.SEQUENTIALLY_CONSISTENT:
            put_behind(target.stored_barrier, access)

    def _fence(self, access: Load | Store | AtomicRMW) -> None:
        ordering = access.ordering
        access.ordering = _MONOTONIC
        put_between_fences(self.target.fences, access, ordering)


def _expand_by_space(access: AtomicRMW | AtomicCmpXchg, expansion: Expansion) -> bool:
    """Expand an access for its kind of memory; return whether that is everything."""
    match expansion:
        case Expansion.NOT_ATOMIC:
            if isinstance(access, AtomicRMW):
                lower_operation(access)
            else:
                lower_exchange(access)
        case Expansion.GENERIC_ADDRESS:
            use_generic_address(access)
        case Expansion.ADD | Expansion.ADD_CHECKED if isinstance(access, AtomicRMW):
            add_nothing(access)
            if expansion is Expansion.ADD_CHECKED:
                check_space(access, is_whole=False)
        case Expansion.CHECK_PRIVATE | Expansion.CHECK_SPACES:
            check_space(access, is_whole=expansion is Expansion.CHECK_SPACES)
        case _:
            return False
    return True


def _load_by_exchange(load: Load) -> None:
    """Replace a load by a `cmpxchg` of zero and zero; scope and volatility get lost, as in LLVM."""
    builder = ReplacementBuilder(load)
    ordering = at_least_monotonic(load.ordering)
    zero = builder.constants.null(integer_type(builder, load.type))
    made = builder.cmpxchg(
        load.pointer,
        zero,
        zero,
        alignment=load.alignment,
        success_ordering=ordering,
        failure_ordering=failure_ordering(ordering),
    )
    loaded = builder.extractvalue(made, 0, name="loaded")
    replace_and_erase(load, from_integer(builder, loaded, load.type))
