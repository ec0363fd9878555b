"""Operations, casts, comparisons, `select`, `freeze`: from fields to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.expressions import binary_opcode, cast_opcode, check_cast, predicate_of
from bitcodec.bitcode.reader.instructions.flags import fast_math
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.ir.instructions import BinaryOperator, Cast, FCmp, Freeze, ICmp, Select, UnaryOperator
from bitcodec.ir.types import FloatingPointType, SequentialType, StructType, VectorType
from bitcodec.tables.opcodes import CastFlags, CmpFlags, FCmpPredicate, IntegerFlags

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.layouts import Fields
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type

__all__ = ["binary", "cast", "compare", "freeze", "holds_floating_point", "select", "unary"]

_INTEGER_FLAGS = tuple(map(IntegerFlags, range(4)))
_CAST_FLAGS = tuple(map(CastFlags, range(4)))
_CMP_FLAGS = tuple(map(CmpFlags, range(2)))
_WITH_FAST_MATH = ("fptrunc", "fpext", "uitofp", "sitofp")
_OVERFLOWING = ("add", "sub", "mul", "shl")
_SINGLE_FLAG = ("udiv", "sdiv", "lshr", "ashr", "or")
_ZERO_EXTENDING = ("zext", "uitofp")


def unary(_state: FunctionState, fields: Fields) -> Instruction:
    """`fneg`."""
    operand = fields["operand"]
    if fields["opcode"] or not isinstance(operand.type.scalar_type, FloatingPointType):
        raise Malformed(f"there is no unary operation {fields['opcode']} on {operand.type.brief}")
    return UnaryOperator("fneg", operand, fast_math(fields["flags"]))


def binary(_state: FunctionState, fields: Fields) -> Instruction:
    """`add`, `fmul`, `xor`..."""
    lhs = fields["lhs"]
    opcode = binary_opcode(fields["opcode"], lhs.type)
    flags = fields["flags"]
    if not flags:
        return BinaryOperator(opcode, lhs, fields["rhs"])
    if opcode in _OVERFLOWING:
        return BinaryOperator(opcode, lhs, fields["rhs"], flags=_INTEGER_FLAGS[flags & 3])
    if opcode in _SINGLE_FLAG:
        return BinaryOperator(opcode, lhs, fields["rhs"], flags=_INTEGER_FLAGS[flags & 1])
    if isinstance(lhs.type.scalar_type, FloatingPointType):
        return BinaryOperator(opcode, lhs, fields["rhs"], fast_math=fast_math(flags))
    return BinaryOperator(opcode, lhs, fields["rhs"])


def cast(_state: FunctionState, fields: Fields) -> Instruction:
    """`trunc`, `bitcast`..."""
    operand = fields["operand"]
    opcode = cast_opcode(fields["opcode"])
    check_cast(opcode, operand.type, fields["type"])
    made = Cast(opcode, operand, fields["type"])
    flags = fields["flags"]
    if flags:
        if opcode == "trunc":
            made.flags = _CAST_FLAGS[flags & 3]
        elif opcode in _ZERO_EXTENDING:
            made.flags = _CAST_FLAGS[flags & 1]
        elif opcode in _WITH_FAST_MATH:
            made.fast_math = fast_math(flags)
    return made


def compare(state: FunctionState, fields: Fields) -> Instruction:
    """`icmp`, `fcmp`."""
    lhs = fields["lhs"]
    type_ = state.types.like(lhs.type, state.boolean)
    predicate = predicate_of(fields["predicate"], lhs.type)
    flags = fields["flags"]
    if isinstance(predicate, FCmpPredicate):
        return FCmp(type_, predicate, lhs, fields["rhs"], fast_math(flags))
    return ICmp(type_, predicate, lhs, fields["rhs"], _CMP_FLAGS[flags & 1])


def select(state: FunctionState, fields: Fields) -> Instruction:
    """`select`."""
    condition, value = fields["condition"], fields["true_value"]
    boolean = state.boolean
    if condition.type is not boolean:
        shape = condition.type
        if not isinstance(shape, VectorType) or shape.element_type is not boolean:
            raise Malformed(f"the condition is a {shape.brief}")
    flags = fields.get("flags", 0)
    made = Select(condition, value, fields["false_value"])
    if flags and holds_floating_point(value.type):
        made.fast_math = fast_math(flags)
    return made


def freeze(_state: FunctionState, fields: Fields) -> Instruction:
    """`freeze`."""
    return Freeze(fields["operand"])


def holds_floating_point(type: Type) -> bool:
    """Return whether fast-math flags have a meaning for values of a type: numbers, vectors, arrays, equal structs."""
    while isinstance(type, SequentialType):
        type = type.element_type
    if isinstance(type, StructType) and type.is_literal and not type.is_packed and type.elements:
        first = type.elements[0]
        return all(element is first for element in type.elements) and isinstance(first.scalar_type, FloatingPointType)
    return isinstance(type, FloatingPointType)
