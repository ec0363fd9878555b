# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Debug records: `#dbg_value(...)` and the other kinds.

Rules: docs/reference/text.md, 10 and 17.7; docs/reference/parsing.md, 6; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.metadata import parse_metadata, parse_node
from bitcodec.asm.parser.phrases import expect
from bitcodec.asm.parser.tokens import COMMA, LEFT_PARENTHESIS, RIGHT_PARENTHESIS, WORD
from bitcodec.ir.debug_records import LABEL_RECORD, DbgLabelRecord, DbgVariableKind, DbgVariableRecord

if TYPE_CHECKING:
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.metadata_state import Reference
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.debug_records import DebugRecord

__all__ = ["check_debug_intrinsic", "parse_debug_record"]

_VARIABLE_KINDS = {kind.spelling.encode(): kind for kind in DbgVariableKind}
_LABEL = LABEL_RECORD.encode()
_INTRINSICS = frozenset(b"llvm.dbg." + name for name in (b"assign", b"declare", b"value"))

_MADE_LATER: Any = None
"""Stands for a node of a record until all nodes are made."""


def check_debug_intrinsic(state: ModuleState, name: bytes, position: int) -> None:
    """Check that a call at a position is not of a debug intrinsic after debug records, by the name of the function.

    Raises:
        AssemblyError: it is such a call.
    """
    if name in _INTRINSICS:
        if state.metadata.has_debug_records:
            state.lexer.refuse(
                "llvm.dbg intrinsic should not appear in a module using non-intrinsic debug info", position
            )
        state.metadata.has_debug_intrinsics = True


def parse_debug_record(state: ModuleState) -> DebugRecord:
    """Return a debug record, whose `#` is the current token; its nodes are set by `complete_metadata`.

    Raises:
        AssemblyError: it is malformed, or follows a call of a debug intrinsic.
    """
    lexer, metadata = state.lexer, state.metadata
    if metadata.has_debug_intrinsics:
        lexer.refuse("debug record should not appear in a module containing debug info intrinsics")
    metadata.has_debug_records = True
    lexer.advance()
    word = lexer.text() if lexer.kind == WORD else b""
    kind = _VARIABLE_KINDS.get(word)
    if kind is None and word != _LABEL:
        lexer.refuse("expected debug record type here")
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "Expected '(' here")
    record: DebugRecord
    if kind is None:
        parts = [parse_node(state)]
        record = DbgLabelRecord(_MADE_LATER, _MADE_LATER)
    else:
        parts = _parse_variable_parts(state, kind)
        record = DbgVariableRecord(kind, _MADE_LATER, _MADE_LATER, _MADE_LATER, _MADE_LATER)
    _expect_comma(lexer)
    location = parse_node(state)
    expect(lexer, RIGHT_PARENTHESIS, "Expected ')' here")
    metadata.records.append((record, location, parts))
    return record


def _parse_variable_parts(state: ModuleState, kind: DbgVariableKind) -> list[Reference]:
    """Return everything before the location."""
    lexer = state.lexer
    parts: list[Reference] = [parse_metadata(state, allow_locals=True)]
    _expect_comma(lexer)
    parts.append(parse_node(state))
    _expect_comma(lexer)
    parts.append(parse_node(state))
    if kind is DbgVariableKind.ASSIGN:
        _expect_comma(lexer)
        parts.append(parse_node(state))
        _expect_comma(lexer)
        parts.append(parse_metadata(state, allow_locals=True))
        _expect_comma(lexer)
        parts.append(parse_node(state))
    return parts


def _expect_comma(lexer: Lexer) -> None:
    expect(lexer, COMMA, "Expected ',' here")
