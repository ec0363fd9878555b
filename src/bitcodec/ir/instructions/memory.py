# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Memory: `alloca`, `load`, `store`, `getelementptr`, `va_arg`, and atomic accesses.

Alignments are in bytes.  The functions at the end are for creating many instructions: calls of compiled functions
are faster than calls of constructors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.assignments import FlagAccess
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.members import expose_members, slots
from bitcodec.ir.operand_property import OperandProperty
from bitcodec.ir.values import Value
from bitcodec.tables.instruction_flags import (
    NO_ACCESS_FLAGS,
    NO_ALLOCA_FLAGS,
    NO_GEP_FLAGS,
    AccessFlags,
    AllocaFlags,
    GEPFlags,
)
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.assignments import Checked
    from bitcodec.ir.types import Type
    from bitcodec.tables.opcodes import AtomicRMWOperation

__all__ = [
    "SINGLE_THREAD",
    "SYSTEM",
    "Alloca",
    "AtomicCmpXchg",
    "AtomicRMW",
    "Fence",
    "GetElementPtr",
    "Load",
    "Store",
    "VAArg",
    "make_alloca",
    "make_get_element_ptr",
    "make_load",
    "make_store",
]

SYSTEM = ""
SINGLE_THREAD = "singlethread"
_VOLATILE = "Whether the number and the order of such accesses must stay."


class Alloca(Instruction):
    """Room on the stack.

    Attributes:
        allocated_type: the type of the allocated memory.
        alignment: of the room.
        flags: `inalloca` and `swifterror`.
    """

    __match_args__ = ("allocated_type", "array_size")
    __slots__ = slots("alignment", "allocated_type", "flags")

    opcode = "alloca"
    array_size: OperandProperty[Value] = OperandProperty(0, "The number of elements.")

    flags: Checked[AllocaFlags, AllocaFlags | str]
    is_inalloca = FlagAccess("is_inalloca", AllocaFlags.INALLOCA, "Whether it holds arguments of a call to come.")
    is_swift_error = FlagAccess(
        "is_swift_error", AllocaFlags.SWIFTERROR, "Whether it represents the error register of Swift's calls."
    )

    def __init__(
        self,
        type: Type,
        allocated_type: Type,
        array_size: Value,
        alignment: int,
        *,
        flags: AllocaFlags = NO_ALLOCA_FLAGS,
    ) -> None:
        self._begin(type, (array_size,))
        self.allocated_type = allocated_type
        self.alignment = alignment
        self.flags = flags


class Load(Instruction):
    """Reads memory.

    Attributes:
        alignment: of the address.
        flags: `volatile`.
        ordering: how it is ordered with other threads' accesses.
        sync_scope: with which threads, "" for all.
    """

    __match_args__ = ("pointer", "type")
    __slots__ = slots("alignment", "flags", "ordering", "sync_scope")

    opcode = "load"
    pointer: OperandProperty[Value] = OperandProperty(0, "The address.")

    flags: Checked[AccessFlags, AccessFlags | str]
    is_volatile = FlagAccess("is_volatile", AccessFlags.VOLATILE, _VOLATILE)
    ordering: Checked[AtomicOrdering, AtomicOrdering | str]

    def __init__(
        self,
        type: Type,
        pointer: Value,
        alignment: int,
        *,
        flags: AccessFlags = NO_ACCESS_FLAGS,
        ordering: AtomicOrdering = AtomicOrdering.NOT_ATOMIC,
        sync_scope: str = SYSTEM,
    ) -> None:
        self._begin(type, (pointer,))
        self.alignment = alignment
        self.flags = flags
        self.ordering = ordering
        self.sync_scope = sync_scope

    @property
    def is_atomic(self) -> bool:
        """Whether other threads see it happen at once."""
        return self.ordering is not AtomicOrdering.NOT_ATOMIC


