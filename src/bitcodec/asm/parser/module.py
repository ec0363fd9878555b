"""Whole modules: top-level entities in the order of the text.

Rules: docs/reference/text.md, 17.1; docs/reference/parsing.md, 1; messages match llvm-as 22.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.asm.parser.attributes import parse_attribute_group
from bitcodec.asm.parser.dialects.detection import detected
from bitcodec.asm.parser.dialects.dialect import OldForm, TextDialect, dialect_of
from bitcodec.asm.parser.dialects.old_modules import upgrade_layout, upgrade_old_module
from bitcodec.asm.parser.dialects.top_level import begins_unnamed_global, parse_libraries
from bitcodec.asm.parser.ending import complete_module
from bitcodec.asm.parser.functions import parse_declaration, parse_definition
from bitcodec.asm.parser.globals import parse_comdat, parse_named_global, parse_numbered_global, parse_unnamed_global
from bitcodec.asm.parser.lexer import Lexer
from bitcodec.asm.parser.metadata import parse_named_metadata, parse_numbered_node
from bitcodec.asm.parser.module_state import ModuleState
from bitcodec.asm.parser.outside import check_target, roll_back
from bitcodec.asm.parser.phrases import accept_word, decoded, expect, expect_word, is_word, parse_string
from bitcodec.asm.parser.summary import complete_summary, parse_summary_entry
from bitcodec.asm.parser.surroundings import Surroundings
from bitcodec.asm.parser.tokens import (
    COMDAT_NAME,
    END,
    EQUAL,
    EXCLAIM,
    GLOBAL_ID,
    GLOBAL_NAME,
    LOCAL_ID,
    LOCAL_NAME,
    METADATA_NAME,
    SUMMARY_ID,
    WORD,
)
from bitcodec.asm.parser.type_definitions import parse_type_definition
from bitcodec.asm.parser.upgrading import upgrade_access_tags, upgrade_module
from bitcodec.asm.parser.use_lists import parse_block_use_list_order, parse_use_list_order
from bitcodec.errors import AssemblyError
from bitcodec.host.collection import without_collection
from bitcodec.ir.construction.present import growth_of
from bitcodec.ir.construction.setting import set_metadata_kinds
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.layout_specification import LayoutError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.context import Context
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = ["NumberedModule", "parse_assembly", "parse_numbered", "parse_part"]


def parse_assembly(
    text: str | bytes,
    *,
    name: str = "",
    dialect: int | str | None = None,
    context: Context | None = None,
    data_layout: str | None = None,
) -> Module:
    r"""Parse LLVM assembly, as llvm-as 22 does; text of older LLVMs is upgraded as LLVM 22 upgrades their bitcode.

    >>> module = bitcodec.parse_assembly("define i32 @one() {\n  ret i32 1\n}")
    >>> [function.name for function in module.functions]
    ['one']

    Args:
        text: the text of a module; bytes in UTF-8, other bytes are kept.
        name: of the file, for errors and for `Module.identifier`. Default: none.
        dialect: the LLVM that wrote the text, such as `7` or `"3.4"`, for forms that do not show it; `22`
            refuses everything that llvm-as 22 refuses. Default: detected from the text.
        context: owns the types, constants and metadata of the module. Default: a new one.
        data_layout: the data layout of the module. Default: the layout in the text.

    Raises:
        AssemblyError: the text is malformed.
        ValueError: the dialect is unknown, or the data layout malformed.
    """
    layout = None if data_layout is None else DataLayout(data_layout)
    parse = None if layout is None else partial(_parse_whole, layout=layout)
    return _parse(text, name, dialect_of(dialect), context, parse=parse).module


class NumberedModule(NamedTuple):
    """A module, and the numbered entities of its text.

    Attributes:
        module: the module.
        nodes: metadata nodes by number.
        globals: globals without a name by number.
    """

    module: Module
    nodes: dict[int, MDNode]
    globals: dict[int, GlobalValue]


def parse_numbered(text: str | bytes, *, name: str = "") -> NumberedModule:
    """Parse LLVM assembly, as `parse_assembly` does; return the module with the numbers of its text.

    Raises:
        AssemblyError: the text is malformed.
    """
    state = _parse(text, name, dialect_of(None))
    return NumberedModule(state.module, state.metadata.nodes(), {**state.numbered})


def parse_part(
    text: str | bytes,
    module: Module,
    *,
    name: str = "",
    dialect: int | str | None = None,
    parse: Callable[[ModuleState], object] | None = None,
) -> ModuleState:
    """Parse text that becomes a part of a module; only parts that the text completes or uses change.

    Args:
        text: the text.
        module: the module, whose globals, comdats and types the text may use.
        name: of the file, for errors. Default: none.
        dialect: as for `parse_assembly`.
        parse: reads the text. Default: top-level entities.

    Returns:
        The state of the parser; its module, in the context of the other one, contains the definitions of the text.
        `roll_back` releases it.

    Raises:
        AssemblyError: the text is malformed.
        ValueError: the dialect is unknown.
    """
    return _parse(text, name, dialect_of(dialect), module.context, module, parse or _parse_whole)


def _parse(
    text: str | bytes,
    name: str,
    dialect: TextDialect,
    context: Context | None = None,
    outer: Module | None = None,
    parse: Callable[[ModuleState], object] | None = None,
) -> ModuleState:
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
    parse = parse or _parse_whole
    try:
        return _parsed(data, name, dialect, context, outer, parse)
    except OldForm as found:
        refusal = found.error
    try:
        return _parsed(data, name, detected(data), context, outer, parse)
    except AssemblyError as error:
        if refusal is not None and (error.line, error.column) <= (refusal.line, refusal.column):
            raise refusal from None
        raise


def _parsed(
    data: bytes,
    name: str,
    dialect: TextDialect,
    context: Context | None,
    outer: Module | None,
    parse: Callable[[ModuleState], object],
) -> ModuleState:
    lexer = Lexer(data, name)
    surroundings = None if outer is None else Surroundings(outer)
    state = ModuleState(lexer, name or "<string>", dialect, context, surroundings)
    with without_collection(growth_of(outer or state.module)):
        try:
            parse(state)
            _complete(state)
        except BaseException:
            roll_back(state)
            raise
    return state


def _complete(state: ModuleState) -> None:
    state.module.module_asm = "".join(state.assembly)
    implicit = complete_module(state)
    complete_summary(state)
    if state.dialect.is_old:
        upgrade_old_module(state)
    else:
        set_metadata_kinds(state.module, state.metadata.kinds)
        upgrade_access_tags(state.metadata, state.context)
        upgrade_module(state.module, state.surroundings, implicit)


def _parse_whole(state: ModuleState, layout: DataLayout | None = None) -> None:
    _parse_head(state, layout)
    _parse_entities(state)


def _parse_head(state: ModuleState, given: DataLayout | None) -> None:
    """Parse the head of a module: target, in which a layout may be given, and name of the source."""
    lexer, module = state.lexer, state.module
    while lexer.kind == WORD:
        word = lexer.text()
        if word == b"source_filename":
            lexer.advance()
            expect(lexer, EQUAL, "expected '=' after source_filename")
            module.source_filename = parse_string(lexer)
        elif word == b"target":
            lexer.advance()
            _parse_target(state, given)
        else:
            break
    if given is not None:
        module.data_layout = given
    if state.dialect.is_old:
        upgrade_layout(module)
    check_target(state)
    state.program_space = module.data_layout.program_address_space


def _parse_target(state: ModuleState, given: DataLayout | None = None) -> None:
    lexer = state.lexer
    state.note_place("target", decoded(lexer.text()), lexer.start)
    if accept_word(lexer, b"triple"):
        expect(lexer, EQUAL, "expected '=' after target triple")
        state.module.target_triple = parse_string(lexer)
        return
    if not accept_word(lexer, b"datalayout"):
        lexer.refuse("unknown target property")
    expect(lexer, EQUAL, "expected '=' after target datalayout")
    start = lexer.start
    layout = parse_string(lexer)
    if given is not None:
        return
    try:
        state.module.data_layout = DataLayout(layout)
    except LayoutError as error:
        raise lexer.error_at(error.reason, start) from None


def _parse_entities(state: ModuleState) -> None:
    lexer = state.lexer
    while lexer.kind != END:
        if lexer.kind == WORD:
            parse = _WORDS.get(lexer.text())
            if parse is not None and parse not in _READ_THEIR_WORD:
                lexer.advance()
        else:
            parse = _ENTITIES.get(lexer.kind)
        if parse is not None:
            parse(state)
        elif begins_unnamed_global(state):
            parse_unnamed_global(state)
        elif is_word(lexer, b"target") and state.dialect.accepts(lexer, "expected top-level entity"):
            lexer.advance()
            _parse_target(state)
            upgrade_layout(state.module)
        elif not parse_libraries(state):
            lexer.refuse("expected top-level entity")


def _parse_module_assembly(state: ModuleState) -> None:
    lexer = state.lexer
    expect_word(lexer, b"asm", "expected 'module asm'")
    text = parse_string(lexer)
    if text:
        state.assembly.append(text if text.endswith("\n") else f"{text}\n")


def _parse_named_type(state: ModuleState) -> None:
    lexer = state.lexer
    start, name = lexer.start, lexer.content()
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' after name")
    expect_word(lexer, b"type", "expected 'type' after name")
    parse_type_definition(state, name, start)


def _parse_numbered_type(state: ModuleState) -> None:
    lexer = state.lexer
    start, number = lexer.start, lexer.number()
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' after name")
    expect_word(lexer, b"type", "expected 'type' after '='")
    parse_type_definition(state, number, start)


_WORDS: dict[bytes, Callable[[ModuleState], None]] = {
    b"define": parse_definition,
    b"declare": parse_declaration,
    b"module": _parse_module_assembly,
    b"attributes": parse_attribute_group,
    b"uselistorder": parse_use_list_order,
    b"uselistorder_bb": parse_block_use_list_order,
}
_READ_THEIR_WORD = (parse_use_list_order, parse_block_use_list_order, parse_attribute_group)

_ENTITIES: dict[int, Callable[[ModuleState], None]] = {
    GLOBAL_NAME: parse_named_global,
    GLOBAL_ID: parse_numbered_global,
    LOCAL_NAME: _parse_named_type,
    LOCAL_ID: _parse_numbered_type,
    COMDAT_NAME: parse_comdat,
    METADATA_NAME: parse_named_metadata,
    EXCLAIM: parse_numbered_node,
    SUMMARY_ID: parse_summary_entry,
}
"""By the first token, parsers of entities."""
