"""Memory: from fields to instructions.

An alignment that old files leave out is the target's own.  Rules: bitcode record reference, sections 7.3, 7.5, 7.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.expressions import check_gep, gep_type
from bitcodec.bitcode.reader.instructions.flags import gep_flags
from bitcodec.bitcode.reader.layouts import alignment
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.instructions import (
    ALIGNMENT_HIGH_SHIFT,
    ALLOCA_ALIGNMENT_LOW_MASK,
    ALLOCA_EXPLICIT_TYPE,
    ALLOCA_INALLOCA,
    ALLOCA_SWIFT_ERROR,
)
from bitcodec.ir.instructions import (
    Alloca,
    AtomicCmpXchg,
    AtomicRMW,
    Fence,
    GetElementPtr,
    Load,
    Store,
    VAArg,
)
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.layouts import Fields
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "alloca",
    "atomic_rmw",
    "cmpxchg",
    "fence",
    "gep",
    "gep_old",
    "inbounds_gep_old",
    "load",
    "load_atomic",
    "store",
    "store_atomic",
    "va_arg",
]

_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC
_FAILURE_ORDERINGS = {
    AtomicOrdering.ACQUIRE_RELEASE: AtomicOrdering.ACQUIRE,
    AtomicOrdering.RELEASE: AtomicOrdering.MONOTONIC,
}
"""How a failing `cmpxchg` is ordered where old files do not say it, if not as a successful one."""

_ADDRESS_ALIGNMENT_BITS = 3


def alloca(state: FunctionState, fields: Fields) -> Instruction:
    """`alloca`; old files have the type of the pointer instead of what it points to."""
    flags = fields["flags"]
    allocated, file_types = fields["type"], state.module.file_types
    layout = state.module.module.data_layout
    address_space = fields["address_space"]
    if not flags & ALLOCA_EXPLICIT_TYPE:
        if not isinstance(allocated, PointerType):
            raise Malformed(f"room at a {allocated.brief}, which is no pointer")
        address_space = allocated.address_space
        allocated = file_types.pointee(fields["type id"])
    if address_space is None:
        address_space = layout.alloca_address_space
    if not allocated.is_first_class or not state.module.is_sized(allocated):
        raise Malformed(f"room for a {allocated.brief}, which has no size")
    code = flags & ALLOCA_ALIGNMENT_LOW_MASK | (flags >> ALIGNMENT_HIGH_SHIFT & 7) << 5
    if not isinstance(fields["array_size"].type, IntegerType):
        raise Malformed(f"room for {fields['array_size'].type.brief} values")
    return Alloca(
        state.types.pointer(address_space),
        allocated,
        fields["array_size"],
        alignment(code) or layout.preferred_alignment(allocated),
        is_inalloca=bool(flags & ALLOCA_INALLOCA),
        is_swift_error=bool(flags & ALLOCA_SWIFT_ERROR),
    )


def load(state: FunctionState, fields: Fields) -> Instruction:
    """`load`; old files leave its type to the pointer."""
    type_ = _loaded_type(state, fields)
    made = Load(type_, fields["pointer"], fields["alignment"] or _abi_alignment(state, type_))
    if fields["is_volatile"]:
        made.is_volatile = True
    return made


def load_atomic(state: FunctionState, fields: Fields) -> Instruction:
    """`load atomic`."""
    ordering = fields["ordering"]
    if ordering in (_NOT_ATOMIC, AtomicOrdering.RELEASE, AtomicOrdering.ACQUIRE_RELEASE):
        raise Malformed(f"a load cannot be ordered {ordering or 'as not atomic'}")
    if fields["alignment"] is None:
        raise Malformed("an atomic load has no alignment")
    return Load(
        _loaded_type(state, fields),
        fields["pointer"],
        fields["alignment"],
        is_volatile=fields["is_volatile"],
        ordering=ordering,
        sync_scope=fields["sync_scope"],
    )


def _loaded_type(state: FunctionState, fields: Fields) -> Type:
    type_: Type | None = fields["type"]
    if not isinstance(fields["pointer"].type, PointerType):
        raise _no_pointer(fields["pointer"])
    if type_ is None:
        type_ = state.pointee(fields.get("pointer type", NO_TYPE_ID))
    elif state.keeps_type_ids:
        _check_pointee(state, fields, type_)
    if not type_.is_first_class or not state.module.is_sized(type_):
        raise Malformed(f"a {type_.brief} cannot be loaded")
    return type_


def _check_pointee(state: FunctionState, fields: Fields, type: Type) -> None:
    """Check a type against the pointer's, where the file tells what that points to."""
    try:
        pointee = state.pointee(fields.get("pointer type", NO_TYPE_ID))
    except Malformed:
        return
    if pointee is not type:
        raise Malformed(f"a {type.brief} at a pointer to {pointee.brief}")


def _check_pointer(value: Value) -> None:
    if not isinstance(value.type, PointerType):
        raise _no_pointer(value)


def _no_pointer(value: Value) -> Malformed:
    return Malformed(f"a {value.type.brief} where a pointer should be")


def _abi_alignment(state: FunctionState, type: Type) -> int:
    return state.module.module.data_layout.abi_alignment(type)


def store(state: FunctionState, fields: Fields) -> Instruction:
    """`store`."""
    value = _stored_value(state, fields)
    made = Store(state.void, value, fields["pointer"], fields["alignment"] or _abi_alignment(state, value.type))
    if fields["is_volatile"]:
        made.is_volatile = True
    return made


