"""`@FILE` on a command line: the arguments in FILE take its place, as with LLVM's tools.

Rules: LLVM 22, `cl::ExpandResponseFiles` and `cl::TokenizeGNUCommandLine`.
"""

from __future__ import annotations

import codecs
import os
import re
from typing import TYPE_CHECKING

from bitcodec.cli.problems import Trouble, answering, reported
from bitcodec.files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["with_response_files"]

_MAX_SIZE = 1 << 26
"""Bytes of all files together."""
_PARTS = r"""(?: \\(?P<escaped>.) | (?P<quote>['"])(?P<quoted>(?:\\.|(?!(?P=quote)).)*)(?P=quote)?
        | (?P<space>[ \t\r\n]+) | (?P<plain>[^\\'" \t\r\n]+|\\) )"""
"""Compiled when a file is read, for each command imports this module."""


def with_response_files(arguments: Sequence[str]) -> list[str]:
    """Return arguments with the contents of each `@FILE` in its place; one without such a file is unchanged.

    FILE has arguments separated by spaces or lines, in quotes if need be; a backslash takes its special meaning from
    any character.  They may name further files.

    Raises:
        Trouble: a file cannot be read, contains itself, or is too large.
    """
    found: list[str] = []
    remaining = _MAX_SIZE
    inside: list[str] = []
    waiting: list[str | None] = [*reversed(arguments)]  # None is the end of the innermost file
    while waiting:
        argument = waiting.pop()
        if argument is None:
            inside.pop()
        elif not argument.startswith("@") or not _exists(argument[1:]):
            found.append(argument)
        else:
            name = argument[1:]
            if any(_is_same(name, outer) for outer in inside):
                raise Trouble(f"recursive expansion of: '{name}'")
            text = _text(name, remaining)
            remaining -= len(text)
            inside.append(name)
            waiting += [None, *reversed([*_tokens(text)])]
    return found


def _exists(name: str) -> bool:
    try:
        os.lstat(name)
    except (FileNotFoundError, ValueError):  # ValueError: no file can have this name
        return False
    except OSError:  # reading it says what is wrong
        return True
    return True


def _is_same(name: str, other: str) -> bool:
    with reported(name):
        return os.path.samefile(name, other)  # noqa: PTH121 - each command imports this module, and pathlib takes long


def _text(name: str, limit: int) -> str:
    """Return the text of a file, in UTF-8, or in UTF-16 if a mark of its byte order shows that."""
    with answering(), reported(name):
        data = bytes(read_file(name, limit=limit))
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")


def _tokens(text: str) -> Iterator[str]:
    """Yield the arguments in a text; as in LLVM, a quotation may lack its end, and an empty one yields nothing."""
    token: list[str] = []
    for part in re.finditer(_PARTS, text, re.DOTALL | re.VERBOSE):
        if part["space"] is None:
            quoted = part["quoted"]
            piece = part["escaped"] or part["plain"] or re.sub(r"\\(.)", r"\1", quoted or "", flags=re.DOTALL)
            token.append(piece)
        elif "".join(token):
            yield "".join(token)
            token.clear()
    if "".join(token):
        yield "".join(token)
