"""NVIDIA's libNVVM, which compiles NVVM IR to PTX without a GPU, and the entry points of PTX.

Tests replay its recorded answers; `shared/oracles`, next to the checkout, starts it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from answers import recall
from answers.store import packed, unpacked
from corpus import FOLDER

__all__ = ["Answer", "Parameter", "compile_to_ptx", "entry_points"]

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


def compile_to_ptx(path: Path, architecture: str = "70") -> Answer:
    """Let libNVVM compile a file."""
    question = ["libNVVM of CUDA 12.4", architecture, path.read_bytes()]
    ptx, message = recall(question, lambda: _compile(path, architecture))
    text = unpacked(ptx)
    assert isinstance(text, bytes), "all of the PTX is recorded"
    return Answer(text.decode(), message)


def _compile(path: Path, architecture: str) -> tuple[object, str]:
    if not _ORACLE.is_file():
        pytest.skip("there is no libNVVM here")
    command = [sys.executable, _ORACLE, "nvvm", path, architecture]
    run = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    if run.returncode:
        return "", run.stderr.strip() or f"exit status {run.returncode}"
    return packed(run.stdout.encode()), ""


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
