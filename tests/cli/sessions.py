"""Command lines of the documentation, in which recorded answers take the place of reference tools."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answers import ask
from answers.starting import is_permitted, reference_tool

from .running import run_line

__all__ = ["answer_or_run", "run_session"]

_SEPARATORS = ("|", "&&", ";")
_OF_SHELL = re.compile(r"2>/dev/null")

_run = subprocess.run


class _Part(NamedTuple):
    """A part of a command line.

    Attributes:
        separator: precedes it.
        text: one command of a reference tool, or commands of other programs.
    """

    separator: str
    text: str

    @property
    def is_tool(self) -> bool:
        return reference_tool(self.text.split()) is not None


def run_session(line: str, folder: Path, environment: dict[str, str]) -> bytes:
    """Return the output of a command line, with messages.

    Pipes (`|`) may connect reference tools, `&&` and `;` may separate them: a tool must succeed.
    """
    printed = errors = data = b""
    for part in _parts(line):
        if part.separator != "|":
            printed, data = printed + data, b""
        if part.is_tool:
            words = shlex.split(_OF_SHELL.sub("", part.text))
            done = ask(words, input=data, cwd=folder, check=True)
            errors += b"" if _OF_SHELL.search(part.text) else done.stderr
        else:
            done = run_line(part.text, folder, environment, data)
            errors += done.stderr
        data = done.stdout
    return printed + data + errors


def answer_or_run(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run a command as `subprocess.run` does; a recorded answer takes the place of a reference tool."""
    if reference_tool(command) is None or is_permitted():
        return _run(command, **options)
    return ask(command, **{name: value for name, value in options.items() if name != "capture_output"})


def _parts(line: str) -> list[_Part]:
    """Split a command line before and after each command of a reference tool."""
    lexer = shlex.shlex(line, posix=False, punctuation_chars="|&;")
    lexer.whitespace_split = True
    lexer.commenters = ""
    commands = [["", ""]]
    for token in lexer:
        if token in _SEPARATORS:
            commands.append([token, ""])
        else:
            commands[-1][1] += f" {token}" if commands[-1][1] else token
    parts: list[_Part] = []
    for separator, text in commands:
        part = _Part(separator, text)
        if parts and not part.is_tool and not parts[-1].is_tool:
            parts[-1] = _Part(parts[-1].separator, f"{parts[-1].text} {separator} {text}")
        else:
            parts.append(part)
    return parts
