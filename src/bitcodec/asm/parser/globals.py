"""Variables, aliases, ifuncs, comdats.

Rules: docs/reference/text.md, 6 and 17.5; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.attribute_values import parse_optional_alignment
from bitcodec.asm.parser.attributes import parse_function_attributes
from bitcodec.asm.parser.constants import parse_constant, parse_typed_constant
from bitcodec.asm.parser.dialects.globals import (
    is_old_import,
    old_aliasee_type,
    old_linkage,
    old_selection_kind,
    old_type_of_aliasee,
    old_unnamed_address,
)
from bitcodec.asm.parser.linkage import (
    LINKAGES,
    UNNAMED_ADDRESSES,
    Words,
    parse_comdat_of,
    parse_optional_thread_local,
    parse_optional_unnamed_address,
    parse_words,
)
from bitcodec.asm.parser.metadata import parse_attachment
from bitcodec.asm.parser.phrases import (
    accept,
    accept_word,
    decoded,
    expect,
    expect_word,
    is_word,
    parse_optional_row,
    parse_string,
)
from bitcodec.asm.parser.tokens import COMMA, EQUAL, METADATA_NAME, STRING, WORD
from bitcodec.asm.parser.type_rules import is_pointee
from bitcodec.asm.parser.types import parse_optional_address_space, parse_type
from bitcodec.ir.construction.setting import set_name
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalVariable
from bitcodec.ir.types import PointerType
from bitcodec.tables.global_rows import GlobalFieldKind as K
from bitcodec.tables.global_rows import TextPlace
from bitcodec.tables.globals import fields_in
from bitcodec.tables.linkage import DLLStorageClass, Linkage, SelectionKind, ThreadLocalMode, UnnamedAddress

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.types import Type
    from bitcodec.tables.global_rows import GlobalField

__all__ = [
    "enter_global",
    "parse_comdat",
    "parse_fields",
    "parse_named_global",
    "parse_numbered_global",
    "parse_unnamed_global",
]

_SELECTION_KINDS = {kind.spelling.encode(): kind for kind in SelectionKind}
_DECLARATIONS = (Linkage.EXTERNAL, Linkage.EXTERN_WEAK)
_EXPRESSION_WORDS = (b"bitcast", b"getelementptr", b"addrspacecast", b"inttoptr")
_NAMES = {"section": "global section", "code_model": "global code model"}
"""How messages name a field of variables, aliases and ifuncs, if not by its word."""


def parse_comdat(state: ModuleState) -> None:
    """Read `$name = comdat KIND`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    start, name = lexer.start, decoded(lexer.content())
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' here")
    expect_word(lexer, b"comdat", "expected comdat type")
    kind = parse_optional_row(lexer, _SELECTION_KINDS) or old_selection_kind(state, _SELECTION_KINDS)
    if kind is None:
        lexer.refuse("unknown selection kind")
    state.note_place("$", name, start)
    comdat = state.comdats.get(name)
    if comdat is not None and name not in state.comdat_uses:
        lexer.refuse(f"redefinition of comdat '${name}'", start)
    state.comdat_uses.pop(name, None)
    if comdat is None:
        comdat = state.comdats[name] = Comdat(name)
    comdat.selection_kind = kind


def parse_named_global(state: ModuleState) -> None:
    """Read `@name = ...`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    start, name = lexer.start, lexer.content()
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' in global variable")
    _parse_global(state, name, state.next_number, start)


def parse_numbered_global(state: ModuleState) -> None:
    """Read `@N = ...`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    start, number = lexer.start, lexer.number()
    if number < state.next_number:
        lexer.refuse(f"global expected to be numbered '@{state.next_number}' or greater", start)
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' after name")
    _parse_global(state, b"", number, start)


def parse_unnamed_global(state: ModuleState) -> None:
    """Read a global without a name or a number, which has the next number.

    Raises:
        AssemblyError: it is malformed.
    """
    _parse_global(state, b"", state.next_number, state.lexer.start)


def _parse_global(state: ModuleState, name: bytes, number: int, start: int) -> None:
    lexer = state.lexer
    words = parse_words(lexer, state.dialect)
    mode = parse_optional_thread_local(lexer)
    unnamed = parse_optional_unnamed_address(lexer)
    if is_word(lexer, b"alias") or is_word(lexer, b"ifunc"):
        made: GlobalValue = _parse_indirect(state, name, number, start, words)
    else:
        made = _parse_variable(state, name, number, start, words)
    if mode is not ThreadLocalMode.NOT_THREAD_LOCAL:
        made.thread_local_mode = mode
    if unnamed is not UnnamedAddress.NONE:
        made.unnamed_address = unnamed