class Store(Instruction):
    """Writes memory; attributes as of `Load`."""

    __match_args__ = ("value", "pointer")
    __slots__ = slots("alignment", "flags", "ordering", "sync_scope")

    opcode = "store"
    value: OperandProperty[Value] = OperandProperty(0, "The stored value.")
    pointer: OperandProperty[Value] = OperandProperty(1, "The address.")

    flags: Checked[AccessFlags, AccessFlags | str]
    is_volatile = FlagAccess("is_volatile", AccessFlags.VOLATILE, _VOLATILE)
    ordering: Checked[AtomicOrdering, AtomicOrdering | str]

    def __init__(
        self,
        void: Type,
        value: Value,
        pointer: Value,
        alignment: int,
        *,
        flags: AccessFlags = NO_ACCESS_FLAGS,
        ordering: AtomicOrdering = AtomicOrdering.NOT_ATOMIC,
        sync_scope: str = SYSTEM,
    ) -> None:
        self._begin(void, (value, pointer))
        self.alignment = alignment
        self.flags = flags
        self.ordering = ordering
        self.sync_scope = sync_scope

    @property
    def is_atomic(self) -> bool:
        """Whether other threads see it happen at once."""
        return self.ordering is not AtomicOrdering.NOT_ATOMIC


class GetElementPtr(Instruction):
    """Address arithmetic.

    Attributes:
        source_element_type: the type that the indices step through.
        flags: its `inbounds`, `nusw` and `nuw` flags.
    """

    __match_args__ = ("source_element_type", "pointer", "indices")
    __slots__ = slots("flags", "source_element_type")

    opcode = "getelementptr"
    pointer: OperandProperty[Value] = OperandProperty(0, "The base pointer.")

    flags: Checked[GEPFlags, GEPFlags | str]

    def __init__(
        self,
        type: Type,
        source_element_type: Type,
        pointer: Value,
        indices: Sequence[Value],
        flags: GEPFlags = NO_GEP_FLAGS,
    ) -> None:
        self._begin(type, (pointer, *indices))
        self.source_element_type = source_element_type
        self.flags = flags

    @property
    def indices(self) -> tuple[Value, ...]:
        """Its indices."""
        return tuple(self._operands[1:])

    @property
    def is_inbounds(self) -> bool:
        """Whether it promises to stay inside the object."""
        return bool(self.flags & GEPFlags.INBOUNDS)


class VAArg(Instruction):
    """The next of a variable list of arguments."""

    __match_args__ = ("pointer", "type")
    __slots__ = ()

    opcode = "va_arg"
    pointer: OperandProperty[Value] = OperandProperty(0, "The list.")

    def __init__(self, type: Type, pointer: Value) -> None:
        self._begin(type, (pointer,))


class Fence(Instruction):
    """Orders accesses before and after it.

    Attributes:
        ordering: how.
        sync_scope: with which threads' accesses, "" for all.
    """

    __match_args__ = ("ordering", "sync_scope")
    __slots__ = slots("ordering", "sync_scope")

    opcode = "fence"

    ordering: Checked[AtomicOrdering, AtomicOrdering | str]

    def __init__(self, void: Type, ordering: AtomicOrdering, sync_scope: str = SYSTEM) -> None:
        self._begin(void, ())
        self.ordering = ordering
        self.sync_scope = sync_scope


