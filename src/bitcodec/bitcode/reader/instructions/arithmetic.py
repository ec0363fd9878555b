"""`fneg` and `freeze`: from fields to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.ir.instructions import Freeze, UnaryOperator
from bitcodec.ir.types import FloatingPointType
from bitcodec.reasons import Reason
from bitcodec.tables.instruction_flags import fast_math_by_number

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["freeze", "unary"]


def unary(_state: FunctionState, operand: Value, opcode: int, flags: int) -> Instruction:
    """`fneg`."""
    if opcode or not isinstance(operand.type.scalar_type, FloatingPointType):
        raise Malformed(Reason.NO_UNARY_OPERATION(number=opcode, type=operand.type.brief))
    return UnaryOperator("fneg", operand, fast_math_by_number("fneg")[flags])


def freeze(_state: FunctionState, operand: Value) -> Instruction:
    """`freeze`."""
    return Freeze(operand)
