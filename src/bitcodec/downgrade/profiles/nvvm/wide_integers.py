"""Integers of more than 64 bits for libNVVM, which divides and converts only single ones of 128 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.editing import MAX_ELEMENTS, assembly, by_element, editor, replace
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir.instructions import BinaryOperator, Cast
from bitcodec.ir.types import IntegerType, VectorType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.builder import Builder
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["lower_wide_integers"]

_WORD, _WIDE = 64, 128
_DIVISIONS = {"sdiv": "sext", "srem": "sext", "udiv": "zext", "urem": "zext"}
"""By opcode, the extension of the operands."""
_FROM_INTEGERS = {"sitofp": "sext", "uitofp": "zext"}
"""By opcode, the extension of the operand."""
_TO_INTEGERS = frozenset({"fptosi", "fptoui"})


def lower_wide_integers(module: Module, losses: Losses) -> None:
    """Divide and convert integers of 65 to 127 bits, and vectors of wide ones, as integers of 128 bits.

    Division and conversion of integers of more than 128 bits are refused, because libNVVM crashes on them.
    """
    for function in module.functions:
        for block in function.blocks:
            for instruction in list(block.instructions):
                type_ = _integer_of(instruction)
                if type_ is not None and _is_lacking(type_):
                    _lower(instruction, type_, losses, function.name)


def _integer_of(instruction: Instruction) -> Type | None:
    """Return the type of the integers that an instruction divides or converts, None for other instructions."""
    if isinstance(instruction, BinaryOperator) and instruction.opcode in _DIVISIONS:
        return instruction.type
    if isinstance(instruction, Cast):
        if instruction.opcode in _FROM_INTEGERS:
            return instruction.operands[0].type
        if instruction.opcode in _TO_INTEGERS:
            return instruction.type
    return None


def _is_lacking(type_: Type) -> bool:
    scalar = type_.scalar_type
    assert isinstance(scalar, IntegerType)  # noqa: S101 - these instructions take nothing else
    return scalar.bit_width > _WORD and (scalar.bit_width != _WIDE or type_ is not scalar)


def _lower(instruction: Instruction, type_: Type, losses: Losses, place: str) -> None:
    scalar = type_.scalar_type
    is_long = isinstance(type_, VectorType) and (type_.is_scalable or type_.count > MAX_ELEMENTS)
    if scalar.bit_width > _WIDE or is_long:  # type: ignore[attr-defined]
        losses.add(rows.WIDE_ARITHMETIC, place, instruction)
        return
    losses.add(rows.ODD_ARITHMETIC, place, instruction)
    builder = editor(instruction)

    def make(parts: Sequence[Value]) -> Value:
        return _one(builder, instruction.opcode, parts, instruction.type.scalar_type)

    replace(instruction, by_element(builder, instruction.type, instruction.operands, make))


def _one(builder: Builder, opcode: str, parts: Sequence[Value], result: Type) -> Value:
    """Return the result for one element of each operand."""
    make = getattr(builder, opcode)
    if opcode in _FROM_INTEGERS:
        made: Value = make(_extended(builder, parts[0], _FROM_INTEGERS[opcode]), result)
        return made
    wide = builder.types.integer(_WIDE)
    if opcode in _TO_INTEGERS:
        made = make(parts[0], wide)
    else:
        made = make(*(_extended(builder, part, _DIVISIONS[opcode]) for part in parts))
    return made if made.type is result else builder.trunc(made, result)


def _extended(builder: Builder, value: Value, opcode: str) -> Value:
    """Return a number of 128 bits; its high word is the result of assembly, so that it is not narrowed again."""
    wide, word = builder.types.integer(_WIDE), builder.types.integer(_WORD)
    if value.type is wide:
        return value
    extended: Value = getattr(builder, opcode)(value, wide)
    high = builder.trunc(builder.lshr(extended, _WORD), word)
    opaque = assembly(builder, "mov.b64 $0, $1;", "=l,l", word, [high], has_side_effects=False)
    low = builder.zext(builder.trunc(value, word), wide)
    return builder.or_(builder.shl(builder.zext(opaque, wide), _WORD), low)
