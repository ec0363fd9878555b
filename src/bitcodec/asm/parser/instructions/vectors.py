# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Elements of vectors, structs and arrays.

Rules: docs/reference/text.md, 9.3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.constant_expressions import shuffle_mask
from bitcodec.asm.parser.constants import parse_typed_value
from bitcodec.asm.parser.phrases import accept, expect, parse_uint32
from bitcodec.asm.parser.tokens import COMMA, METADATA_NAME
from bitcodec.ir.instructions import ExtractElement, ExtractValue, InsertElement, InsertValue, ShuffleVector
from bitcodec.ir.types import ArrayType, IntegerType, StructType, Type, VectorType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.instructions import Instruction

__all__ = ["PARSERS"]


def _extract_element(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    start = lexer.start
    vector = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after extract value")
    index = parse_typed_value(state)
    if not isinstance(vector.type, VectorType) or not isinstance(index.type, IntegerType):
        lexer.refuse("invalid extractelement operands", start)
    return ExtractElement(vector, index)


def _insert_element(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    start = lexer.start
    vector = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after insertelement value")
    element = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after insertelement value")
    index = parse_typed_value(state)
    fits = isinstance(vector.type, VectorType) and element.type is vector.type.element_type
    if not fits or not isinstance(index.type, IntegerType):
        lexer.refuse("invalid insertelement operands", start)
    return InsertElement(vector, element, index)


def _shuffle_vector(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    start = lexer.start
    lhs = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after shuffle mask")
    rhs = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after shuffle value")
    lanes = parse_typed_value(state)
    mask = shuffle_mask(lhs.type, rhs.type, lanes)
    if mask is None or not isinstance(lhs.type, VectorType):
        lexer.refuse("invalid shufflevector operands", start)
    type_ = state.types.vector(len(mask), lhs.type.element_type, is_scalable=lhs.type.is_scalable)
    return ShuffleVector(type_, lhs, rhs, mask)


def _parse_indices(state: ModuleState) -> tuple[int, ...]:
    lexer = state.lexer
    if lexer.kind != COMMA:
        lexer.refuse("expected ',' as start of index list")
    indices: list[int] = []
    while accept(lexer, COMMA):
        if lexer.kind == METADATA_NAME:
            if not indices:
                lexer.refuse("expected index")
            state.has_comma = True
            break
        indices.append(parse_uint32(lexer))
    return tuple(indices)


def _part_type(type: Type, indices: tuple[int, ...]) -> Type | None:
    """Return the type of the part that indices lead to, None if they lead to none."""
    for index in indices:
        if isinstance(type, ArrayType):
            if index >= type.count:
                return None
            type = type.element_type
        elif isinstance(type, StructType):
            if type.elements is None or index >= len(type.elements):
                return None
            type = type.elements[index]
        else:
            return None
    return type


def _extract_value(state: ModuleState, _opcode: str) -> Instruction:
    start = state.lexer.start
    aggregate = parse_typed_value(state)
    indices = _parse_indices(state)
    if not isinstance(aggregate.type, StructType | ArrayType):
        state.lexer.refuse("extractvalue operand must be aggregate type", start)
    part = _part_type(aggregate.type, indices)
    if part is None:
        state.lexer.refuse("invalid indices for extractvalue", start)
    return ExtractValue(part, aggregate, indices)


def _insert_value(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    start = lexer.start
    aggregate = parse_typed_value(state)
    expect(lexer, COMMA, "expected comma after insertvalue operand")
    value_start = lexer.start
    value = parse_typed_value(state)
    indices = _parse_indices(state)
    if not isinstance(aggregate.type, StructType | ArrayType):
        lexer.refuse("insertvalue operand must be aggregate type", start)
    part = _part_type(aggregate.type, indices)
    if part is None:
        lexer.refuse("invalid indices for insertvalue", start)
    if part is not value.type:
        what = f"insertvalue operand and field disagree in type: '{value.type}' instead of '{part}'"
        lexer.refuse(what, value_start)
    return InsertValue(aggregate, value, indices)


PARSERS: dict[str, Callable[[ModuleState, str], Instruction]] = {
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle_vector,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
}
