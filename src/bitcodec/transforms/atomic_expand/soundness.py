"""Checks whether atomic instructions can be expanded: LLVM's verifier must accept them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.kinds import ACCESSED, EXCHANGED, FIXED_FLOATS, INTEGER, SCALAR, require
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW
from bitcodec.ir.types import VectorType
from bitcodec.tables.opcodes import REFUSED_ORDERINGS, AtomicRMWOperation
from bitcodec.transforms.atomic_expand.access import accessed_type
from bitcodec.transforms.atomic_expand.shapes import atomics_of, soundness_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from bitcodec.builder.kinds import TypeKind
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.tables.opcodes import AtomicOrdering
    from bitcodec.transforms.atomic_expand.access import Atomic
    from bitcodec.transforms.atomic_expand.description import AtomicTarget

__all__ = ["atomic_instructions", "check_all", "check_supported"]

_LEAST_BITS = 8


def atomic_instructions(function: Function) -> list[Atomic]:
    """Return the atomic instructions of a function, block by block, the last of each block first."""
    return [found for block in function.blocks for found in atomics_of(block)]


def check_all(instructions: Iterable[Atomic], layout: DataLayout, known: set[Hashable]) -> None:
    """Refuse invalid atomic instructions.

    Args:
        instructions: the instructions.
        layout: the data layout of their module.
        known: shapes that are valid with that layout; new ones are added.

    Raises:
        ValueError: the type of an instruction, its size, or the ordering is invalid.
    """
    for instruction in instructions:
        kind = soundness_of(instruction)
        if kind not in known:
            _check(instruction, layout)
            known.add(kind)


def check_supported(instructions: Iterable[Atomic], layout: DataLayout, target: AtomicTarget) -> None:
    """Refuse operations that need a library, for a target without one.

    Raises:
        ValueError: an access is wider than the target supports, or not aligned to its size.
    """
    if target.has_library:
        return
    for instruction in instructions:
        bits = layout.size_in_bits(accessed_type(instruction))
        if bits > target.largest or instruction.alignment * 8 < bits:
            what = f"atomic {instruction.opcode}" if instruction.opcode in ("load", "store") else "cmpxchg"
            reason = f"expected at most {target.largest} bits, aligned to their size, got {bits} bits"
            name = "" if instruction.function is None else f"@{instruction.function.name}: "
            raise ValueError(f"{name}unsupported {what}: {reason} with alignment {instruction.alignment}")


def _check(instruction: Atomic, layout: DataLayout) -> None:
    type_ = accessed_type(instruction)
    try:
        require(_kind(instruction), type_, instruction.opcode, "value")
        bits = layout.size_in_bits(type_)
    except (TypeError, ValueError) as error:
        raise _refused(instruction, str(error)) from error
    if bits < _LEAST_BITS or bits & (bits - 1) or (isinstance(type_, VectorType) and type_.is_scalable):
        raise _refused(instruction, f"{type_.brief} is not a number of bytes that is a power of two")
    for ordering, what in _orderings(instruction):
        if ordering in REFUSED_ORDERINGS[what]:
            raise _refused(instruction, f"{what} cannot be ordered {ordering.spelling or 'as not atomic'}")


def _kind(instruction: Atomic) -> TypeKind:
    match instruction:
        case AtomicCmpXchg():
            return EXCHANGED
        case AtomicRMW(AtomicRMWOperation.XCHG):
            return SCALAR
        case AtomicRMW(operation):
            return FIXED_FLOATS if operation.is_floating_point else INTEGER
    return ACCESSED


def _orderings(instruction: Atomic) -> tuple[tuple[AtomicOrdering, str], ...]:
    if isinstance(instruction, AtomicCmpXchg):
        failing = (instruction.failure_ordering, "a failing cmpxchg")
        return (instruction.success_ordering, instruction.opcode), failing
    return ((instruction.ordering, instruction.opcode),)


def _refused(instruction: Instruction, reason: str) -> ValueError:
    function = instruction.function
    name = "" if function is None else f"@{function.name}: "
    return ValueError(f"{name}{instruction.opcode} cannot be expanded: {reason}")
