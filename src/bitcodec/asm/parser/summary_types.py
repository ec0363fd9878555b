"""Types in summaries: entries of types and of their tables of virtual functions, and type tests of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import accept, decoded, expect, parse_string, parse_uint32, parse_uint64
from bitcodec.asm.parser.summary_phrases import (
    close,
    expect_comma,
    open_field,
    open_list,
    parse_field,
    parse_global_reference,
    parse_list,
    parse_number_list,
    parse_reference,
    parse_row,
    skip_word,
)
from bitcodec.asm.parser.tokens import COLON, COMMA, LEFT_PARENTHESIS, SUMMARY_ID
from bitcodec.ir.guid import guid_of
from bitcodec.ir.summary import (
    ByArgument,
    CompatibleVTable,
    ConstVCall,
    Devirtualization,
    TypeIdInfo,
    TypeIdSummary,
    TypeTest,
    VFuncId,
)
from bitcodec.tables.summaries import (
    CONST_VCALL_LISTS,
    TYPE_TEST_FIELDS,
    VCALL_LISTS,
    ByArgumentKind,
    DevirtualizationKind,
    TypeTestKind,
)
from bitcodec.tables.summary_labels import Label

if TYPE_CHECKING:
    from typing import Any

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.summary_state import SummaryState

__all__ = ["parse_compatible_vtables", "parse_type_id", "parse_type_id_info"]

_TYPE_TEST_KINDS = {kind.spelling: kind for kind in TypeTestKind}
_DEVIRTUALIZATION_KINDS = {kind.spelling: kind for kind in DevirtualizationKind}
_BY_ARGUMENT_KINDS = {kind.spelling: kind for kind in ByArgumentKind}
_TYPE_TEST_FIELDS = {name: attribute for attribute, name in TYPE_TEST_FIELDS}
_VCALLS = {name: attribute for attribute, name in VCALL_LISTS}
_CONST_VCALLS = {name: attribute for attribute, name in CONST_VCALL_LISTS}
_BYTE = 0xFF


# Entries


def parse_type_id(state: SummaryState, number: int) -> None:
    """Parse the resolution of a type, after `typeid`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    name = _parse_name(lexer)
    open_field(lexer, Label.SUMMARY)
    test = _parse_type_test(lexer)
    found: dict[int, Devirtualization] = {}
    if accept(lexer, COMMA):
        open_field(lexer, Label.WPD_RESOLUTIONS)
        found = dict(parse_list(lexer, lambda: _parse_devirtualization(lexer)))
    close(lexer)
    close(lexer)
    guid = guid_of(name)
    old = state.index.type_ids.get(name)
    if old is None:
        state.index.type_ids[name] = TypeIdSummary(name, guid, test, found)
    else:
        old.test = test
        old.devirtualizations |= found
    state.define_type(number, guid)


