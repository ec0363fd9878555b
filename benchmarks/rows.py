"""The comparisons, one function each: what is run, and what is to come out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.assembly import ASSEMBLY_ROWS
from benchmarks.checking import CHECKING_ROWS
from benchmarks.downgrading import DOWNGRADING_ROWS
from benchmarks.editing import EDITING_ROWS
from benchmarks.expanding import EXPANDING_ROWS
from benchmarks.flags import FLAG_ROWS
from benchmarks.inputs import repeated
from benchmarks.linking import LINKING_ROWS
from benchmarks.many_modules import ROWS_OF_MANY_MODULES
from benchmarks.measure import Times, bitcodec_command, interleaved, llvm_tool, printed_by, process
from benchmarks.model import MODEL_ROWS
from benchmarks.pcsections import PC_SECTION_ROWS
from benchmarks.results import Result, ratio
from benchmarks.saving import SAVING_ROWS
from benchmarks.starting import STARTING_ROWS
from bitcodec import bitstream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchmarks.inputs import Input

__all__ = ["ROWS"]

_FACTORS = (1, 2, 4)
_MEMORY_RUNS = 3

_FIRST_DECODE = """
import sys, time
from bitcodec import bitstream
stream = bitstream.open(sys.argv[1])
start = time.perf_counter()
stream.columns
print(time.perf_counter() - start)
"""

_PEAK_MEMORY = """
import resource, sys
from bitcodec import bitstream

def peak():
    # ru_maxrss may begin with what the parent process took; VmHWM is this program's own.
    try:
        lines = open("/proc/self/status").readlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

stream = bitstream.open(sys.argv[1])
before = peak()
columns = stream.columns
print((peak() - before) / len(stream.payload))
"""


def decoding(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Decode everything into columns, here and in a fresh process, beside llvm-bcanalyzer."""
    actions: dict[str, Callable[[], object]] = {
        "decode": lambda: bitstream.open(source.path).columns,
        "first decode": lambda: printed_by(_FIRST_DECODE, str(source.path)),
    }
    times = interleaved(actions | _reference("llvm-bcanalyzer", str(source.path)), runs)
    yield ratio("decode / llvm-bcanalyzer", source, times, "decode", "llvm-bcanalyzer", bar=0.30)
    yield ratio("first decode of a process / llvm-bcanalyzer", source, times, "first decode", "llvm-bcanalyzer")


def analyzing(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Print statistics, a whole process beside another."""
    yield _commands("analyze", [], source, runs, bar=1.20)


def dumping(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Print all records, a whole process beside another."""
    yield _commands("dump", ["--dump"], source, runs, bar=2.50)


def writing(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Read and write back, once by copying and once record by record; both have to give the input."""
    data = source.path.read_bytes()

    def read() -> bitstream.Bitstream:
        stream = bitstream.loads(data)
        assert stream.columns is not None
        return stream

    def copy() -> bytes:
        return read().dumps()

    def encode() -> bytes:
        stream = read()
        return bitstream.encode(stream.payload, stream.columns)

    for write in (copy, encode):
        if write() != data:
            raise SystemExit(f"{source.name}: {write.__name__} does not give the input again")
    times = interleaved({"read": read, "read and copy": copy, "read and encode": encode}, runs)
    yield ratio("(read + write unchanged) / read", source, times, "read and copy", "read", bar=2.50)
    yield ratio("(read + encode every record) / read", source, times, "read and encode", "read", bar=2.50)


def opening(source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Open a file and list its top-level blocks, at several sizes."""
    times = interleaved({big.name: partial(_list_blocks, big.path) for big in _sizes(source, folder)}, runs)
    for name, taken in times.items():
        yield Result(
            "open, list top-level blocks", name, "ms", taken.median * 1e3, taken.least * 1e3, 2.0, {name: taken}
        )


def memory(source: Input, _runs: int, _folder: Path) -> Iterator[Result]:
    """Decode in a fresh process and see how much more memory it took at most."""
    peaks = Times(tuple(printed_by(_PEAK_MEMORY, str(source.path)) for _ in range(_MEMORY_RUNS)))
    yield Result("peak memory of a decode, bytes per byte", source.name, "B/B", peaks.median, peaks.least, 25.0)


def growing(source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Decode the same blocks several times over: time for each byte has to stay what it is."""
    big = dict(zip(_FACTORS, _sizes(source, folder), strict=True))
    times = interleaved({one.name: partial(_decode, one.path) for one in big.values()}, runs)
    first = times[big[1].name]
    for factor in _FACTORS[1:]:
        taken = times[big[factor].name]
        value, least = taken.median / first.median / factor, taken.least / first.least / factor
        both = {name: times[name] for name in (big[factor].name, big[1].name)}
        yield Result(f"decode, time per byte at x{factor} / x1", source.name, "x", value, least, 1.25, both)


ROWS = (
    decoding,
    analyzing,
    dumping,
    writing,
    opening,
    memory,
    growing,
    *MODEL_ROWS,
    *ASSEMBLY_ROWS,
    *SAVING_ROWS,
    *DOWNGRADING_ROWS,
    *FLAG_ROWS,
    *LINKING_ROWS,
    *ROWS_OF_MANY_MODULES,
    *CHECKING_ROWS,
    *EDITING_ROWS,
    *PC_SECTION_ROWS,
    *EXPANDING_ROWS,
    *STARTING_ROWS,
)


def _decode(path: Path) -> object:
    return bitstream.open(path).columns


def _list_blocks(path: Path) -> object:
    return bitstream.open(path).blocks


def _sizes(source: Input, folder: Path) -> list[Input]:
    return [repeated(source, factor, folder) for factor in _FACTORS]


def _reference(tool: str, *arguments: str) -> dict[str, Callable[[], object]]:
    """Return how to run one of LLVM's tools, nothing if it is not there."""
    path = llvm_tool(tool)
    return {tool: process([path, *arguments])} if path else {}


def _commands(command: str, options: list[str], source: Input, runs: int, *, bar: float) -> Result:
    ours = f"bitcodec {command}"
    actions: dict[str, Callable[[], object]] = {ours: process(bitcodec_command(command, str(source.path)))}
    times = interleaved(actions | _reference("llvm-bcanalyzer", *options, str(source.path)), runs)
    theirs = " ".join(["llvm-bcanalyzer", *options])
    return ratio(f"{ours} / {theirs}", source, times, ours, "llvm-bcanalyzer", bar=bar)
