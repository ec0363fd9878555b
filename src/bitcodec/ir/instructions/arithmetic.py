# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Unary and binary operations, casts, comparisons, `select`, `freeze`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.members import expose_members, slots
from bitcodec.ir.operand_property import OperandProperty
from bitcodec.ir.values import Value
from bitcodec.tables.instruction_flags import NO_CAST_FLAGS, NO_CMP_FLAGS, NO_FAST_MATH, NO_INTEGER_FLAGS

if TYPE_CHECKING:
    from bitcodec.ir.assignments import Checked
    from bitcodec.ir.types import Type
    from bitcodec.tables.instruction_flags import CastFlags, CmpFlags, FastMathFlags, IntegerFlags
    from bitcodec.tables.opcodes import FCmpPredicate, ICmpPredicate

__all__ = [
    "BinaryOperator",
    "Cast",
    "FCmp",
    "Freeze",
    "ICmp",
    "Select",
    "UnaryOperator",
    "make_binary",
    "make_cast",
    "make_icmp",
    "make_select",
]


class UnaryOperator(Instruction):
    """`fneg`.

    Attributes:
        fast_math: its fast-math flags.
    """

    __match_args__ = ("opcode", "operand")
    __slots__ = slots("fast_math", "opcode")

    opcode: str
    operand: OperandProperty[Value] = OperandProperty(0, "The negated operand.")

    fast_math: Checked[FastMathFlags, FastMathFlags | str]

    def __init__(self, opcode: str, operand: Value, fast_math: FastMathFlags = NO_FAST_MATH) -> None:
        self._begin(operand.type, (operand,))
        self.opcode = opcode
        self.fast_math = fast_math


class BinaryOperator(Instruction):
    """An operation on two values: `add`, `fmul`, `xor`...

    Attributes:
        flags: flags of an integer operation.
        fast_math: fast-math flags of a floating-point operation.
    """

    __match_args__ = ("opcode", "lhs", "rhs")
    __slots__ = slots("fast_math", "flags", "opcode")

    opcode: str
    lhs: OperandProperty[Value] = OperandProperty(0, "Left-hand side.")
    rhs: OperandProperty[Value] = OperandProperty(1, "Right-hand side.")

    flags: Checked[IntegerFlags, IntegerFlags | str]
    fast_math: Checked[FastMathFlags, FastMathFlags | str]

    def __init__(
        self,
        opcode: str,
        lhs: Value,
        rhs: Value,
        *,
        flags: IntegerFlags = NO_INTEGER_FLAGS,
        fast_math: FastMathFlags = NO_FAST_MATH,
    ) -> None:
        self._begin(lhs.type, (lhs, rhs))
        self.opcode = opcode
        self.flags = flags
        self.fast_math = fast_math


class Cast(Instruction):
    """A conversion: `trunc`, `zext`, `bitcast`, `ptrtoint`...

    Attributes:
        flags: flags of an integer conversion.
        fast_math: fast-math flags of a floating-point conversion.
    """

    __match_args__ = ("opcode", "operand", "type")
    __slots__ = slots("fast_math", "flags", "opcode")

    opcode: str
    operand: OperandProperty[Value] = OperandProperty(0, "The converted operand.")

    flags: Checked[CastFlags, CastFlags | str]
    fast_math: Checked[FastMathFlags, FastMathFlags | str]

    def __init__(
        self,
        opcode: str,
        operand: Value,
        type: Type,
        *,
        flags: CastFlags = NO_CAST_FLAGS,
        fast_math: FastMathFlags = NO_FAST_MATH,
    ) -> None:
        self._begin(type, (operand,))
        self.opcode = opcode
        self.flags = flags
        self.fast_math = fast_math


