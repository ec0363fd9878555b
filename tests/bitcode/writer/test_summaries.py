"""Summaries that are written with a module: what they say stays, whatever numbers its globals have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from bitcodec import EncodingError
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode
from bitcodec.bitcode.writer.summary_numbers import renumbered
from bitcodec.builder import add_function
from bitcodec.flags import Behavior
from bitcodec.ir import Module
from bitcodec.ir.module import RawPart
from corpus import FOLDER, needs_corpus

from .test_corpus import DIFFERENT

INDEX = Path(__file__).parents[2] / "data" / "index-22.thinlto.bc"
EXAMPLE = Path(__file__).parents[3] / "examples" / "hello.bc"
SUMMARIZED = sorted(FOLDER.glob("modules/lto-thin*-22.bc"))


def said(module: Module) -> dict[int, list[tuple[str, list[int], list[int]]]]:
    """Return what is said of each summarized global, by GUID: its kind, what it refers to, what it calls."""
    assert module.summary is not None
    return {
        guid: [
            (
                type(summary).__name__,
                [reference.value.guid for reference in getattr(summary, "references", ())],
                [call.callee.guid for call in getattr(summary, "calls", ())],
            )
            for summary in value.summaries
        ]
        for guid, value in module.summary.values.items()
        if value.summaries
    }


@needs_corpus
@pytest.mark.parametrize("name", DIFFERENT)
def test_globals_that_are_upgraded_away_keep_their_guids(name: str) -> None:
    path = FOLDER / name
    module = bitcodec.loads(path.read_bytes(), path.name)
    before = said(module)
    assert len(before) > 1
    assert said(bitcodec.loads(bitcodec.dumps(module), path.name)) == before


@needs_corpus
@pytest.mark.parametrize("path", SUMMARIZED, ids=lambda path: path.name)
def test_globals_that_are_added_move_numbers_and_nothing_else(path: Path) -> None:
    module = bitcodec.loads(path.read_bytes(), path.name)
    before = said(module)
    added = type(module.global_variables[0])(module.context.types.ptr, module.context.types.integer(8))
    added.name = "added"
    module.append(added)
    assert said(bitcodec.loads(bitcodec.dumps(module), path.name)) == before


FLAGS = (
    "linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, "
    "importType: definition"
)
EVERYTHING = f"""
@table = constant ptr @callee
@alias = alias i8, ptr @callee
define void @caller(ptr %p, ptr %q) {{
  call void @callee(ptr %p, ptr %q)
  ret void
}}
define void @callee(ptr %p, ptr %q) {{
  ret void
}}
^0 = module: (path: "a.bc", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "caller", summaries: (function: (module: ^0, flags: ({FLAGS}), insts: 2, \
calls: ((callee: ^2, hotness: hot)), params: ((param: 0, offset: [0, 7], calls: ((callee: ^2, param: 1, \
offset: [1, 2]), (callee: ^3, param: 0, offset: [3, 4]))), (param: 1, offset: [0, 0], calls: ((callee: ^4, \
param: 0, offset: [5, 6])))), refs: (^3, readonly ^4))))
^2 = gv: (name: "callee", summaries: (function: (module: ^0, flags: ({FLAGS}), insts: 1)))
^3 = gv: (name: "table", summaries: (variable: (module: ^0, flags: ({FLAGS}), varFlags: (readonly: 1, writeonly: 0, \
constant: 1), vTableFuncs: ((virtFunc: ^2, offset: 8)), refs: (^2))))
^4 = gv: (name: "alias", summaries: (alias: (module: ^0, flags: ({FLAGS}), aliasee: ^2)))
"""


def entries_by_name(module: Module) -> dict[str, str]:
    """Return the summary of each global as text, with names in the place of numbers."""
    lines = [line for line in str(module).splitlines() if line.startswith("^")]
    names = {number: name for line in lines for number, name in re.findall(r'(\^\d+) = gv: \(name: "(\w+)"', line)}
    return {
        names[number]: re.sub(r"\^\d+", lambda each: names.get(each[0], "module"), text)
        for number, _, text in (line.partition(" = ") for line in lines)
        if number in names
    }


def test_every_part_of_a_summary_refers_to_the_same_globals() -> None:
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(EVERYTHING)), "a.bc")
    before = entries_by_name(module)
    assert before["caller"].count("callee: callee") == 2
    added = type(module.global_variables[0])(module.context.types.ptr, module.context.types.integer(8))
    added.name = "added"
    module.append(added)
    again = entries_by_name(bitcodec.loads(bitcodec.dumps(module), "a.bc"))

    assert {name: text for name, text in again.items() if name != "added"} == before


def set_triple(module: Module) -> None:
    module.target_triple = "x86_64-unknown-linux-gnu"


def set_assembly(module: Module) -> None:
    module.module_asm = ".globl f"


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda module: module.flags.set("PIC Level", 2, Behavior.MAX), "flags"),
        (
            lambda module: add_function(module, "f", module.context.types.function(module.context.types.void, [])),
            "globals",
        ),
        (set_triple, "triple"),
        (set_assembly, "assembly"),
    ],
    ids=["flag", "global", "triple", "assembly"],
)
@pytest.mark.parametrize("copies_unchanged", [False, True])
def test_an_index_cannot_have_other_parts(change: Any, part: str, copies_unchanged: bool) -> None:
    """They would be lost without a word."""
    module = bitcodec.open(INDEX)
    change(module)
    with pytest.raises(EncodingError, match=part):
        bitcodec.dumps(module, copies_unchanged=copies_unchanged)


def test_an_index_alone_is_written_as_one() -> None:
    module = bitcodec.open(INDEX)
    before = said(module)
    again = bitcodec.loads(bitcodec.dumps(module, copies_unchanged=False), str(INDEX))
    assert said(again) == before
    assert [str(each) for each in again.summary.modules] == [str(each) for each in module.summary.modules]  # type: ignore[union-attr]


def test_an_index_keeps_a_source_filename_that_is_not_the_files() -> None:
    module = bitcodec.open(INDEX)
    module.source_filename = "linked.c"
    again = bitcodec.loads(bitcodec.dumps(module), str(INDEX))
    assert again.source_filename == "linked.c"


@pytest.mark.parametrize("operands", [(), (0,), (9, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 1 << 60, 0, 0, 0)])
def test_malformed_summaries_are_not_renumbered(operands: tuple[int, ...]) -> None:
    module = bitcodec.open(EXAMPLE)
    values = {value: number for number, value in enumerate(module.globals)}
    version = (GlobalValueSummaryCode.VERSION, (9,))
    records = (version, (GlobalValueSummaryCode.PERMODULE, operands))
    part = RawPart("GLOBALVAL_SUMMARY_BLOCK", records, b"", tuple(values)[:1])
    with pytest.raises(EncodingError, match="malformed summaries cannot be renumbered: a record of code 1 "):
        renumbered(part, values, "hello.c")
