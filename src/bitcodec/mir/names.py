"""Names of functions, globals, blocks and values as machine IR spells them: bare where they can be, else in quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.ir.spelling import escaped
from bitcodec.ir.types import quoted_name
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Name", "Renaming", "name_of", "plain_name", "quoted", "spelled", "symbol_name"]

Name: TypeAlias = str | int
"""Name of an entity, or the number that LLVM gives an entity without a name."""


class Renaming(NamedTuple):
    """New names by old ones.

    Attributes:
        globals: of globals.
        locals: of arguments, blocks and instructions, by the old name of their function.
    """

    globals: Mapping[Name, Name]
    locals: Mapping[Name, Mapping[Name, Name]]


_ESCAPE = re.compile(rb"\\(?:(\\)|([0-9A-Fa-f]{2}))")


def spelled(name: Name) -> str:
    """Return the spelling of a name behind `@`, `&`, `%ir.` or `%ir-block.`."""
    return str(name) if isinstance(name, int) else quoted_name(name)


def quoted(name: str) -> str:
    """Return a name in quotes."""
    return f'"{escaped(name)}"'


def name_of(text: str) -> Name:
    """Return the name that a text spells: a number if it consists of digits without quotes."""
    return int(text) if text.isdecimal() and len(text) < _LONGEST_NUMBER else plain_name(text)


def plain_name(text: str) -> str:
    """Return the name that a text spells, bare or in quotes; it may consist of digits."""
    return _unquoted(text) if text.startswith('"') else text


def symbol_name(text: str) -> str:
    """Return the name in `<mcsymbol NAME>`."""
    return plain_name(text[len("<mcsymbol ") : -1])


def _unquoted(text: str) -> str:
    data = text[1:-1].encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(_unescaped, data).decode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[bytes]) -> bytes:
    return match[1] or bytes.fromhex(match[2].decode("ascii"))


_LONGEST_NUMBER = 20
"""Digits."""
