"""A question to a tool, in a form that is the same on every machine and in every run.

The files that a command names by absolute paths are copied to folders with fixed names (`=0=`, `=1=`, ...) before the
tool runs, so that its answer does not depend on a temporary folder.  The answer that a test gets has the test's names.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from .own_version import without_own_version

__all__ = ["Question", "key_of"]

OUTPUT = "=out="


def key_of(content: Any) -> str:
    """Return the key of a question: the beginning of the SHA-256 of its JSON form."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


class Question:
    """A command, its input and its files.

    Attributes:
        command: the name of the tool and its arguments, with fixed names for files.
        files: fixed name to path of the files that the tool reads.
        output: the path of the file that the tool writes, None if it writes none.
        output_name: its fixed name.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        data: bytes,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        writes: str | Path | None = None,
    ) -> None:
        """Take a command as a test gives it.

        Args:
            command: the tool with its version, and its arguments.
            data: standard input.
            folder: relative names are names of files in it.
            environment: variables for the tool.
            writes: an argument that is an output, in addition to the one after "-o".
        """
        self._folder = folder
        self._given: dict[str, str] = {}
        self.data, self.environment = data, dict(environment or {})
        self.files: dict[str, Path] = {}
        self.output: Path | None = None
        self.output_name = ""
        words = [str(word) for word in command]
        self.command = [words[0]]
        for previous, word in pairwise(words):
            self.command.append(self._fixed(word, is_output=word == str(writes) or previous == "-o"))

    def _fixed(self, word: str, *, is_output: bool) -> str:
        """Return an argument with a fixed name in the place of a path."""
        if is_output and word not in ("-", os.devnull):
            self.output = self._folder / word
            self.output_name = self._name(word, OUTPUT)
            return self.output_name
        if word == "/dev/stdin":
            return word
        if (self._folder / word).is_file():
            return self._input(word)
        option, sign, value = word.partition("=")
        if sign and value and (self._folder / value).is_file():
            return f"{option}={self._input(value)}"
        assert word == os.devnull or not Path(word).is_absolute(), f"{word} is no file: a question cannot name it"
        return word

    def _input(self, word: str) -> str:
        if word in self._given.values():
            return next(name for name, given in self._given.items() if given == word)
        name = self._name(word, f"={len(self.files)}=")
        self.files[name] = self._folder / word
        return name

    def _name(self, word: str, folder: str) -> str:
        path = Path(word)
        # A relative name is the same in each run, and a module may contain it.
        name = f"{folder}/{path.name}" if path.is_absolute() or ".." in path.parts else word
        self._given[name] = word
        return name

    @cached_property
    def key(self) -> str:
        """The key of the answer."""
        return key_of(
            {
                "command": self.command,
                "input": _digest(self.data),
                "files": {name: _digest(path.read_bytes()) for name, path in self.files.items()},
                "environment": self.environment,
            }
        )

    def __str__(self) -> str:
        return shlex.join(self.command).replace("'", "")

    def with_given_names(self, output: bytes) -> bytes:
        """Return what a tool printed with the paths of the test."""
        for name, word in self._given.items():
            output = output.replace(name.encode(), os.fsencode(word))
        return output

    def without_folders(self, output: bytes) -> bytes:
        """Return output, of a tool or as a test expects it, with the last parts of the names of files."""
        for name, word in self._given.items():
            for path in (name, word):
                output = output.replace(os.fsencode(path), os.fsencode(Path(word).name))
        return output


def _digest(data: bytes) -> str:
    return hashlib.sha256(without_own_version(data)).hexdigest()
