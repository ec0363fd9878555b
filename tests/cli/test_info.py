"""`info`: what LLVM's own tools say of the same files, on one screen and as JSON."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from bits import Bits
from corpus import FOLDER, File, accepted_streams, parameters

from .documents import document
from .running import BITCODEC, fail, process, run, succeed

MODULES = ("module", "thinlto", "split-lto-unit", "multi-module", "wrapper")
EXAMPLE = Path(__file__).parents[2] / "examples" / "queue.bc"


NOT_TO_BE_OPENED = {"thinlink-min.bc"}
"""LLVM does not open it either: its globals are cut down to what a thin link needs."""


def modules_of(path: Path) -> list[dict[str, Any]]:
    return [module for stream in document(succeed("info", "--json", path))["streams"] for module in stream["modules"]]


def characters(line: str) -> str:
    return bytes(int(number) for number in re.findall(r" op\d+=(\d+)", line)).decode()


def strings(dump: bytes, record: str, *, indent: str = "  ") -> list[str]:
    """Return what records of text say in LLVM's dump, at one depth."""
    lines = dump.decode("latin-1").splitlines()
    return [characters(line.partition("/>")[0]) for line in lines if line.startswith(f"{indent}<{record} ")]


@pytest.mark.parametrize(
    "file", parameters([one for one in accepted_streams() if one.kind in MODULES and one.name not in NOT_TO_BE_OPENED])
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
    symbols = [symbol for module in modules for symbol in module["symbols"] if symbol["kind"] != "assembly"]
    # Intrinsics of old are declared anew, or are gone.
    assert sum(not symbol["intrinsic"] for symbol in symbols) <= len(globals_)


@pytest.mark.parametrize("file", parameters(accepted_streams()))
def test_every_file_has_a_screen(file: File) -> None:
    # A few files of `invalid` have lengths that lie: `analyze` prints them and warns; others are no modules.
    summary = run("analyze", FOLDER / file.path).stdout
    (kind,) = re.findall(r"^ +Stream type: (.*)$", summary, re.MULTILINE)
    result = run("info", FOLDER / file.path)
    assert result.exit_code == 0 or file.kind == "invalid" or file.name in NOT_TO_BE_OPENED
    assert (result.exit_code == 0) == (result.stderr == "")
    assert ("  incomplete " in result.stdout) == bool(result.stderr)
    title, *rows = result.stdout.splitlines()
    unknown = f"bitstream of unknown kind (magic {file.data[:4]!r})"
    assert title.startswith(f"{FOLDER / file.path}: {unknown if kind == 'unknown' else kind}, ")
    assert "  size by block" in rows or "UnknownBlock" in summary
    assert max(len(row) for row in rows) <= 100 or any(" " not in row.strip() for row in rows)


def test_the_words_of_an_example() -> None:
    words = " ".join(succeed("info", EXAMPLE).decode().split())
    assert "flags Dwarf Version=5, Debug Info Version=3, wchar_size=4, PIC Level=2, PIE Level=2, uwtable=2" in words
    assert "defines 5 functions, 6 variables: push pop drain acquire release tail head refused" in words
    assert "needs 1 function: report" in words
    assert "code 66 instructions: arithmetic 9, br 9, atomic load 8, " in words
    assert "metadata 1,096 bytes, 109 nodes: node 31, derived type 10, " in words


def test_instructions_are_counted_by_opcode() -> None:
    (module,) = document(succeed("info", "--json", "--instructions", EXAMPLE))["streams"][0]["modules"]
    opcodes = [one.opcode for function in bitcodec.open(EXAMPLE).functions for one in function.instructions]
    assert module["opcodes"] == dict(Counter(opcodes).most_common())
    words = " ".join(succeed("info", "--instructions", EXAMPLE).decode().split())
    assert "opcodes load 12, br 9, store 7, call 6, " in words
    assert modules_of(EXAMPLE)[0]["opcodes"] is None


def test_symbols_have_letter_kind_and_linkage() -> None:
    rows = [line.split() for line in succeed("info", "--symbols", EXAMPLE).decode().splitlines() if line[:4] == "    "]
    assert ["t", "function", "internal", "acquire"] in rows
    assert ["U", "function", "external", "report"] in rows
    assert ["d", "variable", "private", ".str"] in rows


def test_counts_are_in_the_json() -> None:
    (stream,) = document(succeed("info", "--json", EXAMPLE))["streams"]
    assert stream["error"] is None
    assert stream["instructions"]["atomic load"] == 8
    assert stream["metadata"]["subprogram"]["count"] == 6
    assert stream["modules"][0]["flags"]["PIC Level"] == "2"


def test_of_a_damaged_file_what_can_be_told_is_told(tmp_path: Path) -> None:
    cut = tmp_path / "cut.bc"
    cut.write_bytes(EXAMPLE.read_bytes()[:6000])
    result = run("info", cut)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"bitcodec: error: {cut}: ")
    for row in (
        "  target     x86_64-unknown-linux-gnu\n",
        "  incomplete ",
        "  metadata   ",
        "    METADATA_KIND_BLOCK  ",
    ):
        assert row in result.stdout
    (stream,) = document(run("info", "--json", cut).stdout)["streams"]
    assert stream["error"] in result.stderr
    assert stream["modules"][0]["source_filename"] == "queue.c"
    assert stream["modules"][0]["symbols"] == []


