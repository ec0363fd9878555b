"""Modules as Python objects, beside llvmlite.

What takes long is run in processes of its own that take their own time; what takes milliseconds in this one, where both
libraries are warm, and once more in fresh processes to see what the first module of a process takes.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import partial
from typing import TYPE_CHECKING

import bitcodec
from benchmarks.inputs import MADE_UP
from benchmarks.measure import Times, interleaved, printed_by
from benchmarks.results import Result, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchmarks.inputs import Input

__all__ = ["BITCODEC", "LARGE", "LLVMLITE", "MODEL_ROWS", "can_measure"]

BITCODEC = """
import sys, time
import bitcodec
bitcodec.open("examples/hello.bc").materialize()  # the time is that of reading, not of importing
start = time.perf_counter()
module = bitcodec.open(sys.argv[1])
{work}
print(time.perf_counter() - start)
"""

LLVMLITE = """
import sys, time
import llvmlite.binding as llvm
data = open(sys.argv[1], "rb").read()
start = time.perf_counter()
module = llvm.parse_bitcode(data)
{work}
print(time.perf_counter() - start)
"""

_WALK = """
for function in module.functions:
    for block in function.blocks:
        for instruction in block.instructions:
            instruction.opcode, instruction.type, [operand for operand in instruction.operands]
"""

_NAMES = """
names = module.symbol_names
"""

_GLOBALS = """
made = list(module.globals)
"""

_FLAGS = """
flags = module.named_metadata["llvm.module.flags"].operands
"""

_PEAK = """
def peak():
    return next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmHWM:"))
"""


def walking(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Open a module and look at every instruction: opcode, type, operands."""
    if can_measure(source):
        times = interleaved(_programs(source, _WALK, _WALK), runs)
        bar = 0.18 if source.has_debug_info else 0.14
        yield ratio("open and walk / llvmlite's parse and walk", source, times, "bitcodec", "llvmlite", bar=bar)


def naming(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Open a module and read the names of its symbols, its flags, or make its globals."""
    if not can_measure(source):
        return
    # What a file of a megabyte takes is mostly what any file takes.
    most = 1 / 80 if source.size > LARGE else None
    for title, work, program, bar in (
        ("symbol names", _names, _NAMES, most),
        ("module flags", _flags, _FLAGS, most),
        ("all globals", _globals, _GLOBALS, None),
    ):
        warm = {"bitcodec": partial(work, source.path), "llvmlite": partial(_parse, source.path.read_bytes())}
        times = interleaved(warm, runs)
        yield ratio(f"open, {title} / llvmlite's parse", source, times, "bitcodec", "llvmlite", bar=bar)
        times = interleaved(_programs(source, program, ""), runs)
        yield ratio(f"first of a process: {title} / parse", source, times, "bitcodec", "llvmlite")


def walk_memory(source: Input, _runs: int, _folder: Path) -> Iterator[Result]:
    """Look at every instruction and see how much memory the whole process took at most."""
    if not can_measure(source):
        return
    peaks = {
        name: Times(tuple(printed_by(code, str(source.path)) for _ in range(_MEMORY_RUNS)))
        for name, code in {
            "bitcodec": BITCODEC.format(work=_WALK + _PEAK).replace("time.perf_counter() - start", "peak()"),
            "llvmlite": LLVMLITE.format(work=_WALK + _PEAK).replace("time.perf_counter() - start", "peak()"),
        }.items()
    }
    value = peaks["bitcodec"].median / peaks["llvmlite"].median
    least = peaks["bitcodec"].least / peaks["llvmlite"].least
    bar = 1.2 if source.has_debug_info else 1.5
    yield Result("peak memory of the walk / llvmlite's", source.name, "x", value, least, bar)


MODEL_ROWS = (walking, naming, walk_memory)

_MEMORY_RUNS = 3
LARGE = 4 << 20


def _names(path: Path) -> object:
    return bitcodec.open(path).symbol_names


def _globals(path: Path) -> object:
    return list(bitcodec.open(path).globals)


def _flags(path: Path) -> object:
    return bitcodec.open(path).named_metadata["llvm.module.flags"].operands


def _parse(data: bytes) -> object:
    llvm = importlib.import_module("llvmlite.binding")
    return llvm.parse_bitcode(data, context=llvm.create_context())


def _programs(source: Input, ours: str, theirs: str) -> dict[str, Callable[[], object]]:
    path = str(source.path)
    return {
        "bitcodec": partial(printed_by, BITCODEC.format(work=ours), path),
        "llvmlite": partial(printed_by, LLVMLITE.format(work=theirs), path),
    }


def can_measure(source: Input) -> bool:
    """Return whether there is something to compare with, and a module to read."""
    return importlib.util.find_spec("llvmlite") is not None and source.name != MADE_UP
