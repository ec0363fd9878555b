"""`@FILE` on a command line: the arguments in FILE take its place, as with LLVM's tools."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from bitcodec.cli.problems import Trouble, answering, reported
from bitcodec.files import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["with_response_files"]

_MAX_SIZE = 1 << 26
"""Bytes."""


def with_response_files(arguments: Sequence[str]) -> list[str]:
    """Return arguments with those in the place of each `@FILE`; one without such a file stays as it is.

    FILE has arguments as a shell would have them: separated by spaces or lines, in quotes if need be.

    Raises:
        Trouble: the file cannot be read, or a quotation in it has no end.
    """
    found: list[str] = []
    for argument in arguments:
        found += _arguments_in(argument[1:]) if argument.startswith("@") and _exists(argument[1:]) else [argument]
    return found


def _exists(name: str) -> bool:
    try:
        os.lstat(name)
    except (FileNotFoundError, ValueError):  # ValueError: no file can have this name
        return False
    except OSError:  # reading it says what is wrong
        return True
    return True


def _arguments_in(name: str) -> list[str]:
    with answering(), reported(name):
        text = bytes(read_file(name, limit=_MAX_SIZE)).decode("utf-8", "surrogateescape")
    try:
        return shlex.split(text)
    except ValueError as error:  # a quotation or an escape does not end
        raise Trouble(f"{name}: {error}") from error
