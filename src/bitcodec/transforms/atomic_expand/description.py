"""Description of a target's atomic accesses; the expansions know nothing else of it.

Sizes are in bits.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.transforms.atomic_expand.access import Atomic

__all__ = [
    "ACQUIRING",
    "RELEASING",
    "AtomicTarget",
    "Barrier",
    "Expansion",
    "ExpansionRule",
    "Fences",
    "LinkedAccess",
    "MaskedCalls",
    "PairCalls",
    "Success",
]


class Expansion(StrEnum):
    """Expansion of an atomic instruction that is not left to the back end."""

    NONE = "none"
    LL_SC = "load-linked and store-conditional"
    LL_ONLY = "load-linked alone"
    CMPXCHG = "compare and exchange"
    EXCHANGE = "an exchange whose result nobody wants"
    MASKED = "an intrinsic with a mask"
    PAIR = "an intrinsic of two registers"
    FLAGS = "whatever the uses of the result allow"
    WIDEN = "the same operation on a word of 32 bits"
    NOT_ATOMIC = "accesses that are not atomic"
    GENERIC_ADDRESS = "the same access through an address of the generic space"
    ADD = "an addition of zero, which some buses can do"
    CHECK_PRIVATE = "a check whether the address is private"
    ADD_CHECKED = "an addition of zero, after that check if the address is generic"
    CHECK_SPACES = "a check whether the address is shared, private or global"


ACQUIRING = frozenset({AtomicOrdering.ACQUIRE, AtomicOrdering.ACQUIRE_RELEASE, AtomicOrdering.SEQUENTIALLY_CONSISTENT})
RELEASING = frozenset({AtomicOrdering.RELEASE, AtomicOrdering.ACQUIRE_RELEASE, AtomicOrdering.SEQUENTIALLY_CONSISTENT})


class ExpansionRule(NamedTuple):
    """A row of a table of decisions; the first one that fits counts.

    Attributes:
        expansion: the expansion.
        least, most: the widths that it is for.
        operations: the operations of `atomicrmw` that it is for, None for all.
        type: the type that it is for, as text spells it, "" for all.
        orderings: the orderings that it is for, None for all.
        has: traits that the access must have: see `AtomicTarget.traits`.
        lacks: traits that it must not have.
    """

    expansion: Expansion
    least: int = 0
    most: int = 1 << 32
    operations: frozenset[AtomicRMWOperation] | None = None
    type: str = ""
    orderings: frozenset[AtomicOrdering] | None = None
    has: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()

    def fits(
        self,
        width: int,
        type: str = "",
        operation: AtomicRMWOperation | None = None,
        ordering: AtomicOrdering | None = None,
        traits: frozenset[str] = frozenset(),
    ) -> bool:
        """Return whether it is for a width, a type, an operation, an ordering and traits."""
        return (
            self.least <= width <= self.most
            and (not self.type or type == self.type)
            and (self.operations is None or operation in self.operations)
            and (self.orderings is None or ordering in self.orderings)
            and self.has <= traits
            and not self.lacks & traits
        )


class Barrier(NamedTuple):
    """Instruction that orders accesses: a `fence`, or a call.

    Attributes:
        ordering: of the `fence`, None for a call.
        intrinsic: name of the callee.
        operands: its arguments, 32-bit numbers.
        takes_value: whether it is called with the value that was loaded.
        keeps_scope: whether the `fence` has the synchronization scope of the access.
    """

    ordering: AtomicOrdering | None = None
    intrinsic: str = ""
    operands: tuple[int, ...] = ()
    takes_value: bool = False
    keeps_scope: bool = False


class Fences(NamedTuple):
    """Barriers around accesses that themselves are not ordered then, by ordering.

    Attributes:
        opcodes: the accesses that have them.
        least: the narrowest access that has them.
        most_stored: the widest store that has them.
        native: opcodes with orderings that need none.
        native_exchange: the narrowest `cmpxchg` that needs none but one in front if it is sequentially consistent; it
            acquires then.  0: all need one.
        before_load, before_store, after_load, after_store, after_exchange: of loads; of stores and the like; of loads;
            of stores; of accesses that do both.
    """

    opcodes: frozenset[str] = frozenset()
    least: int = 0
    most_stored: int = 1 << 32
    native: frozenset[tuple[str, AtomicOrdering]] = frozenset()
    native_exchange: int = 0
    before_load: Mapping[AtomicOrdering, Barrier] = {}
    before_store: Mapping[AtomicOrdering, Barrier] = {}
    after_load: Mapping[AtomicOrdering, Barrier] = {}
    after_store: Mapping[AtomicOrdering, Barrier] = {}
    after_exchange: Mapping[AtomicOrdering, Barrier] = {}

    def are_around(self, opcode: str, width: int, ordering: AtomicOrdering | None = None) -> bool:
        """Return whether an access has them."""
        if opcode == "store" and width > self.most_stored:
            return False
        return opcode in self.opcodes and width >= self.least and (opcode, ordering) not in self.native

    def is_native_exchange(self, width: int) -> bool:
        """Return whether a `cmpxchg` of a width supports its ordering natively."""
        return 0 < self.native_exchange <= width


class Success(StrEnum):
    """Result of a store-conditional that has stored; a loop ends with 0."""

    ZERO = "zero"
    ONE = "one, which is inverted"
    NONZERO = "another number than zero, which is compared"


class LinkedAccess(NamedTuple):
    """Intrinsics that load and link, and store if the link still holds.

    Attributes:
        load, acquiring_load, store, releasing_store: their names.
        register: width of the values that they load and store; 0: each width has its own intrinsic.
        has_element_type: whether the width of the access is given by an attribute of the pointer, whose type is then
            part of the names.
        is_address_first: whether the address is the first operand of the store.
        success: the store's result if it has stored.
        is_high_first: whether the upper of two registers comes first.
        loaded_name, stored_name: names of their results.
    """

    load: str
    acquiring_load: str
    store: str
    releasing_store: str
    register: int
    has_element_type: bool = True
    is_address_first: bool = False
    success: Success = Success.ZERO
    is_high_first: bool = False
    loaded_name: str = ""
    stored_name: str = ""

    @classmethod
    def unordered(cls, load: str, store: str, *, register: int, success: Success) -> LinkedAccess:
        """Return intrinsics without forms that acquire or release, whose store takes the address first."""
        return cls(
            load,
            load,
            store,
            store,
            register=register,
            has_element_type=False,
            is_address_first=True,
            success=success,
            loaded_name="larx",
            stored_name="stcx",
        )


class MaskedCalls(NamedTuple):
    """Intrinsics that change part of a word.

    Attributes:
        operations: name of each, by operation; the types of `register` and of the pointer follow.
        exchange: name of the one for `cmpxchg`.
        register: width of their operands.
        takes_failure: whether the one for `cmpxchg` takes the ordering of a failure, not the merged one.
    """

    operations: Mapping[AtomicRMWOperation, str]
    exchange: str
    register: int
    takes_failure: bool = False


class PairCalls(NamedTuple):
    """Intrinsics that change two registers' worth of memory.

    Attributes:
        operations: name of each, by operation.
        exchange: name of the one for `cmpxchg`.
        register: width of a register.
    """

    operations: Mapping[AtomicRMWOperation, str]
    exchange: str
    register: int


class AtomicTarget(NamedTuple):
    """A target.

    Attributes:
        largest: the widest access that is not left to the library.
        least_exchange: the narrowest `cmpxchg` and LL/SC.
        load, store, exchange, operation: expansions of `load`, `store`, `cmpxchg` and `atomicrmw`.
        fences: around accesses.
        linked: LL/SC, by width.
        clear_link: the intrinsic that clears a link, "" for none.
        masked: intrinsics that change parts of words, None for none.
        pair: intrinsics that change pairs of registers, None for none.
        fenced_load: the widest `atomicrmw` that may become a fence and a load if it changes nothing; 0 for none.
        loads_unchanged: whether an `atomicrmw` that changes nothing becomes a load unless it releases.
        stored_barrier: barrier behind a sequentially consistent access that stores and stays ordered, None for none.
        stored_opcodes: the accesses that it follows.
        keeps_floats: whether loads and stores of floating-point numbers stay.
        keeps_exchanged: whether `xchg` of floating-point numbers and pointers stays.
        is_expanded: whether anything is expanded.
        has_library: whether there are functions `__atomic_*` for accesses that are wider or not aligned.
        traits: returns further properties of an access for the rules: the kind of address space and of memory, the use
            of the result.  None: the rules need none.
    """

    largest: int
    least_exchange: int = 0
    load: tuple[ExpansionRule, ...] = ()
    store: tuple[ExpansionRule, ...] = ()
    exchange: tuple[ExpansionRule, ...] = ()
    operation: tuple[ExpansionRule, ...] = ()
    fences: Fences = Fences()
    linked: Mapping[int, LinkedAccess] = {}
    clear_link: str = ""
    masked: MaskedCalls | None = None
    pair: PairCalls | None = None
    fenced_load: int = 0
    loads_unchanged: bool = False
    stored_barrier: Barrier | None = None
    stored_opcodes: frozenset[str] = frozenset()
    keeps_floats: bool = False
    keeps_exchanged: bool = False
    is_expanded: bool = True
    has_library: bool = True
    traits: Callable[[Atomic], frozenset[str]] | None = None

    @property
    def may_leave_some(self) -> bool:
        """Whether an expansion may leave something to expand in a new block.

        The target does not support a new `cmpxchg`, something that stays ordered gets a barrier, a word is
        accessed with the alignment of a part, or an access stays after a check of its address.
        """
        changes_exchange = any(rule.expansion is not Expansion.NONE for rule in self.exchange)
        is_ordered = "cmpxchg" in self.fences.opcodes or self.stored_barrier is not None
        return changes_exchange or is_ordered or self.masked is not None or self.traits is not None


def chosen(
    rules: tuple[ExpansionRule, ...],
    width: int,
    type: str = "",
    operation: AtomicRMWOperation | None = None,
    ordering: AtomicOrdering | None = None,
    traits: frozenset[str] = frozenset(),
) -> Expansion:
    """Return the expansion of the first rule that fits, `Expansion.NONE` if none does."""
    fitting = (rule.expansion for rule in rules if rule.fits(width, type, operation, ordering, traits))
    return next(fitting, Expansion.NONE)
