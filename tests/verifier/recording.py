"""Text that llvm-as 22.1.8 prints for the snippets in `broken`, recorded beside them.

`python -m tests.verifier.recording` records it again with the llvm-as that is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest does

from cli.running import llvm
from verifier.snippets import FOLDER, parameters

__all__ = ["ADDRESS", "printed_by_llvm", "recorded"]

_SEPARATOR = ";;; "
_DROPPED = re.compile(r"^warning: ignoring ", re.MULTILINE)
_VERDICT = re.compile(r"^.*assembly parsed, but does not verify as correct!\n", re.MULTILINE)
_ADDRESS = re.compile(r"<0x[0-9a-f]+>")
ADDRESS = "<address>"
"""Stands for the address of a node, which LLVM prints where it has no number for it."""
_CRASH = "LLVM ERROR: Broken module found"


def printed_by_llvm(text: str) -> str:
    """Return the findings that llvm-as prints for a text, when it verifies it first."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.ll"
        path.write_text(text, encoding="utf-8")
        # With debug information that is current, llvm-as ends with a stack trace.
        environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}
        command = [llvm("llvm-as"), str(path), "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, check=False, env=environment, stdin=subprocess.DEVNULL)
    printed = _ADDRESS.sub(ADDRESS, done.stderr.decode())
    printed = _VERDICT.sub("", printed.split(_CRASH)[0])
    return _DROPPED.split(printed)[0]


def _file_of(parameter: Any) -> str:
    return str(parameter.id).rpartition("-")[0]


def recorded() -> list[Any]:
    """Return the parameters of all snippets, each with the text recorded for it."""
    found = []
    for name, snippets in groupby(parameters(), _file_of):
        sections = (FOLDER / "broken" / f"{name}.txt").read_text(encoding="utf-8").split(_SEPARATOR)[1:]
        expected = dict(section.split("\n", 1) for section in sections)
        found += [(snippet.id, snippet.values[0], expected.get(str(snippet.id))) for snippet in snippets]
    return found


def main() -> None:
    """Record the text of all snippets."""
    for name, snippets in groupby(parameters(), _file_of):
        sections = (
            f"{_SEPARATOR}{snippet.id}\n{printed_by_llvm(snippet.values[0].text)}"  # type: ignore[attr-defined]
            for snippet in snippets
        )
        (FOLDER / "broken" / f"{name}.txt").write_text("".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
