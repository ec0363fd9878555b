"""Operations, casts, comparisons, `select`, `freeze`: from fields to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.expressions import binary_opcode, cast_opcode, check_cast, predicate_of
from bitcodec.bitcode.reader.instructions.flags import fast_math
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.ir.instructions import BinaryOperator, Cast, FCmp, Freeze, ICmp, Select, UnaryOperator
from bitcodec.ir.type_properties import holds_floating_point
from bitcodec.ir.types import FloatingPointType, VectorType
from bitcodec.tables.opcodes import CastFlags, CmpFlags, FCmpPredicate, IntegerFlags

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["binary", "cast", "compare", "freeze", "select", "unary"]

_INTEGER_FLAGS = tuple(map(IntegerFlags, range(4)))
_CAST_FLAGS = tuple(map(CastFlags, range(4)))
_CMP_FLAGS = tuple(map(CmpFlags, range(2)))
_WITH_FAST_MATH = ("fptrunc", "fpext", "uitofp", "sitofp")
_OVERFLOWING = ("add", "sub", "mul", "shl")
_SINGLE_FLAG = ("udiv", "sdiv", "lshr", "ashr", "or")
_ZERO_EXTENDING = ("zext", "uitofp")


def unary(_state: FunctionState, operand: Value, opcode: int, flags: int) -> Instruction:
    """`fneg`."""
    if opcode or not isinstance(operand.type.scalar_type, FloatingPointType):
        raise Malformed(f"there is no unary operation {opcode} on {operand.type.brief}")
    return UnaryOperator("fneg", operand, fast_math(flags))


def binary(_state: FunctionState, lhs: Value, rhs: Value, opcode: int, flags: int) -> Instruction:
    """`add`, `fmul`, `xor`..."""
    spelling = binary_opcode(opcode, lhs.type)
    made = BinaryOperator(spelling, lhs, rhs)
    if flags:
        if spelling in _OVERFLOWING:
            made.flags = _INTEGER_FLAGS[flags & 3]
        elif spelling in _SINGLE_FLAG:
            made.flags = _INTEGER_FLAGS[flags & 1]
        elif isinstance(lhs.type.scalar_type, FloatingPointType):
            made.fast_math = fast_math(flags)
    return made


def cast(state: FunctionState, operand: Value, type: Type, opcode: int, flags: int) -> Instruction:
    """`trunc`, `bitcast`..."""
    spelling = cast_opcode(opcode)
    key, known = (opcode, operand.type, type), state.module.casts
    if key not in known:
        check_cast(spelling, operand.type, type)
        known.add(key)
    made = Cast(spelling, operand, type)
    if flags:
        if spelling == "trunc":
            made.flags = _CAST_FLAGS[flags & 3]
        elif spelling in _ZERO_EXTENDING:
            made.flags = _CAST_FLAGS[flags & 1]
        elif spelling in _WITH_FAST_MATH:
            made.fast_math = fast_math(flags)
    return made


def compare(state: FunctionState, lhs: Value, rhs: Value, predicate: int, flags: int) -> Instruction:
    """`icmp`, `fcmp`."""
    type_ = state.types.like(lhs.type, state.boolean)
    asked = predicate_of(predicate, lhs.type)
    if isinstance(asked, FCmpPredicate):
        return FCmp(type_, asked, lhs, rhs, fast_math(flags))
    return ICmp(type_, asked, lhs, rhs, _CMP_FLAGS[flags & 1])


def select(
    state: FunctionState, true_value: Value, false_value: Value, condition: Value, flags: int = 0
) -> Instruction:
    """`select`."""
    boolean = state.boolean
    if condition.type is not boolean:
        shape = condition.type
        if not isinstance(shape, VectorType) or shape.element_type is not boolean:
            raise Malformed(f"the condition is a {shape.brief}")
    made = Select(condition, true_value, false_value)
    if flags and holds_floating_point(true_value.type):
        made.fast_math = fast_math(flags)
    return made


def freeze(_state: FunctionState, operand: Value) -> Instruction:
    """`freeze`."""
    return Freeze(operand)
