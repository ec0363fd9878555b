"""Summary entries: `^N = ...`.

Rules: docs/reference/text.md, 15; docs/reference/parsing.md, 8; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import accept, decoded, expect, parse_string, parse_uint32, parse_uint64
from bitcodec.asm.parser.summary_globals import parse_global_summary
from bitcodec.asm.parser.summary_phrases import (
    close,
    expect_comma,
    open_field,
    open_list,
    parse_field,
    parse_list,
    parse_row,
)
from bitcodec.asm.parser.summary_state import SummaryState
from bitcodec.asm.parser.summary_types import parse_compatible_vtables, parse_type_id
from bitcodec.asm.parser.tokens import COLON, COMMA, EQUAL
from bitcodec.ir.construction.setting import set_summary
from bitcodec.ir.guid import global_identifier, guid_of
from bitcodec.ir.summary import SummarizedModule
from bitcodec.tables.summaries import REGULAR_LTO, IndexFlags
from bitcodec.tables.summary_labels import Label

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.summary import ValueInfo

__all__ = ["complete_summary", "parse_summary_entry"]

_HASH_SIZE = 5
_INTRINSIC = b"llvm."
_FLAGS = sum(IndexFlags)


def parse_summary_entry(state: ModuleState) -> None:
    """Read an entry, whose number is the current token.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    if state.summary is None:
        state.summary = SummaryState(lexer, state.module)
    number = lexer.number()
    # Names of fields are words here, not labels.
    lexer.fields = True
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' here")
    parse_row(lexer, _ENTRIES, "unexpected summary kind")(state, state.summary, number)
    lexer.fields = False


def complete_summary(state: ModuleState) -> None:
    """Check that all used entries are defined, and give the module its summary.

    Raises:
        AssemblyError: an entry is not defined.
    """
    summary = state.summary
    if summary is not None:
        summary.complete()
        set_summary(state.module, summary.index)


def _parse_module(_state: ModuleState, summary: SummaryState, number: int) -> None:
    lexer = summary.lexer
    open_list(lexer)
    parse_field(lexer, Label.PATH)
    path = parse_string(lexer)
    expect_comma(lexer)
    open_field(lexer, Label.HASH)
    hash_ = [parse_uint32(lexer)]
    while len(hash_) < _HASH_SIZE:
        expect_comma(lexer)
        hash_.append(parse_uint32(lexer))
    close(lexer)
    close(lexer)
    path = "" if path == REGULAR_LTO else path
    module = summary.index.modules.setdefault(path, SummarizedModule(path, tuple(hash_)))
    summary.modules[number] = module


def _parse_global(state: ModuleState, summary: SummaryState, number: int) -> None:
    lexer = summary.lexer
    open_list(lexer)
    start = lexer.start
    name, guid = "", 0
    if decoded(lexer.text()) == Label.NAME:
        parse_field(lexer, Label.NAME)
        name = parse_string(lexer)
    elif decoded(lexer.text()) == Label.GUID:
        parse_field(lexer, Label.GUID)
        guid = parse_uint64(lexer)
    else:
        lexer.refuse("expected name or guid tag")
    if not accept(lexer, COMMA):
        close(lexer)
        _define(state, summary, number, (name, guid, start))
        return

    def parse_one() -> None:
        start = lexer.start
        found = parse_global_summary(summary)
        value, found.original_guid = _define(state, summary, number, (name, guid, start))
        value.summaries.append(found)

    open_field(lexer, Label.SUMMARIES)
    parse_list(lexer, parse_one)
    close(lexer)


def _define(
    state: ModuleState, summary: SummaryState, number: int, place: tuple[str, int, int]
) -> tuple[ValueInfo, int]:
    """Assign a number to the global of a name or GUID; return the global, and the GUID of its name alone."""
    name, guid, start = place
    if guid:
        return summary.define(number, guid, ""), 0
    key = name.encode("utf-8", "surrogateescape")
    found = state.globals.get(key)
    # Printed summaries still have the names of intrinsics that an upgrade has replaced.
    if found is None and (state.dialect.is_strict or not key.startswith(_INTRINSIC)):
        summary.lexer.refuse(f'Reference to undefined global "{name}"', start)
    is_local = found is not None and found.linkage.is_local
    source = state.module.source_filename or state.module.identifier
    guid = guid_of(global_identifier(name, source, is_local=is_local))
    return summary.define(number, guid, name), guid_of(name) if is_local else guid


def _parse_flags(_state: ModuleState, summary: SummaryState, _number: int) -> None:
    expect(summary.lexer, COLON, "expected ':' here")
    summary.index.flags = IndexFlags(parse_uint64(summary.lexer) & _FLAGS)


def _parse_block_count(_state: ModuleState, summary: SummaryState, _number: int) -> None:
    expect(summary.lexer, COLON, "expected ':' here")
    summary.index.block_count = parse_uint64(summary.lexer)


def _parse_type_id(_state: ModuleState, summary: SummaryState, number: int) -> None:
    parse_type_id(summary, number)


def _parse_compatible_vtables(_state: ModuleState, summary: SummaryState, number: int) -> None:
    parse_compatible_vtables(summary, number)


_ENTRIES: dict[str, Callable[[ModuleState, SummaryState, int], None]] = {
    Label.MODULE: _parse_module,
    Label.GV: _parse_global,
    Label.TYPE_ID: _parse_type_id,
    Label.TYPE_ID_COMPATIBLE_VTABLE: _parse_compatible_vtables,
    Label.FLAGS: _parse_flags,
    Label.BLOCK_COUNT: _parse_block_count,
}
