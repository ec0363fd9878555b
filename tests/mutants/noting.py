"""Notes which functions a test reaches.

A copy of this file lies beside a copy of the package, whose functions call it by their number; `reached`, beside it, is
the folder of its notes.  A process that a test starts writes each note at once: it may end without warning.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["begin", "end", "note", "seen"]

FOLDER = Path(__file__).with_name("reached")
seen: set[int] = set()
"""Functions of the running test, or of the process, that are noted already."""
_collects = False


def note(number: int) -> None:
    """Note that a function is reached."""
    seen.add(number)
    if not _collects:
        _write(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0], [number])


def begin() -> None:
    """Collect the notes of a test, which runs in this process."""
    global _collects  # noqa: PLW0603 - there is one running test in a process
    _collects = True
    seen.clear()


def end(test: str) -> None:
    """Write the notes of a test."""
    global _collects  # noqa: PLW0603 - there is one running test in a process
    _write(test, sorted(seen))
    _collects = False
    seen.clear()


def _write(test: str, numbers: Iterable[int]) -> None:
    try:
        with (FOLDER / f"{os.getpid()}.notes").open("a", encoding="utf-8", errors="surrogateescape") as file:
            file.write("".join(f"{number}\t{test}\n" for number in numbers))
    except OSError:
        pass  # the test limits files; what it reaches later may be noted


def _forget() -> None:
    """Begin again in a forked process: it belongs to the test that has it forked."""
    global _collects  # noqa: PLW0603 - there is one running test in a process
    _collects = False
    seen.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