class AtomicCmpXchg(Instruction):
    """Stores a value if memory contains the expected one; returns the old value, and whether it was equal.

    Attributes:
        success_ordering, failure_ordering: how it is ordered with other threads' accesses.
        flags: `weak` and `volatile`.
    """

    __match_args__ = ("pointer", "compare", "new_value")
    __slots__ = slots("alignment", "failure_ordering", "flags", "success_ordering", "sync_scope")

    opcode = "cmpxchg"
    pointer: OperandProperty[Value] = OperandProperty(0, "The address.")
    compare: OperandProperty[Value] = OperandProperty(1, "The expected value.")
    new_value: OperandProperty[Value] = OperandProperty(2, "The new value.")

    flags: Checked[AccessFlags, AccessFlags | str]
    is_volatile = FlagAccess("is_volatile", AccessFlags.VOLATILE, _VOLATILE)
    is_weak = FlagAccess("is_weak", AccessFlags.WEAK, "Whether it may fail although memory holds the expected value.")
    success_ordering: Checked[AtomicOrdering, AtomicOrdering | str]
    failure_ordering: Checked[AtomicOrdering, AtomicOrdering | str]

    def __init__(
        self,
        type: Type,
        pointer: Value,
        compare: Value,
        new_value: Value,
        alignment: int,
        *,
        success_ordering: AtomicOrdering,
        failure_ordering: AtomicOrdering,
        sync_scope: str = SYSTEM,
        flags: AccessFlags = NO_ACCESS_FLAGS,
    ) -> None:
        self._begin(type, (pointer, compare, new_value))
        self.alignment = alignment
        self.success_ordering = success_ordering
        self.failure_ordering = failure_ordering
        self.sync_scope = sync_scope
        self.flags = flags


class AtomicRMW(Instruction):
    """Changes memory atomically; returns the old value.

    Attributes:
        operation: the operation on the value in memory.
    """

    __match_args__ = ("operation", "pointer", "value")
    __slots__ = slots("alignment", "flags", "operation", "ordering", "sync_scope")

    opcode = "atomicrmw"
    pointer: OperandProperty[Value] = OperandProperty(0, "The address.")
    value: OperandProperty[Value] = OperandProperty(1, "The other operand.")

    flags: Checked[AccessFlags, AccessFlags | str]
    is_volatile = FlagAccess("is_volatile", AccessFlags.VOLATILE, _VOLATILE)
    operation: Checked[AtomicRMWOperation, AtomicRMWOperation | str]
    ordering: Checked[AtomicOrdering, AtomicOrdering | str]

    def __init__(
        self,
        operation: AtomicRMWOperation,
        pointer: Value,
        value: Value,
        alignment: int,
        *,
        ordering: AtomicOrdering,
        sync_scope: str = SYSTEM,
        flags: AccessFlags = NO_ACCESS_FLAGS,
    ) -> None:
        self._begin(value.type, (pointer, value))
        self.operation = operation
        self.alignment = alignment
        self.ordering = ordering
        self.sync_scope = sync_scope
        self.flags = flags


def make_alloca(type: Type, allocated_type: Type, array_size: Value, alignment: int, flags: AllocaFlags) -> Alloca:
    """Return an `alloca`, as its constructor does."""
    made = Alloca.__new__(Alloca)
    made._begin(type, (array_size,))
    made.allocated_type = allocated_type
    made.alignment = alignment
    made.flags = flags
    return made


def make_load(
    type: Type, pointer: Value, alignment: int, flags: AccessFlags, ordering: AtomicOrdering, sync_scope: str
) -> Load:
    """Return a `load`, as its constructor does."""
    made = Load.__new__(Load)
    made._begin(type, (pointer,))
    made.alignment = alignment
    made.flags = flags
    made.ordering = ordering
    made.sync_scope = sync_scope
    return made


def make_store(
    type: Type,
    operands: tuple[Value, Value],
    alignment: int,
    flags: AccessFlags,
    ordering: AtomicOrdering,
    sync_scope: str,
) -> Store:
    """Return a `store` of the first operand to the address that is the second."""
    made = Store.__new__(Store)
    made._begin(type, operands)
    made.alignment = alignment
    made.flags = flags
    made.ordering = ordering
    made.sync_scope = sync_scope
    return made


def make_get_element_ptr(
    type: Type, source_element_type: Type, operands: tuple[Value, ...], flags: GEPFlags
) -> GetElementPtr:
    """Return a `getelementptr` of a pointer, the first operand, and indices."""
    made = GetElementPtr.__new__(GetElementPtr)
    made._begin(type, operands)
    made.source_element_type = source_element_type
    made.flags = flags
    return made


expose_members(Alloca, Load, Store, GetElementPtr, VAArg, Fence, AtomicCmpXchg, AtomicRMW)
