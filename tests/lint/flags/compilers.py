"""The versions of clang on this machine, and what they compile a source to."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from answers import recall
from answers.store import packed, unpacked

__all__ = ["VERSIONS", "clang", "compiled", "installed", "run_clang"]

VERSIONS = range(12, 25)
_NEW = Path(os.environ.get("BITCODEC_NEW_LLVMS", Path.home() / ".cache" / "new-llvm"))
"""Folders N with programs of LLVM 23 and 24, which Debian 12 has no packages of."""
_OLD = Path(os.environ.get("BITCODEC_OLD_LLVMS", Path.home() / ".cache" / "old-llvm"))
"""Folders N with the program `zig` that contains clang N, for versions that have no package."""


@functools.cache
def clang(version: int) -> tuple[str, ...] | None:
    """Return the words that start a version of clang, None if it is not installed."""
    found = shutil.which(f"clang-{version}")
    if found:
        return (found,)
    new, zig = _NEW / str(version) / "bin" / "clang", _OLD / str(version) / "zig"
    if new.exists():
        return (str(new),)
    return (str(zig), "clang") if zig.exists() else None


def compiled(version: int, options: Sequence[str], language: str, source: str) -> bytes | None:
    """Return the bitcode of a source, None if this clang refuses the options."""
    value = recall(
        [f"clang-{version}", *options, language, source], lambda: _compile(version, options, language, source)
    )
    return None if value is None else bytes(unpacked(value))


def _compile(version: int, options: Sequence[str], language: str, source: str) -> Any:
    data = run_clang(version, [*options, "-w", "-x", language, "-c"], source)
    return packed(data) if data else None


def run_clang(version: int, options: Sequence[str], source: str) -> bytes:
    """Return what a clang compiles a source to, in LLVM's IR; nothing if it refuses the options."""
    command = clang(version) or pytest.skip(f"clang-{version} is not installed")
    words = [*command, *options, "-fdebug-compilation-dir=.", "-emit-llvm", "-o", "-", "-"]
    with tempfile.TemporaryDirectory() as folder:  # some options write other files too
        done = subprocess.run(words, input=source.encode(), capture_output=True, check=False, timeout=120, cwd=folder)
    return done.stdout if done.returncode == 0 else b""


def installed(versions: Iterable[int] = VERSIONS) -> list[int]:
    """Return the versions that are installed."""
    return [version for version in versions if clang(version) is not None]
