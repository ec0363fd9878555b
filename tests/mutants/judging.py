"""Runs the tests of a room on a copy of the sources that contains a mutant."""

from __future__ import annotations

import enum
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .points import Mutant

__all__ = ["SOURCES", "Judge", "Verdict", "tests_of"]

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "bitcodec"
TESTS = ROOT / "tests"
_MOST_SECONDS = 400
"""Processor time of a run of tests; the tests of a room take less, so a mutant that takes more does not end."""
_NO_TESTS = 5
_QUICK, _SLOW = "quick", "not quick and not whole"
_TOOLS = ("llvm-", "opt", "clang", "llc", "lli", "ld.lld")


class Verdict(enum.Enum):
    """The end of a mutant."""

    KILLED = "a quick test or a test of the file fails"
    KILLED_LATE = "another test of the room fails"
    BROKEN = "the tests cannot begin"
    ENDLESS = "the tests do not end"
    SURVIVES = "no test notices"

    def __repr__(self) -> str:
        return self.name.lower()


def tests_of(path: Path) -> list[Path]:
    """Return the folders of tests of a source file: its room, and the room around it."""
    parts = path.relative_to(SOURCES).parent.parts
    rooms = [TESTS.joinpath(*parts[:depth]) for depth in range(len(parts), 0, -1)]
    return [room for room in rooms if room.is_dir()] or [TESTS / "ir", TESTS / "cli"]


def _runs(path: Path) -> Iterator[tuple[Path, str]]:
    """Return runs of tests, each with a file or a folder and a mark expression: first those that cost least."""
    rooms = tests_of(path)
    own = rooms[0] / f"test_{path.stem}.py"
    if own.exists():
        yield own, "not whole"
    for tests in (_QUICK, _SLOW):
        for room in rooms:
            yield room, tests


class Judge:
    """A copy of the sources, without compiled modules, and an environment without LLVM's tools."""

    def __init__(self) -> None:
        """Make the copy."""
        self._folder = tempfile.TemporaryDirectory()
        self._copy = Path(self._folder.name, "src", "bitcodec")
        shutil.copytree(SOURCES, self._copy, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        self._environment = {
            **os.environ,
            "PATH": _without_tools(Path(self._folder.name, "bin")),
            "PYTHONPATH": str(self._copy.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def verdict(self, path: Path, mutant: Mutant) -> Verdict:
        """Return the end of a mutant."""
        target = self._copy / path.relative_to(SOURCES)
        source = path.read_bytes()
        target.write_bytes(mutant.applied(source))
        try:
            for room, tests in _runs(path):
                verdict = self._run(room, tests)
                if verdict is Verdict.KILLED and tests == _SLOW:
                    return Verdict.KILLED_LATE
                if verdict is not Verdict.SURVIVES:
                    return verdict
            return Verdict.SURVIVES
        finally:
            target.write_bytes(source)

    def _run(self, room: Path, tests: str) -> Verdict:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-n",
            "0",
            "-m",
            tests,
            "-p",
            "no:cacheprovider",
            str(room),
        ]
        done = subprocess.run(
            command, cwd=ROOT, env=self._environment, capture_output=True, preexec_fn=_limit_processor_time, check=False
        )
        if done.returncode == -signal.SIGXCPU:
            return Verdict.ENDLESS
        if done.returncode in (0, _NO_TESTS):
            return Verdict.SURVIVES
        return Verdict.KILLED if done.returncode == 1 else Verdict.BROKEN

    def close(self) -> None:
        """Remove the copy."""
        self._folder.cleanup()


def _limit_processor_time() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, resource.RLIM_INFINITY))


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
