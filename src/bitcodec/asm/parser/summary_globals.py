"""Entries of globals in summaries: functions, variables and aliases, in each module that defines them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.phrases import accept, accept_word, decoded, expect, expect_word, parse_uint32, parse_uint64
from bitcodec.asm.parser.summary_phrases import (
    close,
    expect_comma,
    open_list,
    parse_bit,
    parse_bits,
    parse_field,
    parse_global_reference,
    parse_list,
    parse_number_list,
    parse_reference,
    parse_row,
    skip_word,
)
from bitcodec.asm.parser.summary_types import parse_type_id_info
from bitcodec.asm.parser.tokens import (
    COLON,
    COMMA,
    HEX_INTEGER,
    INTEGER,
    LEFT_PARENTHESIS,
    LEFT_SQUARE,
    RIGHT_PARENTHESIS,
    RIGHT_SQUARE,
    WORD,
)
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.summary import (
    AliasSummary,
    Allocation,
    AllocationContext,
    Callsite,
    FunctionSummary,
    GlobalValueFlags,
    GlobalVarSummary,
    ParameterAccess,
    ParameterUse,
    SummaryCall,
    SummaryReference,
    VTableFunction,
)
from bitcodec.tables.linkage import Linkage, Visibility
from bitcodec.tables.summaries import (
    AllocationType,
    FunctionFlag,
    Hotness,
    ImportKind,
    SummaryFlag,
    VariableFlag,
    VCallVisibility,
)
from bitcodec.tables.summary_labels import Label

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.summary_state import SummaryState
    from bitcodec.ir.summary import GlobalValueSummary, SummarizedModule, ValueInfo

__all__ = ["parse_global_summary"]

_LINKAGES = {linkage.spelling: linkage for linkage in Linkage}
_VISIBILITIES = {visibility.spelling: visibility for visibility in Visibility}
_FLAGS = {flag.spelling: flag for flag in SummaryFlag}
_IMPORT_KINDS = {kind.spelling: kind for kind in ImportKind}
_FUNCTION_FLAGS = {flag.spelling: flag for flag in FunctionFlag}
_VARIABLE_FLAGS = {flag.spelling: flag for flag in VariableFlag}
_HOTNESS = {hotness.spelling: hotness for hotness in Hotness}
_ALLOCATION_TYPES = {type_.spelling: type_ for type_ in AllocationType}
_RANGE_WIDTH = 64


def parse_global_summary(state: SummaryState) -> GlobalValueSummary:
    """Parse the summary of a global in one module; `function`, `variable` or `alias` is the current token.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer, start = state.lexer, state.lexer.start
    parse = parse_row(lexer, _KINDS, "expected summary type")
    open_list(lexer)
    module = _parse_module(state)
    expect_comma(lexer)
    flags = _parse_flags(lexer)
    expect_comma(lexer)
    summary = parse(state, module, flags, start)
    close(lexer)
    return summary


def _parse_module(state: SummaryState) -> SummarizedModule:
    lexer = state.lexer
    parse_field(lexer, Label.MODULE)
    start = lexer.start
    number = parse_reference(lexer, "expected module ID")
    module = state.modules.get(number)
    if module is None:
        lexer.refuse(f"use of undefined summary '^{number}'", start)
    return module


def _parse_flags(lexer: Lexer) -> GlobalValueFlags:
    skip_word(lexer)
    open_list(lexer)
    linkage, visibility, import_kind = Linkage.EXTERNAL, Visibility.DEFAULT, ImportKind.DEFINITION
    found: set[SummaryFlag] = set()
    while True:
        word = decoded(lexer.text()) if lexer.kind == WORD else ""
        flag = _FLAGS.get(word)
        if flag is None and word not in (Label.LINKAGE, Label.VISIBILITY, Label.IMPORT_TYPE):
            lexer.refuse("expected gv flag type")
        lexer.advance()
        if flag is not None:
            (found.add if parse_bit(lexer) else found.discard)(flag)
        else:
            expect(lexer, COLON, "expected ':'")
            if word == Label.LINKAGE:
                linkage = _LINKAGES.get(decoded(lexer.text()), Linkage.EXTERNAL)
                skip_word(lexer)
            elif word == Label.VISIBILITY:
                found_visibility = _VISIBILITIES.get(decoded(lexer.text()))
                if found_visibility is not None:
                    visibility = found_visibility
                    lexer.advance()
            else:
                message = "unknown import kind. Expect definition or declaration."
                import_kind = parse_row(lexer, _IMPORT_KINDS, message)
        if not accept(lexer, COMMA):
            close(lexer)
            return GlobalValueFlags(linkage, visibility, frozenset(found), import_kind)


