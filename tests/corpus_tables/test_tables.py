"""The rows that describe tables: complete, unique, documented, and true about what is read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bitcodec.corpus import OPCODE_NUMBERS, TABLES, Column, Reads, Table
from bitcodec.corpus.extracting import places_in, stream_of, values_of
from bitcodec.corpus.opened import OpenedModule
from bitcodec.corpus.selection import TableSelection
from bitcodec.ir.instructions.instruction import Instruction

from .sample import HELLO, QUEUE, ROOT

PAGE = ROOT / "docs/table-schemas.md"
HEADER = Path("/usr/include/llvm-c-22/llvm-c/Core.h")
NAMES = (
    "files modules functions globals calls instructions types flags attributes debug_sources metadata_kinds pcsections "
    "graphs errors"
)


def columns() -> list[tuple[Table, Column]]:
    return [(table, column) for table in TABLES.values() for column in table.columns]


def opened(path: Path) -> OpenedModule:
    ((found, (place,)),), errors = places_in(str(path), memoryview(path.read_bytes()), None)
    assert errors == []
    return OpenedModule(place, stream_of(str(path), found))


def test_names_are_stable_and_unique() -> None:
    assert list(TABLES) == NAMES.split()
    for table in TABLES.values():
        names = [column.name for column in table.columns]
        assert len(set(names)) == len(names)
        assert set(table.key) <= set(names)


def test_columns_are_described() -> None:
    for table, column in columns():
        assert re.fullmatch(r"[a-z][a-z_]*", column.name)
        assert column.meaning.endswith(".")
        assert isinstance(column.reads, Reads)
        has_unit = column.name.endswith(("bits", "bytes")) or column.name in {"alignment", "bit"}
        assert (column.unit != "") == has_unit, (table.name, column.name)


def test_the_page_is_made_from_the_rows() -> None:
    made = subprocess.run(
        [sys.executable, "-c", "import sys, table_page; sys.stdout.buffer.write(table_page.table_page().encode())"],
        cwd=ROOT / "docs_build",
        capture_output=True,
        check=True,
    )
    assert PAGE.read_bytes() == made.stdout, "python docs_build/table_page.py writes it again"
    for table, column in columns():
        assert f"| `{column.name}` | `{column.type}`" in made.stdout.decode().partition(f"## {table.name}\n")[2]


@pytest.mark.parametrize(
    "table", [each for each in TABLES.values() if each.subjects is not None], ids=lambda each: each.name
)
def test_only_columns_that_need_bodies_read_bodies(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from bitcodec.bitcode.reader import module as reader  # noqa: PLC0415

    read: list[Any] = []
    original = reader.FunctionReader.read
    monkeypatch.setattr(reader.FunctionReader, "read", lambda self: [read.append(self), original(self)][1])
    of_bodies = {Reads.BODIES, Reads.EVERYTHING}
    for column in table.columns:
        read.clear()
        rows = list(values_of(table.name, (column,), opened(QUEUE)))
        if column.reads in of_bodies:
            assert read or not rows, column.name
        elif column.name != "module" or table.columns[-1].reads not in of_bodies:
            assert read == [], column.name


def test_a_column_of_the_stream_opens_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    one = opened(HELLO)
    monkeypatch.setattr(OpenedModule, "module", property(lambda _: pytest.fail("the module was opened")))
    wanted = [column for column in TABLES["modules"].columns if column.reads in {Reads.STREAM, Reads.RECORDS}]
    assert len(next(iter(values_of("modules", wanted, one)))) == len(wanted)


@pytest.mark.parametrize("path", [HELLO, QUEUE])
def test_values_have_the_types_of_the_columns(path: Path) -> None:
    pytest.importorskip("pyarrow")
    from bitcodec.corpus.arrow import batch_of, schema_of  # noqa: PLC0415

    one = opened(path)
    for table in TABLES.values():
        if table.subjects is not None:
            batch = batch_of(schema_of(table.name, table.columns), list(values_of(table.name, table.columns, one)))
            batch.validate(full=True)
            for name in table.key:
                if name not in {"parameter", "instruction"}:
                    assert batch.column(name).null_count == 0
    assert not one.problems


def test_keys_identify_rows() -> None:
    one = opened(QUEUE)
    for table in TABLES.values():
        if table.subjects is not None and table.name != "pcsections":
            chosen = [column for column in table.columns if column.name in table.key]
            rows = list(values_of(table.name, chosen, one))
            assert len(set(rows)) == len(rows), table.name


def test_selections() -> None:
    assert list(TableSelection().columns) == list(TABLES)
    assert TableSelection(["modules"]).names["modules"] == [column.name for column in TABLES["modules"].columns]
    chosen = TableSelection(["modules", "functions"], ["bytes", "functions.name"]).names
    assert chosen["modules"] == ["module", "bytes"]
    assert chosen["functions"] == ["module", "function", "name", "bytes"]
    assert TableSelection.of_names(chosen).names == chosen
    for tables, wrong, message in (
        (["nonsense"], [], "unknown table 'nonsense'"),
        (["modules"], ["nonsense"], "has a column 'nonsense'"),
        (["modules"], ["modules.nonsense"], "no column 'nonsense'"),
        (["modules"], ["functions.name"], "in no selected table"),
    ):
        with pytest.raises(ValueError, match=message):
            TableSelection(tables, wrong)


def test_every_opcode_has_a_number() -> None:
    def below(kind: type) -> set[type]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    named = {kind.opcode for kind in below(Instruction) if isinstance(getattr(kind, "opcode", None), str)}
    assert named <= set(OPCODE_NUMBERS)
    assert {"call", "phi", "ret", "store"} <= named
    assert len(set(OPCODE_NUMBERS.values())) == len(OPCODE_NUMBERS)


@pytest.mark.skipif(not HEADER.exists(), reason=f"{HEADER} is not installed")
def test_numbers_of_opcodes_are_llvms() -> None:
    body = HEADER.read_text("utf-8").partition("LLVMRet ")
    found = dict(re.findall(r"LLVM(\w+)\s*=\s*(\d+)", body[1] + body[2].partition("} LLVMOpcode")[0]))
    spelling = {"AtomicCmpXchg": "cmpxchg", "VAArg": "va_arg"}
    theirs = {spelling.get(name, name.lower()): int(number) for name, number in found.items()}
    assert {name: number for name, number in theirs.items() if not name.startswith("userop")} == OPCODE_NUMBERS
