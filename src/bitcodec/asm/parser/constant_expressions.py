# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: PLR0911
"""Constant expressions, and constants of a global.  Rules: docs/reference/text.md, 5.4 and 17.8.

Messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.asm.parser.block_addresses import block_address
from bitcodec.asm.parser.constant_frames import ConstantForm, ConstantFrame, check_type, opened, typed
from bitcodec.asm.parser.dialects.casts import old_constant_cast
from bitcodec.asm.parser.dialects.expressions import expandable_expression
from bitcodec.asm.parser.dialects.memory import old_element_type
from bitcodec.asm.parser.dialects.removed_expressions import OLD_EXPRESSIONS
from bitcodec.asm.parser.named_types import described
from bitcodec.asm.parser.phrases import accept_word, expect, expect_word, is_integer
from bitcodec.asm.parser.tokens import (
    COMMA,
    GLOBAL_ID,
    GLOBAL_NAME,
    LEFT_PARENTHESIS,
    LOCAL_ID,
    LOCAL_NAME,
    RIGHT_PARENTHESIS,
    WORD,
)
from bitcodec.asm.parser.type_rules import SIZED
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.cast_rules import CAST_RULES, is_bitcast
from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.constants import Constant, ConstantInt, UndefValue
from bitcodec.ir.construction.present import no_cfi_of
from bitcodec.ir.element_access import element_at
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.types import (
    FunctionType,
    IntegerType,
    PointerType,
    Type,
    VectorType,
)
from bitcodec.tables.instruction_flags import GEPFlags, IntegerFlags, flag_words
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.values import Value

__all__ = ["EXPRESSIONS", "check_cast", "parse_gep_flags", "shuffle_mask"]


def _cast(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> None:
    lexer = state.lexer
    frame = ConstantFrame(_CAST, lexer.start, type, lexer.text().decode())
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '(' after constantexpr cast")
    frames.append(frame)


def _finish_cast(state: ModuleState, frame: ConstantFrame) -> Constant:
    lexer, operand = state.lexer, frame.parts[0]
    expect_word(lexer, b"to", "expected 'to' in constantexpr cast")
    target = parse_type(state)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' at end of constantexpr cast")
    if state.is_old:
        old = old_constant_cast(state, frame.opcode, operand, target)
        if old is not None:
            return check_type(state, frame, old)
    check_cast(state, frame.opcode, operand.type, target, frame.start)
    return check_type(state, frame, state.constants.cast(frame.opcode, operand, target))


def check_cast(state: ModuleState, opcode: str, source: Type, target: Type, start: int) -> None:
    """Check that a cast is valid.

    Raises:
        AssemblyError: it is invalid.
    """
    key = (opcode, source, target)
    if key not in state.casts:
        rule = CAST_RULES.get(opcode)
        if not (is_bitcast(source, target) if rule is None else rule.allows(source, target)):
            types = f"'{described(source)}' to '{described(target)}'"
            state.lexer.refuse(f"invalid cast opcode for cast from {types}", start)
        state.casts.add(key)


def _binary(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> None:
    lexer = state.lexer
    frame = ConstantFrame(_BINARY, lexer.start, type, lexer.text().decode())
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


def _finish_binary(state: ModuleState, frame: ConstantFrame) -> Constant:
    lexer = state.lexer
    lhs, rhs = frame.parts
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' in binary constantexpr")
    if lhs.type is not rhs.type:
        lexer.refuse("operands of constexpr must have same type", frame.start)
    if not isinstance(lhs.type.scalar_type, IntegerType):
        lexer.refuse("constexpr requires integer operands", frame.start)
    return check_type(state, frame, state.constants.binary(frame.opcode, lhs, rhs, IntegerFlags(frame.flags)))


def _vector_expression(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> Constant | None:
    lexer = state.lexer
    word = lexer.text()
    frame = ConstantFrame(_VECTOR_FORMS[word], lexer.start, type)
    lexer.advance()
    if lexer.kind != LEFT_PARENTHESIS:
        lexer.refuse("expected '(' in constantexpr")
    return opened(state, frames, frame, RIGHT_PARENTHESIS)


def _end_of_list(state: ModuleState) -> None:
    expect(state.lexer, RIGHT_PARENTHESIS, "expected ')' in constantexpr")


def _finish_extract(state: ModuleState, frame: ConstantFrame) -> Constant:
    _end_of_list(state)
    parts = frame.parts
    if len(parts) != 2:
        state.lexer.refuse("expected two operands to extractelement", frame.start)
    if not isinstance(parts[0].type, VectorType) or not isinstance(parts[1].type, IntegerType):
        state.lexer.refuse("invalid extractelement operands", frame.start)
    return check_type(state, frame, state.constants.extract_element(*parts))


def _finish_insert(state: ModuleState, frame: ConstantFrame) -> Constant:
    _end_of_list(state)
    parts = frame.parts
    if len(parts) != 3:
        state.lexer.refuse("expected three operands to insertelement", frame.start)
    vector, element, index = parts
    fits = isinstance(vector.type, VectorType) and element.type is vector.type.element_type
    if not fits or not isinstance(index.type, IntegerType):
        state.lexer.refuse("invalid insertelement operands", frame.start)
    return check_type(state, frame, state.constants.insert_element(vector, element, index))


def _finish_shuffle(state: ModuleState, frame: ConstantFrame) -> Constant:
    _end_of_list(state)
    parts = frame.parts
    if len(parts) != 3:
        state.lexer.refuse("expected three operands to shufflevector", frame.start)
    lhs, rhs, lanes = parts
    mask = shuffle_mask(lhs.type, rhs.type, lanes)
    if mask is None:
        state.lexer.refuse("invalid operands to shufflevector", frame.start)
    return check_type(state, frame, state.constants.shuffle_vector(lhs, rhs, mask))


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
    """Return the flags of address arithmetic, as `GEPFlags`."""
    lexer = state.lexer
    flags = 0
    while lexer.kind == WORD:
        found = _GEP_FLAGS.get(lexer.text())
        if found is None:
            break
        flags |= found
        lexer.advance()
    return flags


_GEP_FLAGS = flag_words("getelementptr")


def _get_element_ptr(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> Constant | None:
    lexer = state.lexer
    frame = ConstantFrame(_GEP, lexer.start, type)
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
        message = "expected comma after getelementptr's type"
        pointee = old_element_type(state, source, message)
        if pointee is None:
            lexer.refuse(message)
        frame.extra, frame.first_type = (pointee, bounds), source
        frames.append(frame)
        return None
    return opened(state, frames, frame, RIGHT_PARENTHESIS)


def _parse_in_range(state: ModuleState) -> tuple[int, int]:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    lower = _parse_bound(state)
    expect(lexer, COMMA, "expected ','")
    upper = _parse_bound(state)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    return lower, upper


def _parse_bound(state: ModuleState) -> int:
    if not is_integer(state.lexer):
        state.lexer.refuse("expected integer")
    number = state.lexer.number()
    state.lexer.advance()
    return number


def _finish_gep(state: ModuleState, frame: ConstantFrame) -> Constant:
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
    _check_widths(lexer, pointer, indices, start)
    if indices and not state.traits_of(source) & SIZED:
        lexer.refuse("base element of getelementptr must be sized", start)
    is_scalable = bool(state.traits_of(source) & SIZED) and state.module.data_layout.layout(source).is_scalable
    if is_scalable and not state.dialect.accepts(lexer, _SCALABLE, start):
        lexer.refuse(_SCALABLE, start)
    if len(indices) > 1 and element_at(source, indices[1:]) is None:
        lexer.refuse("invalid getelementptr indices", start)
    made = state.constants.get_element_ptr(source, pointer, indices, GEPFlags(frame.flags), in_range)
    if is_scalable and isinstance(made, ConstantExpr):
        made = cast("Constant", expandable_expression(state, made, made.operands))
    return check_type(state, frame, made)


def _check_widths(lexer: Lexer, pointer: Constant, indices: list[Constant], start: int) -> None:
    """Check that indices are integers, and that all vectors have one number of elements."""
    width = pointer.type.count if isinstance(pointer.type, VectorType) else 0
    for index in indices:
        type_ = index.type
        if not isinstance(type_.scalar_type, IntegerType):
            lexer.refuse("getelementptr index must be an integer", start)
        if isinstance(type_, VectorType):
            if width and type_.count != width:
                lexer.refuse("getelementptr vector index has a wrong number of elements", start)
            width = type_.count


_SCALABLE = "invalid base element for constant getelementptr"


def _ptr_auth(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> None:
    frame = ConstantFrame(_PTR_AUTH, state.lexer.start, type)
    state.lexer.advance()
    expect(state.lexer, LEFT_PARENTHESIS, "expected '(' in constant ptrauth expression")
    frames.append(frame)


def _finish_ptr_auth(state: ModuleState, frame: ConstantFrame) -> Constant:
    lexer, parts = state.lexer, frame.parts
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' in constant ptrauth expression")
    for part, (what, fits) in zip(parts, _PTR_AUTH_PARTS, strict=False):
        if not fits(part):
            lexer.refuse(f"constant ptrauth {what}", frame.start)
    defaults = (
        state.constants.null(state.types.integer(64)),
        state.constants.null(state.types.ptr),
        state.constants.null(state.types.ptr),
    )
    parts += defaults[len(parts) - 2 :]
    return check_type(state, frame, state.constants.ptr_auth(*parts))


def _is_pointer(part: Constant) -> bool:
    return isinstance(part.type, PointerType)


def _is_integer(width: int) -> Callable[[Constant], bool]:
    return lambda part: isinstance(part, ConstantInt) and part.type.bit_width == width


_PTR_AUTH_PARTS: tuple[tuple[str, Callable[[Constant], bool]], ...] = (
    ("base pointer must be a pointer", _is_pointer),
    ("key must be i32 constant", _is_integer(32)),
    ("integer discriminator must be i64 constant", _is_integer(64)),
    ("address discriminator must be a pointer", _is_pointer),
    ("deactivation symbol must be a pointer", _is_pointer),
)
"""Predicate of each part, with LLVM's message if it fails."""