def store_atomic(state: FunctionState, fields: Fields) -> Instruction:
    """`store atomic`."""
    ordering = fields["ordering"]
    if ordering in (_NOT_ATOMIC, AtomicOrdering.ACQUIRE, AtomicOrdering.ACQUIRE_RELEASE):
        raise Malformed(f"a store cannot be ordered {ordering or 'as not atomic'}")
    if fields["alignment"] is None:
        raise Malformed("an atomic store has no alignment")
    return Store(
        state.void,
        _stored_value(state, fields),
        fields["pointer"],
        fields["alignment"],
        is_volatile=fields["is_volatile"],
        ordering=ordering,
        sync_scope=fields["sync_scope"],
    )


def _stored_value(state: FunctionState, fields: Fields) -> Value:
    value: Value = fields["value"]
    if not isinstance(fields["pointer"].type, PointerType):
        raise _no_pointer(fields["pointer"])
    if state.keeps_type_ids:
        _check_pointee(state, fields, value.type)
    if not state.module.is_sized(value.type):
        raise Malformed(f"a {value.type.brief} cannot be stored")
    return value


def gep(state: FunctionState, fields: Fields) -> Instruction:
    """`getelementptr`."""
    return _gep(state, fields, fields["source_element_type"], fields["flags"])


def gep_old(state: FunctionState, fields: Fields) -> Instruction:
    """`getelementptr` of old files, which leave the type to the pointer."""
    return _gep(state, fields, _gep_source(state, fields), 0)


def inbounds_gep_old(state: FunctionState, fields: Fields) -> Instruction:
    """`getelementptr inbounds` of old files."""
    return _gep(state, fields, _gep_source(state, fields), 1)


def _gep_source(state: FunctionState, fields: Fields) -> Type:
    file_types = state.module.file_types
    if not fields["operands"]:
        raise Malformed("address arithmetic on nothing")
    pointer_id = fields.get("first type", NO_TYPE_ID)
    fields["source_element_type id"] = file_types.pointee_id(file_types.scalar_id(pointer_id))
    return file_types.of(fields["source_element_type id"])


def _gep(state: FunctionState, fields: Fields, source: Type, flags: int) -> Instruction:
    if not fields["operands"]:
        raise Malformed("address arithmetic on nothing")
    pointer, *indices = fields["operands"]
    check_gep(state.module, source, pointer, indices)
    return GetElementPtr(gep_type(state.module, pointer, indices), source, pointer, indices, gep_flags(flags))


def va_arg(_state: FunctionState, fields: Fields) -> Instruction:
    """`va_arg`."""
    _check_pointer(fields["pointer"])
    return VAArg(fields["type"], fields["pointer"])


def fence(state: FunctionState, fields: Fields) -> Instruction:
    """`fence`."""
    ordering = fields["ordering"]
    if ordering in (_NOT_ATOMIC, AtomicOrdering.UNORDERED, AtomicOrdering.MONOTONIC):
        raise Malformed(f"a fence cannot be ordered {ordering or 'as not atomic'}")
    return Fence(state.void, ordering, fields["sync_scope"])


def cmpxchg(state: FunctionState, fields: Fields) -> Instruction:
    """`cmpxchg`."""
    success, failure = fields["success_ordering"], fields["failure_ordering"]
    if failure is None:
        failure = _FAILURE_ORDERINGS.get(success, success)
    _check_pointer(fields["pointer"])
    for ordering in (success, failure):
        if ordering in (_NOT_ATOMIC, AtomicOrdering.UNORDERED):
            raise Malformed(f"cmpxchg cannot be ordered {ordering or 'as not atomic'}")
    if failure in (AtomicOrdering.RELEASE, AtomicOrdering.ACQUIRE_RELEASE):
        raise Malformed(f"a failing cmpxchg cannot be ordered {failure}")
    compare = fields["compare"]
    if state.keeps_type_ids:
        _check_pointee(state, fields, compare.type)
    return AtomicCmpXchg(
        state.types.struct([compare.type, state.boolean]),
        fields["pointer"],
        compare,
        fields["new_value"],
        _atomic_alignment(state, fields.get("alignment"), compare.type),
        success_ordering=success,
        failure_ordering=failure,
        sync_scope=fields["sync_scope"],
        is_volatile=fields["is_volatile"],
        # LLVM before 3.5 had no weak one; those that could fail for no reason were not told apart.
        is_weak=bool(fields["is_weak"]),
    )


_OPERATIONS = tuple(AtomicRMWOperation)


def atomic_rmw(state: FunctionState, fields: Fields) -> Instruction:
    """`atomicrmw`."""
    number, value = fields["operation"], fields["value"]
    _check_pointer(fields["pointer"])
    if number >= len(_OPERATIONS):
        raise Malformed(f"there is no atomic operation {number}")
    if fields["ordering"] in (_NOT_ATOMIC, AtomicOrdering.UNORDERED):
        raise Malformed(f"atomicrmw cannot be ordered {fields['ordering'] or 'as not atomic'}")
    if not isinstance(value.type.scalar_type, (IntegerType, FloatingPointType, PointerType)):
        raise Malformed(f"atomicrmw of a {value.type.brief}")
    return AtomicRMW(
        _OPERATIONS[number],
        fields["pointer"],
        value,
        _atomic_alignment(state, fields["alignment"], value.type),
        ordering=fields["ordering"],
        sync_scope=fields["sync_scope"],
        is_volatile=fields["is_volatile"],
    )


def _atomic_alignment(state: FunctionState, given: int | None, type: Type) -> int:
    return given or state.module.module.data_layout.store_size(type)
