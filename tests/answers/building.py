"""Files that commands make, such as objects and programs that a compiler and a linker make of sources."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from .asking import recall
from .store import packed, unpacked
from .tools import program_of

__all__ = ["build", "make"]


def build(
    commands: Sequence[str], files: Mapping[str, str | bytes], results: Sequence[str], *, is_steady: bool = True
) -> dict[str, bytes]:
    """Return files that commands make.  The recorded answer holds these files, so keep them small.

    Args:
        commands: command lines, which run one after another in a folder of their own.  The first word is a tool with
            its version, a program that an earlier command made, or one of the system such as "sh".
        files: name to content of the files that are there before.  A result must not depend on the folder: debug
            information, for one, needs `-fdebug-compilation-dir=.`.
        results: names of the files that are returned.
        is_steady: whether the files are the same on each machine; otherwise a live run does not make them again.
    """

    def compute() -> dict[str, object]:
        return {name: packed(data) for name, data in make(commands, files, results).items()}

    parts = [part for name, content in files.items() for part in (name, content)]
    values = recall([*commands, *parts, *results], compute, is_steady=is_steady)
    found = {name: unpacked(value) for name, value in values.items()}
    return {name: value for name, value in found.items() if isinstance(value, bytes)}


def make(commands: Sequence[str], files: Mapping[str, str | bytes], results: Sequence[str]) -> dict[str, bytes]:
    """Return files that commands make; the tools run, and nothing is recorded."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content.encode() if isinstance(content, str) else content)
        for command in commands:
            words = shlex.split(command)
            program = words[0] if words[0].startswith("./") else program_of(words[0])
            subprocess.run([program, *words[1:]], cwd=folder, check=True, capture_output=True)
        return {name: Path(folder, name).read_bytes() for name in results}
