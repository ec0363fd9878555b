"""Rules of unary and binary operations, casts, comparisons, `select`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.ir.instructions import BinaryOperator, Cast, FCmp, ICmp, Select, UnaryOperator
from bitcodec.ir.type_properties import is_floats, is_integer, is_integers, is_pointers, is_same_shape, is_vector
from bitcodec.ir.types import TokenType
from bitcodec.tables.opcodes import FCmpPredicate, ICmpPredicate
from bitcodec.verifier.casts import CAST_RULES
from bitcodec.verifier.rules import first_broken
from bitcodec.verifier.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.types import Type
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rules

__all__ = ["PROBLEMS", "SHAPES"]


def _has_one_type(found: Any, _: object) -> bool:
    return found.lhs.type is found.rhs.type


def _binary(kind: Callable[[Type], bool], operands: str, result: str) -> Rules:
    """Return the rules of an operation on values of a kind."""
    return (
        ("Both operands to a binary operator are not of the same type!", _has_one_type),
        (operands, lambda found, _: kind(found.type)),
        (result, lambda found, _: found.type is found.lhs.type),
    )


_INTEGER = _binary(
    is_integers,
    "Integer arithmetic operators only work with integral types!",
    "Integer arithmetic operators must have same type for operands and result!",
)
_FLOATING = _binary(
    is_floats,
    "Floating-point arithmetic operators only work with floating-point types!",
    "Floating-point arithmetic operators must have same type for operands and result!",
)
_LOGICAL = _binary(
    is_integers,
    "Logical operators only work with integral types!",
    "Logical operators must have same type for operands and result!",
)
_SHIFT = _binary(is_integers, "Shifts only work with integral types!", "Shift return type must be same as operands!")
_BINARY: dict[str, Rules] = {
    **dict.fromkeys(("add", "sub", "mul", "udiv", "sdiv", "urem", "srem"), _INTEGER),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "frem"), _FLOATING),
    **dict.fromkeys(("and", "or", "xor"), _LOGICAL),
    **dict.fromkeys(("shl", "lshr", "ashr"), _SHIFT),
}

_UNARY: Rules = (
    # No blank behind "for": these are LLVM's words.
    (
        "Unary operators must have same type foroperands and result!",
        lambda found, _: found.type is found.operand.type,
    ),
    ("FNeg operator only works with float types!", lambda found, _: is_floats(found.type)),
)
_ICMP: Rules = (
    ("Both operands to ICmp instruction are not of the same type!", _has_one_type),
    (
        "Invalid operand types for ICmp instruction",
        lambda found, _: is_integers(found.lhs.type) or is_pointers(found.lhs.type),
    ),
    ("Invalid predicate in ICmp instruction!", lambda found, _: isinstance(found.predicate, ICmpPredicate)),
)
_FCMP: Rules = (
    ("Both operands to FCmp instruction are not of the same type!", _has_one_type),
    ("Invalid operand types for FCmp instruction", lambda found, _: is_floats(found.lhs.type)),
    ("Invalid predicate in FCmp instruction!", lambda found, _: isinstance(found.predicate, FCmpPredicate)),
)


def _is_choice(select: Select, _: object) -> bool:
    """Return whether a condition fits the operands of a `select`: one bit, or one for each element."""
    chosen, condition = select.true_value.type, select.condition.type
    if chosen is not select.false_value.type or isinstance(chosen, TokenType):
        return False
    if is_vector(condition):
        return is_integer(condition.scalar_type, 1) and is_vector(chosen) and is_same_shape(condition, chosen)
    return is_integer(condition, 1)


_SELECT: Rules = (
    ("Invalid operands for select instruction!", _is_choice),
    (
        "Select values must have same type as select instruction!",
        lambda select, _: select.true_value.type is select.type,
    ),
)


def _binary_problem(found: BinaryOperator, body: Body) -> str | None:
    return first_broken(_BINARY[found.opcode], found, body)


def _cast_problem(cast: Cast, body: Body) -> str | None:
    return first_broken(CAST_RULES[cast.opcode], cast, body)


PROBLEMS: dict[type, tuple[Callable[[Any, Body], str | None], ...]] = {
    UnaryOperator: (partial(first_broken, _UNARY),),
    BinaryOperator: (_binary_problem,),
    Cast: (_cast_problem,),
    ICmp: (partial(first_broken, _ICMP),),
    FCmp: (partial(first_broken, _FCMP),),
    Select: (partial(first_broken, _SELECT),),
}
SHAPES: dict[type, Shape] = {
    UnaryOperator: Shape(),
    BinaryOperator: Shape(("opcode",)),
    Cast: Shape(("opcode",)),
    ICmp: Shape(("predicate",)),
    FCmp: Shape(("predicate",)),
    Select: Shape(),
}
