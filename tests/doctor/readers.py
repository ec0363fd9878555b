"""Real readers of LLVM 4 to 23; tests replay their recorded answers.

`shared/oracles`, next to the checkout, starts the versions that no package has.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from answers import recall
from answers.tools import path_of, program_of
from bitcodec.doctor import VERSIONS, Verdict, diagnose
from downgrade.oracles import all_llvm, has

__all__ = ["READERS", "Answer", "ask", "available", "disagreements"]

READERS = VERSIONS[:-1]
"""The versions that have been released."""
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


def available() -> list[int]:
    """Return the versions that are here."""
    return [version for version in VERSIONS if has(version) or path_of(f"llvm-dis-{version}")]


def ask(version: int, path: Path) -> Answer:
    """Let a version read a file."""
    question = [f"verdict of the reader of LLVM {version}", path.read_bytes()]
    return Answer(*recall(question, lambda: _ask(version, path)))


def disagreements(data: bytes, folder: Path) -> list[tuple[int, Verdict, Answer]]:
    """Return the versions of whose answers to a file the verdicts differ; a reader that crashes has no message."""
    path = folder / "module.bc"
    path.write_bytes(data)
    [diagnosis] = diagnose(data, READERS, ())
    found = [(verdict.version, verdict, ask(verdict.version, path)) for verdict in diagnosis.verdicts]
    return [each for each in found if not _agree(*each[1:])]


def _agree(verdict: Verdict, answer: Answer) -> bool:
    return verdict.reads == answer.reads and (verdict.message == answer.message or answer.crashes)


def _ask(version: int, path: Path) -> Answer:
    old = all_llvm()
    if old is None or version in old.DEBIAN or version not in old.VERSIONS:
        status, text = _disassembled(version, path)
    else:
        # Old libraries read without verifying if they are to print; clang always verifies.
        status, _, text = old.judge("read", version, str(path), timeout=_PATIENCE)
    if not status or re.search(_VERIFIER, text):
        return Answer(reads=True, message="", crashes=False)
    if status < 0 or status in _ABORTED or re.search(_REPORTED, text):
        return Answer(reads=False, message="", crashes=True)
    return Answer(reads=False, message=message_in(text, path), crashes=False)


def _disassembled(version: int, path: Path) -> tuple[int, str]:
    """Return the exit status and the message of `llvm-dis`, which writes several modules to files only."""
    program = program_of(f"llvm-dis-{version}")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, path, "-o", f"{folder}/module.ll"]
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
