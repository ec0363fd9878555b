"""`info`: what LLVM's own tools say of the same files, on one screen and as JSON."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bits import Bits
from corpus import FOLDER, File, accepted_streams, parameters

from .running import BITCODEC, fail, llvm_process, process, run, succeed

MODULES = ("module", "thinlto", "split-lto-unit", "multi-module", "wrapper")
LINUX = [file for file in accepted_streams() if re.search(r"modules/[a-z0-9]+-(O2|O0g|dw5|full)-\d+\.bc$", file.path)]
NOT_LISTED_HERE = {
    "asm": {"marker": "made by module-level assembly", "x": "made by module-level assembly"},
    "calls": {"vc@@16": "vc, as its calling convention has it mangled"},
}
"""Symbols of llvm-nm's that are no globals of the module under that name."""

OTHER_LETTERS = {
    "linkage": {"alias_v": "an alias counts for code, whatever it stands for"},
}
"""Symbols that llvm-nm gives another letter; who makes one the same strikes it out here."""


def modules_of(path: Path) -> list[dict[str, Any]]:
    (file,) = json.loads(succeed("info", "--json", path))
    return [module for stream in file["streams"] for module in stream["modules"]]


def characters(line: str) -> str:
    return bytes(int(number) for number in re.findall(r" op\d+=(\d+)", line)).decode()


def strings(dump: bytes, record: str, *, indent: str = "  ") -> list[str]:
    """Return what records of text say in LLVM's dump, at one depth."""
    lines = dump.decode("latin-1").splitlines()
    return [characters(line.partition("/>")[0]) for line in lines if line.startswith(f"{indent}<{record} ")]


@pytest.mark.parametrize(
    "file", parameters([file for file in accepted_streams() if file.kind in MODULES and file.goldens])
)
def test_facts_are_those_of_the_dump(file: File) -> None:
    dump = file.golden_dump()
    modules = modules_of(FOLDER / file.path)
    identities = re.findall(rb"^<IDENTIFICATION_BLOCK_ID.*?^</", dump, re.MULTILINE | re.DOTALL)
    producers = [strings(identity, "STRING")[0] for identity in identities]
    assert [module["producer"] for module in modules] == (producers or [None] * len(modules))
    assert len(modules) == len(re.findall(rb"^<MODULE_BLOCK ", dump, re.MULTILINE))
    for key, record in {"triple": "TRIPLE", "data_layout": "DATALAYOUT", "source_filename": "SOURCE_FILENAME"}.items():
        assert [module[key] for module in modules if module[key] is not None] == strings(dump, record)
    globals_ = re.findall(rb"^  <(GLOBALVAR|FUNCTION|ALIAS|UnknownCode9|UnknownCode18) ", dump, re.MULTILINE)
    assert sum(len(module["symbols"]) for module in modules) == len(globals_)


@pytest.mark.parametrize("file", parameters(accepted_streams()))
def test_every_file_has_a_screen(file: File) -> None:
    # A few files of `invalid` have lengths that lie: `analyze` prints them and warns.
    summary = run("analyze", FOLDER / file.path).stdout
    (kind,) = re.findall(r"^ +Stream type: (.*)$", summary, re.MULTILINE)
    title, *rows = succeed("info", FOLDER / file.path).decode().splitlines()
    unknown = f"bitstream of unknown kind (magic {file.data[:4]!r})"
    assert title.startswith(f"{FOLDER / file.path}: {unknown if kind == 'unknown' else kind}, ")
    assert "  size by block" in rows or "UnknownBlock" in summary
    assert max(len(row) for row in rows) <= 100 or any(" " not in row.strip() for row in rows)


@pytest.mark.parametrize("file", parameters(LINUX))
def test_symbols_live(file: File) -> None:
    listed = llvm_process("llvm-nm", FOLDER / file.path).stdout.decode()
    theirs = {name: letter for letter, name in re.findall(r"^[-0-9a-f ]* ([A-Za-z]) (.*)$", listed, re.MULTILINE)}
    private = {
        symbol["name"] for symbol in modules_of(FOLDER / file.path)[0]["symbols"] if symbol["linkage"] == "private"
    }
    screen = succeed("info", "--symbols", FOLDER / file.path).decode()
    ours = {name: letter for letter, name in re.findall(r"^    (\w) (.+)$", screen, re.MULTILINE)}
    ours = {name: letter for name, letter in ours.items() if name not in private and not name.startswith("llvm.")}
    family = file.name.partition("-")[0]
    missing = NOT_LISTED_HERE.get(family, {})
    assert theirs.keys() - ours.keys() == missing.keys()
    other = {name for name, letter in ours.items() if theirs.get(name, letter) != letter}
    assert other == OTHER_LETTERS.get(family, {}).keys()


