"""Rows are what LLVM's own tools print of the same modules."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bitcodec import corpus
from cli.running import llvm_process

from .sample import MODULES, Rows, grouped

DEFINITION = re.compile(r'^define .*?@("(?:[^"\\]|\\.)*"|[-$._\w]+)\(', re.MULTILINE)
OPCODE = re.compile(r"^  (?:%\S+ = |%\"(?:[^\"\\]|\\.)*\" = )?(?:(?:must|no|)tail )?([a-z_]+)\b")
CALLEE = re.compile(r"\b(?:call|invoke|callbr) .*?@(\"(?:[^\"\\]|\\.)*\"|[-$._\w]+)\(")
BLOCK = re.compile(r"<FUNCTION_BLOCK NumWords=(\d+)")
SYMBOL = re.compile(r"^(?:[0-9a-f]+|-+| +) ([A-Za-z]) (.*)$", re.MULTILINE)
TOTAL = re.compile(r"Block ID #12 \(FUNCTION_BLOCK\):.*?Total Size: (\d+)b/", re.DOTALL)
NOT_INSTRUCTIONS = {"cleanup", "catch", "filter", "to", "unwind"}
"""Words that begin a further line of an instruction."""


def instructions_of(text: str) -> dict[str, list[str]]:
    """Return the lines of the instructions of each function that `llvm-dis` has printed."""
    found: dict[str, list[str]] = {}
    name = None
    for line in text.splitlines():
        if match := DEFINITION.match(line):
            name = match[1].strip('"')
            found[name] = []
        elif line == "}":
            name = None
        elif name is not None and (opcode := OPCODE.match(line)) and opcode[1] not in NOT_INSTRUCTIONS:
            found[name].append(line)
    return found


def disassembled(path: Path) -> dict[str, list[str]]:
    done = llvm_process("llvm-dis", path, "-o", "-")
    assert done.returncode == 0, done.stderr
    return instructions_of(done.stdout.decode("utf-8", "backslashreplace"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_instructions_and_calls_are_those_of_llvm_dis(path: Path) -> None:
    theirs = disassembled(path)
    functions: Rows = list(corpus.functions(path))
    ours = {row["name"]: row["instructions"] for row in functions if row["is_definition"]}
    assert ours == {name: len(lines) for name, lines in theirs.items()}

    opcodes: dict[str, Counter[str]] = {}
    for row in corpus.instructions(path):
        opcodes.setdefault(row["name"], Counter())[row["opcode"]] = row["count"]
    for name, lines in theirs.items():
        assert opcodes[name] == Counter(match[1] for line in lines if (match := OPCODE.match(line))), name

    all_calls = dict(grouped(list(corpus.calls(path)), "caller"))
    for name, lines in theirs.items():
        rows = all_calls.get(name, [])
        calls = [line for line in lines if re.search(r"(?:^| )(call|invoke|callbr) ", line.partition('"')[0])]
        assert len(rows) == len(calls), name
        for row, line in zip(rows, calls, strict=True):
            match = CALLEE.search(line)
            if row["callee"] is not None and match is not None:
                assert match[1].strip('"') == row["callee"]
            else:
                assert row["is_indirect"] or row["is_assembly"], line


@pytest.mark.parametrize("path", [path for path in MODULES if "types" not in path.name], ids=lambda path: path.stem)
def test_symbols_are_those_of_llvm_nm(path: Path) -> None:
    done = llvm_process("llvm-nm", "--debug-syms", path)  # it fails for assembly text of the left out file
    assert done.returncode == 0, done.stderr
    theirs = Counter(SYMBOL.findall(done.stdout.decode("utf-8", "backslashreplace")))
    rows = [*corpus.functions(path), *corpus.globals(path)]
    ours = Counter((row["letter"], row["symbol"]) for row in rows)
    assert ours - theirs == Counter()
    # Symbols without a global, and intrinsics that LLVM lists before it upgrades them.
    more = {name for _, name in (theirs - ours)}
    assert {name for name in more if not name.endswith(".old")} <= {"_GLOBAL_OFFSET_TABLE_"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_sizes_are_those_of_llvm_bcanalyzer(path: Path) -> None:
    dump = llvm_process("llvm-bcanalyzer", "--dump", path).stdout.decode("utf-8", "backslashreplace")
    rows = [row for row in corpus.functions(path) if row["is_definition"]]
    assert [row["bytes"] for row in rows] == [4 * int(words) for words in BLOCK.findall(dump)]
    (module,) = corpus.modules(path)
    total = TOTAL.search(dump)
    assert module["function_bits"] == (int(total[1]) if total else 0)