# Constants of a global


def _of_global(state: ModuleState, _frames: list[ConstantFrame], type: Type | None) -> Constant:
    lexer = state.lexer
    word = lexer.text().decode()
    start = lexer.start
    kind = lexer.advance()
    if kind not in (GLOBAL_NAME, GLOBAL_ID):
        lexer.refuse(f"expected global value name in {word}")
    key = lexer.content() if kind == GLOBAL_NAME else lexer.number()
    place = lexer.start
    value = state.global_value(key, state.types.ptr, place)
    lexer.advance()
    constants, pending = state.constants, state.pending
    if word == "no_cfi":
        return typed(state, no_cfi_of(constants, value), type, start)
    if isinstance(value, GlobalValue):
        return typed(state, _equivalent_of(state, value, place), type, start)
    forward = pending.made_later(
        value, lambda: _equivalent_of(state, cast("GlobalValue", pending.resolved(value)), place), start
    )
    return typed(state, forward, type, start)


def _equivalent_of(state: ModuleState, value: GlobalValue, place: int) -> Constant:
    if not isinstance(value.value_type, FunctionType):
        state.lexer.refuse("expected a function, alias to function, or ifunc in dso_local_equivalent", place)
    return state.constants.dso_local_equivalent(value)


def _block_address(state: ModuleState, _frames: list[ConstantFrame], type: Type | None) -> Constant:
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
    found = block_address(state, (key, function_start), (block, block_start), type, start)
    return typed(state, found, type, start)


