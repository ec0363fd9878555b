"""Constant expressions that LLVM 22 no longer has: they become instructions where they are used.

`upgrade.expansion` makes the instructions when a body has been read, as for bitcode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.forward import ForwardConstant
from bitcodec.ir.constant_expressions import (
    ConstantBinary,
    ConstantCast,
    ConstantExpr,
    ConstantExtractElement,
    ConstantGetElementPtr,
    ConstantInsertElement,
    ConstantShuffleVector,
)
from bitcodec.ir.instructions import (
    BinaryOperator,
    Cast,
    ExtractElement,
    GetElementPtr,
    InsertElement,
    ShuffleVector,
)
from bitcodec.upgrade.expansion import Expandable, Step, expandable_aggregate

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["expandable", "expandable_expression", "with_expandable_parts"]

_DETAILS = ("opcode", "flags", "source_element_type", "mask")
_NAME = "constexpr"


def expandable(
    state: ModuleState,
    type: Type,
    parts: Sequence[Value],
    make: Callable[[Sequence[Value]], Instruction],
    *key: Hashable,
) -> Expandable:
    """Return a value of one instruction with the values of its parts as operands.

    Args:
        state: the parser.
        type: of the value.
        parts: its operands.
        make: makes the instruction.
        key: distinguishes it from others of the same type and parts; equal ones are uniqued.
    """
    state.has_expandables = True
    whole_key = (type, *parts, *key)
    found = state.expandables.get(whole_key)
    if found is None:
        found = state.expandables[whole_key] = Expandable(type, parts, lambda values: [Step(make(values), _NAME)])
    return found


def with_expandable_parts(state: ModuleState, parts: list[Constant], finish: Callable[[], Constant]) -> Constant:
    """Return a constant some of whose parts are instructions: it is one, too.

    Args:
        state: the parser.
        parts: the parts.
        finish: makes a constant of them, which may be constants alone.
    """
    stand_ins: dict[Value, Value] = {}
    for index, part in enumerate(parts):
        if isinstance(part, Expandable):
            stand_in = parts[index] = ForwardConstant(part.type, -1)
            stand_ins[stand_in] = part
    whole = finish()
    found = stand_ins.get(whole)
    if found is None:
        operands = [stand_ins.get(operand, operand) for operand in whole.operands]
        if isinstance(whole, ConstantExpr):
            found = expandable_expression(state, whole, operands)
        else:
            found = expandable_aggregate(state.constants, whole.type, operands)
    return found  # type: ignore[return-value]


def expandable_expression(state: ModuleState, whole: ConstantExpr, operands: Sequence[Value]) -> Expandable:
    """Return the value of an instruction that does the same as an expression, of other operands."""
    key = [getattr(whole, name, None) for name in _DETAILS]
    return expandable(state, whole.type, operands, _instruction_of(whole), *key)


def _instruction_of(whole: ConstantExpr) -> Callable[[Sequence[Value]], Instruction]:
    """Return a function that creates the instruction equivalent to an expression, with other operands."""
    opcode, type_ = whole.opcode, whole.type
    if isinstance(whole, ConstantCast):
        return lambda parts: Cast(opcode, parts[0], type_)
    if isinstance(whole, ConstantBinary):
        flags = whole.flags
        return lambda parts: BinaryOperator(opcode, parts[0], parts[1], flags=flags)
    if isinstance(whole, ConstantGetElementPtr):
        source, promises = whole.source_element_type, whole.flags
        return lambda parts: GetElementPtr(type_, source, parts[0], parts[1:], promises)
    if isinstance(whole, ConstantExtractElement):
        return lambda parts: ExtractElement(parts[0], parts[1])
    if isinstance(whole, ConstantInsertElement):
        return lambda parts: InsertElement(parts[0], parts[1], parts[2])
    assert isinstance(whole, ConstantShuffleVector)  # noqa: S101 - the last kind that there is
    mask = whole.mask
    return lambda parts: ShuffleVector(type_, parts[0], parts[1], mask)
