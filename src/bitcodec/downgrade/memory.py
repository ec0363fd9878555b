"""Atomic operations and allocas that older versions of LLVM lack: one row each.

Rules: docs/reference/older-readers.md, 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.rows import Family, InstructionConstruct
from bitcodec.ir import instructions as ir
from bitcodec.ir.construction.copies import unlisted_cast
from bitcodec.ir.construction.unlisted import moved_to, unlisted_copy
from bitcodec.ir.instructions.memory import SINGLE_THREAD, SYSTEM
from bitcodec.ir.types import FloatingPointType, PointerType, VectorType
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation

if TYPE_CHECKING:
    from bitcodec.downgrade.rows import Plan
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type

__all__ = ["ATOMIC_OPERATION", "REWRITTEN_OPERATIONS", "ROWS", "atomic_operation"]

ATOMIC_OPERATION = {
    operation.spelling: Construct(f"atomicrmw {operation}", operation.since, Way.LOWER, "a loop of cmpxchg")
    for operation in AtomicRMWOperation
    if operation.since
}
"""By spelling of the operation."""
_VECTOR_OPERATION = Construct("atomicrmw of vectors", 19, Way.LOWER, "a loop of cmpxchg")
REWRITTEN_OPERATIONS = (*ATOMIC_OPERATION.values(), _VECTOR_OPERATION)
"""Operations whose replacement needs new blocks (`rewriting`)."""


def atomic_operation(operation: ir.AtomicRMW) -> Construct | None:
    """Return the construct that an operation is, None if all versions have it."""
    row = ATOMIC_OPERATION.get(operation.operation.spelling)
    is_vector = isinstance(operation.type, VectorType)
    return _VECTOR_OPERATION if is_vector and (row is None or row.since < _VECTOR_OPERATION.since) else row


def _find_operation(operation: ir.AtomicRMW, plan: Plan, place: str, times: int) -> None:
    row = atomic_operation(operation)
    if row is not None and row.since > plan.version:
        plan.losses.add(row, place, operation, times)


def _excess(operation: Any) -> int:
    """Return the difference of an alignment and the size, which old versions take for the alignment."""
    module = operation.module
    type_: Type = operation.type if isinstance(operation, ir.AtomicRMW) else operation.compare.type
    return 0 if module is None else operation.alignment - module.data_layout.store_size(type_)


def _space_of(alloca: ir.Alloca) -> int:
    return cast("PointerType", alloca.type).address_space


def _is_in_other_space(alloca: ir.Alloca) -> bool:
    module = alloca.module
    return module is not None and _space_of(alloca) != module.data_layout.alloca_address_space


def _is_large(instruction: Any) -> bool:
    return instruction.alignment is not None and instruction.alignment > _MAX_ALIGNMENT


def _write_largest_alignment(instruction: Any, _plan: Plan) -> tuple[Instruction, ...]:
    return (unlisted_copy(instruction, alignment=_MAX_ALIGNMENT),)


def _has_scope(operation: Any) -> bool:
    return operation.sync_scope not in (SINGLE_THREAD, SYSTEM)


def _write_for_system(operation: Any, _plan: Plan) -> tuple[Instruction, ...]:
    return (unlisted_copy(operation, sync_scope=SYSTEM),)


def _write_floating(exchange: ir.AtomicRMW, plan: Plan) -> tuple[Instruction, ...]:
    size = plan.module.data_layout.store_size(exchange.operands[1].type)
    return _exchanged(exchange, plan, size, ("bitcast", "bitcast"))


def _write_pointer(exchange: ir.AtomicRMW, plan: Plan) -> tuple[Instruction, ...]:
    size = plan.module.data_layout.pointer_size(cast("PointerType", exchange.operands[1].type).address_space)
    return _exchanged(exchange, plan, size, ("ptrtoint", "inttoptr"))


def _exchanged(exchange: ir.AtomicRMW, plan: Plan, size: int, casts: tuple[str, str]) -> tuple[Instruction, ...]:
    """Return an exchange of numbers of a size in bytes, between casts."""
    pointer, value = exchange.operands
    number = plan.module.context.types.integer(size * 8)
    before = unlisted_cast(casts[0], value, number)
    made = unlisted_copy(exchange, type=number, operands=(pointer, before), name="", metadata=None)
    return before, made, moved_to(exchange, unlisted_cast(casts[1], made, value.type))


def _is_stronger_on_failure(exchange: ir.AtomicCmpXchg) -> bool:
    success, failure = exchange.success_ordering.spelling, exchange.failure_ordering.spelling
    return _STRENGTHS[failure] > _STRENGTHS[success] or (failure, success) == ("acquire", "release")


def _write_stronger(exchange: ir.AtomicCmpXchg, _plan: Plan) -> tuple[Instruction, ...]:
    success, failure = exchange.success_ordering, exchange.failure_ordering
    is_both = (failure.spelling, success.spelling) == ("acquire", "release")
    return (unlisted_copy(exchange, success_ordering=AtomicOrdering.ACQUIRE_RELEASE if is_both else failure),)


_WITH_ALIGNMENT = FunctionCode.INST_ATOMICRMW.since
_MAX_ALIGNMENT = 1 << 29
_STRENGTHS = {"": 0, "unordered": 1, "monotonic": 2, "acquire": 3, "release": 3, "acq_rel": 4, "seq_cst": 5}

ROWS: tuple[InstructionConstruct | Family, ...] = (
    InstructionConstruct(
        Construct("alloca in an address space other than 0", 5, Way.REFUSE),
        (ir.Alloca,),
        {"type": []},
        _space_of,
    ),
    InstructionConstruct(
        Construct("alloca in an address space other than the data layout's", 15, Way.REFUSE),
        (ir.Alloca,),
        {"type": []},
        _is_in_other_space,
        oldest=5,
    ),
    Family(max(row.since for row in REWRITTEN_OPERATIONS), (ir.AtomicRMW,), _find_operation),
    InstructionConstruct(
        Construct("atomicrmw or cmpxchg of less alignment than its size", _WITH_ALIGNMENT, Way.REFUSE),
        (ir.AtomicRMW, ir.AtomicCmpXchg),
        has=lambda operation: _excess(operation) < 0,
    ),
    InstructionConstruct(
        Construct("alignment of atomicrmw and cmpxchg that exceeds the size", _WITH_ALIGNMENT, Way.DROP),
        (ir.AtomicRMW, ir.AtomicCmpXchg),
        has=lambda operation: _excess(operation) > 0,
    ),
    InstructionConstruct(
        Construct(
            "synchronization scope other than `singlethread`", 5, Way.LOWER, "the whole system, which is stricter"
        ),
        (ir.AtomicRMW, ir.AtomicCmpXchg, ir.Load, ir.Store, ir.Fence),
        {"sync_scope": [SYSTEM, SINGLE_THREAD]},
        _has_scope,
        _write_for_system,
    ),
    InstructionConstruct(
        Construct("atomicrmw xchg of floating-point numbers", 9, Way.LOWER, "bitcast, atomicrmw xchg and bitcast"),
        (ir.AtomicRMW,),
        has=lambda exchange: isinstance(exchange.operands[1].type, FloatingPointType),
        write=_write_floating,
    ),
    InstructionConstruct(
        Construct("atomicrmw xchg of pointers", 15, Way.LOWER, "ptrtoint, atomicrmw xchg and inttoptr"),
        (ir.AtomicRMW,),
        has=lambda exchange: isinstance(exchange.operands[1].type, PointerType),
        write=_write_pointer,
    ),
    InstructionConstruct(
        Construct("cmpxchg with a stronger ordering on failure", 13, Way.LOWER, "a stronger ordering on success"),
        (ir.AtomicCmpXchg,),
        has=_is_stronger_on_failure,
        write=_write_stronger,
    ),
    InstructionConstruct(
        Construct("alignment of more than 2**29 bytes", 15, Way.DROP, "2**29 bytes"),
        (ir.Alloca, ir.Load, ir.Store),
        {"alignment": [None, *(1 << power for power in range(9))]},
        _is_large,
        _write_largest_alignment,
    ),
)
