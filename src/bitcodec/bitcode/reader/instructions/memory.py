"""Memory: from fields to instructions.

An alignment that old files leave out is the target's own.  Rules: docs/reference/records.md, 7.3, 7.5, 7.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.schema.instructions import ATOMIC_ELEMENTWISE
from bitcodec.ir.instructions import (
    AtomicCmpXchg,
    AtomicRMW,
    Fence,
    Load,
    Store,
    VAArg,
)
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType
from bitcodec.reasons import Reason
from bitcodec.tables.instruction_flags import flags_by_number
from bitcodec.tables.opcodes import FAILURE_ORDERINGS, REFUSED_ORDERINGS, AtomicOrdering, AtomicRMWOperation

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "atomic_rmw",
    "check_stored",
    "cmpxchg",
    "fence",
    "gep_source",
    "load_atomic",
    "loaded_type",
    "store_atomic",
    "va_arg",
]


def load_atomic(
    state: FunctionState,
    pointer: Value,
    type: Type | None,
    alignment: int | None,
    flags: int,
    ordering: AtomicOrdering,
    sync_scope: str,
) -> Instruction:
    """`load atomic`."""
    _check_ordering(ordering, "load", "a load")
    if alignment is None:
        raise Malformed(Reason.LOAD_WITHOUT_ALIGNMENT())
    return Load(
        loaded_type(state, pointer, type),
        pointer,
        alignment,
        flags=flags_by_number("load")[flags],
        ordering=ordering,
        sync_scope=sync_scope,
    )


def loaded_type(state: FunctionState, pointer: Value, type: Type | None) -> Type:
    """Return the type that a `load` has.

    Raises:
        Malformed: it is not known, or no value of it can be loaded.
    """
    if not isinstance(pointer.type, PointerType):
        raise _no_pointer(pointer)
    if type is None:
        raise Malformed(Reason.UNKNOWN_POINTEE())
    if type not in state.sized and not (type.is_first_class and state.module.is_sized(type)):
        raise Malformed(Reason.LOADED_TYPE(type=type.brief))
    return type


def _check_ordering(ordering: AtomicOrdering, access: str, what: str) -> None:
    if ordering is AtomicOrdering.NOT_ATOMIC or ordering in REFUSED_ORDERINGS[access]:
        raise Malformed(Reason.ORDERING(what=what, ordering=str(ordering or "as not atomic")))


def _check_pointer(value: Value) -> None:
    if not isinstance(value.type, PointerType):
        raise _no_pointer(value)


def _no_pointer(value: Value) -> Malformed:
    return Malformed(Reason.NO_POINTER(type=value.type.brief))


def store_atomic(
    state: FunctionState,
    pointer: Value,
    value: Value,
    alignment: int | None,
    flags: int,
    ordering: AtomicOrdering,
    sync_scope: str,
) -> Instruction:
    """`store atomic`."""
    _check_ordering(ordering, "store", "a store")
    if alignment is None:
        raise Malformed(Reason.STORE_WITHOUT_ALIGNMENT())
    check_stored(state, pointer, value)
    return Store(
        state.void,
        value,
        pointer,
        alignment,
        flags=flags_by_number("store")[flags],
        ordering=ordering,
        sync_scope=sync_scope,
    )


def check_stored(state: FunctionState, pointer: Value, value: Value) -> None:
    """Check that a value can be stored.

    Raises:
        Malformed: the pointer or the type of the value is invalid.
    """
    if not isinstance(pointer.type, PointerType):
        raise _no_pointer(pointer)
    if value.type not in state.sized and not state.module.is_sized(value.type):
        raise Malformed(Reason.STORED_TYPE(type=value.type.brief))


def gep_source(state: FunctionState, operands: list[Value], pointer_id: int) -> int:
    """Return the id of the source element type of a `getelementptr` of old files, which leave it to the pointer.

    Args:
        state: the state of the body.
        operands: its operands.
        pointer_id: the type id of the pointer among them, NO_TYPE_ID if not known.

    Raises:
        Malformed: it is not known.
    """
    file_types = state.module.file_types
    if not operands:
        raise Malformed(Reason.NO_ADDRESS_OPERANDS())
    return file_types.pointee_id(file_types.scalar_id(pointer_id))


def va_arg(_state: FunctionState, pointer: Value, type: Type) -> Instruction:
    """`va_arg`."""
    _check_pointer(pointer)
    return VAArg(type, pointer)


def fence(state: FunctionState, ordering: AtomicOrdering, sync_scope: str) -> Instruction:
    """`fence`."""
    _check_ordering(ordering, "fence", "a fence")
    return Fence(state.void, ordering, sync_scope)


def cmpxchg(
    state: FunctionState,
    pointer: Value,
    compare: Value,
    new_value: Value,
    flags: int,
    success_ordering: AtomicOrdering,
    sync_scope: str,
    failure_ordering: AtomicOrdering | None,
    is_weak: int | None,
    alignment: int | None = None,
) -> Instruction:
    """`cmpxchg`."""
    if failure_ordering is None:
        failure_ordering = FAILURE_ORDERINGS.get(success_ordering, success_ordering)
    _check_pointer(pointer)
    _check_ordering(success_ordering, "cmpxchg", "cmpxchg")
    _check_ordering(failure_ordering, "cmpxchg", "cmpxchg")
    _check_ordering(failure_ordering, "a failing cmpxchg", "a failing cmpxchg")
    return AtomicCmpXchg(
        state.types.struct([compare.type, state.boolean]),
        pointer,
        compare,
        new_value,
        alignment or _atomic_alignment(state, compare.type),
        success_ordering=success_ordering,
        failure_ordering=failure_ordering,
        sync_scope=sync_scope,
        # LLVM before 3.5 did not distinguish weak ones, which may fail although memory holds the expected value.
        flags=flags_by_number("cmpxchg")[flags] | flags_by_number("cmpxchg", "is_weak")[is_weak or 0],
    )


_OPERATIONS = tuple(AtomicRMWOperation)


def atomic_rmw(
    state: FunctionState,
    pointer: Value,
    value: Value,
    operation: int,
    flags: int,
    ordering: AtomicOrdering,
    sync_scope: str,
    alignment: int | None,
) -> Instruction:
    """`atomicrmw`."""
    _check_pointer(pointer)
    if operation >= len(_OPERATIONS):
        if ATOMIC_ELEMENTWISE <= operation < ATOMIC_ELEMENTWISE + len(_OPERATIONS):
            raise Malformed(Reason.ELEMENTWISE_ATOMICRMW())
        raise Malformed(Reason.NO_ATOMIC_OPERATION(number=operation))
    _check_ordering(ordering, "atomicrmw", "atomicrmw")
    if not isinstance(value.type.scalar_type, (IntegerType, FloatingPointType, PointerType)):
        raise Malformed(Reason.ATOMICRMW_TYPE(type=value.type.brief))
    return AtomicRMW(
        _OPERATIONS[operation],
        pointer,
        value,
        alignment or _atomic_alignment(state, value.type),
        ordering=ordering,
        sync_scope=sync_scope,
        flags=flags_by_number("atomicrmw")[flags],
    )


def _atomic_alignment(state: FunctionState, type: Type) -> int:
    # LLVM takes the power of two that is not above it.
    return 1 << max(state.module.module.data_layout.store_size(type), 1).bit_length() - 1
