"""A copy of the sources without compiled modules, and processes that test it without LLVM's tools."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["ENDLESS", "ROOT", "SOURCES", "TESTS", "Copy"]

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "bitcodec"
TESTS = ROOT / "tests"
ENDLESS = -signal.SIGXCPU
"""Exit code of a process that used up its processor time."""
_TOOLS = ("llvm-", "opt", "clang", "llc", "lli", "ld.lld")
_MOST_BYTES = 16 << 30
"""Of address space: a mutant must not fill the memory of the machine."""
_WAITING = 8
"""Seconds that a process may wait for each second that it may work, on a busy machine."""


class Copy:
    """A copy of the sources, and the environment of its tests; compiled Python files are kept outside the checkout."""

    def __init__(self) -> None:
        """Make the copy."""
        self._folder = tempfile.TemporaryDirectory(prefix="mutants-")
        self.place = Path(self._folder.name)
        self.sources = self.place / "src" / "bitcodec"
        shutil.copytree(SOURCES, self.sources, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        self._cache = self.place / "cache"
        self.environment = {
            **os.environ,
            "PATH": _without_tools(self.place / "bin"),
            "PYTHONPATH": str(self.sources.parent),
            "PYTHONPYCACHEPREFIX": str(self._cache),
        }
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def write(self, file: str, source: bytes) -> None:
        """Write a file of the copy, and forget its bytecode: a time in seconds does not prove that it is current."""
        target = self.sources / file
        target.write_bytes(source)
        cached = Path(f"{self._cache}{target.parent}")
        for folder in (cached, target.parent / "__pycache__"):
            for each in folder.glob(f"{target.stem}.*.pyc"):
                each.unlink()

    def test(self, arguments: Sequence[str], seconds: float, more: Iterable[tuple[str, str]] = ()) -> int:
        """Return the exit code of pytest; it and each process that it starts have so much processor time."""

        command = [sys.executable, "-m", "pytest", "-q", "-m", "not whole", "-p", "no:cacheprovider", *arguments]
        with (self.place / "output").open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**self.environment, **dict(more)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            # Nothing is started yet: the interpreter takes longer to begin than this.
            for limit, value in ((resource.RLIMIT_CPU, int(seconds)), (resource.RLIMIT_AS, _MOST_BYTES)):
                resource.prlimit(process.pid, limit, (value, resource.RLIM_INFINITY))
            try:
                return process.wait(seconds * _WAITING)
            except subprocess.TimeoutExpired:
                return ENDLESS
            finally:
                _end(process.pid)
                process.wait()

    def output(self) -> str:
        """Return what the last process has printed."""
        return (self.place / "output").read_text(errors="replace")

    def close(self) -> None:
        """Remove the copy."""
        self._folder.cleanup()


def _end(session: int) -> None:
    """End all processes of a session: servers outlive tests."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)


def _without_tools(folder: Path) -> str:
    """Return a PATH with links to all programs but LLVM's tools."""
    folder.mkdir()
    for place in reversed(os.environ["PATH"].split(os.pathsep)):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            if not program.name.startswith(_TOOLS):
                link = folder / program.name
                link.unlink(missing_ok=True)
                link.symlink_to(program)
    return str(folder)