def test_a_module_in_words(tmp_path: Path) -> None:
    bits = Bits().enter_block(13).unabbreviated(1, b"LLVM22.1.8").unabbreviated(2, [0]).end_block()
    bits.enter_block(8).unabbreviated(1, [2]).unabbreviated(2, b"riscv64-unknown-elf").unabbreviated(16, b"a.c")
    bits.unabbreviated(7, [0, 3, 0, 3, 1, 0, 1])  # GLOBALVAR bar, with an initializer, external
    bits.unabbreviated(8, [3, 4, 0, 0, 1, 0])  # FUNCTION main, a declaration
    bits.unabbreviated(8, [7, 3, 0, 0, 0, 3]).end_block()  # FUNCTION foo, a definition, internal
    bits.enter_block(23).define(1, "blob").abbreviated(4, [1, "blob"], [1], b"barmainfoo").end_block()
    path = tmp_path / "a.bc"
    path.write_bytes(bits.stream())
    text = succeed("info", path).decode().splitlines()
    assert text[:6] == [
        f"{path}: LLVM IR, {len(bits.stream())} bytes",
        "  producer   LLVM22.1.8, epoch 0, module version 2",
        "  target     riscv64-unknown-elf",
        "  source     a.c",
        "  defines    1 variable, 1 function: bar foo",
        "  needs      1 function: main",
    ]
    (stream,) = json.loads(succeed("info", "--json", path))[0]["streams"]
    (module,) = stream["modules"]
    assert module["symbols"] == [
        {"name": "bar", "kind": "variable", "linkage": "external", "is_definition": True},
        {"name": "main", "kind": "function", "linkage": "external", "is_definition": False},
        {"name": "foo", "kind": "function", "linkage": "internal", "is_definition": True},
    ]
    listed = succeed("info", "--symbols", path).decode()
    assert "    D bar\n    U main\n    t foo\n" in listed


def test_several_files_are_told_apart(small_file: Path, small: bytes, tmp_path: Path) -> None:
    other = tmp_path / "other.bc"
    other.write_bytes(small + bytes(4))
    screens = succeed("info", small_file, other).decode()
    assert screens.index(f"{small_file}: LLVM IR, 16 bytes") < screens.index(f"{other}: LLVM IR, 20 bytes")
    assert screens.count("  trailing   4 bytes after the last block\n") == 1
    results = json.loads(succeed("info", "--json", small_file, other))
    assert [(one["file"], one["streams"][0]["trailing_bytes"]) for one in results] == [
        (str(small_file), 0),
        (str(other), 4),
    ]


def test_a_wrapper_is_told(small: bytes) -> None:
    wrapped = succeed("wrap", "-", "-o", "-", "--cpu", "arm64", stdin=small)
    assert b"  wrapper    20 bytes, CPU type 0x0100000c\n" in succeed("info", "-", stdin=wrapped)


def test_sizes_are_in_bytes(small_file: Path) -> None:
    (stream,) = json.loads(succeed("info", "--json", small_file))[0]["streams"]
    assert (stream["bytes"], stream["magic"]) == (16, "4243c0de")
    counted = 16 * 8 - 32 - 2 - 8  # as LLVM counts: all but magic number, ENTER_SUBBLOCK and the block's id
    assert stream["blocks"] == [{"name": "MODULE_BLOCK", "count": 1, "size": counted / 8}]


def test_no_bitstream_is_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("no bitstream at all, but rather long", encoding="ascii")
    assert str(path) in fail("info", path)


def test_what_comes_before_a_bad_file_is_printed(small_file: Path, tmp_path: Path) -> None:
    result = run("info", small_file, tmp_path / "missing.bc")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{small_file}: LLVM IR")
    assert result.stderr == f"bitcodec: error: {tmp_path / 'missing.bc'}: No such file or directory\n"


def test_on_a_terminal_it_is_the_same_in_colour(small_file: Path) -> None:
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "200"}
    variables.pop("NO_COLOR", None)
    done = subprocess.run(
        [*BITCODEC, "info", str(small_file)], stdout=follower, stderr=subprocess.PIPE, check=False, env=variables
    )
    os.close(follower)
    colored = os.read(leader, 1 << 16).decode()
    os.close(leader)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\x1b[" in colored
    words = re.sub(r"\x1b\[[\d;]*m", "", colored)
    for row in ("LLVM IR, 16 bytes", "not stated, module version 2", "MODULE_BLOCK"):
        assert row in words
    assert "\x1b[" not in process("info", small_file).stdout.decode()