def parse_compatible_vtables(state: SummaryState, number: int) -> None:
    """Read the tables of virtual functions of a type, after `typeidCompatibleVTable`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    name = _parse_name(lexer)
    open_field(lexer, Label.SUMMARY)
    tables = state.index.compatible_vtables.setdefault(name, [])
    tables += parse_list(lexer, lambda: _parse_compatible_vtable(state))
    close(lexer)
    state.define_type(number, guid_of(name))


def _parse_name(lexer: Lexer) -> str:
    open_list(lexer)
    parse_field(lexer, Label.NAME)
    name = parse_string(lexer)
    expect_comma(lexer)
    return name


def _parse_compatible_vtable(state: SummaryState) -> CompatibleVTable:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    parse_field(lexer, Label.OFFSET)
    offset = parse_uint64(lexer)
    expect_comma(lexer)
    start = lexer.start
    table = state.value(parse_global_reference(lexer), start)
    close(lexer, "in call")
    return CompatibleVTable(offset, table)


def _parse_type_test(lexer: Lexer) -> TypeTest:
    open_field(lexer, Label.TYPE_TEST_RES)
    parse_field(lexer, Label.KIND)
    kind = parse_row(lexer, _TYPE_TEST_KINDS, "unexpected TypeTestResolution kind")
    expect_comma(lexer)
    parse_field(lexer, Label.SIZEM1_BIT_WIDTH)
    width = parse_uint32(lexer)
    numbers = dict.fromkeys(_TYPE_TEST_FIELDS.values(), 0)
    while accept(lexer, COMMA):
        attribute = parse_row(lexer, _TYPE_TEST_FIELDS, "expected optional TypeTestResolution field")
        expect(lexer, COLON, "expected ':'")
        is_mask = attribute == "bit_mask"
        numbers[attribute] = parse_uint32(lexer) & _BYTE if is_mask else parse_uint64(lexer)
    close(lexer)
    return TypeTest(kind, width, **numbers)


def _parse_devirtualization(lexer: Lexer) -> tuple[int, Devirtualization]:
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    parse_field(lexer, Label.OFFSET)
    offset = parse_uint64(lexer)
    expect_comma(lexer)
    open_field(lexer, Label.WPD_RES)
    parse_field(lexer, Label.KIND)
    kind = parse_row(lexer, _DEVIRTUALIZATION_KINDS, "unexpected WholeProgramDevirtResolution kind")
    result = Devirtualization(kind)
    while accept(lexer, COMMA):
        field = decoded(lexer.text())
        if field == Label.SINGLE_IMPL_NAME:
            parse_field(lexer, field)
            result.single_implementation = parse_string(lexer)
        elif field == Label.RES_BY_ARG:
            open_field(lexer, field)
            result.by_arguments |= dict(parse_list(lexer, lambda: _parse_by_argument(lexer)))
        else:
            lexer.refuse("expected optional WholeProgramDevirtResolution field")
    close(lexer)
    close(lexer)
    return offset, result


def _parse_by_argument(lexer: Lexer) -> tuple[tuple[int, ...], ByArgument]:
    arguments = _parse_arguments(lexer)
    expect_comma(lexer)
    if decoded(lexer.text()) != Label.BY_ARG:
        lexer.refuse("expected 'byArg here")
    open_field(lexer, Label.BY_ARG)
    parse_field(lexer, Label.KIND)
    kind = parse_row(lexer, _BY_ARGUMENT_KINDS, "unexpected WholeProgramDevirtResolution::ByArg kind")
    numbers = {"info": 0, "byte": 0, "bit": 0}
    while accept(lexer, COMMA):
        field = decoded(lexer.text())
        if field not in _BY_ARGUMENT_FIELDS:
            lexer.refuse("expected optional whole program devirt field")
        parse_field(lexer, field)
        numbers[field] = parse_uint64(lexer) if field == Label.INFO else parse_uint32(lexer)
    close(lexer)
    return arguments, ByArgument(kind, **numbers)


_BY_ARGUMENT_FIELDS = (Label.INFO, Label.BYTE, Label.BIT)


def _parse_arguments(lexer: Lexer) -> tuple[int, ...]:
    open_field(lexer, Label.ARGS)
    return parse_number_list(lexer, parse_uint64)


# Type tests and checked loads of functions


def parse_type_id_info(state: SummaryState) -> TypeIdInfo:
    """Parse the type tests and checked loads of a function, after `typeIdInfo`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer, place = state.lexer, "in typeIdInfo"
    expect(lexer, COLON, "expected ':' here")
    expect(lexer, LEFT_PARENTHESIS, f"expected '(' {place}")
    found: dict[str, tuple[Any, ...]] = {}
    while True:
        word = decoded(lexer.text())
        attribute = _TYPE_TESTS.get(word) or _VCALLS.get(word) or _CONST_VCALLS.get(word)
        if attribute is None:
            lexer.refuse("invalid typeIdInfo list type")
        lexer.advance()
        expect(lexer, COLON, "expected ':' here")
        expect(lexer, LEFT_PARENTHESIS, f"expected '(' {place if word in _TYPE_TESTS else 'here'}")
        items: tuple[Any, ...]
        if word in _TYPE_TESTS:
            items = parse_list(lexer, lambda: _parse_type_guid(state), place)
        elif word in _VCALLS:
            items = parse_list(lexer, lambda: _parse_virtual_function(state))
        else:
            items = parse_list(lexer, lambda: _parse_const_vcall(state))
        found[attribute] = found.get(attribute, ()) + items
        if not accept(lexer, COMMA):
            close(lexer, place)
            return TypeIdInfo(**found)


_TYPE_TESTS = {Label.TYPE_TESTS: "type_tests"}


def _parse_type_guid(state: SummaryState) -> int:
    lexer = state.lexer
    if lexer.kind != SUMMARY_ID:
        return parse_uint64(lexer)
    start = lexer.start
    return state.type_guid(parse_reference(lexer, ""), start)


def _parse_virtual_function(state: SummaryState) -> VFuncId:
    lexer = state.lexer
    skip_word(lexer)
    open_list(lexer)
    if lexer.kind != SUMMARY_ID:
        parse_field(lexer, Label.GUID)
    guid = _parse_type_guid(state)
    expect_comma(lexer)
    parse_field(lexer, Label.OFFSET)
    offset = parse_uint64(lexer)
    close(lexer)
    return VFuncId(guid, offset)


def _parse_const_vcall(state: SummaryState) -> ConstVCall:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    function = _parse_virtual_function(state)
    arguments = _parse_arguments(lexer) if accept(lexer, COMMA) else ()
    close(lexer)
    return ConstVCall(function, arguments)