class ICmp(Instruction):
    """A comparison of integers or pointers.

    Attributes:
        predicate: the comparison predicate.
        flags: its flags.
    """

    __match_args__ = ("predicate", "lhs", "rhs")
    __slots__ = slots("flags", "predicate")

    opcode = "icmp"
    lhs: OperandProperty[Value] = OperandProperty(0, "Left-hand side.")
    rhs: OperandProperty[Value] = OperandProperty(1, "Right-hand side.")

    predicate: Checked[ICmpPredicate, ICmpPredicate | str]
    flags: Checked[CmpFlags, CmpFlags | str]

    def __init__(
        self,
        type: Type,
        predicate: ICmpPredicate,
        lhs: Value,
        rhs: Value,
        flags: CmpFlags = NO_CMP_FLAGS,
    ) -> None:
        self._begin(type, (lhs, rhs))
        self.predicate = predicate
        self.flags = flags


class FCmp(Instruction):
    """A comparison of floating-point numbers.

    Attributes:
        predicate: the comparison predicate.
        fast_math: its fast-math flags.
    """

    __match_args__ = ("predicate", "lhs", "rhs")
    __slots__ = slots("fast_math", "predicate")

    opcode = "fcmp"
    lhs: OperandProperty[Value] = OperandProperty(0, "Left-hand side.")
    rhs: OperandProperty[Value] = OperandProperty(1, "Right-hand side.")

    predicate: Checked[FCmpPredicate, FCmpPredicate | str]
    fast_math: Checked[FastMathFlags, FastMathFlags | str]

    def __init__(
        self,
        type: Type,
        predicate: FCmpPredicate,
        lhs: Value,
        rhs: Value,
        fast_math: FastMathFlags = NO_FAST_MATH,
    ) -> None:
        self._begin(type, (lhs, rhs))
        self.predicate = predicate
        self.fast_math = fast_math


class Select(Instruction):
    """One of two values.

    Attributes:
        fast_math: its fast-math flags.
    """

    __match_args__ = ("condition", "true_value", "false_value")
    __slots__ = slots(
        "fast_math",
    )

    opcode = "select"
    condition: OperandProperty[Value] = OperandProperty(0, "The condition.")
    true_value: OperandProperty[Value] = OperandProperty(1, "The value if the condition holds.")
    false_value: OperandProperty[Value] = OperandProperty(2, "The value otherwise.")

    fast_math: Checked[FastMathFlags, FastMathFlags | str]

    def __init__(
        self, condition: Value, true_value: Value, false_value: Value, fast_math: FastMathFlags = NO_FAST_MATH
    ) -> None:
        self._begin(true_value.type, (condition, true_value, false_value))
        self.fast_math = fast_math


class Freeze(Instruction):
    """Makes undef and poison some fixed value."""

    __match_args__ = ("operand",)
    __slots__ = ()

    opcode = "freeze"
    operand: OperandProperty[Value] = OperandProperty(0, "The frozen operand.")

    def __init__(self, operand: Value) -> None:
        self._begin(operand.type, (operand,))


def make_binary(
    opcode: str, operands: tuple[Value, Value], flags: IntegerFlags, fast_math: FastMathFlags
) -> BinaryOperator:
    """Return an operation on two values, as its constructor does."""
    made = BinaryOperator.__new__(BinaryOperator)
    first = operands[0]
    made._begin(first.type, operands)
    made.opcode = opcode
    made.flags = flags
    made.fast_math = fast_math
    return made


def make_cast(opcode: str, operand: Value, type: Type, flags: CastFlags, fast_math: FastMathFlags) -> Cast:
    """Return a conversion, as its constructor does."""
    made = Cast.__new__(Cast)
    made._begin(type, (operand,))
    made.opcode = opcode
    made.flags = flags
    made.fast_math = fast_math
    return made


def make_icmp(type: Type, predicate: ICmpPredicate, operands: tuple[Value, Value], flags: CmpFlags) -> ICmp:
    """Return a comparison of integers or pointers, as its constructor does."""
    made = ICmp.__new__(ICmp)
    made._begin(type, operands)
    made.predicate = predicate
    made.flags = flags
    return made


def make_select(operands: tuple[Value, Value, Value], fast_math: FastMathFlags) -> Select:
    """Return a choice, by the first operand, of one of two values."""
    made = Select.__new__(Select)
    second = operands[1]
    made._begin(second.type, operands)
    made.fast_math = fast_math
    return made


expose_members(UnaryOperator, BinaryOperator, Cast, ICmp, FCmp, Select, Freeze)
