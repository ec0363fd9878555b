"""Module flags of a file, the whole command."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.measure import bitcodec_command, interleaved, printed_by, processor_time
from benchmarks.model import LARGE, LLVMLITE, can_measure
from benchmarks.results import Result, ratio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.inputs import Input

__all__ = ["FLAG_ROWS"]


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


FLAG_ROWS = (setting_flags,)
