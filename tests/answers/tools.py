"""The real tools by name, such as `llvm-as-22`: on PATH, or where the oracles keep other versions."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

import pytest

__all__ = ["NEW_LLVMS", "path_of", "program_of"]

NEW_LLVMS = Path(os.environ.get("BITCODEC_NEW_LLVMS", Path.home() / ".cache" / "new-llvm"))


@cache
def path_of(name: str) -> str | None:
    """Return the path of a tool, None if it is not installed."""
    tool, _, version = name.rpartition("-")
    newer = NEW_LLVMS / version / "bin" / tool
    return shutil.which(name) or (str(newer) if newer.exists() else None)


def program_of(name: str) -> str:
    """Return the path of a tool; without it, the test is skipped."""
    path = path_of(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path
