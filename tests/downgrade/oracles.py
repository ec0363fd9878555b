"""Real readers of other versions of LLVM; tests replay their recorded answers.

`shared/oracles`, next to the checkout, finds the tools of LLVM 4 to 22; without it, Debian's `opt-N` is used.
`BITCODEC_NEW_LLVMS` names a folder with the programs of LLVM 23 and 24.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from answers import recall
from answers.tools import NEW_LLVMS, path_of, program_of
from corpus import FOLDER

__all__ = ["CRASHED", "VERSIONS", "all_llvm", "has", "library", "read", "verify"]

VERSIONS = tuple(range(21, 3, -1))
"""The versions that modules are downgraded to, from the newest."""
_ORACLES = FOLDER.parent / "oracles"
_TIMEOUT = 300
CRASHED = "crashed: "
"""How the message of a reader begins that ended without one."""
_VERIFIES_BEFORE_PASSES = 12
"""The version whose clang does not verify a module that it runs no passes on."""
_DUMP = ("Stack dump:", "PLEASE submit a bug report")


@cache
def all_llvm() -> ModuleType | None:
    """Return the module of `shared/oracles` that starts the readers, None where it is not."""
    if not (_ORACLES / "all_llvm.py").is_file():
        return None
    sys.path.insert(0, str(_ORACLES))
    try:
        import all_llvm  # noqa: PLC0415 - only where it is
    finally:
        sys.path.remove(str(_ORACLES))
    return all_llvm


@cache
def has(version: int) -> bool:
    """Return whether the reader of a version is here."""
    oracles = all_llvm()
    is_known = oracles is not None and version in oracles.available()
    return is_known or path_of(f"opt-{version}") is not None


def verify(version: int, path: Path, triple: str = "") -> str:
    """Return what the reader and the verifier of a version report, "" if they accept a file.

    Args:
        version: of LLVM.
        path: the file.
        triple: its target; readers that are a clang need it, else they assume their own.
    """
    question = [f"verifier of LLVM {version}", triple, path.read_bytes()]
    return str(recall(question, lambda: _verify(version, path, triple)))


def _verify(version: int, path: Path, triple: str) -> str:
    oracles = all_llvm()
    if oracles is None or version not in oracles.VERSIONS:
        command = [program_of(f"opt-{version}"), "-passes=verify", "-disable-output", str(path)]
    else:
        _require(version)
        command = oracles.command("verify", version, str(path))
        if version == _VERIFIES_BEFORE_PASSES:
            command[command.index("-disable-llvm-passes")] = "-O0"
        if version in oracles.ZIG and triple:
            message = _message([*command, "-triple", triple], path)
            if "unknown target triple" not in message:
                return message
    return _message(command, path)


def read(version: int, path: Path) -> str:
    """Return the text that the reader of a version prints of a file, "" if it refuses the file."""
    return str(recall([f"reader of LLVM {version}", path.read_bytes()], lambda: _read(version, path)))


def _read(version: int, path: Path) -> str:
    oracles = all_llvm()
    if oracles is None or version not in oracles.VERSIONS:
        command = [program_of(f"llvm-dis-{version}"), str(path), "-o", "-"]
    else:
        _require(version)
        command = oracles.command("read", version, str(path))
        if version in oracles.ZIG:
            command.append("-disable-llvm-verifier")
    run = subprocess.run(command, capture_output=True, timeout=_TIMEOUT, check=False)
    return "" if run.returncode else run.stdout.decode("utf-8", "replace").replace(str(path), "FILE")


def _require(version: int) -> None:
    if not has(version):
        pytest.skip(f"LLVM {version} is not installed")


def library(version: int) -> Path:
    """Return the file that contains the names of the intrinsics of a version."""
    oracles = all_llvm()
    if oracles is not None and version in oracles.ZIG:
        return Path(oracles.zig(version))
    if oracles is not None and version in oracles.LLVMLITE:
        return Path(oracles.CACHE) / str(version) / "llvmlite/binding/libllvmlite.so"
    new = NEW_LLVMS / str(version) / "root" / "usr" / "lib" / "x86_64-linux-gnu"
    folder = new if new.exists() else Path(f"/usr/lib/llvm-{version}/lib")
    return next(folder.glob(f"libLLVM*{version}*.so*"))


def _message(command: list[str], path: Path) -> str:
    run = subprocess.run(command, capture_output=True, timeout=_TIMEOUT, check=False)
    if not run.returncode:
        return ""
    text = run.stderr.decode("utf-8", "replace").replace(str(path), "FILE")
    message = re.sub(r" ?\(Producer: .*?\)", "", text.strip())
    if run.returncode < 0 or any(words in message for words in _DUMP):
        return f"{CRASHED}{message or run.returncode}"
    return message or f"exit status {run.returncode}"
