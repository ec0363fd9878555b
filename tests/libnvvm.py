"""NVIDIA's libNVVM, which compiles NVVM IR to PTX without a GPU, and the entry points of PTX."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from corpus import FOLDER

__all__ = ["Answer", "Parameter", "compile_to_ptx", "entry_points", "is_there"]

_ORACLE = FOLDER.parent / "oracles" / "old_llvm.py"
_TIMEOUT = 300
_POINTEE = re.compile(r"\.ptr(?:\s+\.(?:global|shared|const|local))?(?:\s+\.align\s+\d+)?")
_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?")
_TYPE = re.compile(r"\.[busf](\d+)\b")


class Answer(NamedTuple):
    """What libNVVM says of a file: PTX, or its message."""

    ptx: str
    message: str


class Parameter(NamedTuple):
    """A parameter of an entry point: size and alignment in bytes."""

    size: int
    alignment: int


def is_there() -> bool:
    """Return whether libNVVM can be asked."""
    return _ORACLE.is_file()


def compile_to_ptx(path: Path, architecture: str = "70") -> Answer:
    """Let libNVVM compile a file."""
    command = [sys.executable, _ORACLE, "nvvm", path, architecture]
    run = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    if run.returncode:
        return Answer("", run.stderr.strip() or f"exit status {run.returncode}")
    return Answer(run.stdout, "")


def entry_points(ptx: str) -> dict[str, list[Parameter]]:
    """Return the parameters of the entry points of PTX by name."""
    # LLVM 22 notes what pointers point to, libNVVM does not.
    found = _ENTRY.findall(_POINTEE.sub("", ptx))
    return {name: [_parameter(text) for text in re.findall(r"\.param\s+([^,\n]*)", texts)] for name, texts in found}


def _parameter(text: str) -> Parameter:
    type_, alignment, count = _TYPE.search(text), re.search(r"\.align\s+(\d+)", text), re.search(r"\[(\d+)\]", text)
    assert type_ is not None
    size = int(type_[1]) // 8
    return Parameter(size * int(count[1] if count else 1), int(alignment[1]) if alignment else size)
