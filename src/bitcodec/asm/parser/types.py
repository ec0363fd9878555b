# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: PLR0911
"""Types.  Rules: docs/reference/text.md, 17.4; messages match llvm-as 22.

Types nest to any depth, so the types around the one that is read are frames on a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.pointees import note_pointee
from bitcodec.asm.parser.dialects.words import OLD_TYPES
from bitcodec.asm.parser.phrases import (
    accept,
    accept_word,
    decoded,
    expect,
    expect_word,
    is_unsigned,
    is_word,
    parse_string,
)
from bitcodec.asm.parser.tokens import (
    COMMA,
    DOTS,
    GREATER,
    INTEGER,
    INTEGER_TYPE,
    LEFT_BRACE,
    LEFT_PARENTHESIS,
    LEFT_SQUARE,
    LESS,
    LOCAL_ID,
    LOCAL_NAME,
    RIGHT_BRACE,
    RIGHT_PARENTHESIS,
    RIGHT_SQUARE,
    STAR,
    STRING,
    WORD,
)
from bitcodec.asm.parser.type_rules import is_argument, is_pointee
from bitcodec.ir.target_types import is_vector_element, parameter_problem
from bitcodec.ir.types import (
    FloatingPointType,
    FunctionType,
    IntegerType,
    LabelType,
    MetadataType,
    PointerType,
    StructType,
    TargetExtensionType,
    TokenType,
    Type,
    VoidType,
    X86AMXType,
)

if TYPE_CHECKING:
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = [
    "parse_optional_address_space",
    "parse_type",
]

_MAX_ADDRESS_SPACE = (1 << 24) - 1
_MAX_VECTOR = (1 << 32) - 1
_MAX_COUNT = (1 << 64) - 1


def parse_type(state: ModuleState, message: str = "expected type", allow_void: bool = False) -> Type:
    """Return a type.

    Args:
        state: the parser.
        message: of the error if no type is there.
        allow_void: whether it may be `void`.

    Raises:
        AssemblyError: the type is missing, or invalid in LLVM.
    """
    lexer = state.lexer
    kind, start = lexer.kind, lexer.start
    if kind in (WORD, INTEGER_TYPE):
        text = lexer.text()
        known = state.whole_types.get(text)
        if known is None:
            known = state.integer_type(text) if kind == INTEGER_TYPE else state.primitive_types.get(text)
            if known is None:
                return _parse_nested(state, message, allow_void)
            state.whole_types[text] = known
        if known is state.void and not allow_void:
            return _parse_nested(state, message, allow_void)
    elif kind == LOCAL_NAME:
        known = state.type_names.get(lexer.content())
        if not isinstance(known, StructType):
            return _parse_nested(state, message, allow_void)
    else:
        return _parse_nested(state, message, allow_void)
    lexer.advance()
    if lexer.kind in (LEFT_PARENTHESIS, STAR) or (lexer.kind == WORD and lexer.is_text(b"addrspace")):
        return _parse_nested(state, message, allow_void, known, start)
    return known


def _parse_nested(
    state: ModuleState, message: str, allow_void: bool, first: Type | None = None, first_start: int = 0
) -> Type:
    """Return a type of any form.

    Args:
        state: the parser.
        message: of the error if no type is there.
        allow_void: whether it may be `void`.
        first: the type that it begins with, if that has been read already.
        first_start: the position of that.
    """
    lexer = state.lexer
    frames: list[_Frame] = []
    while True:
        start = lexer.start if first is None else first_start
        is_word = lexer.kind == WORD or first is state.ptr
        if first is None:
            type_ = _begun(state, frames, message)
        else:
            type_ = _pointer(state) if first is state.ptr else first
            first = None
        message = "expected type"
        # Nothing but parameters may follow `ptr`.
        is_whole = is_word and isinstance(type_, PointerType) and lexer.kind != LEFT_PARENTHESIS
        while type_ is not None:
            if not is_whole:
                type_ = _with_suffixes(state, frames, type_, start)
            is_whole = False
            if type_ is None:
                break
            may_be_void = frames[-1].takes_void if frames else allow_void
            if not may_be_void and isinstance(type_, VoidType):
                lexer.refuse("void type only allowed for function results", start)
            if not frames:
                return type_
            frame = frames[-1]
            type_ = frame.add(state, type_, start)
            if type_ is not None:
                frames.pop()
                start = frame.start


def _begun(state: ModuleState, frames: list[_Frame], message: str) -> Type | None:
    """Return a type without its suffixes; None if it has parts, the first of which is next."""
    lexer = state.lexer
    kind = lexer.kind
    if kind == WORD:
        return _word(state, frames, message)
    if kind == INTEGER_TYPE:
        integer = state.integer_type(lexer.text())
        lexer.advance()
        return integer
    if kind in (LOCAL_NAME, LOCAL_ID):
        key = lexer.content() if kind == LOCAL_NAME else lexer.number()
        type_ = state.named_types.used(key, lexer.start)
        lexer.advance()
        if isinstance(type_, PointerType):
            note_pointee(state, state.named_types.pointees.get(key))
        return type_
    start = lexer.start
    if kind == LEFT_BRACE:
        lexer.advance()
        return _opened_struct(state, frames, _Struct(start, is_packed=False))
    if kind == LEFT_SQUARE:
        lexer.advance()
        frames.append(_parse_sequence(state, start, is_vector=False))
        return None
    if kind == LESS:
        if lexer.advance() == LEFT_BRACE:
            lexer.advance()
            return _opened_struct(state, frames, _Struct(start, is_packed=True))
        frames.append(_parse_sequence(state, start, is_vector=True))
        return None
    return lexer.refuse(message)


def _word(state: ModuleState, frames: list[_Frame], message: str) -> Type | None:
    lexer = state.lexer
    start = lexer.start
    word = lexer.text()
    type_ = state.primitive_types.get(word)
    if type_ is not None:
        lexer.advance()
        return _pointer(state) if type_ is state.ptr else type_
    if word != b"target":
        if word in OLD_TYPES and state.dialect.accepts(lexer, message):
            lexer.advance()
            return OLD_TYPES[word](state.types)
        lexer.refuse(message)
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in target extension type")
    frame = _Extension(start, parse_string(lexer))
    return _opened_extension(state, frames, frame)


def _pointer(state: ModuleState) -> Type:
    lexer = state.lexer
    space = parse_optional_address_space(state) if is_word(lexer, b"addrspace") else 0
    if lexer.kind == STAR:
        lexer.refuse("ptr* is invalid - use ptr instead")
    return state.types.pointer(space) if space else state.types.ptr


def parse_optional_address_space(state: ModuleState, default: int = 0) -> int:
    """Return the number of `addrspace(N)`, which may be a name of the data layout."""
    lexer = state.lexer
    if not accept_word(lexer, b"addrspace"):
        return default
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in address space")
    start = lexer.start
    if lexer.kind == STRING:
        layout = state.module.data_layout
        spaces = {
            b"A": layout.alloca_address_space,
            b"G": layout.globals_address_space,
            b"P": layout.program_address_space,
        }
        found = spaces.get(lexer.content(), layout.address_space_names.get(decoded(lexer.content())))
        if found is None:
            lexer.refuse("invalid symbolic addrspace '" + decoded(lexer.content()) + "'")
        lexer.advance()
    else:
        if not is_unsigned(lexer):
            lexer.refuse("expected integer or string constant")
        found = lexer.number()
        if found > _MAX_ADDRESS_SPACE:
            lexer.refuse("invalid address space, must be a 24-bit integer", start)
        lexer.advance()
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' in address space")
    return found


def _with_suffixes(state: ModuleState, frames: list[_Frame], type_: Type, start: int) -> Type | None:
    """Return a type with its suffixes; None if it is the result of a function type whose parameters are next."""
    lexer = state.lexer
    while True:
        kind = lexer.kind
        if kind == LEFT_PARENTHESIS:
            if not _is_return_type(type_):
                lexer.refuse("invalid function return type")
            frame = _Function(start, type_)
            lexer.advance()
            if lexer.kind in (RIGHT_PARENTHESIS, DOTS):
                type_ = frame.close(state)
                continue
            frames.append(frame)
            return None
        if kind == STAR:
            _check_pointee(state, type_)
            state.dialect.accepts(lexer)
            lexer.advance()
            note_pointee(state, type_)
            type_ = state.types.ptr
        elif kind == WORD and lexer.text() == b"addrspace":
            _check_pointee(state, type_)
            state.dialect.accepts(lexer)
            space = parse_optional_address_space(state)
            expect(lexer, STAR, "expected '*' in address space")
            note_pointee(state, type_)
            type_ = state.types.pointer(space)
        else:
            return type_


def _check_pointee(state: ModuleState, type_: Type) -> None:
    lexer = state.lexer
    if isinstance(type_, LabelType):
        lexer.refuse("basic block pointers are invalid")
    if isinstance(type_, VoidType):
        lexer.refuse("pointers to void are invalid - use i8* instead")
    if isinstance(type_, MetadataType | TokenType | X86AMXType):
        lexer.refuse("pointer to this type is invalid")


# Types around the type that is being read


class _Frame:
    """A type whose parts are being read.

    Attributes:
        start: its position.
        takes_void: whether a part may be `void`.
    """

    __slots__ = ("start",)
    takes_void = False

    start: int

    def add(self, state: ModuleState, part: Type, start: int) -> Type | None:
        """Take a part; return the type if that was the last one."""
        raise NotImplementedError


class _Sequence(_Frame):
    __slots__ = ("count", "count_start", "is_scalable", "is_vector")

    def __init__(self, start: int, count: int, count_start: int, *, is_vector: bool, is_scalable: bool) -> None:
        self.start = start
        self.count = count
        self.count_start = count_start
        self.is_vector = is_vector
        self.is_scalable = is_scalable

    def add(self, state: ModuleState, part: Type, start: int) -> Type:
        lexer = state.lexer
        end = lexer.start
        expect(lexer, GREATER if self.is_vector else RIGHT_SQUARE, "expected end of sequential type")
        if not self.is_vector:
            if not is_pointee(part):
                lexer.refuse("invalid array element type", start)
            return state.types.array(self.count, part)
        if not self.count:
            lexer.refuse("zero element vector is illegal", self.count_start)
        if self.count > _MAX_VECTOR:
            lexer.refuse("size too large for vector", self.count_start)
        if not _is_vector_element(part):
            lexer.refuse("invalid vector element type", start)
        if isinstance(part, PointerType) and state.pointee_end == end:
            note_pointee(state, state.pointee)
        return state.types.vector(self.count, part, is_scalable=self.is_scalable)


def _parse_sequence(state: ModuleState, start: int, is_vector: bool) -> _Sequence:
    """Parse the parts around the element type of `[N x T]` or `<N x T>`, after the opening bracket."""
    lexer = state.lexer
    is_scalable = is_vector and accept_word(lexer, b"vscale")
    if is_scalable:
        expect_word(lexer, b"x", "expected 'x' after vscale")
    count_start = lexer.start
    if not is_unsigned(lexer):
        lexer.refuse("expected number in address space")
    count = lexer.number()
    if count > _MAX_COUNT:
        lexer.refuse("expected number in address space")
    lexer.advance()
    expect_word(lexer, b"x", "expected 'x' after element count")
    return _Sequence(start, count, count_start, is_vector=is_vector, is_scalable=is_scalable)


class _Struct(_Frame):
    __slots__ = ("elements", "is_packed")

    def __init__(self, start: int, *, is_packed: bool) -> None:
        self.start = start
        self.is_packed = is_packed
        self.elements: list[Type] = []

    def add(self, state: ModuleState, part: Type, start: int) -> Type | None:
        if not is_pointee(part):
            state.lexer.refuse("invalid element type for struct", start)
        self.elements.append(part)
        return None if accept(state.lexer, COMMA) else self.close(state)

    def close(self, state: ModuleState) -> Type:
        """Return the struct, at its end."""
        expect(state.lexer, RIGHT_BRACE, "expected '}' at end of struct")
        if self.is_packed:
            expect(state.lexer, GREATER, "expected '>' at end of packed struct")
        return state.types.struct(self.elements, is_packed=self.is_packed)


def _opened_struct(state: ModuleState, frames: list[_Frame], frame: _Struct) -> Type | None:
    if state.lexer.kind == RIGHT_BRACE:
        return frame.close(state)
    frames.append(frame)
    return None


class _Function(_Frame):
    __slots__ = ("next_number", "parameters", "problem", "result")

    def __init__(self, start: int, result: Type) -> None:
        self.start = start
        self.result = result
        self.parameters: list[Type] = []
        self.problem: tuple[str, int] | None = None
        self.next_number = 0

    def add(self, state: ModuleState, part: Type, start: int) -> Type | None:
        lexer = state.lexer
        if lexer.kind in (WORD, STRING):
            lexer.refuse("argument attributes invalid in function type", start)
        if not is_argument(part):
            lexer.refuse("invalid type for function argument", start)
        if lexer.kind == LOCAL_NAME:  # which llvm-as reports at the end of the list
            self.problem = self.problem or ("argument name invalid in function type", start)
            lexer.advance()
        else:
            self._take_number(lexer, start)
        self.parameters.append(part)
        return None if accept(lexer, COMMA) and lexer.kind != DOTS else self.close(state)

    def _take_number(self, lexer: Lexer, start: int) -> None:
        """Go past the number of a parameter, which llvm-as takes here, too."""
        if lexer.kind == LOCAL_ID:
            number = lexer.number()
            if number < self.next_number:
                lexer.refuse(f"argument expected to be numbered '%{self.next_number}' or greater", start)
            self.next_number = number
            lexer.advance()
        self.next_number += 1

    def close(self, state: ModuleState) -> Type:
        """Return the function type, at its end."""
        is_vararg = accept(state.lexer, DOTS)
        expect(state.lexer, RIGHT_PARENTHESIS, "expected ')' at end of argument list")
        if self.problem is not None:
            state.lexer.refuse(*self.problem)
        return state.types.function(self.result, self.parameters, is_vararg=is_vararg)


class _Extension(_Frame):
    __slots__ = ("inner", "name", "numbers")
    takes_void = True

    def __init__(self, start: int, name: str) -> None:
        self.start = start
        self.name = name
        self.inner: list[Type] = []
        self.numbers: list[int] = []

    def add(self, state: ModuleState, part: Type, start: int) -> Type | None:  # noqa: ARG002
        self.inner.append(part)
        return self.close(state)

    def close(self, state: ModuleState) -> Type | None:
        """Return the type, at its end; None if another type comes first."""
        lexer = state.lexer
        while accept(lexer, COMMA):
            if lexer.kind == INTEGER:
                if lexer.text()[:1] == b"-":
                    lexer.refuse("expected integer")
                self.numbers.append(lexer.number())
                lexer.advance()
            elif self.numbers:
                lexer.refuse("expected uint32 param")
            else:
                return None
        expect(lexer, RIGHT_PARENTHESIS, "expected ')' in target extension type")
        problem = parameter_problem(self.name, len(self.inner), len(self.numbers))
        if problem:
            lexer.refuse(problem)
        return state.types.target_extension(self.name, self.inner, self.numbers)


def _opened_extension(state: ModuleState, frames: list[_Frame], frame: _Extension) -> Type | None:
    type_ = frame.close(state)
    if type_ is None:
        frames.append(frame)
    return type_


def _is_vector_element(type: Type) -> bool:
    if isinstance(type, TargetExtensionType):
        return is_vector_element(type)
    return isinstance(type, IntegerType | FloatingPointType | PointerType)


def _is_return_type(type: Type) -> bool:
    return not isinstance(type, FunctionType | LabelType | MetadataType)