def _check_new(state: ModuleState, name: bytes, start: int) -> None:
    """Check that a global is not defined yet.

    Raises:
        AssemblyError: it is defined already.
    """
    state.note_place("@", decoded(name), start)
    if name and name in state.globals:
        state.lexer.refuse(f"redefinition of global '@{decoded(name)}'", start)


def _check_use(state: ModuleState, name: bytes, number: int, pointer: Type, start: int) -> None:
    """Check that a global has the type that its uses had."""
    forward = state.forward_globals.get(name or number)
    if forward is not None and forward.type is not pointer:
        state.lexer.refuse("forward reference and definition of global have different types", start)


def enter_global(state: ModuleState, made: GlobalValue, name: bytes, number: int) -> None:
    """Put a global into the module."""
    set_name(made, decoded(name))
    state.module.append(made)
    state.define_global(made, name, number)
    if state.surroundings is not None:
        state.surroundings.globals.append(made)


def _parse_variable(state: ModuleState, name: bytes, number: int, start: int, words: Words) -> GlobalVariable:
    lexer = state.lexer
    linkage = words.linkage or Linkage.EXTERNAL
    words = words.of_linkage(state, linkage, start)
    space = parse_optional_address_space(state)
    unnamed = old_unnamed_address(state, UNNAMED_ADDRESSES)
    front = _parse_front(lexer)
    is_constant = is_word(lexer, b"constant")
    if not is_constant and not is_word(lexer, b"global"):
        lexer.refuse("expected 'global' or 'constant'")
    lexer.advance()
    type_start = lexer.start
    type_ = parse_type(state)
    initializer: Constant | None = None
    has_initializer = words.linkage not in _DECLARATIONS
    if words.linkage is None and words.dll_storage_class is DLLStorageClass.IMPORT:
        has_initializer = not is_old_import(state)
    if has_initializer:
        initializer = parse_constant(state, type_)
    if not is_pointee(type_):
        lexer.refuse("invalid type for global variable", type_start)
    pointer = state.types.pointer(space)
    _check_new(state, name, start)
    _check_use(state, name, number, pointer, type_start)
    made = GlobalVariable(pointer, type_, linkage)
    if unnamed is not None:
        made.unnamed_address = unnamed
    made.is_constant = is_constant
    for attribute in front:
        setattr(made, attribute, True)
    words.apply(made)
    enter_global(state, made, name, number)
    if initializer is not None:
        made.initializer = initializer
    _parse_properties(state, made)
    attributes = parse_function_attributes(state)
    if attributes.attributes:
        made.attributes = attributes.own()
    if attributes.groups:
        state.group_users.append((made, tuple(attributes.groups)))
    return made


def _parse_properties(state: ModuleState, made: GlobalVariable) -> None:
    lexer = state.lexer
    while accept(lexer, COMMA):
        if lexer.kind == METADATA_NAME:
            kind, node = parse_attachment(state)
            state.metadata.globals.append((made, kind, node))
            continue
        if not _parse_field(state, "variable", made):
            lexer.refuse("unknown global variable property!")


def _parse_indirect(
    state: ModuleState, name: bytes, number: int, start: int, words: Words
) -> GlobalAlias | GlobalIFunc:
    """Read an alias or ifunc, whose word is the current token."""
    lexer = state.lexer
    is_alias = lexer.text() == b"alias"
    lexer.advance()
    linkage = words.linkage or old_linkage(state.lexer, state.dialect, LINKAGES) or Linkage.EXTERNAL
    words = words.of_linkage(state, linkage, start)
    type_start = lexer.start
    type_, target_start, target = _parse_type_and_target(state)
    pointer = target.type
    if not isinstance(pointer, PointerType):
        lexer.refuse("An alias or ifunc must have pointer type", target_start)
    _check_new(state, name, start)
    _check_use(state, name, number, pointer, type_start)
    made = (GlobalAlias if is_alias else GlobalIFunc)(pointer, type_, linkage)
    if state.dialect.is_old and not is_alias:
        words = words._replace(dll_storage_class=DLLStorageClass.DEFAULT)  # LLVM 4 printed one that there is not
    words.apply(made)
    enter_global(state, made, name, number)
    if isinstance(made, GlobalAlias):
        made.aliasee = target
    else:
        made.resolver = target
    while accept(lexer, COMMA):
        if lexer.kind == METADATA_NAME and isinstance(made, GlobalIFunc):
            kind, node = parse_attachment(state)
            state.metadata.globals.append((made, kind, node))
        elif not _parse_field(state, "alias" if is_alias else "ifunc", made):
            lexer.refuse("unknown alias or ifunc property!")
    return made


