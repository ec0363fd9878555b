# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: C901
"""Values: constants, globals and names of local values.  Rules: docs/reference/text.md, 5 and 17.8.

Constants nest to any depth, so those around the one that is read are frames on a list.  Messages match llvm-as
22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.constant_expressions import EXPRESSIONS
from bitcodec.asm.parser.constant_frames import ConstantForm, ConstantFrame, check_same, closed, opened, typed
from bitcodec.asm.parser.floats import FloatLiteral, LiteralError, parse_decimal, parse_hexadecimal
from bitcodec.asm.parser.phrases import accept, accept_word, expect, is_word, parse_string
from bitcodec.asm.parser.tokens import (
    COMMA,
    FLOAT,
    GLOBAL_ID,
    GLOBAL_NAME,
    GREATER,
    HEX_FLOAT,
    HEX_INTEGER,
    INTEGER,
    LEFT_BRACE,
    LEFT_PARENTHESIS,
    LEFT_SQUARE,
    LESS,
    LOCAL_ID,
    LOCAL_NAME,
    RIGHT_BRACE,
    RIGHT_PARENTHESIS,
    RIGHT_SQUARE,
    STRING,
    WORD,
)
from bitcodec.asm.parser.type_rules import is_argument
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.constants import Constant
from bitcodec.ir.target_types import has_zero
from bitcodec.ir.type_properties import is_operand
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    FunctionType,
    IntegerType,
    PointerType,
    SequentialType,
    StructType,
    TargetExtensionType,
    TokenType,
    Type,
    VectorType,
)
from bitcodec.tables.instruction_flags import INLINE_ASSEMBLY, flag_words
from bitcodec.upgrade.expansion import Expandable

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.values import Value

__all__ = [
    "parse_constant",
    "parse_typed_constant",
    "parse_typed_value",
    "parse_value",
]


def parse_typed_value(state: ModuleState) -> Value:
    """Parse a type and a value; return the value.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    type_ = parse_type(state)
    return parse_value(state, type_)


def parse_value(state: ModuleState, type: Type) -> Value:
    """Return a value of a type: a constant or, in a function, a local value.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    lexer = state.lexer
    kind = lexer.kind
    if kind in (LOCAL_NAME, LOCAL_ID):
        function = state.function
        if function is None:
            state.dialect.accepts(lexer, "invalid use of function-local name")  # in metadata, until LLVM 3.5
            lexer.refuse("invalid use of function-local name")
        start = lexer.start
        if kind == LOCAL_ID:
            number = lexer.index()
            lexer.advance()
            return function.numbered(number, type, start)
        name = lexer.content()
        lexer.advance()
        return function.value(name, type, start)
    known = _known_constant(state, type)
    return _parse_constant(state, type) if known is None else known


def _known_constant(state: ModuleState, type: Type) -> Constant | None:
    """Return an integer, a global or `null` that has been read before, and go past it; None if it is another value."""
    lexer = state.lexer
    kind = lexer.kind
    found: Constant | None = None
    if kind == INTEGER:
        integers = state.integers.get(type)
        found = None if integers is None else integers.get(lexer.text())
    elif type is state.ptr:
        if kind == GLOBAL_NAME:
            found = state.globals.get(lexer.content())
            if found is not None and found.type is not type:
                found = None
        elif kind == WORD and lexer.is_text(b"null"):
            found = state.null
    if found is not None:
        lexer.advance()
    return found


def parse_typed_constant(state: ModuleState) -> Constant:
    """Parse a type and a constant; return the constant.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    type_ = parse_type(state)
    return parse_constant(state, type_)


def parse_constant(state: ModuleState, type: Type | None) -> Constant:
    """Return a constant of a type; None for an expression whose type does not matter.

    Raises:
        AssemblyError: it is missing, or an expression that becomes instructions.
    """
    start = state.lexer.start
    found = _parse_constant(state, type)
    if state.has_expandables and isinstance(found, Expandable):
        state.lexer.refuse("this expression is no constant any more: only instructions may use it", start)
    return found


