"""Modules verified and stripped, beside `opt`: processor time of whole processes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchmarks.inputs import MADE_UP
from benchmarks.measure import bitcodec_command, interleaved, llvm_tool, processor_time
from benchmarks.results import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.inputs import Input
    from benchmarks.results import Result

__all__ = ["CHECKING_ROWS"]

_VERIFY = """
import os, sys
import bitcodec
assert bitcodec.verify(bitcodec.open(sys.argv[1])) == []
os._exit(0)  # as the commands do, which leave it to the system to free the memory
"""


def verifying(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Read and verify a module."""
    tool = llvm_tool("opt")
    if tool is None or source.name == MADE_UP:
        return
    path = str(source.path)
    commands = {
        "verify": [sys.executable, "-c", _VERIFY, path],
        "opt": [tool, "-passes=verify", "-disable-output", path],
    }
    times = interleaved({name: processor_time(command) for name, command in commands.items()}, runs)
    bar = 3.0 if source.has_debug_info else 4.0
    yield ratio("verify / opt -passes=verify, CPU", source, times, "verify", "opt", bar=bar)


def stripping(source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Remove debug information from a file."""
    tool = llvm_tool("opt")
    if tool is None or not source.has_debug_info:
        return
    path = str(source.path)
    commands = {
        "strip": bitcodec_command("strip", "--debug", path, "-o", str(folder / "ours.bc")),
        "opt": [tool, "--strip-debug", path, "-o", str(folder / "theirs.bc")],
    }
    times = interleaved({name: processor_time(command) for name, command in commands.items()}, runs)
    yield ratio("strip --debug / opt --strip-debug, CPU", source, times, "strip", "opt", bar=2.5)


CHECKING_ROWS = (verifying, stripping)
