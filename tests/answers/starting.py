"""Finds tests that start a reference tool on their own: only `ask`, `recall`, `build` and live tests may start one.

Python calls an audit hook before each new process, and has no way to remove a hook: so it looks at a flag.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .ways import current, is_begun

__all__ = ["is_permitted", "permit", "reference_tool", "watch"]

_LLVM = (
    r"clang(?:\+\+|-\w+)*|llvm-[\w-]+|opt|llc|lli|lld|lld-link|ld(?:64)?\.lld|wasm-ld|bugpoint|dsymutil|FileCheck|"
    r"yaml2obj|obj2yaml|verify-uselistorder|sancov"
)
_GNU = r"gcc|g\+\+|c\+\+|cc|cpp|as|ld|ld\.\w+|readelf|objdump|objcopy|nm|strip|ar|ranlib|c\+\+filt|addr2line"
_NAME = re.compile(rf"(?:{_LLVM}|(?:\w+-linux-\w+-)?(?:{_GNU}))(?:-\d+(?:\.\d+)*)?(?:\.exe)?")
_FOLDER = re.compile(r"/(?:(?:old|new|wheel)-)?llvm(?:-\d+)?/(?:.*/)?[^/]+")
"""A file in a folder of an LLVM."""
_SHELL = re.compile(r"(?:ba|da|z)?sh|env|nice|timeout|xargs")
"""A program that starts others."""
_COMMAND = re.compile(r"(?:^|[|&;({])\s*(?:(?:if|then|else|do|exec|env|\w+=\S*)\s+)*([\w./+-]+)", re.MULTILINE)
"""A word of a shell's command line that names a program."""

_permits = 0


@contextmanager
def permit() -> Iterator[None]:
    """Let tools start."""
    global _permits  # noqa: PLW0603 - an audit hook is one for the process
    _permits += 1
    try:
        yield
    finally:
        _permits -= 1


def is_permitted() -> bool:
    """Return whether an answer is being computed."""
    return _permits > 0


def watch() -> None:
    """Let a test fail that starts a tool."""
    sys.addaudithook(_look)


def reference_tool(words: Sequence[str]) -> str | None:
    """Return the reference tool that a command starts, None if it starts none."""
    names = [words[0]]
    if _SHELL.fullmatch(Path(words[0]).name):
        names += [name for word in words[1:] for name in _COMMAND.findall(word)]
    return next((name for name in names if _NAME.fullmatch(Path(name).name) or _FOLDER.search(name)), None)


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    """Judge an event that Python reports."""
    if event == "os.system":
        words = ["sh", "-c", arguments[0]]
    elif event in ("subprocess.Popen", "os.posix_spawn", "os.exec"):
        program, words = arguments[0], list(arguments[1])
        words[:1] = [program or words[0]]
    else:
        return
    if _permits or (is_begun() and current().is_live_test):
        return
    tool = reference_tool([os.fsdecode(word) for word in words])
    if tool is not None:
        pytest.fail(
            f"expected recorded answers of {Path(tool).name}, but this test starts the tool: call "
            "answers.ask, recall or build, or mark the test as live"
        )
