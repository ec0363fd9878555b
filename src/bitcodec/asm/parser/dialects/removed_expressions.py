"""The text of constant expressions that LLVM 22 no longer has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.asm.parser.constant_frames import ConstantForm, ConstantFrame, typed
from bitcodec.asm.parser.dialects.expressions import expandable
from bitcodec.asm.parser.phrases import expect, expect_word, parse_optional_row
from bitcodec.asm.parser.tokens import LEFT_PARENTHESIS, RIGHT_PARENTHESIS
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.cast_rules import CAST_RULES
from bitcodec.ir.constants import ConstantData, ConstantInt, ConstantVector, PoisonValue
from bitcodec.ir.folding.binary import COMMUTATIVE, fold_binary, fold_unary
from bitcodec.ir.folding.casts import fold_cast
from bitcodec.ir.folding.compare import fold_compare, fold_select
from bitcodec.ir.instructions import BinaryOperator, Cast, FCmp, ICmp, Select, UnaryOperator
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType
from bitcodec.tables.instruction_flags import FastMathFlags, IntegerFlags, flag_words
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES, FCmpPredicate, ICmpPredicate

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.types import Type

__all__ = ["OLD_EXPRESSIONS"]

_FLAGS = flag_words("add") | flag_words("udiv")
_ICMP = {predicate.spelling.encode(): predicate for predicate in ICmpPredicate}
_FCMP = {predicate.spelling.encode(): predicate for predicate in FCmpPredicate}
_END = "expected ')' in constantexpr"


def _begin(form: ConstantForm) -> Callable[[ModuleState, list[ConstantFrame], Type | None], Constant | None]:
    def begin(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> None:
        lexer = state.lexer
        frame = ConstantFrame(form, lexer.start, type, lexer.text().decode())
        lexer.advance()
        flag = parse_optional_row(lexer, _FLAGS)
        while flag is not None:
            frame.flags |= flag
            flag = parse_optional_row(lexer, _FLAGS)
        if frame.opcode in ("icmp", "fcmp"):
            frame.predicate = _parse_predicate(state, frame.opcode)
        expect(lexer, LEFT_PARENTHESIS, "expected '(' in constantexpr")
        frames.append(frame)

    return begin


def _parse_predicate(state: ModuleState, opcode: str) -> ICmpPredicate | FCmpPredicate:
    found = parse_optional_row(state.lexer, cast("dict[bytes, ICmpPredicate | FCmpPredicate]", _PREDICATES[opcode]))
    if found is None:
        state.lexer.refuse(f"expected {opcode} predicate")
    return found


_PREDICATES = {"icmp": _ICMP, "fcmp": _FCMP}


def _check(state: ModuleState, frame: ConstantFrame, *, fits: bool) -> None:
    if not fits:
        state.lexer.refuse(f"invalid operands of constant expression {frame.opcode}", frame.start)


def _end(state: ModuleState) -> None:
    expect(state.lexer, RIGHT_PARENTHESIS, _END)


def _finish_cast(state: ModuleState, frame: ConstantFrame) -> Constant:
    lexer, operand, opcode = state.lexer, frame.parts[0], frame.opcode
    expect_word(lexer, b"to", "expected 'to' in constantexpr cast")
    target = parse_type(state)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' at end of constantexpr cast")
    _check(state, frame, fits=CAST_RULES[opcode].allows(operand.type, target))
    folded = _folded(frame, lambda: fold_cast(state.constants, opcode, operand, target))
    return _made(
        state,
        frame,
        folded or expandable(state, target, frame.parts, lambda parts: Cast(opcode, parts[0], target), opcode),
    )


def _finish_binary(state: ModuleState, frame: ConstantFrame) -> Constant:
    _end(state)
    lhs, rhs = frame.parts
    opcode, flags = frame.opcode, IntegerFlags(frame.flags)
    scalar = lhs.type.scalar_type
    _check(state, frame, fits=lhs.type is rhs.type and isinstance(scalar, _OPERANDS[opcode]))

    def make(parts: object) -> BinaryOperator:
        left, right = cast("list[Constant]", parts)
        return BinaryOperator(opcode, left, right, flags=flags)

    folded = _folded(frame, lambda: fold_binary(state.constants, opcode, lhs, rhs))
    if isinstance(lhs, ConstantInt) and opcode in COMMUTATIVE:
        frame.parts.reverse()  # LLVM puts numbers on the right
    return _made(state, frame, folded or expandable(state, lhs.type, frame.parts, make, opcode, flags))


def _finish_unary(state: ModuleState, frame: ConstantFrame) -> Constant:
    _end(state)
    type_ = frame.parts[0].type
    _check(state, frame, fits=isinstance(type_.scalar_type, FloatingPointType))
    folded = _folded(frame, lambda: fold_unary(state.constants, "fneg", frame.parts[0]))
    made = folded or expandable(
        state, type_, frame.parts, lambda parts: UnaryOperator("fneg", parts[0], FastMathFlags(0)), "fneg"
    )
    return _made(state, frame, made)


def _finish_compare(state: ModuleState, frame: ConstantFrame) -> Constant:
    _end(state)
    lhs, rhs = frame.parts
    predicate = frame.predicate
    type_ = state.types.like(lhs.type, state.boolean)
    is_float = isinstance(lhs.type.scalar_type, FloatingPointType)
    is_comparable = is_float or isinstance(lhs.type.scalar_type, IntegerType | PointerType)
    _check(state, frame, fits=lhs.type is rhs.type and is_comparable and is_float is (frame.opcode == "fcmp"))
    assert predicate is not None  # noqa: S101 - comparisons begin with one
    folded = _folded(frame, lambda: fold_compare(state.constants, predicate, lhs, rhs))
    if folded is not None:
        return _made(state, frame, folded)
    kind: Any = FCmp if is_float else ICmp
    made = expandable(state, type_, frame.parts, lambda parts: kind(type_, predicate, *parts), predicate)
    return _made(state, frame, made)


def _finish_select(state: ModuleState, frame: ConstantFrame) -> Constant:
    _end(state)
    condition, first, second = frame.parts
    fits = first.type is second.type and condition.type.scalar_type is state.boolean
    _check(state, frame, fits=fits)
    folded = _folded(frame, lambda: fold_select(state.constants, condition, first, second))
    made = folded or expandable(
        state, first.type, frame.parts, lambda parts: Select(parts[0], parts[1], parts[2]), "select"
    )
    return _made(state, frame, made)


def _folded(frame: ConstantFrame, fold: Callable[[], Constant | None]) -> Constant | None:
    """Return the folded value of an expression of plain data, as in every LLVM; None if it becomes an instruction."""
    if not all(map(_is_data, frame.parts)):
        return None
    found = fold()
    return found if found is not None and _is_data(found) and not isinstance(found, PoisonValue) else None


def _is_data(constant: Constant) -> bool:
    operands = constant.operands if isinstance(constant, ConstantVector) else (constant,)
    return all(isinstance(operand, ConstantData) for operand in operands)


def _made(state: ModuleState, frame: ConstantFrame, made: object) -> Constant:
    return typed(state, cast("Constant", made), frame.type, frame.start)


_COMMA = "expected ',' in constantexpr"
_CAST = ConstantForm(_finish_cast, 1, _COMMA, takes_instructions=True)
_BINARY = ConstantForm(_finish_binary, 2, _COMMA, takes_instructions=True)
_UNARY = ConstantForm(_finish_unary, 1, _COMMA, takes_instructions=True)
_COMPARE = ConstantForm(_finish_compare, 2, _COMMA, takes_instructions=True)
_SELECT = ConstantForm(_finish_select, 3, _COMMA, takes_instructions=True)

_OPERANDS: dict[str, type[Type]] = {
    **{row.integer: IntegerType for row in BINARY_OPCODES if row.integer},
    **{row.floating: FloatingPointType for row in BINARY_OPCODES if row.floating},
}

OLD_EXPRESSIONS = {
    **{opcode.encode(): _begin(_CAST) for opcode in CAST_OPCODES if opcode in CAST_RULES},
    **{opcode.encode(): _begin(_BINARY) for opcode in _OPERANDS},
    b"fneg": _begin(_UNARY),
    b"icmp": _begin(_COMPARE),
    b"fcmp": _begin(_COMPARE),
    b"select": _begin(_SELECT),
}
"""By word: parsers of expressions.  `constant_expressions` reads the expressions that LLVM 22 has."""