def _parse_value(state: SummaryState) -> ValueInfo:
    start = state.lexer.start
    return state.value(parse_global_reference(state.lexer), start)


# Kinds


def _parse_function(
    state: SummaryState, module: SummarizedModule, flags: GlobalValueFlags, _start: int
) -> FunctionSummary:
    lexer = state.lexer
    parse_field(lexer, Label.INSTS)
    summary = FunctionSummary(module=module, flags=flags, instruction_count=parse_uint32(lexer))
    while accept(lexer, COMMA):
        word = decoded(lexer.text())
        attribute, parse = parse_row(lexer, _FUNCTION_FIELDS, "expected optional function summary field")
        if word in _LISTS_WITH_NAMES:
            open_list(lexer, f"in {word}")
        elif word == Label.PARAMS:
            open_list(lexer)
        setattr(summary, attribute, parse(state))
    return summary


def _parse_variable(
    state: SummaryState, module: SummarizedModule, flags: GlobalValueFlags, _start: int
) -> GlobalVarSummary:
    lexer = state.lexer
    skip_word(lexer)
    open_list(lexer)
    found: set[VariableFlag] = set()
    visibility = VCallVisibility.PUBLIC
    while True:
        flag = _VARIABLE_FLAGS.get(decoded(lexer.text())) if lexer.kind == WORD else None
        if flag is None and not (lexer.kind == WORD and decoded(lexer.text()) == Label.VCALL_VISIBILITY):
            lexer.refuse("expected gvar flag type")
        lexer.advance()
        bit = parse_bit(lexer)
        if flag is None:
            # As in LLVM, which takes every number but 0 for 1.
            visibility = VCallVisibility.LINKAGE_UNIT if bit else VCallVisibility.PUBLIC
        else:
            (found.add if bit else found.discard)(flag)
        if not accept(lexer, COMMA):
            break
    close(lexer)
    summary = GlobalVarSummary(module=module, flags=flags, variable_flags=frozenset(found), vcall_visibility=visibility)
    while accept(lexer, COMMA):
        word = decoded(lexer.text())
        attribute, parse = parse_row(lexer, _VARIABLE_FIELDS, "expected optional variable summary field")
        open_list(lexer, f"in {word}")
        setattr(summary, attribute, parse(state))
    return summary


def _parse_alias(state: SummaryState, module: SummarizedModule, flags: GlobalValueFlags, start: int) -> AliasSummary:
    lexer = state.lexer
    parse_field(lexer, Label.ALIASEE)
    aliasee = None
    if not accept_word(lexer, b"null"):
        aliasee = state.value(parse_global_reference(lexer), start, is_aliasee=True)
    return AliasSummary(module=module, flags=flags, aliasee=aliasee)


_KINDS: dict[str, Callable[[SummaryState, SummarizedModule, GlobalValueFlags, int], GlobalValueSummary]] = {
    Label.FUNCTION: _parse_function,
    Label.VARIABLE: _parse_variable,
    Label.ALIAS: _parse_alias,
}


# Fields of functions


def _parse_function_flags(state: SummaryState) -> frozenset[FunctionFlag]:
    return parse_bits(state.lexer, _FUNCTION_FLAGS, "expected function flag type", "in funcFlags")


