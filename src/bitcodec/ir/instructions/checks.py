"""Checks of assignments to attributes of instructions, debug records and metadata."""

from __future__ import annotations

from bitcodec.ir.assignments import (
    a_boolean,
    a_calling_convention,
    a_member_of,
    a_text,
    an_alignment,
    an_instance_of,
    check_members,
    flags_of,
    numbers,
    one_of,
)
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord, DebugRecord
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, FCmp, ICmp, Select, UnaryOperator
from bitcodec.ir.instructions.calls import Call, CallBase
from bitcodec.ir.instructions.control_flow import Phi
from bitcodec.ir.instructions.exceptions import LandingPad
from bitcodec.ir.instructions.memory import Alloca, AtomicCmpXchg, AtomicRMW, Fence, GetElementPtr, Load, Store
from bitcodec.ir.instructions.vectors import ExtractValue, InsertValue, ShuffleVector
from bitcodec.ir.metadata import MDNode, MDString, Metadata, NamedMetadata
from bitcodec.ir.types import FunctionType, Type
from bitcodec.tables.instruction_flags import (
    AccessFlags,
    AllocaFlags,
    CastFlags,
    CmpFlags,
    FastMathFlags,
    GEPFlags,
    IntegerFlags,
)
from bitcodec.tables.opcodes import (
    BINARY_OPCODES,
    CAST_OPCODES,
    AtomicOrdering,
    AtomicRMWOperation,
    FCmpPredicate,
    ICmpPredicate,
    TailCallKind,
)

__all__ = ["check_instructions"]


def check_instructions() -> None:
    """Check assignments to attributes of instructions, debug records and metadata."""
    fast_math, ordering = flags_of(FastMathFlags), a_member_of(AtomicOrdering)
    access = {"alignment": an_alignment(), "flags": flags_of(AccessFlags), "sync_scope": a_text()}
    binary = one_of(spelling for opcode in BINARY_OPCODES for spelling in opcode if spelling)

    check_members(UnaryOperator, opcode=one_of(["fneg"]), fast_math=fast_math)
    check_members(BinaryOperator, opcode=binary, flags=flags_of(IntegerFlags), fast_math=fast_math)
    check_members(Cast, opcode=one_of(CAST_OPCODES), flags=flags_of(CastFlags), fast_math=fast_math)
    check_members(ICmp, predicate=a_member_of(ICmpPredicate), flags=flags_of(CmpFlags))
    check_members(FCmp, predicate=a_member_of(FCmpPredicate), fast_math=fast_math)
    check_members(Select, fast_math=fast_math)
    check_members(Phi, fast_math=fast_math)

    check_members(
        Alloca,
        allocated_type=an_instance_of(Type),
        alignment=an_alignment(),
        flags=flags_of(AllocaFlags),
    )
    check_members(Load, ordering=ordering, **access)
    check_members(Store, ordering=ordering, **access)
    check_members(GetElementPtr, flags=flags_of(GEPFlags), source_element_type=an_instance_of(Type))
    check_members(Fence, ordering=ordering, sync_scope=a_text())
    check_members(AtomicCmpXchg, success_ordering=ordering, failure_ordering=ordering, **access)
    check_members(AtomicRMW, operation=a_member_of(AtomicRMWOperation), ordering=ordering, **access)

    check_members(
        CallBase,
        attributes=an_instance_of(AttributeList),
        calling_convention=a_calling_convention(),
        function_type=an_instance_of(FunctionType),
    )
    check_members(Call, fast_math=fast_math, tail_kind=a_member_of(TailCallKind))
    check_members(MDNode, is_distinct=a_boolean())
    check_members(NamedMetadata, name=a_text())
    check_members(MDString, text=a_text())
    check_members(LandingPad, is_cleanup=a_boolean())
    check_members(ShuffleVector, mask=numbers())
    check_members(ExtractValue, indices=numbers())
    check_members(InsertValue, indices=numbers())

    metadata = an_instance_of(Metadata, or_none=True)
    check_members(DebugRecord, location=metadata)
    check_members(DbgLabelRecord, label=an_instance_of(Metadata))
    check_members(
        DbgVariableRecord,
        kind=a_member_of(DbgVariableKind),
        variable=metadata,
        expression=metadata,
        assign_id=metadata,
        address_expression=metadata,
    )