def test_a_damaged_file_does_not_keep_others_from_being_shown(small_file: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.bc"
    cut.write_bytes(EXAMPLE.read_bytes()[:6000])
    result = run("info", cut, small_file)
    assert result.exit_code == 1
    assert f"{small_file}: LLVM IR, 16 bytes" in result.stdout


def test_a_module_in_words(tmp_path: Path) -> None:
    bits = Bits().enter_block(13).unabbreviated(1, b"LLVM22.1.8").unabbreviated(2, [0]).end_block()
    bits.enter_block(8).unabbreviated(1, [2]).unabbreviated(2, b"riscv64-unknown-elf").unabbreviated(16, b"a.c")
    bits.enter_block(17).unabbreviated(1, [1]).unabbreviated(7, [32]).end_block()  # INTEGER
    bits.unabbreviated(7, [0, 3, 0, 3, 0, 0, 0, 0])  # GLOBALVAR bar, external
    bits.unabbreviated(7, [3, 4, 0, 3, 0, 7, 0, 0]).end_block()  # GLOBALVAR main, extern_weak
    bits.enter_block(23).define(1, "blob").abbreviated(4, [1, "blob"], [1], b"barmain").end_block()
    path = tmp_path / "a.bc"
    path.write_bytes(bits.stream())
    text = succeed("info", path).decode().splitlines()
    assert text[:5] == [
        f"{path}: LLVM IR, {len(bits.stream())} bytes",
        "  producer   LLVM22.1.8, epoch 0, module version 2",
        "  target     riscv64-unknown-elf",
        "  source     a.c",
        "  needs      2 variables: bar main",
    ]
    (module,) = modules_of(path)
    assert module["symbols"][1] == {
        "name": "main",
        "letter": "w",
        "kind": "variable",
        "defined": False,
        "global": True,
        "intrinsic": False,
        "linkage": "extern_weak",
    }


def test_several_files_are_told_apart(small_file: Path, small: bytes, tmp_path: Path) -> None:
    other = tmp_path / "other.bc"
    other.write_bytes(small + bytes(4))
    screens = succeed("info", small_file, other).decode()
    assert screens.index(f"{small_file}: LLVM IR, 16 bytes") < screens.index(f"{other}: LLVM IR, 20 bytes")
    assert screens.count("  trailing   4 bytes after the last block\n") == 1
    streams = document(succeed("info", "--json", small_file, other))["streams"]
    assert [(stream["file"], stream["trailing_bytes"]) for stream in streams] == [
        (str(small_file), 0),
        (str(other), 4),
    ]


def test_a_wrapper_is_told(small: bytes) -> None:
    wrapped = succeed("wrap", "-", "-o", "-", "--cpu", "arm64", stdin=small)
    assert b"  wrapper    20 bytes, CPU type 0x0100000c\n" in succeed("info", "-", stdin=wrapped)


def test_sizes_are_in_bytes(small_file: Path) -> None:
    (stream,) = document(succeed("info", "--json", small_file))["streams"]
    assert (stream["bytes"], stream["magic"]) == (16, "4243c0de")
    counted = 16 * 8 - 32 - 2 - 8  # as LLVM counts: all but magic number, ENTER_SUBBLOCK and the block's id
    assert stream["blocks"] == [{"name": "MODULE_BLOCK", "count": 1, "bytes": counted / 8}]


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


def test_a_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    bad = tmp_path / "bad.bc"
    bad.write_bytes(b"nothing of the kind")
    result = run("info", EXAMPLE, bad, EXAMPLE)
    assert result.exit_code == 1
    assert result.stdout.count("producer") == 2
    assert (
        result.stderr
        == f"bitcodec: error: {bad}: this is text, not bitcode: clang -c -emit-llvm makes bitcode of C and C++\n"
    )
    result = run("info", "--json", EXAMPLE, bad, EXAMPLE)
    assert [each["file"] for each in document(result.stdout)["streams"]] == [str(EXAMPLE)] * 2


def test_files_that_should_be_bitcode_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.bc.gz"
    path.write_bytes(gzip.compress(EXAMPLE.read_bytes()))
    result = run("info", path)
    assert result.exit_code == 1
    assert result.stderr.endswith("a.bc.gz: compressed with gzip: decompress it first (gunzip)\n")