def _parse_references(state: SummaryState) -> tuple[SummaryReference, ...]:
    found = parse_list(state.lexer, lambda: _parse_value_reference(state), "in refs")
    return tuple(sorted(found, key=lambda reference: (reference.is_write_only, reference.is_read_only)))


def _parse_value_reference(state: SummaryState) -> SummaryReference:
    is_read_only = accept_word(state.lexer, Label.READ_ONLY.encode())
    is_write_only = not is_read_only and accept_word(state.lexer, Label.WRITE_ONLY.encode())
    return SummaryReference(_parse_value(state), is_read_only, is_write_only)


def _parse_calls(state: SummaryState) -> tuple[SummaryCall, ...]:
    return parse_list(state.lexer, lambda: _parse_call(state), "in calls")


def _parse_call(state: SummaryState) -> SummaryCall:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in call")
    parse_field(lexer, Label.CALLEE, "in call", colon="")
    callee = _parse_value(state)
    hotness, frequency, is_tail_call = Hotness.UNKNOWN, 0, False
    while accept(lexer, COMMA):
        word = decoded(lexer.text())
        if word not in (Label.HOTNESS, Label.RELBF, Label.TAIL):
            lexer.refuse("expected hotness, relbf, or tail")
        lexer.advance()
        if word == Label.TAIL:
            is_tail_call = parse_bit(lexer)
            continue
        expect(lexer, COLON, "expected ':'")
        if word == Label.HOTNESS:
            hotness = parse_row(lexer, _HOTNESS, "invalid call edge hotness")
        else:
            frequency = parse_uint32(lexer)
    if hotness is not Hotness.UNKNOWN and frequency:
        lexer.refuse("Expected only one of hotness or relbf")
    close(lexer, "in call")
    return SummaryCall(callee, hotness, frequency, is_tail_call)


def _parse_allocations(state: SummaryState) -> tuple[Allocation, ...]:
    return parse_list(state.lexer, lambda: _parse_allocation(state.lexer), "in allocs")


def _parse_allocation(lexer: Lexer) -> Allocation:
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in alloc")
    parse_field(lexer, Label.VERSIONS, "in alloc", colon="")
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in versions")
    versions = parse_list(lexer, lambda: _parse_allocation_type(lexer), "in versions")
    expect_comma(lexer, "in alloc")
    skip_word(lexer)
    open_list(lexer, "in memprof")
    contexts = parse_list(lexer, lambda: _parse_context(lexer), "in memprof")
    close(lexer, "in alloc")
    return Allocation(versions, contexts)


def _parse_allocation_type(lexer: Lexer) -> AllocationType:
    return parse_row(lexer, _ALLOCATION_TYPES, "invalid alloc type")


def _parse_context(lexer: Lexer) -> AllocationContext:
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in memprof")
    parse_field(lexer, Label.TYPE, "in memprof", colon="")
    type_ = _parse_allocation_type(lexer)
    expect_comma(lexer, "in memprof")
    stack_ids = _parse_stack_ids(lexer, "in memprof")
    close(lexer, "in memprof")
    return AllocationContext(type_, stack_ids)


def _parse_stack_ids(lexer: Lexer, place: str) -> tuple[int, ...]:
    parse_field(lexer, Label.STACK_IDS, place, colon="")
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in stackIds")
    if accept(lexer, RIGHT_PARENTHESIS):
        return ()
    return parse_number_list(lexer, parse_uint64, "in stackIds")


def _parse_callsites(state: SummaryState) -> tuple[Callsite, ...]:
    return parse_list(state.lexer, lambda: _parse_callsite(state), "in callsites")


def _parse_callsite(state: SummaryState) -> Callsite:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in callsite")
    parse_field(lexer, Label.CALLEE, "in callsite", colon="")
    callee = None if accept_word(lexer, b"null") else _parse_value(state)
    expect_comma(lexer, "in callsite")
    parse_field(lexer, Label.CLONES, "in callsite", colon="")
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in clones")
    clones = parse_number_list(lexer, parse_uint32, "in clones")
    expect_comma(lexer, "in callsite")
    stack_ids = _parse_stack_ids(lexer, "in callsite")
    close(lexer, "in callsite")
    return Callsite(callee, clones, stack_ids)


