# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Memory: `alloca`, `load`, `store`, `getelementptr`, `va_arg`, atomic accesses.

Rules: docs/reference/text.md, 9.3, 17.7 and 18; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.attribute_values import parse_optional_alignment
from bitcodec.asm.parser.constant_expressions import parse_gep_flags
from bitcodec.asm.parser.constants import parse_typed_value, parse_value
from bitcodec.asm.parser.dialects.memory import (
    SINGLE_THREAD,
    accept_single_thread,
    old_element_type,
    old_failure_ordering,
    with_value_alone,
)
from bitcodec.asm.parser.instructions.flags import parse_ordered_flags
from bitcodec.asm.parser.phrases import accept, accept_word, expect, is_word, parse_optional_row, parse_string
from bitcodec.asm.parser.tokens import COMMA, LEFT_PARENTHESIS, METADATA_NAME, RIGHT_PARENTHESIS, STRING, WORD
from bitcodec.asm.parser.type_rules import (
    FIRST_CLASS,
    HOLDS_INTEGERS,
    HOLDS_POINTERS,
    IS_POINTER,
    IS_VECTOR,
    POINTEE,
    SIZED,
)
from bitcodec.asm.parser.types import parse_optional_address_space, parse_type
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.element_access import element_at
from bitcodec.ir.instructions.memory import (
    AtomicCmpXchg,
    AtomicRMW,
    Fence,
    VAArg,
    make_alloca,
    make_get_element_ptr,
    make_load,
    make_store,
)
from bitcodec.ir.type_properties import is_operand, is_same_shape
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType, StructType, Type, VectorType
from bitcodec.tables.instruction_flags import (
    AccessFlags,
    AllocaFlags,
    GEPFlags,
    flag_words,
    members_of,
)
from bitcodec.tables.opcodes import REFUSED_ORDERINGS, AtomicOrdering, AtomicRMWOperation

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.data_layout import TypeLayout
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["PARSERS"]

_NO_ORDERING = "Expected ordering on atomic instruction"
_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC
_ORDERINGS = {ordering.spelling.encode(): ordering for ordering in AtomicOrdering if ordering.spelling}
_OPERATIONS = {operation.spelling.encode(): operation for operation in AtomicRMWOperation}
_ALLOCA_FLAGS, _ACCESS_FLAGS, _GEP_FLAGS = members_of(AllocaFlags), members_of(AccessFlags), members_of(GEPFlags)
_ALLOCA_WORDS, _LOAD_WORDS, _STORE_WORDS = map(flag_words, ("alloca", "load", "store"))
_CMPXCHG_WORDS, _ATOMICRMW_WORDS = map(flag_words, ("cmpxchg", "atomicrmw"))
_NO_LOAD, _NO_STORE = REFUSED_ORDERINGS["load"], REFUSED_ORDERINGS["store"]
_NO_SUCCESS, _NO_FAILURE = REFUSED_ORDERINGS["cmpxchg"], REFUSED_ORDERINGS["a failing cmpxchg"]
_UNORDERED = AtomicOrdering.UNORDERED


def _parse_scope(state: ModuleState) -> str:
    lexer = state.lexer
    if not accept_word(lexer, b"syncscope"):
        return SINGLE_THREAD if accept_single_thread(state, _NO_ORDERING) else ""
    expect(lexer, LEFT_PARENTHESIS, "Expected '(' in syncscope")
    if lexer.kind != STRING:
        lexer.refuse("Expected synchronization scope name")
    scope = parse_string(lexer)
    expect(lexer, RIGHT_PARENTHESIS, "Expected ')' in syncscope")
    return scope


def _parse_ordering(state: ModuleState) -> AtomicOrdering:
    ordering = parse_optional_row(state.lexer, _ORDERINGS)
    if ordering is None:
        state.lexer.refuse(_NO_ORDERING)
    return ordering


def _is_ordering(lexer: Lexer) -> bool:
    return lexer.kind == WORD and lexer.text() in _ORDERINGS


