"""Memory: `alloca`, `load`, `store`, `va_arg`, and atomic accesses.

Alignments are in bytes; the defaults are those of LLVM's own builder: of `alloca` the preferred alignment
of the type, of `load` and `store` the ABI's, of `cmpxchg` and `atomicrmw` the size of the value.  `flags` takes flags
without a separate argument, in the words of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import (
    ACCESSED,
    EXCHANGED,
    FIXED_FLOATS,
    INTEGER,
    POINTER,
    SCALAR,
    SIZED,
    VALUE,
    require,
    wrong,
)
from bitcodec.builder.words import flags_of, row_of
from bitcodec.ir.instructions import Alloca, AtomicCmpXchg, AtomicRMW, Fence, Load, Store, VAArg
from bitcodec.ir.instructions.memory import SYSTEM
from bitcodec.tables.instruction_flags import NO_ACCESS_FLAGS, NO_ALLOCA_FLAGS, AccessFlags, AllocaFlags
from bitcodec.tables.opcodes import FAILURE_ORDERINGS, REFUSED_ORDERINGS, AtomicOrdering, AtomicRMWOperation

if TYPE_CHECKING:
    from bitcodec.builder.inserting import ValueLike
    from bitcodec.builder.kinds import TypeKind
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["MemoryBuilder"]

_COUNT_BITS = 32
"""Width of the count of `alloca` where it is a Python number."""
_MAX_ALIGNMENT = 1 << 32
_LEAST_ATOMIC_BITS = 8

_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC


class MemoryBuilder(Inserter):
    """Makes room, reads and writes."""

    __slots__ = ()

    def alloca(
        self,
        type: Type,
        count: ValueLike = 1,
        *,
        alignment: int | None = None,
        address_space: int | None = None,
        inalloca: bool = False,
        swifterror: bool = False,
        flags: AllocaFlags | str = NO_ALLOCA_FLAGS,
        name: str = "",
    ) -> Alloca:
        """Return the address of new room on the stack, for `count` values of a type."""
        require(SIZED, type, "alloca", "type")
        size = self._number(count, _COUNT_BITS, INTEGER, "alloca", "count")
        layout = self.module.data_layout
        space = layout.alloca_address_space if address_space is None else address_space
        made = Alloca(
            self.types.pointer(space),
            type,
            size,
            _checked(alignment) or layout.preferred_alignment(type),
            flags=flags_of(AllocaFlags, flags, inalloca=inalloca, swifterror=swifterror),
        )
        return self.insert(made, name)

    def load(
        self,
        type: Type,
        pointer: Value,
        *,
        alignment: int | None = None,
        volatile: bool = False,
        flags: AccessFlags | str = NO_ACCESS_FLAGS,
        ordering: AtomicOrdering | str = _NOT_ATOMIC,
        sync_scope: str = SYSTEM,
        name: str = "",
    ) -> Load:
        """Return the value at an address; an ordering makes it atomic."""
        require(SIZED, type, "load", "type")
        order = _ordering(ordering, "load")
        if order is not _NOT_ATOMIC:
            self._check_atomic(ACCESSED, type, "load atomic")
        made = Load(
            type,
            self._pointer(pointer, "load"),
            _checked(alignment) or self._access_alignment(type),
            flags=flags_of(AccessFlags, flags, volatile=volatile),
            ordering=order,
            sync_scope=sync_scope,
        )
        return self.insert(made, name)

    def store(
        self,
        value: Value,
        pointer: Value,
        *,
        alignment: int | None = None,
        volatile: bool = False,
        flags: AccessFlags | str = NO_ACCESS_FLAGS,
        ordering: AtomicOrdering | str = _NOT_ATOMIC,
        sync_scope: str = SYSTEM,
    ) -> Store:
        """Write a value to an address; an ordering makes it atomic."""
        stored = self._value(value, "store", "value")
        require(SIZED, stored.type, "store", "value")
        order = _ordering(ordering, "store")
        if order is not _NOT_ATOMIC:
            self._check_atomic(ACCESSED, stored.type, "store atomic")
        made = Store(
            self.types.void,
            stored,
            self._pointer(pointer, "store"),
            _checked(alignment) or self._access_alignment(stored.type),
            flags=flags_of(AccessFlags, flags, volatile=volatile),
            ordering=order,
            sync_scope=sync_scope,
        )
        return self.insert(made)

    def va_arg(self, pointer: Value, type: Type, *, name: str = "") -> VAArg:
        """Return the next of a variable list of arguments, which lies at an address."""
        require(VALUE, type, "va_arg", "type")
        return self.insert(VAArg(type, self._pointer(pointer, "va_arg")), name)

    def fence(self, ordering: AtomicOrdering | str, *, sync_scope: str = SYSTEM) -> Fence:
        """Order accesses before and after."""
        return self.insert(Fence(self.types.void, _ordering(ordering, "fence"), sync_scope))

    def cmpxchg(
        self,
        pointer: Value,
        compare: ValueLike,
        new_value: ValueLike,
        *,
        success_ordering: AtomicOrdering | str,
        failure_ordering: AtomicOrdering | str | None = None,
        alignment: int | None = None,
        sync_scope: str = SYSTEM,
        volatile: bool = False,
        weak: bool = False,
        flags: AccessFlags | str = NO_ACCESS_FLAGS,
        name: str = "",
    ) -> AtomicCmpXchg:
        """Write a value to an address if it holds the expected one; return the old value, and whether it was that.

        The failure ordering defaults to the strongest one that the success ordering allows.
        """
        expected, written = self._pair(compare, new_value, "cmpxchg")
        self._check_atomic(EXCHANGED, expected.type, "cmpxchg")
        success = _ordering(success_ordering, "cmpxchg")
        failure = FAILURE_ORDERINGS.get(success, success) if failure_ordering is None else failure_ordering
        made = AtomicCmpXchg(
            self.types.struct([expected.type, self.types.integer(1)]),
            self._pointer(pointer, "cmpxchg"),
            expected,
            written,
            _checked(alignment) or self._atomic_alignment(expected.type),
            success_ordering=success,
            failure_ordering=_ordering(failure, "a failing cmpxchg"),
            sync_scope=sync_scope,
            flags=flags_of(AccessFlags, flags, volatile=volatile, weak=weak),
        )
        return self.insert(made, name)

    def atomicrmw(
        self,
        operation: AtomicRMWOperation | str,
        pointer: Value,
        value: Value,
        *,
        ordering: AtomicOrdering | str,
        alignment: int | None = None,
        sync_scope: str = SYSTEM,
        volatile: bool = False,
        flags: AccessFlags | str = NO_ACCESS_FLAGS,
        name: str = "",
    ) -> AtomicRMW:
        """Change the value at an address atomically; return the old value."""
        chosen = row_of(AtomicRMWOperation, operation)
        operand = self._value(value, "atomicrmw", "value")
        kind = INTEGER
        if chosen is AtomicRMWOperation.XCHG:
            kind = SCALAR
        elif chosen.is_floating_point:
            kind = FIXED_FLOATS
        self._check_atomic(kind, operand.type, f"atomicrmw {chosen}")
        made = AtomicRMW(
            chosen,
            self._pointer(pointer, "atomicrmw"),
            operand,
            _checked(alignment) or self._atomic_alignment(operand.type),
            ordering=_ordering(ordering, "atomicrmw"),
            sync_scope=sync_scope,
            flags=flags_of(AccessFlags, flags, volatile=volatile),
        )
        return self.insert(made, name)

    def _pointer(self, pointer: Value, what: str) -> Value:
        require(POINTER, self._value(pointer, what, "pointer").type, what, "pointer")
        return pointer

    def _check_atomic(self, kind: TypeKind, type: Type, what: str) -> None:
        """Check the type of a value at an address that is accessed atomically."""
        require(kind, type, what, "value")
        bits = self.module.data_layout.size_in_bits(type)
        if bits < _LEAST_ATOMIC_BITS or bits & (bits - 1):
            raise wrong("a whole number of bytes, a power of two,", type, what, "value")


def _checked(alignment: int | None) -> int | None:
    if alignment is not None and (alignment not in range(1, _MAX_ALIGNMENT + 1) or alignment & (alignment - 1)):
        raise ValueError(f"an alignment is a power of two up to 2**32, not {alignment}")
    return alignment


def _ordering(given: AtomicOrdering | str, what: str) -> AtomicOrdering:
    ordering = row_of(AtomicOrdering, given)
    if ordering in REFUSED_ORDERINGS[what]:
        raise ValueError(f"{what} cannot be ordered {ordering.spelling or 'as not atomic'}")
    return ordering