def _parse_parameters(state: SummaryState) -> tuple[ParameterAccess, ...]:
    return parse_list(state.lexer, lambda: _parse_parameter(state))


def _parse_parameter(state: SummaryState) -> ParameterAccess:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    number, offsets = _parse_parameter_offsets(lexer)
    calls: tuple[ParameterUse, ...] = ()
    if accept(lexer, COMMA):
        expect_word(lexer, Label.CALLS.encode(), "expected 'calls' here")
        open_list(lexer)
        calls = parse_list(lexer, lambda: _parse_parameter_use(state))
    close(lexer)
    return ParameterAccess(number, offsets, calls)


def _parse_parameter_use(state: SummaryState) -> ParameterUse:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    parse_field(lexer, Label.CALLEE)
    callee = _parse_value(state)
    expect_comma(lexer)
    number, offsets = _parse_parameter_offsets(lexer)
    close(lexer)
    return ParameterUse(callee, number, offsets)


def _parse_parameter_offsets(lexer: Lexer) -> tuple[int, ConstantRange]:
    """Return the number of a parameter, and the offsets after it."""
    parse_field(lexer, Label.PARAM)
    number = parse_uint64(lexer)
    expect_comma(lexer)
    parse_field(lexer, Label.OFFSET)
    expect(lexer, LEFT_SQUARE, "expected '[' here")
    lower = _parse_offset(lexer)
    expect_comma(lexer)
    upper = _parse_offset(lexer)
    expect(lexer, RIGHT_SQUARE, "expected ']' here")
    offsets = ConstantRange.of(_RANGE_WIDTH, lower, upper + 1)
    if offsets.lower == offsets.upper and not offsets.is_full:
        offsets = ConstantRange(_RANGE_WIDTH, 0, 0)
    return number, offsets


def _parse_offset(lexer: Lexer) -> int:
    if lexer.kind not in (INTEGER, HEX_INTEGER):
        lexer.refuse("expected integer")
    number = lexer.number()
    lexer.advance()
    return number


def _parse_vtable_functions(state: SummaryState) -> tuple[VTableFunction, ...]:
    return parse_list(state.lexer, lambda: _parse_vtable_function(state), "in vTableFuncs")


def _parse_vtable_function(state: SummaryState) -> VTableFunction:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in vTableFunc")
    expect_word(lexer, Label.VIRT_FUNC.encode(), "expected 'callee' in vTableFunc")
    expect(lexer, COLON, "expected ':'")
    function = _parse_value(state)
    expect(lexer, COMMA, "expected comma")
    expect_word(lexer, Label.OFFSET.encode(), "expected offset")
    expect(lexer, COLON, "expected ':'")
    offset = parse_uint64(lexer)
    close(lexer, "in vTableFunc")
    return VTableFunction(function, offset)


_FUNCTION_FIELDS: dict[str, tuple[str, Callable[[SummaryState], Any]]] = {
    Label.FUNC_FLAGS: ("function_flags", _parse_function_flags),
    Label.CALLS: ("calls", _parse_calls),
    Label.TYPE_ID_INFO: ("type_ids", parse_type_id_info),
    Label.REFS: ("references", _parse_references),
    Label.PARAMS: ("parameter_accesses", _parse_parameters),
    Label.ALLOCS: ("allocations", _parse_allocations),
    Label.CALLSITES: ("callsites", _parse_callsites),
}
"""By label: the attribute of the summary, and its parser."""
_LISTS_WITH_NAMES = (
    Label.FUNC_FLAGS,
    Label.CALLS,
    Label.REFS,
    Label.ALLOCS,
    Label.CALLSITES,
)
"""Lists whose names appear in messages about their parentheses."""
_VARIABLE_FIELDS: dict[str, tuple[str, Callable[[SummaryState], Any]]] = {
    Label.VTABLE_FUNCS: ("vtable_functions", _parse_vtable_functions),
    Label.REFS: ("references", _parse_references),
}