def _parse_comma_alignment(state: ModuleState) -> int | None:
    """Return the number of `, align N`, None if it is not there; a comma before metadata is noted."""
    lexer = state.lexer
    alignment: int | None = None
    while lexer.kind == COMMA:
        lexer.advance()
        if lexer.kind == METADATA_NAME:
            state.has_comma = True
            break
        if not is_word(lexer, b"align"):
            lexer.refuse("expected metadata or 'align'")
        alignment = parse_optional_alignment(lexer)
    return alignment


def _layout(state: ModuleState, type: Type, message: str, start: int) -> TypeLayout:
    """Return size and alignments of a type, which must have them."""
    try:
        return state.module.data_layout.layout(type)
    except ValueError:
        state.lexer.refuse(message, start)


def _alloca(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    flags = parse_ordered_flags(lexer, _ALLOCA_WORDS)
    start = lexer.start
    type_ = parse_type(state)
    traits = state.traits_of(type_)
    if not traits & POINTEE:
        lexer.refuse("invalid type for alloca", start)
    size, size_start, alignment, space = _parse_alloca_rest(state)
    if size is not None and not isinstance(size.type, IntegerType):
        lexer.refuse("element count must have integer type", size_start)
    if alignment is None:
        alignment = _layout(state, type_, "Cannot allocate unsized type", start).preferred_alignment
    pointer = state.types.pointer(space) if space else state.ptr
    return make_alloca(pointer, type_, state.one if size is None else size, alignment, _ALLOCA_FLAGS[flags])


def _parse_alloca_rest(state: ModuleState) -> tuple[Value | None, int, int | None, int]:
    """Return size and its position, alignment and address space of an `alloca`."""
    lexer = state.lexer
    size: Value | None = None
    start, space = lexer.start, 0
    alignment: int | None = None
    if not accept(lexer, COMMA):
        return size, start, alignment, space
    if not is_word(lexer, b"align") and not is_word(lexer, b"addrspace") and lexer.kind != METADATA_NAME:
        start = lexer.start
        size = parse_typed_value(state)
        if not accept(lexer, COMMA):
            return size, start, alignment, space
    if is_word(lexer, b"align"):
        alignment = parse_optional_alignment(lexer)
        if not accept(lexer, COMMA):
            return size, start, alignment, space
    if is_word(lexer, b"addrspace"):
        space = parse_optional_address_space(state)
        return size, start, alignment, space
    if lexer.kind != METADATA_NAME:
        lexer.refuse("expected metadata or 'addrspace'" if alignment else "expected metadata or 'align'")
    state.has_comma = True
    return size, start, alignment, space


def _load(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    is_atomic = accept_word(lexer, b"atomic")
    flags = parse_ordered_flags(lexer, _LOAD_WORDS)
    type_start = lexer.start
    type_ = parse_type(state)
    start, message = lexer.start, "expected comma after load's type"
    pointee = None if lexer.kind == COMMA else old_element_type(state, type_, message)
    if pointee is not None:
        start, type_, pointer = type_start, pointee, parse_value(state, type_)
    else:
        expect(lexer, COMMA, message)
        start = lexer.start
        pointer = parse_typed_value(state)
    scope, ordering = (_parse_scope(state), _parse_ordering(state)) if is_atomic else ("", _NOT_ATOMIC)
    alignment = _parse_comma_alignment(state)
    if not state.traits_of(pointer.type) & IS_POINTER or not state.traits_of(type_) & FIRST_CLASS:
        lexer.refuse("load operand must be a pointer to a first class type", start)
    if is_atomic and alignment is None:
        lexer.refuse("atomic load must have explicit non-zero alignment", start)
    if ordering in _NO_LOAD:
        lexer.refuse("atomic load cannot use Release ordering", start)
    if alignment is None:
        alignment = _layout(state, type_, "loading unsized types is not allowed", type_start).abi_alignment
    return make_load(type_, pointer, alignment, _ACCESS_FLAGS[flags], ordering, scope)


def _store(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    is_atomic = accept_word(lexer, b"atomic")
    flags = parse_ordered_flags(lexer, _STORE_WORDS)
    start = lexer.start
    value = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after store operand")
    pointer_start = lexer.start
    pointer = parse_typed_value(state)
    scope, ordering = (_parse_scope(state), _parse_ordering(state)) if is_atomic else ("", _NOT_ATOMIC)
    alignment = _parse_comma_alignment(state)
    if not state.traits_of(pointer.type) & IS_POINTER:
        lexer.refuse("store operand must be a pointer", pointer_start)
    if not state.traits_of(value.type) & FIRST_CLASS:
        lexer.refuse("store operand must be a first class value", start)
    if is_atomic and alignment is None:
        lexer.refuse("atomic store must have explicit non-zero alignment", start)
    if ordering in _NO_STORE:
        lexer.refuse("atomic store cannot use Acquire ordering", start)
    if alignment is None:
        alignment = _layout(state, value.type, "storing unsized types is not allowed", start).abi_alignment
    return make_store(state.void, (value, pointer), alignment, _ACCESS_FLAGS[flags], ordering, scope)


def _cmpxchg(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    flags = parse_ordered_flags(lexer, _CMPXCHG_WORDS)
    start = lexer.start
    pointer = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after cmpxchg address")
    compare = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after cmpxchg cmp operand")
    new_start = lexer.start
    new_value = parse_typed_value(state)
    scope = _parse_scope(state)
    success = _parse_ordering(state)
    has_one_ordering = not _is_ordering(lexer) and state.dialect.accepts(lexer, _NO_ORDERING)
    failure = old_failure_ordering(success) if has_one_ordering else _parse_ordering(state)
    alignment = _parse_comma_alignment(state)
    if success in _NO_SUCCESS:
        lexer.refuse("invalid cmpxchg success ordering")
    if failure in _NO_FAILURE:
        lexer.refuse("invalid cmpxchg failure ordering")
    if not isinstance(pointer.type, PointerType):
        lexer.refuse("cmpxchg operand must be a pointer", start)
    if compare.type is not new_value.type:
        lexer.refuse("compare value and new value type do not match", new_start)
    if not is_operand(new_value.type):
        lexer.refuse("cmpxchg operand must be a first class value", new_start)
    made = AtomicCmpXchg(
        state.types.struct((compare.type, state.boolean)),
        pointer,
        compare,
        new_value,
        _store_size(state, compare.type) if alignment is None else alignment,
        success_ordering=success,
        failure_ordering=failure,
        sync_scope=scope,
        flags=_ACCESS_FLAGS[flags],
    )
    return with_value_alone(state, made) if has_one_ordering else made


def _store_size(state: ModuleState, type: Type) -> int:
    return state.module.data_layout.store_size(type)


def _atomicrmw(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    flags = parse_ordered_flags(lexer, _ATOMICRMW_WORDS)
    operation = parse_optional_row(lexer, _OPERATIONS)
    if operation is None:
        lexer.refuse("expected binary operation in atomicrmw")
    start = lexer.start
    pointer = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after atomicrmw address")
    value_start = lexer.start
    value = parse_typed_value(state)
    scope, ordering = _parse_scope(state), _parse_ordering(state)
    alignment = _parse_comma_alignment(state)
    if ordering is _UNORDERED:
        lexer.refuse("atomicrmw cannot be unordered")
    if not isinstance(pointer.type, PointerType):
        lexer.refuse("atomicrmw operand must be a pointer", start)
    size = _checked_size(state, operation, value.type, value_start)
    return AtomicRMW(
        operation,
        pointer,
        value,
        size if alignment is None else alignment,
        ordering=ordering,
        sync_scope=scope,
        flags=_ACCESS_FLAGS[flags],
    )


def _checked_size(state: ModuleState, operation: AtomicRMWOperation, type: Type, start: int) -> int:
    """Return how many bytes an operation on memory changes, of which it must be capable."""
    lexer, name = state.lexer, f"atomicrmw {operation.spelling} operand must be"
    layout = state.module.data_layout.layout(type) if state.traits_of(type) & SIZED else None
    if layout is not None and layout.is_scalable:
        lexer.refuse("atomicrmw operand may not be scalable", start)
    if operation is AtomicRMWOperation.XCHG:
        if not isinstance(type, IntegerType | FloatingPointType | PointerType):
            lexer.refuse(f"{name} an integer, floating point, or pointer type", start)
    elif operation.is_floating_point:
        if not isinstance(type.scalar_type, FloatingPointType):
            lexer.refuse(f"{name} a floating point type", start)
    elif not isinstance(type, IntegerType):
        lexer.refuse(f"{name} an integer", start)
    size = _store_size(state, type)
    if not size or size & (size - 1):
        lexer.refuse("atomicrmw operand must be power-of-two byte-sized integer", start)
    return size


def _fence(state: ModuleState, _opcode: str) -> Instruction:
    scope, ordering = _parse_scope(state), _parse_ordering(state)
    if ordering is _UNORDERED:
        state.lexer.refuse("fence cannot be unordered")
    if ordering is AtomicOrdering.MONOTONIC:
        state.lexer.refuse("fence cannot be monotonic")
    return Fence(state.void, ordering, scope)


def _get_element_ptr(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    flags = parse_gep_flags(state)
    start = lexer.start
    source = parse_type(state)
    message = "expected comma after getelementptr's type"
    pointee = None if lexer.kind == COMMA else old_element_type(state, source, message)
    if pointee is not None:
        source, pointer = pointee, parse_value(state, source)
    else:
        expect(lexer, COMMA, message)
        start = lexer.start
        pointer = parse_typed_value(state)
    type_ = pointer.type
    if not state.traits_of(type_) & HOLDS_POINTERS:
        lexer.refuse("base of getelementptr must be a pointer", start)
    indices: list[Value] = []
    while accept(lexer, COMMA):
        if lexer.kind == METADATA_NAME:
            state.has_comma = True
            break
        index_start = lexer.start
        index = parse_typed_value(state)
        traits = state.traits_of(index.type)
        if not traits & HOLDS_INTEGERS:
            lexer.refuse("getelementptr index must be an integer", index_start)
        if traits & IS_VECTOR:
            if isinstance(type_, VectorType):
                if not is_same_shape(index.type, type_):
                    lexer.refuse("getelementptr vector index has a wrong number of elements", index_start)
            else:
                type_ = state.types.like(index.type, type_)
        indices.append(index)
    _check_indices(state, source, indices, start)
    return make_get_element_ptr(type_, source, (pointer, *indices), _GEP_FLAGS[flags])


def _check_indices(state: ModuleState, source: Type, indices: list[Value], start: int) -> None:
    count, known = len(indices), state.indexed
    if source not in known:
        _check_base(state, source, start, count > 0)
    if count < 2:
        return
    key = (source, indices[1]) if count == 2 else None  # mostly a field of a struct
    if key in known:
        return
    if element_at(source, indices[1:]) is None:
        state.lexer.refuse("invalid getelementptr indices", start)
    if key is not None and isinstance(indices[1], ConstantInt):
        known.add(key)


def _check_base(state: ModuleState, source: Type, start: int, has_indices: bool) -> None:
    """Check that addresses may be computed for a type, and remember that."""
    if not state.traits_of(source) & SIZED:
        if has_indices:
            state.lexer.refuse("base element of getelementptr must be sized", start)
        return
    if isinstance(source, StructType) and state.module.data_layout.layout(source).is_scalable:
        state.lexer.refuse("getelementptr cannot target structure that contains scalable vector type", start)
    state.indexed.add(source)


def _va_arg(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    pointer = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after vaarg operand")
    start = lexer.start
    type_ = parse_type(state)
    if not is_operand(type_):
        lexer.refuse("va_arg requires operand with first class type", start)
    return VAArg(type_, pointer)


PARSERS: dict[str, Callable[[ModuleState, str], Instruction]] = {
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "cmpxchg": _cmpxchg,
    "atomicrmw": _atomicrmw,
    "fence": _fence,
    "getelementptr": _get_element_ptr,
    "va_arg": _va_arg,
}
