"""Unary and binary operations, comparisons, `select`, `freeze`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import COMPARED, FLOATS, INTEGERS, VALUE, require, wrong
from bitcodec.builder.words import fast_math_flags, flags_of, row_of
from bitcodec.ir.instructions import BinaryOperator, FCmp, Freeze, ICmp, Select, UnaryOperator
from bitcodec.ir.type_properties import holds_floating_point
from bitcodec.ir.types import VectorType
from bitcodec.ir.values import Value
from bitcodec.tables.instruction_flags import NO_FAST_MATH, NO_INTEGER_FLAGS, CmpFlags, IntegerFlags
from bitcodec.tables.opcodes import BINARY_OPCODES, FCmpPredicate, ICmpPredicate

if TYPE_CHECKING:
    from bitcodec.builder.inserting import ValueLike
    from bitcodec.ir.types import Type
    from bitcodec.tables.instruction_flags import FastMathFlags

__all__ = ["ArithmeticBuilder", "fast_math_for"]


_OPERANDS = {
    **{row.integer: INTEGERS for row in BINARY_OPCODES},
    **{row.floating: FLOATS for row in BINARY_OPCODES},
}
"""Types of the operands of binary operations, by opcode."""


class ArithmeticBuilder(Inserter):
    """Makes operations on integers and floating-point numbers, and on vectors of them, element by element."""

    __slots__ = ()

    def add(
        self, lhs: ValueLike, rhs: ValueLike, *, nuw: bool = False, nsw: bool = False, name: str = ""
    ) -> BinaryOperator:
        """Return the sum of two integers."""
        return self._binary("add", lhs, rhs, name, flags_of(IntegerFlags, nuw=nuw, nsw=nsw))

    def sub(
        self, lhs: ValueLike, rhs: ValueLike, *, nuw: bool = False, nsw: bool = False, name: str = ""
    ) -> BinaryOperator:
        """Return the difference of two integers."""
        return self._binary("sub", lhs, rhs, name, flags_of(IntegerFlags, nuw=nuw, nsw=nsw))

    def mul(
        self, lhs: ValueLike, rhs: ValueLike, *, nuw: bool = False, nsw: bool = False, name: str = ""
    ) -> BinaryOperator:
        """Return the product of two integers."""
        return self._binary("mul", lhs, rhs, name, flags_of(IntegerFlags, nuw=nuw, nsw=nsw))

    def udiv(self, lhs: ValueLike, rhs: ValueLike, *, exact: bool = False, name: str = "") -> BinaryOperator:
        """Return the quotient of two unsigned integers."""
        return self._binary("udiv", lhs, rhs, name, flags_of(IntegerFlags, exact=exact))

    def sdiv(self, lhs: ValueLike, rhs: ValueLike, *, exact: bool = False, name: str = "") -> BinaryOperator:
        """Return the quotient of two signed integers, rounded towards zero."""
        return self._binary("sdiv", lhs, rhs, name, flags_of(IntegerFlags, exact=exact))

    def urem(self, lhs: ValueLike, rhs: ValueLike, *, name: str = "") -> BinaryOperator:
        """Return the remainder of two unsigned integers."""
        return self._binary("urem", lhs, rhs, name)

    def srem(self, lhs: ValueLike, rhs: ValueLike, *, name: str = "") -> BinaryOperator:
        """Return the remainder of two signed integers; it has the sign of the first."""
        return self._binary("srem", lhs, rhs, name)

    def shl(
        self, lhs: ValueLike, rhs: ValueLike, *, nuw: bool = False, nsw: bool = False, name: str = ""
    ) -> BinaryOperator:
        """Return an integer shifted to the left."""
        return self._binary("shl", lhs, rhs, name, flags_of(IntegerFlags, nuw=nuw, nsw=nsw))

    def lshr(self, lhs: ValueLike, rhs: ValueLike, *, exact: bool = False, name: str = "") -> BinaryOperator:
        """Return an integer shifted to the right, filled up with zeros."""
        return self._binary("lshr", lhs, rhs, name, flags_of(IntegerFlags, exact=exact))

    def ashr(self, lhs: ValueLike, rhs: ValueLike, *, exact: bool = False, name: str = "") -> BinaryOperator:
        """Return an integer shifted to the right, filled up with its sign."""
        return self._binary("ashr", lhs, rhs, name, flags_of(IntegerFlags, exact=exact))

    def and_(self, lhs: ValueLike, rhs: ValueLike, *, name: str = "") -> BinaryOperator:
        """Return the bits that both integers have."""
        return self._binary("and", lhs, rhs, name)

    def or_(self, lhs: ValueLike, rhs: ValueLike, *, disjoint: bool = False, name: str = "") -> BinaryOperator:
        """Return the bits that either integer has; they share none if it is `disjoint`."""
        return self._binary("or", lhs, rhs, name, flags_of(IntegerFlags, disjoint=disjoint))

    def xor(self, lhs: ValueLike, rhs: ValueLike, *, name: str = "") -> BinaryOperator:
        """Return the bits that one of two integers has."""
        return self._binary("xor", lhs, rhs, name)

    def fadd(
        self, lhs: ValueLike, rhs: ValueLike, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> BinaryOperator:
        """Return the sum of two floating-point numbers."""
        return self._binary("fadd", lhs, rhs, name, fast_math=fast_math)

    def fsub(
        self, lhs: ValueLike, rhs: ValueLike, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> BinaryOperator:
        """Return the difference of two floating-point numbers."""
        return self._binary("fsub", lhs, rhs, name, fast_math=fast_math)

    def fmul(
        self, lhs: ValueLike, rhs: ValueLike, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> BinaryOperator:
        """Return the product of two floating-point numbers."""
        return self._binary("fmul", lhs, rhs, name, fast_math=fast_math)

    def fdiv(
        self, lhs: ValueLike, rhs: ValueLike, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> BinaryOperator:
        """Return the quotient of two floating-point numbers."""
        return self._binary("fdiv", lhs, rhs, name, fast_math=fast_math)

    def frem(
        self, lhs: ValueLike, rhs: ValueLike, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> BinaryOperator:
        """Return the remainder of two floating-point numbers, as `fmod` does."""
        return self._binary("frem", lhs, rhs, name, fast_math=fast_math)

    def fneg(self, operand: Value, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = "") -> UnaryOperator:
        """Return a floating-point number with the opposite sign."""
        value = self._value(operand, "fneg", "operand")
        require(FLOATS, value.type, "fneg", "operand")
        return self.insert(UnaryOperator("fneg", value, fast_math_flags(fast_math)), name)

    def icmp(
        self, predicate: ICmpPredicate | str, lhs: ValueLike, rhs: ValueLike, *, samesign: bool = False, name: str = ""
    ) -> ICmp:
        """Return whether integers or pointers compare so; the predicate may be spelled: `"eq"`, `"ult"`..."""
        asked = row_of(ICmpPredicate, predicate)
        one, other = self._pair(lhs, rhs, "icmp")
        require(COMPARED, one.type, "icmp", "operands")
        made = ICmp(self._truth_type(one.type), asked, one, other, flags_of(CmpFlags, samesign=samesign))
        return self.insert(made, name)

    def fcmp(
        self,
        predicate: FCmpPredicate | str,
        lhs: ValueLike,
        rhs: ValueLike,
        *,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
        name: str = "",
    ) -> FCmp:
        """Return whether floating-point numbers compare so; the predicate may be spelled: `"oeq"`, `"une"`..."""
        asked = row_of(FCmpPredicate, predicate)
        one, other = self._pair(lhs, rhs, "fcmp")
        require(FLOATS, one.type, "fcmp", "operands")
        return self.insert(FCmp(self._truth_type(one.type), asked, one, other, fast_math_flags(fast_math)), name)

    def select(
        self,
        condition: ValueLike,
        true_value: ValueLike,
        false_value: ValueLike,
        *,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
        name: str = "",
    ) -> Select:
        """Return one of two values, or for a vector of conditions a vector chosen element by element."""
        one, other = self._pair(true_value, false_value, "select")
        require(VALUE, one.type, "select", "operands")
        boolean: Type = self.types.integer(1)
        if isinstance(condition, Value) and isinstance(condition.type, VectorType):
            boolean = self._truth_type(one.type)
        chosen = self._value_of(boolean, condition, "select", "condition")
        return self.insert(Select(chosen, one, other, fast_math_for(one.type, fast_math, "select")), name)

    def freeze(self, operand: Value, *, name: str = "") -> Freeze:
        """Return a value, or some fixed one in the place of undef or poison."""
        value = self._value(operand, "freeze", "operand")
        require(VALUE, value.type, "freeze", "operand")
        return self.insert(Freeze(value), name)

    def _binary(
        self,
        opcode: str,
        lhs: ValueLike,
        rhs: ValueLike,
        name: str,
        flags: IntegerFlags = NO_INTEGER_FLAGS,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
    ) -> BinaryOperator:
        one, other = self._pair(lhs, rhs, opcode)
        require(_OPERANDS[opcode], one.type, opcode, "operands")
        return self.insert(BinaryOperator(opcode, one, other, flags=flags, fast_math=fast_math_flags(fast_math)), name)


def fast_math_for(type: Type, given: FastMathFlags | str, what: str) -> FastMathFlags:
    """Return fast-math flags for something that gives a value of a type.

    Raises:
        TypeError: they have no meaning for it.
        ValueError: no predicate has that spelling.
    """
    flags = fast_math_flags(given)
    if flags and not holds_floating_point(type):
        raise wrong("floating-point numbers", type, f"{what} with fast-math flags", "type")
    return flags
