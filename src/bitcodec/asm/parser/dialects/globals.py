"""Globals of old text: linkages after `alias`, aliases without a separate type, orders of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.pointees import last_pointee
from bitcodec.asm.parser.phrases import is_word, parse_optional_row
from bitcodec.asm.parser.tokens import (
    COMDAT_NAME,
    COMMA,
    END,
    EXCLAIM,
    GLOBAL_ID,
    GLOBAL_NAME,
    LOCAL_ID,
    LOCAL_NAME,
    METADATA_NAME,
    WORD,
)
from bitcodec.ir.constant_expressions import ConstantGetElementPtr
from bitcodec.ir.element_access import element_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.asm.parser.dialects.dialect import TextDialect
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.types import Type
    from bitcodec.tables.linkage import Linkage, SelectionKind, UnnamedAddress

__all__ = [
    "is_old_import",
    "old_aliasee_type",
    "old_linkage",
    "old_selection_kind",
    "old_type_of_aliasee",
    "old_unnamed_address",
]

_SELECTION_KINDS = {b"noduplicates": b"nodeduplicate"}  # until LLVM 12


_ENDS = (COMMA, END, EXCLAIM, GLOBAL_NAME, GLOBAL_ID, LOCAL_NAME, LOCAL_ID, COMDAT_NAME, METADATA_NAME)
_ENTITY_WORDS = (b"attributes", b"declare", b"define", b"deplibs", b"module", b"uselistorder")


def is_old_import(state: ModuleState) -> bool:
    """Return whether a variable ends after its type, as declarations did whose linkage was `dllimport`: LLVM 3.4."""
    lexer = state.lexer
    is_end = lexer.kind in _ENDS or (lexer.kind == WORD and lexer.text() in _ENTITY_WORDS)
    return is_end and state.dialect.accepts(lexer, "expected value token")


def old_selection_kind(state: ModuleState, rows: Mapping[bytes, SelectionKind]) -> SelectionKind | None:
    """Return the kind of a comdat by its old word, None for another word."""
    lexer = state.lexer
    today = _SELECTION_KINDS.get(lexer.text()) if lexer.kind == WORD else None
    if today is None or not state.dialect.accepts(lexer, "unknown selection kind"):
        return None
    lexer.advance()
    return rows[today]


def old_unnamed_address(state: ModuleState, rows: Mapping[bytes, UnnamedAddress]) -> UnnamedAddress | None:
    """Return `unnamed_addr` after an address space, where LLVM 3 had it; None if it is not there."""
    lexer = state.lexer
    if not is_word(lexer, b"unnamed_addr") or not state.dialect.accepts(lexer, "expected 'global' or 'constant'"):
        return None
    return parse_optional_row(lexer, rows)


def old_linkage(lexer: Lexer, dialect: TextDialect, rows: Mapping[bytes, Linkage]) -> Linkage | None:
    """Return a linkage that an older LLVM had, or had after `alias`; None if it is not there."""
    if lexer.kind != WORD or lexer.text() not in rows or not dialect.accepts(lexer, "expected type"):
        return None
    return parse_optional_row(lexer, rows)


def old_aliasee_type(state: ModuleState, type: Type) -> Type | None:
    """Return the value type of an alias whose aliasee directly follows its type, as up to LLVM 3.7; None for others."""
    pointee = last_pointee(state, type) if state.lexer.kind != COMMA else None
    message = "expected comma after alias or ifunc's type"
    return pointee if pointee is not None and state.dialect.accepts(state.lexer, message) else None


def old_type_of_aliasee(state: ModuleState, aliasee: Constant) -> Type:
    """Return the value type of an alias of an expression without a type before it, up to LLVM 3.7."""
    if isinstance(aliasee, ConstantGetElementPtr):
        indices = list(aliasee.operands[2:])
        found = element_at(aliasee.source_element_type, indices) if indices else aliasee.source_element_type
        if found is not None:
            return found
    return state.pointee or state.types.integer(8)
