"""Values: constants, globals and names of local values.  Rules: assembly text reference, sections 5 and 17.8.

Constants nest to any depth, so those around the one that is read are frames on a list.  Messages are those of llvm-as
22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from bitcodec.asm.parser.block_addresses import block_address
from bitcodec.asm.parser.floats import FloatLiteral, LiteralError, parse_decimal, parse_hexadecimal
from bitcodec.asm.parser.forward import ForwardConstant
from bitcodec.asm.parser.phrases import accept, accept_word, expect, expect_word, is_word, parse_string
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
from bitcodec.asm.parser.types import is_first_class, parse_type
from bitcodec.ir.cast_rules import CAST_RULES, is_bitcast
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.constants import Constant, ConstantInt, UndefValue
from bitcodec.ir.element_access import element_at
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    FunctionType,
    IntegerType,
    LabelType,
    PointerType,
    SequentialType,
    StructType,
    TargetExtensionType,
    TokenType,
    Type,
    VectorType,
)
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES, GEPFlags, IntegerFlags

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.values import Value

__all__ = [
    "check_cast",
    "parse_constant",
    "parse_gep_flags",
    "parse_typed_constant",
    "parse_typed_value",
    "parse_value",
    "shuffle_mask",
]


def parse_typed_value(state: ModuleState) -> Value:
    """Return a value behind its type.

    Raises:
        AssemblyError: there is none.
    """
    type_ = parse_type(state)
    return parse_value(state, type_)


def parse_value(state: ModuleState, type: Type) -> Value:
    """Return a value of a type: a constant or, in a function, a local value.

    Raises:
        AssemblyError: there is none.
    """
    lexer = state.lexer
    kind = lexer.kind
    if kind in (LOCAL_NAME, LOCAL_ID):
        function = state.function
        if function is None:
            lexer.refuse("invalid use of function-local name")
        start = lexer.start
        key = lexer.content() if kind == LOCAL_NAME else lexer.number()
        lexer.advance()
        return function.value(key, type, start)
    return parse_constant(state, type)


def parse_typed_constant(state: ModuleState) -> Constant:
    """Return a constant behind its type.

    Raises:
        AssemblyError: there is none.
    """
    type_ = parse_type(state)
    return parse_constant(state, type_)


def parse_constant(state: ModuleState, type: Type | None) -> Constant:
    """Return a constant of a type; None for an expression whose type does not matter.

    Raises:
        AssemblyError: there is none.
    """
    frames: list[_Frame] = []
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
                value = _closed(state, frames.pop())
        if not frames[-1].form.part_count and is_word(state.lexer, b"inrange"):
            _closed(state, frames[-1])  # as in LLVM the list ends here, which is an error
        expected = parse_type(state)
        frame = frames[-1]
        if not frame.parts:
            frame.first_start = state.lexer.start


class _Form(NamedTuple):
    """What constants of one kind consist of.

    Attributes:
        finish: makes the constant of its parts, and reads what ends it.
        part_count: how many parts it has, 0 for any number.
        comma: the message if there is no comma between them.
    """

    finish: Callable[[ModuleState, _Frame], Constant]
    part_count: int = 0
    comma: str = ""


class _Frame:
    """A constant whose parts are being read."""

    __slots__ = ("extra", "first_start", "flags", "form", "opcode", "parts", "start", "type")

    def __init__(self, form: _Form, start: int, type: Type | None, opcode: str = "", flags: int = 0) -> None:
        self.form = form
        self.start = start
        self.type = type
        self.opcode = opcode
        self.flags = flags
        self.first_start = start
        self.parts: list[Constant] = []
        self.extra: tuple[Type, ConstantRange | None] | None = None


def _continues(state: ModuleState, frame: _Frame) -> bool:
    """Return whether another part follows; the comma in front of it has been read then."""
    form = frame.form
    if not form.part_count:
        return accept(state.lexer, COMMA)
    if len(frame.parts) == form.part_count:
        return False
    expect(state.lexer, COMMA, form.comma)
    return True


def _closed(state: ModuleState, frame: _Frame) -> Constant:
    return frame.form.finish(state, frame)


def _begun(state: ModuleState, frames: list[_Frame], type: Type | None) -> Constant | None:
    """Return a constant without parts; None if it has parts, the first of which is next."""
    lexer = state.lexer
    kind, start = lexer.kind, lexer.start
    if kind == WORD:
        handler = _WORDS.get(lexer.text())
        if handler is None:
            lexer.refuse("expected value token")
        return handler(state, frames, type)
    if kind in (INTEGER, HEX_INTEGER):
        number = lexer.number()
        lexer.advance()
        if not isinstance(type, IntegerType):
            _check_not_function(state, type, start)
            lexer.refuse("integer constant must have integer type", start)
        return state.constants.integer(type, number)
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


def _check_type(state: ModuleState, frame: _Frame, constant: Constant) -> Constant:
    """Return a constant, which must be of the type that its frame is for."""
    return _typed(state, constant, frame.type, frame.start)


def _typed(state: ModuleState, constant: Constant, type: Type | None, start: int) -> Constant:
    if constant.type is not type and type is not None:
        state.lexer.refuse(
            f"constant expression type mismatch: got type '{constant.type}' but expected '{type}'", start
        )
    return constant


# Constants that are one word


def _boolean(state: ModuleState, _frames: list[_Frame], type: Type | None) -> Constant:
    lexer = state.lexer
    start, is_true = lexer.start, lexer.text() == b"true"
    lexer.advance()
    return _typed(state, state.constants.boolean(value=is_true), type, start)


def _plain(kind: str) -> Callable[[ModuleState, list[_Frame], Type | None], Constant]:
    def make(state: ModuleState, _frames: list[_Frame], type: Type | None) -> Constant:
        start = state.lexer.start
        state.lexer.advance()
        fits, constant = _PLAIN[kind]
        if type is None or not fits(type):
            message = "null must be a pointer type" if kind == "null" else f"invalid type for {_NAMES[kind]} constant"
            state.lexer.refuse(message, start)
        return constant(state, type)

    return make


def _is_value_type(type: Type) -> bool:
    return is_first_class(type) and not isinstance(type, LabelType)


def _has_zero(type: Type) -> bool:
    return _is_value_type(type) and isinstance(
        type,
        IntegerType | FloatingPointType | PointerType | SequentialType | StructType | TokenType | TargetExtensionType,
    )


_NAMES = {"undef": "undef", "poison": "poison", "none": "none", "zeroinitializer": "null"}
_PLAIN: dict[str, tuple[Callable[[Type], bool], Callable[[ModuleState, Type], Constant]]] = {
    "null": (lambda type: isinstance(type, PointerType), lambda state, type: state.constants.null(type)),
    "none": (lambda type: isinstance(type, TokenType), lambda state, type: state.constants.null(type)),
    "undef": (_is_value_type, lambda state, type: state.constants.undef(type)),
    "poison": (_is_value_type, lambda state, type: state.constants.poison(type)),
    "zeroinitializer": (_has_zero, lambda state, type: state.constants.null(type)),
}
"""By word: which types have such a constant, and how it is made."""


def _data_string(state: ModuleState, _frames: list[_Frame], type: Type | None) -> Constant:
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    if lexer.kind != STRING:
        lexer.refuse("expected string")
    data = lexer.content()
    lexer.advance()
    of_type = state.types.array(len(data), state.types.integer(8))
    _check_same(state, of_type, type, start)
    return state.constants.data(of_type, data)


def _check_same(state: ModuleState, found: Type, expected: Type | None, start: int) -> None:
    if found is not expected:
        state.lexer.refuse(f"constant expression type mismatch: got type '{found}' but expected '{expected}'", start)


def _inline_asm(state: ModuleState, _frames: list[_Frame], _type: Type | None) -> Constant:
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    for word in (b"sideeffect", b"alignstack", b"inteldialect", b"unwind"):
        accept_word(lexer, word)
    parse_string(lexer)
    expect(lexer, COMMA, "expected comma in inline asm expression")
    parse_string(lexer, "expected constraint string")
    lexer.refuse("invalid type for inline asm constraint string", start)


# Aggregates


def _opens(close: int, form: _Form) -> Callable[[ModuleState, list[_Frame], Type | None], Constant | None]:
    def begin(state: ModuleState, frames: list[_Frame], type: Type | None) -> Constant | None:
        frame = _Frame(form, state.lexer.start, type)
        return _open(state, frames, frame, close)

    return begin


def _open(state: ModuleState, frames: list[_Frame], frame: _Frame, close: int) -> Constant | None:
    """Go past the bracket of a list of any length; return the constant if the list is empty."""
    if state.lexer.advance() == close:
        return _closed(state, frame)
    frames.append(frame)
    return None


def _angled(state: ModuleState, frames: list[_Frame], type: Type | None) -> Constant | None:
    lexer = state.lexer
    start = lexer.start
    if lexer.advance() == LEFT_BRACE:
        return _open(state, frames, _Frame(_PACKED, start, type), RIGHT_BRACE)
    frame = _Frame(_VECTOR, start, type)
    if lexer.kind == GREATER:
        return _closed(state, frame)
    frames.append(frame)
    return None


def _finish_struct(state: ModuleState, frame: _Frame) -> Constant:
    expect(state.lexer, RIGHT_BRACE, "expected end of struct constant")
    return _struct(state, frame, is_packed=False)


def _finish_packed(state: ModuleState, frame: _Frame) -> Constant:
    expect(state.lexer, RIGHT_BRACE, "expected end of packed struct")
    expect(state.lexer, GREATER, "expected end of constant")
    return _struct(state, frame, is_packed=True)


def _struct(state: ModuleState, frame: _Frame, *, is_packed: bool) -> Constant:
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


def _finish_array(state: ModuleState, frame: _Frame) -> Constant:
    lexer, parts = state.lexer, frame.parts
    expect(lexer, RIGHT_SQUARE, "expected end of array constant")
    if not parts:
        if not isinstance(frame.type, ArrayType) or frame.type.count:
            lexer.refuse("invalid empty array initializer", frame.start)
        return state.constants.poison(frame.type)
    element = parts[0].type
    if not is_first_class(element):
        lexer.refuse(f"invalid array element type: {element}", frame.first_start)
    for index, part in enumerate(parts):
        if part.type is not element:
            lexer.refuse(f"array element #{index} is not of type '{element}", frame.first_start)
    type_ = state.types.array(len(parts), element)
    _check_same(state, type_, frame.type, frame.start)
    return state.constants.aggregate(type_, parts)


def _finish_vector(state: ModuleState, frame: _Frame) -> Constant:
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
    _check_same(state, type_, frame.type, frame.start)
    return state.constants.aggregate(type_, parts)


def _finish_splat(state: ModuleState, frame: _Frame) -> Constant:
    lexer, type_ = state.lexer, frame.type
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' at end of vector splat")
    if not isinstance(type_, VectorType):
        lexer.refuse("vector constant must have vector type", frame.start)
    _check_same(state, frame.parts[0].type, type_.element_type, frame.start)
    return state.constants.splat(type_, frame.parts[0])


def _splat(state: ModuleState, frames: list[_Frame], type: Type | None) -> None:
    frame = _Frame(_SPLAT, state.lexer.start, type)
    state.lexer.advance()
    expect(state.lexer, LEFT_PARENTHESIS, "expected '(' after vector splat")
    frames.append(frame)


# Expressions


def _cast(state: ModuleState, frames: list[_Frame], type: Type | None) -> None:
    lexer = state.lexer
    frame = _Frame(_CAST, lexer.start, type, lexer.text().decode())
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '(' after constantexpr cast")
    frames.append(frame)


def _finish_cast(state: ModuleState, frame: _Frame) -> Constant:
    lexer, operand = state.lexer, frame.parts[0]
    expect_word(lexer, b"to", "expected 'to' in constantexpr cast")
    target = parse_type(state)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' at end of constantexpr cast")
    check_cast(state, frame.opcode, operand.type, target, frame.start)
    return _check_type(state, frame, state.constants.cast(frame.opcode, operand, target))


def check_cast(state: ModuleState, opcode: str, source: Type, target: Type, start: int) -> None:
    """Check that a cast is possible.

    Raises:
        AssemblyError: it is not.
    """
    rule = CAST_RULES.get(opcode)
    if not (is_bitcast(source, target) if rule is None else rule.allows(source, target)):
        state.lexer.refuse(f"invalid cast opcode for cast from '{source}' to '{target}'", start)


def _binary(state: ModuleState, frames: list[_Frame], type: Type | None) -> None:
    lexer = state.lexer
    frame = _Frame(_BINARY, lexer.start, type, lexer.text().decode())
    lexer.advance()
    if frame.opcode != "xor":
        if accept_word(lexer, b"nuw"):
            frame.flags |= IntegerFlags.NUW
        if accept_word(lexer, b"nsw"):
            frame.flags |= IntegerFlags.NSW
            if accept_word(lexer, b"nuw"):
                frame.flags |= IntegerFlags.NUW
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in binary constantexpr")
    frames.append(frame)


def _finish_binary(state: ModuleState, frame: _Frame) -> Constant:
    lexer = state.lexer
    lhs, rhs = frame.parts
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' in binary constantexpr")
    if lhs.type is not rhs.type:
        lexer.refuse("operands of constexpr must have same type", frame.start)
    if not isinstance(lhs.type.scalar_type, IntegerType):
        lexer.refuse("constexpr requires integer operands", frame.start)
    return _check_type(state, frame, state.constants.binary(frame.opcode, lhs, rhs, IntegerFlags(frame.flags)))


def _vector_expression(state: ModuleState, frames: list[_Frame], type: Type | None) -> Constant | None:
    lexer = state.lexer
    word = lexer.text()
    frame = _Frame(_VECTOR_FORMS[word], lexer.start, type)
    lexer.advance()
    if lexer.kind != LEFT_PARENTHESIS:
        lexer.refuse("expected '(' in constantexpr")
    return _open(state, frames, frame, RIGHT_PARENTHESIS)


def _end_of_list(state: ModuleState) -> None:
    expect(state.lexer, RIGHT_PARENTHESIS, "expected ')' in constantexpr")


def _finish_extract(state: ModuleState, frame: _Frame) -> Constant:
    _end_of_list(state)
    parts = frame.parts
    if len(parts) != 2:
        state.lexer.refuse("expected two operands to extractelement", frame.start)
    if not isinstance(parts[0].type, VectorType) or not isinstance(parts[1].type, IntegerType):
        state.lexer.refuse("invalid extractelement operands", frame.start)
    return _check_type(state, frame, state.constants.extract_element(*parts))


def _finish_insert(state: ModuleState, frame: _Frame) -> Constant:
    _end_of_list(state)
    parts = frame.parts
    if len(parts) != 3:
        state.lexer.refuse("expected three operands to insertelement", frame.start)
    vector, element, index = parts
    fits = isinstance(vector.type, VectorType) and element.type is vector.type.element_type
    if not fits or not isinstance(index.type, IntegerType):
        state.lexer.refuse("invalid insertelement operands", frame.start)
    return _check_type(state, frame, state.constants.insert_element(vector, element, index))


def _finish_shuffle(state: ModuleState, frame: _Frame) -> Constant:
    _end_of_list(state)
    parts = frame.parts
    if len(parts) != 3:
        state.lexer.refuse("expected three operands to shufflevector", frame.start)
    lhs, rhs, lanes = parts
    mask = shuffle_mask(lhs.type, rhs.type, lanes)
    if mask is None:
        state.lexer.refuse("invalid operands to shufflevector", frame.start)
    return _check_type(state, frame, state.constants.shuffle_vector(lhs, rhs, mask))


def shuffle_mask(lhs: Type, rhs: Type, lanes: Value) -> tuple[int, ...] | None:
    """Return the mask of a shuffle of two vectors, None if they cannot be shuffled so."""
    type_ = lanes.type
    if not isinstance(lhs, VectorType) or lhs is not rhs or not isinstance(type_, VectorType):
        return None
    if not isinstance(type_.element_type, IntegerType) or type_.element_type.bit_width != 32:
        return None
    if type_.is_scalable is not lhs.is_scalable:
        return None
    if isinstance(lanes, UndefValue):
        return (-1,) * type_.count
    if not isinstance(lanes, Constant):
        return None
    if lanes.is_null:
        return (0,) * type_.count
    if type_.is_scalable:
        return None
    numbers = getattr(lanes, "elements", None)
    if numbers is None:
        numbers = [-1 if isinstance(lane, UndefValue) else _lane(lane) for lane in lanes.operands]
    if any(number >= 2 * lhs.count for number in numbers if number is not None) or None in numbers:
        return None
    return tuple(numbers)


def _lane(lane: Value) -> int | None:
    return lane.unsigned if isinstance(lane, ConstantInt) else None


def parse_gep_flags(state: ModuleState) -> int:
    """Return what address arithmetic promises, as `GEPFlags`."""
    lexer = state.lexer
    flags = 0
    while lexer.kind == WORD:
        found = _GEP_FLAGS.get(lexer.text())
        if found is None:
            break
        flags |= found
        lexer.advance()
    return flags


_GEP_FLAGS = {
    b"inbounds": int(GEPFlags.INBOUNDS | GEPFlags.NUSW),
    b"nusw": int(GEPFlags.NUSW),
    b"nuw": int(GEPFlags.NUW),
}


def _get_element_ptr(state: ModuleState, frames: list[_Frame], type: Type | None) -> Constant | None:
    lexer = state.lexer
    frame = _Frame(_GEP, lexer.start, type)
    lexer.advance()
    in_range: tuple[int, int] | None = None
    while True:
        frame.flags |= parse_gep_flags(state)
        if not accept_word(lexer, b"inrange"):
            break
        in_range = _parse_in_range(state)
    if lexer.kind != LEFT_PARENTHESIS:
        lexer.refuse("expected '(' in constantexpr")
    lexer.advance()
    source = parse_type(state)
    bounds = None if in_range is None else ConstantRange.of(64, *in_range)
    frame.extra = (source, bounds)
    if lexer.kind != COMMA:
        lexer.refuse("expected comma after getelementptr's type")
    return _open(state, frames, frame, RIGHT_PARENTHESIS)


def _parse_in_range(state: ModuleState) -> tuple[int, int]:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    lower = _parse_bound(state)
    expect(lexer, COMMA, "expected ','")
    upper = _parse_bound(state)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    return lower, upper


def _parse_bound(state: ModuleState) -> int:
    if state.lexer.kind != INTEGER:
        state.lexer.refuse("expected integer")
    number = state.lexer.number()
    state.lexer.advance()
    return number


def _finish_gep(state: ModuleState, frame: _Frame) -> Constant:
    _end_of_list(state)
    lexer, start, parts = state.lexer, frame.start, frame.parts
    source, in_range = cast("tuple[Type, ConstantRange | None]", frame.extra)
    if not parts or not isinstance(parts[0].type.scalar_type, PointerType):
        lexer.refuse("base of getelementptr must be a pointer", start)
    pointer, indices = parts[0], parts[1:]
    if in_range is not None:
        width = state.module.data_layout.pointer(cast("PointerType", pointer.type.scalar_type).address_space).bit_width
        in_range = ConstantRange.of(width, in_range.lower, in_range.upper)
        if in_range.lower >= in_range.upper:
            lexer.refuse("expected end to be larger than start", start)
    for index in indices:
        if not isinstance(index.type.scalar_type, IntegerType):
            lexer.refuse("getelementptr index must be an integer", start)
    if indices and not source.is_sized:
        lexer.refuse("base element of getelementptr must be sized", start)
    if isinstance(source, VectorType) and source.is_scalable:
        lexer.refuse("invalid base element for constant getelementptr", start)
    if len(indices) > 1 and element_at(source, indices[1:]) is None:
        lexer.refuse("invalid getelementptr indices", start)
    made = state.constants.get_element_ptr(source, pointer, indices, GEPFlags(frame.flags), in_range)
    return _check_type(state, frame, made)


def _ptr_auth(state: ModuleState, frames: list[_Frame], type: Type | None) -> None:
    frame = _Frame(_PTR_AUTH, state.lexer.start, type)
    state.lexer.advance()
    expect(state.lexer, LEFT_PARENTHESIS, "expected '(' in constant ptrauth expression")
    frames.append(frame)


def _finish_ptr_auth(state: ModuleState, frame: _Frame) -> Constant:
    lexer, parts = state.lexer, frame.parts
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' in constant ptrauth expression")
    if len(parts) < 2 or len(parts) > 5:
        lexer.refuse("expected comma in constant ptrauth expression", frame.start)
    defaults = (
        state.constants.null(state.types.integer(64)),
        state.constants.null(state.types.ptr),
        state.constants.null(state.types.ptr),
    )
    parts += defaults[len(parts) - 2 :]
    if not isinstance(parts[0].type, PointerType):
        lexer.refuse("constant ptrauth base pointer must be a pointer", frame.start)
    if not isinstance(parts[1], ConstantInt) or parts[1].type.bit_width != 32:
        lexer.refuse("constant ptrauth key must be i32 constant", frame.start)
    return _check_type(state, frame, state.constants.ptr_auth(*parts))


# Constants of a global


def _of_global(state: ModuleState, _frames: list[_Frame], type: Type | None) -> Constant:
    lexer = state.lexer
    word = lexer.text().decode()
    start = lexer.start
    kind = lexer.advance()
    if kind not in (GLOBAL_NAME, GLOBAL_ID):
        lexer.refuse(f"expected global value name in {word}")
    key = lexer.content() if kind == GLOBAL_NAME else lexer.number()
    value = state.global_value(key, state.types.ptr, lexer.start)
    lexer.advance()
    make = state.constants.no_cfi if word == "no_cfi" else state.constants.dso_local_equivalent
    if isinstance(value, GlobalValue):
        return _typed(state, make(value), type, start)
    forward = ForwardConstant(value.type, start)
    state.pending.make_later(forward, lambda: make(cast("GlobalValue", state.pending.resolved(value))))
    return _typed(state, forward, type, start)


def _block_address(state: ModuleState, _frames: list[_Frame], type: Type | None) -> Constant:
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in block address expression")
    function_start, kind = lexer.start, lexer.kind
    if kind not in (GLOBAL_NAME, GLOBAL_ID):
        lexer.refuse("expected function name in blockaddress")
    key = lexer.content() if kind == GLOBAL_NAME else lexer.number()
    lexer.advance()
    expect(lexer, COMMA, "expected comma in block address expression")
    block_start, kind = lexer.start, lexer.kind
    if kind not in (LOCAL_NAME, LOCAL_ID):
        lexer.refuse("expected basic block name in blockaddress")
    block = lexer.content() if kind == LOCAL_NAME else lexer.number()
    lexer.advance()
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' in block address expression")
    found = block_address(state, (key, function_start), (block, block_start))
    return _typed(state, found, type, start)


_STRUCT = _Form(_finish_struct)
_PACKED = _Form(_finish_packed)
_ARRAY = _Form(_finish_array)
_VECTOR = _Form(_finish_vector)
_SPLAT = _Form(_finish_splat, 1)
_CAST = _Form(_finish_cast, 1)
_BINARY = _Form(_finish_binary, 2, "expected comma in binary constantexpr")
_GEP = _Form(_finish_gep)
_PTR_AUTH = _Form(_finish_ptr_auth)
_VECTOR_FORMS = {
    b"extractelement": _Form(_finish_extract),
    b"insertelement": _Form(_finish_insert),
    b"shufflevector": _Form(_finish_shuffle),
}

_OPENED: dict[int, Callable[[ModuleState, list[_Frame], Type | None], Constant | None]] = {
    LEFT_BRACE: _opens(RIGHT_BRACE, _STRUCT),
    LEFT_SQUARE: _opens(RIGHT_SQUARE, _ARRAY),
    LESS: _angled,
}
"""Constants that begin with a bracket."""

_EXPRESSION_CASTS = frozenset({"trunc", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast"})
_EXPRESSION_BINARY = frozenset({"add", "sub", "xor"})
_REMOVED = (
    *(opcode for opcode in CAST_OPCODES if opcode not in _EXPRESSION_CASTS),
    *(opcode for row in BINARY_OPCODES for opcode in row if opcode and opcode not in _EXPRESSION_BINARY),
    *("extractvalue", "insertvalue", "select", "fneg", "icmp", "fcmp"),
)


def _removed(state: ModuleState, _frames: list[_Frame], _type: Type | None) -> Constant:
    state.lexer.refuse(f"{state.lexer.text().decode()} constexprs are no longer supported")


_WORDS: dict[bytes, Callable[[ModuleState, list[_Frame], Type | None], Constant | None]] = {
    b"true": _boolean,
    b"false": _boolean,
    **{word.encode(): _plain(word) for word in _PLAIN},
    b"c": _data_string,
    b"asm": _inline_asm,
    b"splat": _splat,
    **{opcode.encode(): _cast for opcode in CAST_OPCODES if opcode in _EXPRESSION_CASTS},
    **{opcode.encode(): _binary for opcode in _EXPRESSION_BINARY},
    **dict.fromkeys(_VECTOR_FORMS, _vector_expression),
    b"getelementptr": _get_element_ptr,
    b"ptrauth": _ptr_auth,
    b"no_cfi": _of_global,
    b"dso_local_equivalent": _of_global,
    b"blockaddress": _block_address,
    **{opcode.encode(): _removed for opcode in _REMOVED},
}
"""Constants that begin with a word."""
