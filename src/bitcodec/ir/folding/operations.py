"""Operations as LLVM's builder makes them: none where the operands decide the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constants import Constant
from bitcodec.ir.folding.binary import fold_binary
from bitcodec.ir.folding.casts import fold_cast
from bitcodec.ir.folding.compare import fold_compare, fold_select
from bitcodec.ir.instruction_builder import InstructionBuilder
from bitcodec.ir.instructions import BinaryOperator, Cast, FCmp, ICmp, Select
from bitcodec.ir.types import VectorType
from bitcodec.tables.instruction_flags import NO_INTEGER_FLAGS
from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS

if TYPE_CHECKING:
    from bitcodec.ir.types import IntegerType, Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.instruction_flags import IntegerFlags
    from bitcodec.tables.opcodes import FCmpPredicate

__all__ = ["FoldedOperations"]


class FoldedOperations(InstructionBuilder):
    """Makes instructions of operands that have the right types; these are not checked.

    A method returns a value instead of an instruction where the operation is folded. `_fold_...` decide that: here as
    LLVM's `ConstantFolder` does, in subclasses they may find more.
    """

    __slots__ = ()

    def binary(
        self, opcode: str, lhs: Value, rhs: Value | int, name: str = "", flags: IntegerFlags = NO_INTEGER_FLAGS
    ) -> Value:
        """Return the result of an operation: `add`, `fmul`, `xor`..."""
        other = self._second(lhs, rhs)
        folded = self._fold_binary(opcode, lhs, other)
        return self.insert(BinaryOperator(opcode, lhs, other, flags=flags), name) if folded is None else folded

    def invert(self, value: Value, name: str = "") -> Value:
        """Return a value with all bits inverted."""
        return self.binary("xor", value, self.all_ones(value.type), name)

    def cast(self, opcode: str, value: Value, type: Type, name: str = "") -> Value:
        """Return a value converted: `trunc`, `bitcast`, `sitofp`...; itself if it has the type."""
        if value.type is type:
            return value
        folded = self._fold_cast(opcode, value, type)
        return self.insert(Cast(opcode, value, type), name) if folded is None else folded

    def compare(self, predicate: ICmpPredicate | FCmpPredicate, lhs: Value, rhs: Value | int, name: str = "") -> Value:
        """Return whether integers, pointers or floating-point values compare so."""
        other = self._second(lhs, rhs)
        folded = self._fold_compare(predicate, lhs, other)
        if folded is not None:
            return folded
        type_ = self._truth_type(lhs.type)
        if isinstance(predicate, ICmpPredicate):
            return self.insert(ICmp(type_, predicate, lhs, other), name)
        return self.insert(FCmp(type_, predicate, lhs, other), name)

    def choose(self, condition: Value, true_value: Value, false_value: Value, name: str = "") -> Value:
        """Return one of two values: `select`."""
        folded = self._fold_select(condition, true_value, false_value)
        return self.insert(Select(condition, true_value, false_value), name) if folded is None else folded

    def all_ones(self, type: Type) -> Constant:
        """Return the integer, or the vector of integers, of which all bits are set."""
        ones = self.constants.integer(cast("IntegerType", type.scalar_type), -1)
        return self.constants.splat(type, ones) if isinstance(type, VectorType) else ones

    def _second(self, lhs: Value, rhs: Value | int) -> Value:
        """Return the second operand of an operation; a number is an integer of the type of the first one."""
        return self.constants.integer(cast("IntegerType", lhs.type), rhs) if isinstance(rhs, int) else rhs

    # Folding of results

    def _fold_binary(self, opcode: str, lhs: Value, rhs: Value) -> Value | None:
        if not (isinstance(lhs, Constant) and isinstance(rhs, Constant)):
            return None
        if opcode not in REMOVED_EXPRESSIONS:
            return self.constants.binary(opcode, lhs, rhs)
        return fold_binary(self.constants, opcode, lhs, rhs)

    def _fold_cast(self, opcode: str, value: Value, type: Type) -> Value | None:
        if not isinstance(value, Constant):
            return None
        if opcode not in REMOVED_EXPRESSIONS:
            return self.constants.cast(opcode, value, type)
        return fold_cast(self.constants, opcode, value, type)

    def _fold_compare(self, predicate: ICmpPredicate | FCmpPredicate, lhs: Value, rhs: Value) -> Value | None:
        if isinstance(lhs, Constant) and isinstance(rhs, Constant):
            return fold_compare(self.constants, predicate, lhs, rhs)
        return None

    def _fold_select(self, condition: Value, true_value: Value, false_value: Value) -> Value | None:
        if isinstance(condition, Constant) and isinstance(true_value, Constant) and isinstance(false_value, Constant):
            return fold_select(self.constants, condition, true_value, false_value)
        return None