def _accept_in_range_index(state: ModuleState, frame: ConstantFrame) -> None:
    """Skip `inrange` before an index, which LLVM 5 to 18 had and which has no meaning any more."""
    if not frame.parts or not state.dialect.accepts(state.lexer, "expected type"):
        closed(state, frame)  # as in LLVM the list ends here, which is an error
    state.lexer.advance()


def _parse_constant(state: ModuleState, type: Type | None) -> Constant:
    """Return a constant of a type; None for an expression whose type does not matter.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    frames: list[ConstantFrame] = []
    expected = type
    while True:
        value = _begun(state, frames, expected)
        while value is not None:
            if not frames:
                return value
            frame = frames[-1]
            frame.parts.append(value)
            value = None
            if not _continues(state, frame):
                value = closed(state, frames.pop())
        if not frames[-1].form.part_count and is_word(state.lexer, b"inrange"):
            _accept_in_range_index(state, frames[-1])
        frame = frames[-1]
        if not frame.parts:
            frame.first_start = state.lexer.start
        expected, frame.first_type = frame.first_type or parse_type(state), None


def _continues(state: ModuleState, frame: ConstantFrame) -> bool:
    """Return whether another part follows; the comma before it has been read then."""
    form = frame.form
    if not form.part_count:
        return accept(state.lexer, COMMA)
    if len(frame.parts) == form.part_count:
        return False
    if len(frame.parts) >= form.part_count - form.optional_count:
        return accept(state.lexer, COMMA)
    expect(state.lexer, COMMA, form.comma)
    return True


def _begun(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> Constant | None:
    """Return a constant without parts; None if it has parts, the first of which is next."""
    lexer = state.lexer
    kind, start = lexer.kind, lexer.start
    if kind == WORD:
        handler = _WORDS.get(lexer.text())
        if handler is None:
            lexer.refuse("expected value token")
        return handler(state, frames, type)
    if kind in (INTEGER, HEX_INTEGER):
        text = lexer.text()
        if type in state.integers:
            known = state.integers[type].get(text)
            if known is not None:
                lexer.advance()
                return known
        number = lexer.number()
        lexer.advance()
        if not isinstance(type, IntegerType):
            _check_not_function(state, type, start)
            lexer.refuse("integer constant must have integer type", start)
        return state.integer(type, text, number)
    if kind in (GLOBAL_NAME, GLOBAL_ID):
        key = lexer.content() if kind == GLOBAL_NAME else lexer.number()
        lexer.advance()
        _check_not_function(state, type, start)
        return state.global_value(key, type or state.types.ptr, start)
    if kind in (FLOAT, HEX_FLOAT):
        return _floating(state, type)
    opened = _OPENED.get(kind)
    if opened is None:
        if kind in (LOCAL_NAME, LOCAL_ID):
            lexer.refuse("invalid use of function-local name")
        lexer.refuse("expected value token")
    return opened(state, frames, type)


def _check_not_function(state: ModuleState, type: Type | None, start: int) -> None:
    if isinstance(type, FunctionType):
        state.lexer.refuse("functions are not values, refer to them as pointers", start)


def _floating(state: ModuleState, type: Type | None) -> Constant:
    lexer = state.lexer
    start, text = lexer.start, lexer.text()
    try:
        literal: FloatLiteral = parse_decimal(text) if lexer.kind == FLOAT else parse_hexadecimal(text)
    except LiteralError as error:
        lexer.refuse(str(error))
    lexer.advance()
    if not isinstance(type, FloatingPointType):
        lexer.refuse("floating point constant invalid for type", start)
    try:
        return state.constants.floating(type, literal.bits_as(type))
    except LiteralError as error:
        lexer.refuse(str(error), start)


# Constants that are one word


def _boolean(state: ModuleState, _frames: list[ConstantFrame], type: Type | None) -> Constant:
    lexer = state.lexer
    start, is_true = lexer.start, lexer.text() == b"true"
    lexer.advance()
    return typed(state, state.constants.boolean(value=is_true), type, start)


def _plain(kind: str) -> Callable[[ModuleState, list[ConstantFrame], Type | None], Constant]:
    def make(state: ModuleState, _frames: list[ConstantFrame], type: Type | None) -> Constant:
        start = state.lexer.start
        state.lexer.advance()
        fits, constant = _PLAIN[kind]
        if type is None or not fits(type):
            message = "null must be a pointer type" if kind == "null" else f"invalid type for {_NAMES[kind]} constant"
            state.lexer.refuse(message, start)
        return constant(state, type)

    return make


def _has_zero(type: Type) -> bool:
    if isinstance(type, TargetExtensionType):
        return has_zero(type)
    return is_argument(type) and isinstance(
        type, IntegerType | FloatingPointType | PointerType | SequentialType | StructType | TokenType
    )


_NAMES = {"undef": "undef", "poison": "poison", "none": "none", "zeroinitializer": "null"}
_PLAIN: dict[str, tuple[Callable[[Type], bool], Callable[[ModuleState, Type], Constant]]] = {
    "null": (lambda type: isinstance(type, PointerType), lambda state, type: state.constants.null(type)),
    "none": (lambda type: isinstance(type, TokenType), lambda state, type: state.constants.null(type)),
    "undef": (is_argument, lambda state, type: state.constants.undef(type)),
    "poison": (is_argument, lambda state, type: state.constants.poison(type)),
    "zeroinitializer": (_has_zero, lambda state, type: state.constants.null(type)),
}
"""By word: which types have such a constant, and how it is made."""


def _data_string(state: ModuleState, _frames: list[ConstantFrame], type: Type | None) -> Constant:
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    if lexer.kind != STRING:
        lexer.refuse("expected string")
    data = lexer.content()
    lexer.advance()
    of_type = state.types.array(len(data), state.types.integer(8))
    check_same(state, of_type, type, start)
    return state.constants.data(of_type, data)


def _inline_asm(state: ModuleState, _frames: list[ConstantFrame], _type: Type | None) -> Constant:
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    for word in flag_words(INLINE_ASSEMBLY):
        accept_word(lexer, word)
    parse_string(lexer)
    expect(lexer, COMMA, "expected comma in inline asm expression")
    parse_string(lexer, "expected constraint string")
    lexer.refuse("invalid type for inline asm constraint string", start)


# Aggregates


def _opens(
    close: int, form: ConstantForm
) -> Callable[[ModuleState, list[ConstantFrame], Type | None], Constant | None]:
    def begin(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> Constant | None:
        frame = ConstantFrame(form, state.lexer.start, type)
        return opened(state, frames, frame, close)

    return begin


def _angled(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> Constant | None:
    lexer = state.lexer
    start = lexer.start
    if lexer.advance() == LEFT_BRACE:
        return opened(state, frames, ConstantFrame(_PACKED, start, type), RIGHT_BRACE)
    frame = ConstantFrame(_VECTOR, start, type)
    if lexer.kind == GREATER:
        return closed(state, frame)
    frames.append(frame)
    return None


def _finish_struct(state: ModuleState, frame: ConstantFrame) -> Constant:
    expect(state.lexer, RIGHT_BRACE, "expected end of struct constant")
    return _struct(state, frame, is_packed=False)


def _finish_packed(state: ModuleState, frame: ConstantFrame) -> Constant:
    expect(state.lexer, RIGHT_BRACE, "expected end of packed struct")
    expect(state.lexer, GREATER, "expected end of constant")
    return _struct(state, frame, is_packed=True)


def _struct(state: ModuleState, frame: ConstantFrame, is_packed: bool) -> Constant:
    lexer, type_, parts = state.lexer, frame.type, frame.parts
    if not isinstance(type_, StructType):
        lexer.refuse("constant expression type mismatch", frame.start)
    if type_.elements is None or len(parts) != len(type_.elements):
        lexer.refuse("initializer with struct type has wrong # elements", frame.start)
    if type_.is_packed is not is_packed:
        lexer.refuse("packed'ness of initializer and type don't match", frame.start)
    for index, (part, element) in enumerate(zip(parts, type_.elements, strict=True)):
        if part.type is not element:
            lexer.refuse(f"element {index} of struct initializer doesn't match struct element type", frame.start)
    return state.constants.aggregate(type_, parts)


def _finish_array(state: ModuleState, frame: ConstantFrame) -> Constant:
    lexer, parts = state.lexer, frame.parts
    expect(lexer, RIGHT_SQUARE, "expected end of array constant")
    if not parts:
        if not isinstance(frame.type, ArrayType) or frame.type.count:
            lexer.refuse("invalid empty array initializer", frame.start)
        return state.constants.poison(frame.type)
    element = parts[0].type
    if not is_operand(element):
        lexer.refuse(f"invalid array element type: {element}", frame.first_start)
    for index, part in enumerate(parts):
        if part.type is not element:
            lexer.refuse(f"array element #{index} is not of type '{element}", frame.first_start)
    type_ = state.types.array(len(parts), element)
    check_same(state, type_, frame.type, frame.start)
    return state.constants.aggregate(type_, parts)


def _finish_vector(state: ModuleState, frame: ConstantFrame) -> Constant:
    lexer, parts = state.lexer, frame.parts
    expect(lexer, GREATER, "expected end of constant")
    if not parts:
        lexer.refuse("constant vector must not be empty", frame.start)
    element = parts[0].type
    if not isinstance(element, IntegerType | FloatingPointType | PointerType):
        lexer.refuse("vector elements must have integer, pointer or floating point type", frame.first_start)
    for index, part in enumerate(parts):
        if part.type is not element:
            lexer.refuse(f"vector element #{index} is not of type '{element}", frame.first_start)
    type_ = state.types.vector(len(parts), element)
    check_same(state, type_, frame.type, frame.start)
    return state.constants.aggregate(type_, parts)


def _finish_splat(state: ModuleState, frame: ConstantFrame) -> Constant:
    lexer, type_ = state.lexer, frame.type
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' at end of vector splat")
    if not isinstance(type_, VectorType):
        lexer.refuse("vector constant must have vector type", frame.start)
    check_same(state, frame.parts[0].type, type_.element_type, frame.start)
    return state.constants.splat(type_, frame.parts[0])


def _splat(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> None:
    frame = ConstantFrame(_SPLAT, state.lexer.start, type)
    state.lexer.advance()
    expect(state.lexer, LEFT_PARENTHESIS, "expected '(' after vector splat")
    frames.append(frame)


_STRUCT = ConstantForm(_finish_struct)
_PACKED = ConstantForm(_finish_packed)
_ARRAY = ConstantForm(_finish_array)
_VECTOR = ConstantForm(_finish_vector)
_SPLAT = ConstantForm(_finish_splat, 1)

_OPENED: dict[int, Callable[[ModuleState, list[ConstantFrame], Type | None], Constant | None]] = {
    LEFT_BRACE: _opens(RIGHT_BRACE, _STRUCT),
    LEFT_SQUARE: _opens(RIGHT_SQUARE, _ARRAY),
    LESS: _angled,
}
"""Constants that begin with a bracket."""


_WORDS: dict[bytes, Callable[[ModuleState, list[ConstantFrame], Type | None], Constant | None]] = {
    b"true": _boolean,
    b"false": _boolean,
    **{word.encode(): _plain(word) for word in _PLAIN},
    b"c": _data_string,
    b"asm": _inline_asm,
    b"splat": _splat,
    **EXPRESSIONS,
}
"""Constants that begin with a word."""