def _parse_type_and_target(state: ModuleState) -> tuple[Type, int, Constant]:
    """Return the type of an alias or ifunc, and its aliasee or resolver, with position."""
    lexer, start = state.lexer, state.lexer.start
    if _is_expression(lexer) and state.dialect.accepts(lexer, "expected type"):
        target = parse_constant(state, None)
        return old_type_of_aliasee(state, target), start, target
    type_ = parse_type(state)
    pointee = old_aliasee_type(state, type_)
    if pointee is not None:
        return pointee, start, parse_constant(state, type_)
    expect(lexer, COMMA, "expected comma after alias or ifunc's type")
    start = lexer.start
    return type_, start, _parse_target(state)


def _is_expression(lexer: Lexer) -> bool:
    return lexer.kind == WORD and lexer.text() in _EXPRESSION_WORDS


def _parse_target(state: ModuleState) -> Constant:
    """Return an aliasee or resolver: after its type, or an expression without one."""
    if not _is_expression(state.lexer):
        return parse_typed_constant(state)
    return parse_constant(state, None)


def _parse_front(lexer: Lexer) -> list[str]:
    """Return the attributes of a variable that are stated before `global` or `constant`."""
    return [attribute for word, attribute in _FRONT if accept_word(lexer, word)]


def _parse_field(state: ModuleState, record: str, made: GlobalValue) -> bool:
    """Parse a field of a variable, alias or ifunc; return whether the current token begins one.

    Args:
        state: the parser.
        record: the name of the global's record in the table.
        made: the global.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    field = _BACK[record].get(lexer.text()) if lexer.kind == WORD else None
    if field is None:
        return False
    message = f"expected {_NAMES.get(field.name, field.name)} string"
    setattr(made, field.attribute, _PARSERS[field.kind](state, field, made.name, message))
    return True


def parse_fields(state: ModuleState, made: Function, name: str) -> None:
    """Parse the fields at the end of the head of a function of a name, which are in a fixed order.

    Raises:
        AssemblyError: one of them is malformed.
    """
    lexer = state.lexer
    for word, field in _BACK["function"].items():
        if is_word(lexer, word):
            value = _PARSERS[field.kind](state, field, name, "expected string constant")
            # Before LLVM 3.6, that word is for data at the entry of the function.
            is_old = field.name == "prefix" and state.dialect.is_before(3, 6)
            setattr(made, "prologue_data" if is_old else field.attribute, value)


def _parse_text(state: ModuleState, _field: GlobalField, _name: str, message: str) -> str:
    state.lexer.advance()
    return parse_string(state.lexer, message)


def _parse_member(state: ModuleState, field: GlobalField, _name: str, message: str) -> object:
    lexer = state.lexer
    lexer.advance()
    text = decoded(lexer.content()) if lexer.kind == STRING else ""
    found = next((member for member in field.members or () if member.spelling == text), None)
    if found is None:
        lexer.refuse(message)
    lexer.advance()
    return found


def _parse_word(state: ModuleState, _field: GlobalField, _name: str, _message: str) -> bool:
    state.lexer.advance()
    return True


def _parse_constant(state: ModuleState, _field: GlobalField, _name: str, _message: str) -> object:
    state.lexer.advance()
    return parse_typed_constant(state)


_PARSERS: dict[K, Callable[[ModuleState, GlobalField, str, str], object]] = {
    K.BOOLEAN: _parse_word,
    K.TEXT: _parse_text,
    K.SECTION: _parse_text,
    K.COLLECTOR: _parse_text,
    K.MEMBER: _parse_member,
    K.ALIGNMENT: lambda state, _field, _name, _message: parse_optional_alignment(state.lexer),
    K.COMDAT: lambda state, _field, name, _message: parse_comdat_of(state, name),
    K.CONSTANT: _parse_constant,
}
"""Functions that parse a field whose word is the current token."""
_FRONT = [
    (field.spelling.encode(), field.attribute) for field in fields_in("variable") if field.place is TextPlace.FRONT
]
_BACK = {
    record: {field.spelling.encode(): field for field in fields_in(record) if field.place is TextPlace.BACK}
    for record in ("variable", "function", "alias", "ifunc")
}
