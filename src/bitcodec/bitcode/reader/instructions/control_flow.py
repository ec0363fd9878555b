"""Control flow: from fields to instructions.  Rules: docs/reference/records.md, 7.3 and 7.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.integers import wide
from bitcodec.bitcode.malformed import Malformed, take_operand
from bitcodec.bitcode.schema.instructions import SWITCH_RANGES_MAGIC
from bitcodec.ir.constant_expressions import ConstantCast
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions import IndirectBranch, Switch, Unreachable
from bitcodec.ir.types import IntegerType, PointerType
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["indirect_branch", "is_range_switch", "range_switch", "switch", "unreachable"]

_WIDTH_OF_ANY_POINTER = 64
"""Bits of a pointer, as readers assume that do not know the data layout yet."""
_MAX_RANGE_CASES = 1 << 16
"""A range represents all its numbers, so a few bytes could require any number of cases."""


def switch(
    state: FunctionState,
    type: Type,
    condition: Value,
    default: BasicBlock,
    cases: list[tuple[ConstantInt, BasicBlock]],
) -> Instruction:
    """`switch`."""
    _check_number(type)
    if all(isinstance(number, ConstantInt) for number, _ in cases):
        return Switch(state.void, condition, default, cases)
    made = Switch(state.void, condition, default, [(_computed_case(number), block) for number, block in cases])
    state.module.with_computed_cases.append(made)
    return made


def _computed_case(case: Value) -> ConstantInt:
    """Return the value of a case; `ptrtoint` of `inttoptr` of a number is the number for readers before LLVM 22.

    Raises:
        Malformed: the case is not a number for any reader.
    """
    if isinstance(case, ConstantInt):
        return case
    pointer = case.operands[0] if isinstance(case, ConstantCast) and case.opcode == "ptrtoint" else None
    if isinstance(pointer, ConstantCast) and pointer.opcode == "inttoptr":
        number, type_ = pointer.operands[0], case.type
        is_narrow = isinstance(type_, IntegerType) and type_.bit_width <= _WIDTH_OF_ANY_POINTER
        if is_narrow and isinstance(number, ConstantInt) and number.type is type_:
            return number
    raise Malformed(Reason.NO_CASE())


def _check_number(type: Type) -> None:
    if not isinstance(type, IntegerType):
        raise Malformed(Reason.SWITCH_TYPE(type=type.brief))


def is_range_switch(operands: list[int]) -> bool:
    """Return whether the operands of a switch are in the form with ranges."""
    return bool(operands) and operands[0] >> 16 == SWITCH_RANGES_MAGIC


def range_switch(state: FunctionState, operands: list[int]) -> Instruction:
    """Make a `switch` of [magic, type, number, default, cases, (items, items..., block)...].

    Raises:
        Malformed: it is malformed or too short.
    """
    reader = iter(operands[1:])
    type_ = state.type_of_id(take_operand(reader))
    if not isinstance(type_, IntegerType):
        raise Malformed(Reason.SWITCH_TYPE(type=type_.brief))
    condition = state.typed_value(take_operand(reader), type_)
    default = state.block(take_operand(reader))
    cases: list[tuple[ConstantInt, BasicBlock]] = []
    for _ in range(take_operand(reader)):
        numbers = [number for _ in range(take_operand(reader)) for number in _range(reader, type_.bit_width)]
        block = state.block(take_operand(reader))
        cases += [(state.module.constants.integer(type_, number), block) for number in numbers]
        if len(cases) > _MAX_RANGE_CASES:
            raise Malformed(Reason.MANY_CASES(maximum=_MAX_RANGE_CASES))
    return Switch(state.void, condition, default, cases)


def _range(reader: Iterator[int], width: int) -> range:
    is_single = take_operand(reader)
    low = _number(reader, width)
    high = low if is_single else _number(reader, width)
    if high - low >= _MAX_RANGE_CASES:
        raise Malformed(Reason.LARGE_RANGE(maximum=_MAX_RANGE_CASES))
    return range(low, high + 1)


def _number(reader: Iterator[int], width: int) -> int:
    words = take_operand(reader) if width > 64 else 1
    return wide([take_operand(reader) for _ in range(words)]) & ((1 << width) - 1)


def indirect_branch(state: FunctionState, type: Type, address: Value, destinations: list[BasicBlock]) -> Instruction:
    """`indirectbr`."""
    if not isinstance(type, PointerType):
        raise Malformed(Reason.NO_BLOCK_ADDRESS(type=type.brief))
    return IndirectBranch(state.void, address, destinations)


def unreachable(state: FunctionState) -> Instruction:
    """`unreachable`."""
    return Unreachable(state.void)
