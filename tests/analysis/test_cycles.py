"""Cycles of control flow, compared with those that opt 22 prints."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.analysis.cycles import Cycle, Cycles
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.functions import Function

NATURAL = ("1", "2 5", "2 3", "3 4", "1 5", "")
TWO_ENTRIES = ("1 2", "2 3", "1", "")
NESTED_ENTRIES = ("1 2 3", "2", "1 3", "1 2 4", "3 5", "")
SAME_BLOCK = ("1", "1 2", "")
UNREACHABLE = ("1", "1", "1 2")
GRAPHS = (NATURAL, TWO_ENTRIES, NESTED_ENTRIES, SAME_BLOCK, UNREACHABLE)
"""The successors of each block."""


def text_of(graph: tuple[str, ...]) -> str:
    """Return a function with a switch for each block that has successors."""
    lines = ["define void @f(i32 %x) {"]
    for number, successors in enumerate(graph):
        first, *others = [f"label %b{end}" for end in successors.split()] or [""]
        cases = "\n".join(f"i32 {value}, {end}" for value, end in enumerate(others))
        lines += [f"b{number}:", f"switch i32 %x, {first} [ {cases} ]" if first else "ret void"]
    return "\n".join([*lines, "}\n"])


def predecessors(block: BasicBlock) -> Iterator[BasicBlock]:
    return (user.parent for user in reversed(block.users) if user.parent is not None)  # type: ignore[attr-defined]


def cycles_of(function: Function) -> set[str]:
    """Return a line for each cycle."""
    successors = {block: block.successors for block in function.blocks}
    cycles = Cycles(function.blocks[0], successors, predecessors)
    found = {around for block in function.blocks for around in _around(cycles.innermost(block))}
    return set(map(_line, found))


def _around(cycle: Cycle | None) -> Iterator[Cycle]:
    return iter(()) if cycle is None else cycle.around()


def _line(cycle: Cycle) -> str:
    entries = [block.name for block in cycle.entries]
    others = [block.name for block in cycle.blocks() if block.name not in entries]
    return " ".join([f"depth={cycle.depth}: entries({' '.join(entries)})", *others])


def printed_by_opt(text: str, folder: Path) -> set[str]:
    path = folder / "a.ll"
    path.write_text(text, encoding="utf-8")
    printed = ask(["opt-22", "-passes=print<cycles>", "-disable-output", path], text=True).stderr
    return set(re.findall(r"depth=.*", printed))


def random_graph(seed: int) -> tuple[str, ...]:
    chosen = random.Random(seed)
    ends = range(1, 12)
    lists = [" ".join(str(chosen.choice(ends)) for _ in range(chosen.choice((0, 1, 2, 2, 3)))) for _ in ends]
    return ("1 2 3", *lists)


@pytest.mark.parametrize("graph", [*GRAPHS, *map(random_graph, range(8))])
def test_cycles_are_those_of_llvm(graph: tuple[str, ...], tmp_path: Path) -> None:
    text = text_of(graph)
    assert cycles_of(bitcodec.parse_assembly(text).functions["f"]) == printed_by_opt(text, tmp_path)
