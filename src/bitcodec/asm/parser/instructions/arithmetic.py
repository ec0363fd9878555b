# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
# ruff: noqa: PLR0911
"""Unary and binary operations, casts, comparisons, `select`, `freeze`.

Rules: docs/reference/text.md, 9.3 and 17.7; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.constant_expressions import check_cast
from bitcodec.asm.parser.constants import parse_typed_value, parse_value
from bitcodec.asm.parser.dialects.casts import old_cast
from bitcodec.asm.parser.instructions.flags import (
    check_fast_math,
    parse_optional_fast_math,
    parse_optional_flags,
)
from bitcodec.asm.parser.phrases import expect, expect_word, parse_optional_row
from bitcodec.asm.parser.tokens import COMMA
from bitcodec.asm.parser.type_rules import HOLDS_INTEGERS, HOLDS_POINTERS, IS_VECTOR
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.instructions.arithmetic import (
    FCmp,
    Freeze,
    UnaryOperator,
    make_binary,
    make_cast,
    make_icmp,
    make_select,
)
from bitcodec.ir.type_properties import is_same_shape
from bitcodec.ir.types import FloatingPointType, LabelType, TokenType, Type, VectorType
from bitcodec.tables.instruction_flags import (
    FAST_MATH_OF,
    NO_FAST_MATH,
    NO_INTEGER_FLAGS,
    CastFlags,
    CmpFlags,
    IntegerFlags,
    flag_words,
    members_of,
)
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES, FCmpPredicate, ICmpPredicate

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.instructions import Instruction

__all__ = ["PARSERS"]

_NO_COMMA, _NO_LOGICAL_COMMA = "expected ',' in arithmetic operation", "expected ',' in logical operation"
_LOGICAL = frozenset({"and", "or", "xor"})
_INTEGER_FLAGS, _CAST_FLAGS, _CMP_FLAGS = members_of(IntegerFlags), members_of(CastFlags), members_of(CmpFlags)
_OPCODES = ("icmp", *CAST_OPCODES, *(row.integer for row in BINARY_OPCODES))
_FLAG_WORDS = {opcode: flag_words(opcode) for opcode in _OPCODES}
_ICMP = {predicate.spelling.encode(): predicate for predicate in ICmpPredicate}
_FCMP = {predicate.spelling.encode(): predicate for predicate in FCmpPredicate}


def _integer_operation(state: ModuleState, opcode: str) -> Instruction:
    flags = parse_optional_flags(state.lexer, _FLAG_WORDS[opcode])
    start = state.lexer.start
    lhs = parse_typed_value(state)
    is_logical = opcode in _LOGICAL
    expect(state.lexer, COMMA, _NO_LOGICAL_COMMA if is_logical else _NO_COMMA)
    rhs = parse_value(state, lhs.type)
    if not state.traits_of(lhs.type) & HOLDS_INTEGERS:
        message = "instruction requires integer or integer vector operands"
        state.lexer.refuse(message if is_logical else "invalid operand type for instruction", start)
    return make_binary(opcode, (lhs, rhs), _INTEGER_FLAGS[flags], NO_FAST_MATH)


def _floating_operation(state: ModuleState, opcode: str) -> Instruction:
    fast_math = parse_optional_fast_math(state.lexer)
    start = state.lexer.start
    lhs = parse_typed_value(state)
    expect(state.lexer, COMMA, _NO_COMMA)
    rhs = parse_value(state, lhs.type)
    _check_floating(state, lhs.type, start)
    return make_binary(opcode, (lhs, rhs), NO_INTEGER_FLAGS, fast_math)


def _check_floating(state: ModuleState, type: Type, start: int) -> None:
    if not isinstance(type.scalar_type, FloatingPointType):
        state.lexer.refuse("invalid operand type for instruction", start)


def _fneg(state: ModuleState, opcode: str) -> Instruction:
    fast_math = parse_optional_fast_math(state.lexer)
    start = state.lexer.start
    operand = parse_typed_value(state)
    _check_floating(state, operand.type, start)
    return UnaryOperator(opcode, operand, fast_math)


def _cast(state: ModuleState, opcode: str) -> Instruction:
    lexer = state.lexer
    fast_math = parse_optional_fast_math(lexer) if opcode in FAST_MATH_OF else NO_FAST_MATH
    flags = parse_optional_flags(lexer, _FLAG_WORDS[opcode])
    start = lexer.start
    operand = parse_typed_value(state)
    expect_word(lexer, b"to", "expected 'to' after cast value")
    type_ = parse_type(state)
    if state.is_old:
        old = old_cast(state, opcode, operand, type_)
        if old is not None:
            return old
    check_cast(state, opcode, operand.type, type_, start)
    return make_cast(opcode, operand, type_, _CAST_FLAGS[flags], fast_math)


def _icmp(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    flags = parse_optional_flags(lexer, _FLAG_WORDS["icmp"])
    predicate = parse_optional_row(lexer, _ICMP)
    if predicate is None:
        lexer.refuse("expected icmp predicate (e.g. 'eq')")
    start = lexer.start
    lhs = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after compare value")
    rhs = parse_value(state, lhs.type)
    traits = state.traits_of(lhs.type)
    if not traits & (HOLDS_INTEGERS | HOLDS_POINTERS):
        lexer.refuse("icmp requires integer operands", start)
    result = state.types.like(lhs.type, state.boolean) if traits & IS_VECTOR else state.boolean
    return make_icmp(result, predicate, (lhs, rhs), _CMP_FLAGS[flags])


def _fcmp(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    fast_math = parse_optional_fast_math(lexer)
    predicate = parse_optional_row(lexer, _FCMP)
    if predicate is None:
        lexer.refuse("expected fcmp predicate (e.g. 'oeq')")
    start = lexer.start
    lhs = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after compare value")
    rhs = parse_value(state, lhs.type)
    if not isinstance(lhs.type.scalar_type, FloatingPointType):
        lexer.refuse("fcmp requires floating point operands", start)
    return FCmp(state.types.like(lhs.type, state.boolean), predicate, lhs, rhs, fast_math)


def _select(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    opcode_start = state.opcode_start
    fast_math = parse_optional_fast_math(lexer)
    start = lexer.start
    condition = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after select condition")
    true_value = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after select value")
    false_value = parse_typed_value(state)
    reason = _select_fault(state, condition.type, true_value.type, false_value.type)
    if reason:
        lexer.refuse(reason, start)
    check_fast_math(lexer, "select", true_value.type, fast_math, opcode_start)
    return make_select((condition, true_value, false_value), fast_math)


def _select_fault(state: ModuleState, condition: Type, true_type: Type, false_type: Type) -> str:
    if true_type is not false_type:
        return "select values must have same type"
    if isinstance(true_type, TokenType):
        return "select values cannot have token type"
    if isinstance(condition, VectorType):
        if condition.element_type is not state.boolean:
            return "vector select condition element type must be i1"
        if not isinstance(true_type, VectorType):
            return "selected values for vector select must be vectors"
        if not is_same_shape(condition, true_type):
            return "vector select requires selected vectors to have the same vector length as select condition"
    elif condition is not state.boolean:
        return "select condition must be i1 or <n x i1>"
    return ""


def _freeze(state: ModuleState, _opcode: str) -> Instruction:
    start = state.lexer.start
    operand = parse_typed_value(state)
    if isinstance(operand.type, LabelType):
        state.lexer.refuse("cannot freeze a label", start)
    return Freeze(operand)


PARSERS: dict[str, Callable[[ModuleState, str], Instruction]] = {
    **{row.integer: _integer_operation for row in BINARY_OPCODES if row.integer},
    **{row.floating: _floating_operation for row in BINARY_OPCODES if row.floating},
    **dict.fromkeys(CAST_OPCODES, _cast),
    "fneg": _fneg,
    "icmp": _icmp,
    "fcmp": _fcmp,
    "select": _select,
    "freeze": _freeze,
}
