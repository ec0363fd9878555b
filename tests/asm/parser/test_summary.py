"""Summary entries: read as they are printed, and refused as llvm-as 22 refuses them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.ir.summary import AliasSummary, FunctionSummary, GlobalVarSummary, ModuleSummaryIndex, SummaryReference
from bitcodec.tables.summaries import FunctionFlag, Hotness, SummaryFlag, VCallVisibility

MALFORMED: list[tuple[str, str]] = json.loads((Path(__file__).parent / "summary_errors.json").read_text())
"""Texts, and what llvm-as 22 says of each: line, column and message, nothing if it accepts it."""

_ALL = "visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition"
PRINTED = f"""\
source_filename = "x.c"

@v = global i32 0

define internal void @w() {{
  ret void
}}

^0 = module: (path: "a.bc", hash: (1, 2, 3, 4, 5))
^1 = gv: (guid: 5, summaries: (function: (module: ^0, flags: (linkage: external, {_ALL}), insts: 1, \
funcFlags: (readNone: 0, readOnly: 1, noRecurse: 0, returnDoesNotAlias: 0, noInline: 0, alwaysInline: 0, noUnwind: 1, \
mayThrow: 0, hasUnknownCall: 0, mustBeUnreachable: 0), \
calls: ((callee: ^1, relbf: 256, tail: 1), (callee: ^3, hotness: none)), \
typeIdInfo: (typeTests: (^9, 6), typeTestAssumeVCalls: (vFuncId: (^9, offset: 8), vFuncId: (guid: 8, offset: 16)), \
typeCheckedLoadConstVCalls: ((vFuncId: (guid: 7, offset: 16), args: (4, 2)))), \
allocs: ((versions: (none, hot), memProf: ((type: cold, stackIds: (4, 5)), (type: notcold, stackIds: ())))), \
callsites: ((callee: null, clones: (0, 1), stackIds: ()), (callee: ^2, clones: (0), stackIds: (4, 5))), \
params: ((param: 0, offset: [0, -1]), (param: 3, offset: [0, 8], calls: ((callee: ^2, param: 3, offset: [5, 5])))), \
refs: (^2, ^3, readonly ^3, writeonly ^2))))
^2 = gv: (guid: 6, summaries: (variable: (module: ^0, flags: (linkage: weak, {_ALL}), \
varFlags: (readonly: 1, writeonly: 0, constant: 0, vcall_visibility: 1), \
vTableFuncs: ((virtFunc: ^1, offset: 8)))))
^3 = gv: (guid: 9, summaries: (alias: (module: ^0, flags: (linkage: internal, {_ALL}), aliasee: ^2)))
^4 = gv: (guid: 77)
^5 = gv: (name: "llvm.memcpy.p0i8.p0i8.i64") ; guid = 614884070845456474
^6 = gv: (name: "w") ; guid = 6211557976691881967
^7 = gv: (name: "v") ; guid = 15373995671890245278
^9 = typeid: (name: "t", summary: (typeTestRes: (kind: byteArray, sizeM1BitWidth: 7, alignLog2: 3, sizeM1: 4, \
bitMask: 44, inlineBits: 9), wpdResolutions: ((offset: 8, wpdRes: (kind: singleImpl, singleImplName: "xx", \
resByArg: (args: (5), byArg: (kind: uniqueRetVal, info: 0), \
args: (5, 6), byArg: (kind: uniformRetVal, info: 3, byte: 2, bit: 1))))))) ; guid = 7097942984262375651
^8 = typeidCompatibleVTable: (name: "t", summary: ((offset: 16, ^2), (offset: 8, ^4))) ; guid = 7097942984262375651
^10 = flags: 520
^11 = blockcount: 7
"""


def parsed(text: str) -> ModuleSummaryIndex:
    summary = bitcodec.parse_assembly(text).summary
    assert summary is not None
    return summary


def test_a_printed_summary_is_read() -> None:
    assert str(bitcodec.parse_assembly(PRINTED)).partition("\n")[2] == PRINTED


def test_numbers_of_type_tests() -> None:
    """The mask is a byte; LLVM 22 keeps the last bits of a number, and 64 bits of the other fields."""
    text = """^0 = module: (path: "a.bc", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 5, summaries: (function: (module: ^0, flags: (linkage: external, visibility: default, \
notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), insts: 1, \
typeIdInfo: (typeTests: (^2)))))
^2 = typeid: (name: "t", summary: (typeTestRes: (kind: byteArray, sizeM1BitWidth: 7, alignLog2: 70000000001, \
sizeM1: 70000000002, bitMask: 300, inlineBits: 70000000003)))
"""
    data = ask(["llvm-as-22", "-", "-o", "-"], input=text, check=True).stdout
    printed = ask(["llvm-dis-22", "-", "-o", "-"], input=data, text=True, check=True).stdout

    assert str(bitcodec.parse_assembly(text)).partition("^2 = ")[2] == printed.partition("^2 = ")[2]
    assert "bitMask: 44, inlineBits: 70000000003" in printed


def test_summaries_with_the_same_content_are_two() -> None:
    index = parsed(PRINTED)

    assert all(len({each, replace(each)}) == 2 for guid in (5, 6, 9) for each in index.values[guid].summaries)


def test_a_reference_may_read_and_write() -> None:
    (function,) = parsed(PRINTED).values[5].summaries
    plain, _, read_only, write_only = function.references

    assert plain == SummaryReference(plain.value)
    assert read_only == SummaryReference(read_only.value, is_read_only=True)
    assert write_only == SummaryReference(write_only.value, is_write_only=True)


def test_what_summaries_say() -> None:
    index = parsed(PRINTED)
    (function,), (variable,), (alias,) = (index.values[guid].summaries for guid in (5, 6, 9))
    assert isinstance(function, FunctionSummary)
    assert isinstance(variable, GlobalVarSummary)
    assert isinstance(alias, AliasSummary)
    assert function.module is variable.module is index.modules["a.bc"]
    assert function.function_flags == {FunctionFlag.READ_ONLY, FunctionFlag.NO_UNWIND}
    assert function.calls[0].callee is index.values[5]
    assert function.calls[1].hotness is Hotness.NONE
    assert function.type_ids is not None
    assert function.type_ids.type_tests == (7097942984262375651, 6)
    assert alias.aliasee is index.values[6]
    assert variable.vtable_functions[0].function is index.values[5]
    assert variable.vcall_visibility is VCallVisibility.LINKAGE_UNIT
    assert index.block_count == 7


def test_entries_of_one_guid_are_one_global() -> None:
    index = parsed(
        '^0 = module: (path: "a", hash: (0, 0, 0, 0, 0))\n^1 = gv: (guid: 5)\n'
        "^2 = gv: (guid: 6, summaries: "
        "(variable: (module: ^0, flags: (live: 1), varFlags: (readonly: 1), refs: (^3))))\n"
        "^3 = gv: (guid: 5)\n"
    )
    (summary,) = index.values[6].summaries
    assert summary.references[0].value is index.values[5]
    assert summary.flags.flags == {SummaryFlag.LIVE}


def refusal(text: str) -> str:
    """Return the error of a text, empty if it is a module."""
    try:
        bitcodec.parse_assembly(f"{text}\n")
    except bitcodec.AssemblyError as error:
        return str(error)
    return ""


def test_errors_are_those_of_llvm() -> None:
    assert {text: refusal(text) for text, _ in MALFORMED} == dict(MALFORMED)


def test_modules_come_before_what_they_define() -> None:
    with pytest.raises(bitcodec.AssemblyError, match=r"1:48: use of undefined summary '\^7'"):
        bitcodec.parse_assembly("^1 = gv: (guid: 5, summaries: (alias: (module: ^7")
