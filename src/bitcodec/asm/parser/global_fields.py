"""Parses the fields of globals, by the table of these.

Rules: docs/reference/text.md, 6, 7, 17.5 and 17.6; messages are those of llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.attribute_values import parse_optional_alignment
from bitcodec.asm.parser.constants import parse_typed_constant
from bitcodec.asm.parser.linkage import parse_comdat_of
from bitcodec.asm.parser.phrases import accept_word, decoded, is_word, parse_string
from bitcodec.asm.parser.tokens import STRING, WORD
from bitcodec.tables.global_rows import GlobalFieldKind, TextPlace
from bitcodec.tables.globals import fields_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.tables.global_rows import GlobalField

__all__ = ["parse_field", "parse_fields", "parse_front"]

_NAMES = {"section": "global section", "code_model": "global code model"}
"""How messages name a field of variables, aliases and ifuncs, if not by its word."""


def parse_front(lexer: Lexer) -> list[str]:
    """Return the attributes of a variable that are stated in front of `global` or `constant`."""
    return [attribute for word, attribute in _FRONT if accept_word(lexer, word)]


def parse_field(state: ModuleState, record: str, made: GlobalValue) -> bool:
    """Parse a field of a variable, alias or ifunc; return whether the current token begins one.

    Args:
        state: the parser.
        record: what the table calls the record of the global.
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


_PARSERS: dict[GlobalFieldKind, Callable[[ModuleState, GlobalField, str, str], object]] = {
    GlobalFieldKind.BOOLEAN: _parse_word,
    GlobalFieldKind.TEXT: _parse_text,
    GlobalFieldKind.SECTION: _parse_text,
    GlobalFieldKind.COLLECTOR: _parse_text,
    GlobalFieldKind.MEMBER: _parse_member,
    GlobalFieldKind.ALIGNMENT: lambda state, _field, _name, _message: parse_optional_alignment(state.lexer),
    GlobalFieldKind.COMDAT: lambda state, _field, name, _message: parse_comdat_of(state, name),
    GlobalFieldKind.CONSTANT: _parse_constant,
}
"""Functions that parse a field whose word is the current token."""
_FRONT = [
    (field.spelling.encode(), field.attribute) for field in fields_in("variable") if field.place is TextPlace.FRONT
]
_BACK = {
    record: {field.spelling.encode(): field for field in fields_in(record) if field.place is TextPlace.BACK}
    for record in ("variable", "function", "alias", "ifunc")
}
