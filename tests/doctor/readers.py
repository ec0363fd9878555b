"""Real readers of other versions of LLVM: those that are installed, and those of `BITCODEC_OLD_LLVMS`.

That variable names a folder with a module `all_llvm`, which has a function `judge(action, version, path)` for versions
that no package has; it returns exit status, standard output and message.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

__all__ = ["Answer", "ask", "available"]

_REPORTED = r"PLEASE submit a bug report|Assertion|Stack dump"
_TIMED_OUT = 124
_ABORTED = {_TIMED_OUT, 134, 139}
_PATIENCE = 60
"""Seconds; a reader of a malformed file may never end."""
_VERIFIER = r"Broken module found|invalid LLVM IR input|error: Linking globals named"
"""What clang prints of modules that it has read: its verifier is a later step, and it links several modules."""


class Answer(NamedTuple):
    """What a reader says: whether it reads the file, its message, and whether it crashed, so that there is none."""

    reads: bool
    message: str
    crashes: bool


@cache
def _old_llvms() -> ModuleType | None:
    folder = os.environ.get("BITCODEC_OLD_LLVMS")
    if folder is None:
        return None
    sys.path.append(folder)
    return importlib.import_module("all_llvm")


def available() -> list[int]:
    """Return the versions that can be asked."""
    old = _old_llvms()
    installed = {version for version in range(4, 25) if shutil.which(f"llvm-dis-{version}")}
    return sorted(installed if old is None else {*installed, *old.available()})


def ask(version: int, path: Path) -> Answer:
    """Let a version read a file."""
    if shutil.which(f"llvm-dis-{version}"):
        status, text = _disassembled(version, path)
    else:
        old = _old_llvms()
        assert old is not None
        # Old libraries read without verifying if they are to print; clang always verifies.
        status, _, text = old.judge("read", version, str(path), timeout=_PATIENCE)
    if not status or re.search(_VERIFIER, text):
        return Answer(reads=True, message="", crashes=False)
    if status < 0 or status in _ABORTED or re.search(_REPORTED, text):
        return Answer(reads=False, message="", crashes=True)
    return Answer(reads=False, message=message_in(text, path), crashes=False)


def _disassembled(version: int, path: Path) -> tuple[int, str]:
    """Return the exit status and the message of `llvm-dis`, which writes several modules to files only."""
    with tempfile.TemporaryDirectory() as folder:
        command = [f"llvm-dis-{version}", path, "-o", f"{folder}/module.ll"]
        try:
            run = subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            return _TIMED_OUT, ""
    return run.returncode, run.stderr.decode("utf-8", "replace")


def message_in(text: str, path: Path) -> str:
    """Return the message without names of the tool and the file, and without LLVM's remark on producer and reader."""
    line = next(iter(text.strip().splitlines()), "").replace(str(path), "FILE")
    line = re.sub(r" ?\(Producer:.*", "", line)
    line = re.sub(r"^\S*(?:llvm-dis|opt)\S*: ", "", line)
    line = re.sub(r"^(?:FILE: )?(?:fatal )?error: (?:FILE: )?", "", line)
    return re.sub(r"^(?:FILE: )?(?:error in backend|LLVM ERROR): ", "LLVM ERROR: ", line).strip()
