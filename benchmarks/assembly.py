"""LLVM assembly, beside `llvm-dis`: whole processes, and the memory that they take at most."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.inputs import MADE_UP
from benchmarks.measure import (
    Times,
    bitcodec_command,
    interleaved,
    llvm_tool,
    printed_by,
    process,
    processor_time,
)
from benchmarks.results import Result, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from benchmarks.inputs import Input

__all__ = ["ASSEMBLY_ROWS"]

_FUNCTION = "sqlite3_open"
_MEMORY_RUNS = 3
_OPENING = "import os, sys, bitcodec; opened = bitcodec.open(sys.argv[1]); os._exit(0)"
_PARSING = """\
import os, resource, sys
import bitcodec
from bitcodec.asm.parser import module
with open(sys.argv[1], "rb") as file:
    text = file.read()
before = resource.getrusage(resource.RUSAGE_SELF)
parsed = bitcodec.parse_assembly(text)
after = resource.getrusage(resource.RUSAGE_SELF)
print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, flush=True)
os._exit(0)
"""
"""Prints the seconds of processor time; ends at once, as programs do that free no memory at their end."""


def disassembling(source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Print a whole module, and one function of it, to a file."""
    tool = llvm_tool("llvm-dis")
    if tool is None or source.name == MADE_UP:
        return
    commands = _commands(tool, source, folder)
    actions: dict[str, Callable[[], object]] = {name: process(command) for name, command in commands.items()}
    times = interleaved(actions, runs)
    yield ratio("dis / llvm-dis", source, times, "dis", "llvm-dis", bar=2.0 if source.has_debug_info else 4.0)
    title = f"dis --function {_FUNCTION} / llvm-dis"
    yield ratio(title, source, times, "dis --function", "llvm-dis", bar=0.2 if source.has_debug_info else None)


def dis_memory(source: Input, _runs: int, folder: Path) -> Iterator[Result]:
    """Print a whole module, and see how much memory that took at most."""
    tool = llvm_tool("llvm-dis")
    if tool is None or source.name == MADE_UP:
        return
    commands = _commands(tool, source, folder)
    peaks = {
        name: Times(tuple(peak() for _ in range(_MEMORY_RUNS)))
        for name in ("dis", "llvm-dis")
        for peak in [partial(_peak, commands[name])]
    }
    value = peaks["dis"].median / peaks["llvm-dis"].median
    least = peaks["dis"].least / peaks["llvm-dis"].least
    yield Result("peak memory of dis / llvm-dis", source.name, "x", value, least, 2.0)


def parsing(source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Parse a whole module's text in a fresh process, beside the processor time that `llvm-as` takes to nothing."""
    tools = [llvm_tool(name) for name in ("llvm-as", "llvm-dis")]
    assembler, disassembler = tools
    if assembler is None or disassembler is None or source.name == MADE_UP:
        return
    text = str(folder / "text.ll")
    process([disassembler, str(source.path), "-o", text])()
    actions: dict[str, Callable[[], object]] = {
        "parse": partial(printed_by, _PARSING, text),
        "llvm-as": processor_time([assembler, "-disable-output", text]),
    }
    times = interleaved(actions, runs)
    yield ratio("parse text / llvm-as -disable-output", source, times, "parse", "llvm-as", bar=2.0)
    peaks = {
        "parse": Times(tuple(_peak([sys.executable, "-c", _OPENING, text]) for _ in range(_MEMORY_RUNS))),
        "llvm-as": Times(tuple(_peak([assembler, "-disable-output", text]) for _ in range(_MEMORY_RUNS))),
    }
    yield ratio("peak memory of parsing text / llvm-as", source, peaks, "parse", "llvm-as", bar=2.0)


def _commands(tool: str, source: Input, folder: Path) -> dict[str, list[str]]:
    path = str(source.path)
    return {
        "dis": bitcodec_command("dis", path, "-o", str(folder / "ours.ll")),
        "dis --function": bitcodec_command("dis", path, "--function", _FUNCTION),
        "llvm-dis": [tool, path, "-o", str(folder / "theirs.ll")],
    }


def _peak(command: Sequence[str]) -> float:
    """Return how many KiB a process took at most."""
    pid = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} fails")
    return float(usage.ru_maxrss)


ASSEMBLY_ROWS = (disassembling, dis_memory, parsing)