_CAST = ConstantForm(_finish_cast, 1)
_BINARY = ConstantForm(_finish_binary, 2, "expected comma in binary constantexpr")
_GEP = ConstantForm(_finish_gep)
_PTR_AUTH = ConstantForm(
    _finish_ptr_auth, len(_PTR_AUTH_PARTS), "expected comma in constant ptrauth expression", optional_count=3
)
_VECTOR_FORMS = {
    b"extractelement": ConstantForm(_finish_extract),
    b"insertelement": ConstantForm(_finish_insert),
    b"shufflevector": ConstantForm(_finish_shuffle),
}

_BINARY_WORDS = [opcode for row in BINARY_OPCODES for opcode in row if opcode]
_NEVER_IN_BITCODE = ("extractvalue", "insertvalue")
"""Operations that were expressions in text only."""


def _removed(state: ModuleState, frames: list[ConstantFrame], type: Type | None) -> Constant | None:
    word = state.lexer.text()
    message = f"{word.decode()} constexprs are no longer supported"
    begin = OLD_EXPRESSIONS.get(word)
    if begin is None or not state.dialect.accepts(state.lexer, message):
        state.lexer.refuse(message)
    return begin(state, frames, type)


EXPRESSIONS: dict[bytes, Callable[[ModuleState, list[ConstantFrame], Type | None], Constant | None]] = {
    **{opcode.encode(): _cast for opcode in CAST_OPCODES},
    **{opcode.encode(): _binary for opcode in _BINARY_WORDS},
    **dict.fromkeys(_VECTOR_FORMS, _vector_expression),
    b"getelementptr": _get_element_ptr,
    b"ptrauth": _ptr_auth,
    b"no_cfi": _of_global,
    b"dso_local_equivalent": _of_global,
    b"blockaddress": _block_address,
    **{opcode.encode(): _removed for opcode in (*REMOVED_EXPRESSIONS, *_NEVER_IN_BITCODE)},
}
"""Constants that begin with the word of an expression."""
