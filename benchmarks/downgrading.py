"""A module written for older versions of LLVM, and such files read, beside the same module for newer ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import bitcodec
from benchmarks.inputs import MADE_UP
from benchmarks.measure import interleaved
from benchmarks.results import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.inputs import Input
    from benchmarks.results import Result

__all__ = ["DOWNGRADING_ROWS"]

_VERSIONS = (7, 11, 14, 15, 16, 18, 19, 21)
"""Of each form that bitcode has had: pointers with types before 15, debug intrinsics before 19."""


def downgrading(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Write a module that has been read to the end, for several versions."""
    if source.name == MADE_UP:
        return
    module = bitcodec.open(source.path)
    module.materialize()
    actions = {f"LLVM {version}": partial(bitcodec.dumps, module, llvm_version=version) for version in (*_VERSIONS, 22)}
    times = interleaved(actions, runs)
    for version in _VERSIONS:
        yield ratio(f"write for LLVM {version} / for LLVM 22", source, times, f"LLVM {version}", "LLVM 22", bar=1.5)


def reading_typed_pointers(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Read a module with typed pointers (LLVM 14), and the same with opaque ones (LLVM 15), to the end."""
    if source.name == MADE_UP:
        return
    module = bitcodec.open(source.path)
    files = {f"LLVM {version}": bitcodec.dumps(module, llvm_version=version) for version in (14, 15)}
    times = interleaved({version: partial(_read, data) for version, data in files.items()}, runs)
    yield ratio("read for LLVM 14 (typed pointers) / for LLVM 15", source, times, "LLVM 14", "LLVM 15", bar=2.0)


DOWNGRADING_ROWS = (downgrading, reading_typed_pointers)


def _read(data: bytes) -> None:
    bitcodec.loads(data).materialize()
