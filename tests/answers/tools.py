"""The real tools by name, `llvm-as-22` for one: on PATH, or where the oracles keep other versions."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

__all__ = ["path_of"]

_NEW = Path(os.environ.get("BITCODEC_NEW_LLVMS", Path.home() / ".cache" / "new-llvm"))


@cache
def path_of(name: str) -> str | None:
    """Return the path of a tool, None if it is not installed."""
    tool, _, version = name.rpartition("-")
    newer = _NEW / version / "bin" / tool
    return shutil.which(name) or (str(newer) if newer.exists() else None)
