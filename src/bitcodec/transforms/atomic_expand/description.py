"""What a target says of its atomic accesses; the expansions know nothing else of it.

Sizes are in bits.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ACQUIRING",
    "RELEASING",
    "AtomicTarget",
    "Barrier",
    "Expansion",
    "Fences",
    "LinkedAccess",
    "MaskedCalls",
    "PairCalls",
    "Rule",
]


class Expansion(StrEnum):
    """What becomes of an atomic instruction that is not left to the back end."""

    NONE = "none"
    LL_SC = "load-linked and store-conditional"
    LL_ONLY = "load-linked alone"
    CMPXCHG = "compare and exchange"
    EXCHANGE = "an exchange whose result nobody wants"
    MASKED = "an intrinsic with a mask"
    PAIR = "an intrinsic of two registers"
    FLAGS = "whatever the uses of the result allow"


ACQUIRING = frozenset({AtomicOrdering.ACQUIRE, AtomicOrdering.ACQUIRE_RELEASE, AtomicOrdering.SEQUENTIALLY_CONSISTENT})
RELEASING = frozenset({AtomicOrdering.RELEASE, AtomicOrdering.ACQUIRE_RELEASE, AtomicOrdering.SEQUENTIALLY_CONSISTENT})


class Rule(NamedTuple):
    """A row of a table of decisions; the first one that fits counts.

    Attributes:
        expansion: what to do.
        least, most: the widths that it is for.
        operations: the operations of `atomicrmw` that it is for, None for all.
        type: the type that it is for, as text spells it, "" for all.
    """

    expansion: Expansion
    least: int = 0
    most: int = 1 << 32
    operations: frozenset[AtomicRMWOperation] | None = None
    type: str = ""

    def fits(self, width: int, type: str = "", operation: AtomicRMWOperation | None = None) -> bool:
        """Return whether it is for a width, a type and an operation."""
        is_type = not self.type or type == self.type
        return self.least <= width <= self.most and is_type and (not self.operations or operation in self.operations)


class Barrier(NamedTuple):
    """What orders accesses: a `fence`, or a call.

    Attributes:
        ordering: of the `fence`, None for a call.
        intrinsic: what is called.
        operand: the number that it is called with, None for none.
        takes_value: whether it is called with the value that was loaded.
    """

    ordering: AtomicOrdering | None = None
    intrinsic: str = ""
    operand: int | None = None
    takes_value: bool = False


class Fences(NamedTuple):
    """Barriers around accesses that themselves are not ordered then, by ordering.

    Attributes:
        opcodes: the accesses that have them.
        least: the narrowest access that has them.
        before_load, before_store, after_load, after_store, after_exchange: of loads; of what stores; of loads; of
            stores; of what does both.
    """

    opcodes: frozenset[str] = frozenset()
    least: int = 0
    before_load: Mapping[AtomicOrdering, Barrier] = {}
    before_store: Mapping[AtomicOrdering, Barrier] = {}
    after_load: Mapping[AtomicOrdering, Barrier] = {}
    after_store: Mapping[AtomicOrdering, Barrier] = {}
    after_exchange: Mapping[AtomicOrdering, Barrier] = {}

    def are_around(self, opcode: str, width: int) -> bool:
        """Return whether an access has them."""
        return opcode in self.opcodes and width >= self.least


class LinkedAccess(NamedTuple):
    """Intrinsics that load and link, and store if the link still holds.

    Attributes:
        load, acquiring_load, store, releasing_store: their names.
        register: width of what they load and store; 0: the access has an intrinsic of its own, and its width.
        has_element_type: whether the width of the access is given by an attribute of the pointer, whose type is then
            part of the names.
        is_address_first: whether the address is the first operand of the store.
        is_success_nonzero: whether the store returns 1, not 0, if it has stored.
    """

    load: str
    acquiring_load: str
    store: str
    releasing_store: str
    register: int
    has_element_type: bool = True
    is_address_first: bool = False
    is_success_nonzero: bool = False


class MaskedCalls(NamedTuple):
    """Intrinsics that change part of a word.

    Attributes:
        operations: what each is called, by operation; the types of `register` and of the pointer follow.
        exchange: what the one for `cmpxchg` is called.
        register: width of their operands.
    """

    operations: Mapping[AtomicRMWOperation, str]
    exchange: str
    register: int


class PairCalls(NamedTuple):
    """Intrinsics that change two registers' worth of memory.

    Attributes:
        operations: what each is called, by operation.
        exchange: what the one for `cmpxchg` is called.
        register: width of a register.
    """

    operations: Mapping[AtomicRMWOperation, str]
    exchange: str
    register: int


class AtomicTarget(NamedTuple):
    """A target.

    Attributes:
        data_layout: of modules that have none.
        largest: the widest access that is not left to the library.
        least_exchange: the narrowest `cmpxchg` and LL/SC.
        load, store, exchange, operation: what becomes of `load`, `store`, `cmpxchg` and `atomicrmw`.
        fences: around accesses.
        linked: LL/SC, by width.
        clear_link: the intrinsic that lets a link go, "" if there is none.
        masked: what changes parts of words, None if there is nothing.
        pair: what changes two registers' worth, None if there is nothing.
        fenced_load: the widest `atomicrmw` that may become a fence and a load if it changes nothing; 0 for none.
    """

    data_layout: str
    largest: int
    least_exchange: int = 0
    load: tuple[Rule, ...] = ()
    store: tuple[Rule, ...] = ()
    exchange: tuple[Rule, ...] = ()
    operation: tuple[Rule, ...] = ()
    fences: Fences = Fences()
    linked: Mapping[int, LinkedAccess] = {}
    clear_link: str = ""
    masked: MaskedCalls | None = None
    pair: PairCalls | None = None
    fenced_load: int = 0


def chosen(
    rules: tuple[Rule, ...], width: int, type: str = "", operation: AtomicRMWOperation | None = None
) -> Expansion:
    """Return what the first rule that fits says, `Expansion.NONE` if none does."""
    return next((rule.expansion for rule in rules if rule.fits(width, type, operation)), Expansion.NONE)
