"""Values of flags from text, spelled as LLVM assembly and `spelling` do it: `i32 4`, `!"text"`, `!{!"a", i32 3}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.errors import quote
from bitcodec.ir.metadata import Metadata

if TYPE_CHECKING:
    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import MDTuple

__all__ = ["parse_value"]

_TOKEN = re.compile(
    r"""\s*(?:(?P<integer>i(?P<width>\d+)\s+(?P<number>-?\d+))|!"(?P<string>[^"]*)"|(?P<open>!\{)|(?P<close>\})"""
    r"""|(?P<comma>,)|(?P<null>null\b))\s*"""
)
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")
_WIDEST = 1 << 16


def parse_value(text: str, context: Context) -> Metadata | None:
    """Return the metadata that text spells; None for `null`.

    Raises:
        ValueError: it is not metadata; the message gives the position.
    """
    lists: list[list[Metadata | None]] = [[]]
    position, wants_value = 0, True
    while position < len(text):
        match = _TOKEN.match(text, position)
        kind = "" if match is None else match.lastgroup or ""
        closes_empty = kind == "close" and wants_value and len(lists) > 1 and not lists[-1]
        if match is None or (wants_value is (kind in ("comma", "close")) and not closes_empty):
            raise _refused(text, position)
        if kind == "open":
            lists.append([])
        elif kind == "comma":
            wants_value = True
        elif kind == "close" and len(lists) > 1:
            lists[-2].append(_tuple(lists.pop(), context))
            wants_value = False
        elif kind == "close":
            raise _refused(text, position)
        else:
            lists[-1].append(_leaf(match, context))
            wants_value = False
        position = match.end()
    if len(lists) > 1 or len(lists[0]) != 1 or wants_value:
        raise _refused(text, position)
    return lists[0][0]


def _tuple(operands: list[Metadata | None], context: Context) -> MDTuple:
    return context.metadata.tuple(operands)


def _leaf(match: re.Match[str], context: Context) -> Metadata | None:
    if match["null"]:
        return None
    if match["string"] is not None:
        raw = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), match["string"])
        return context.metadata.string(raw.encode("latin-1", "replace").decode("utf-8", "surrogateescape"))
    width, number = int(match["width"]), int(match["number"])
    if not 0 < width <= _WIDEST or not -(1 << (width - 1)) <= number < 1 << width:
        raise ValueError(f"{number} does not fit into an i{width}")
    return context.metadata.value(context.constants.integer(context.types.integer(width), number))


def _refused(text: str, position: int) -> ValueError:
    rest = text[position : position + 20]
    where = f"at {rest!r}" if rest else "at its end"
    return ValueError(f'{quote(text)} is no value ({where}): i32 4, !"text", !{{!"a", i32 3}} and null are')
