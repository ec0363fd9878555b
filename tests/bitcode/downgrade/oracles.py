"""Real readers of older versions of LLVM, as far as they are on this machine.

Beside the checkout, `shared/oracles` knows where all of them are; without it, Debian's `opt-N` on PATH serves.
`BITCODEC_NEW_LLVMS` names a folder with the programs of LLVM 23 and 24.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from corpus import FOLDER

__all__ = ["CRASHED", "VERSIONS", "has", "library", "read", "verify"]

VERSIONS = tuple(range(21, 3, -1))
"""The versions that modules are downgraded to, from the newest."""
_ORACLES = FOLDER.parent / "oracles"
_NEW = Path(os.environ.get("BITCODEC_NEW_LLVMS", Path.home() / ".cache" / "new-llvm"))
_TIMEOUT = 300
CRASHED = "crashed: "
"""How the message of a reader begins that ended without one."""
_VERIFIES_BEFORE_PASSES = 12
"""The version whose clang does not verify a module that it runs no passes on."""
_DUMP = ("Stack dump:", "PLEASE submit a bug report")


@cache
def _oracles() -> ModuleType | None:
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
    oracles = _oracles()
    is_known = oracles is not None and version in oracles.available()
    return is_known or _program("opt", version) is not None


def _program(name: str, version: int) -> str | None:
    """Return the path of a program of a version that a package or `BITCODEC_NEW_LLVMS` contains."""
    new = _NEW / str(version) / "bin" / name
    return str(new) if new.exists() else shutil.which(f"{name}-{version}")


def verify(version: int, path: Path, triple: str) -> str:
    """Return what the reader and the verifier of a version report, "" if they accept a file.

    Args:
        version: of LLVM.
        path: the file.
        triple: its target; readers that are a clang need it, else they assume their own.
    """
    oracles = _oracles()
    if oracles is None or version not in oracles.VERSIONS:
        command = [_program("opt", version) or "", "-passes=verify", "-disable-output", str(path)]
    else:
        command = oracles.command("verify", version, str(path))
        if version == _VERIFIES_BEFORE_PASSES:
            command[command.index("-disable-llvm-passes")] = "-O0"
        if version in oracles.ZIG and triple:
            message = _message([*command, "-triple", triple])
            if "unknown target triple" not in message:
                return message
    return _message(command)


def read(version: int, path: Path) -> str:
    """Return the text that the reader of a version prints of a file, "" if it refuses the file."""
    oracles = _oracles()
    command = [_program("llvm-dis", version) or "", str(path), "-o", "-"]
    if oracles is not None and version in oracles.VERSIONS:
        command = oracles.command("read", version, str(path))
        if version in oracles.ZIG:
            command.append("-disable-llvm-verifier")
    run = subprocess.run(command, capture_output=True, timeout=_TIMEOUT, check=False)
    return "" if run.returncode else run.stdout.decode("utf-8", "replace")


def library(version: int) -> Path:
    """Return the file that contains the names of the intrinsics of a version."""
    oracles = _oracles()
    if oracles is not None and version in oracles.ZIG:
        return Path(oracles.zig(version))
    if oracles is not None and version in oracles.LLVMLITE:
        return Path(oracles.CACHE) / str(version) / "llvmlite/binding/libllvmlite.so"
    new = _NEW / str(version) / "root" / "usr" / "lib" / "x86_64-linux-gnu"
    folder = new if new.exists() else Path(f"/usr/lib/llvm-{version}/lib")
    return next(folder.glob(f"libLLVM*{version}*.so*"))


def _message(command: list[str]) -> str:
    run = subprocess.run(command, capture_output=True, timeout=_TIMEOUT, check=False)
    if not run.returncode:
        return ""
    message = re.sub(r" ?\(Producer: .*?\)", "", run.stderr.decode("utf-8", "replace").strip())
    if run.returncode < 0 or any(words in message for words in _DUMP):
        return f"{CRASHED}{message or run.returncode}"
    return message or f"exit status {run.returncode}"
