"""Module flags of many modules, the whole command."""

from __future__ import annotations

from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import bitcodec_command, interleaved, printed_by, process, processor_time
from benchmarks.model import LARGE, LLVMLITE, can_measure
from benchmarks.results import Result, ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.inputs import Input

__all__ = ["FLAG_ROWS"]

_CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
_COUNT = 2000
_measured: list[Path] = []


def flags(_source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Look for conflicts and other findings among 2,000 modules of the corpus.

    Once, for they are the same whatever is measured beside.  `legacy` has modules of LLVM 3.0 to 14.
    """
    if _measured:
        return
    for subcommand, modules, bar in (("conflicts", "modules", 1.5), ("lint", "modules", 2.0), ("lint", "legacy", 2.0)):
        files = sorted((_CORPUS / modules).glob("*.bc"))
        if not files:
            continue
        listed = folder / f"{modules}.rsp"
        listed.write_text("\n".join(map(str, islice(cycle(files), _COUNT))), encoding="utf-8")
        _measured.append(listed)
        # There are conflicts, and so it says no.
        title = f"flags {subcommand}"
        times = interleaved({title: process(bitcodec_command("flags", subcommand, f"@{listed}"), code=1)}, runs)
        took = times[title]
        each = took.median / _COUNT * 1e3, took.least / _COUNT * 1e3
        yield Result(f"{title}, a module", f"{_COUNT:,} of {modules}", "ms", *each, bar, times)


def setting_flags(source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Set a flag of a file, the whole command, beside reading and writing it with LLVM."""
    if not can_measure(source):
        return
    # Processor time, as is that of the process that it stands beside.
    llvmlite = LLVMLITE.format(work="data = module.as_bitcode()").replace("perf_counter", "process_time")
    command = bitcodec_command("flags", "set", str(source.path), "PIC Level=1", "-o", str(folder / "flags.bc"))
    times = interleaved(
        {
            "flags set": processor_time(command),
            "llvmlite": partial(printed_by, llvmlite, str(source.path)),
        },
        runs,
    )
    bar = 0.2 if source.size > LARGE else None
    title = "flags set, CPU of the whole process / llvmlite's parse and write"
    yield ratio(title, source, times, "flags set", "llvmlite", bar=bar)


FLAG_ROWS = (flags, setting_flags)
