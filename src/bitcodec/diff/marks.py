"""Marks: placeholders in compared texts for the numbers of things without a name.

A mark only identifies a thing; its number is given when a text is shown.  Control characters are around it,
which assembly text has nowhere: there they are escaped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["DROPPED", "MARK", "Marks", "local_mark", "rendered", "thing_mark"]

DROPPED = "!\x03"
"""Stands for a node that does not count."""
_LOCAL, _THING = "\x01", "\x02"
MARK = re.compile(rf"([{_LOCAL}{_THING}])([0-9]{{1,9}})\1")

Marks = dict[str, str]
"""Replacements of marks in a text that is shown; a mark without a replacement keeps its number."""


def local_mark(number: int) -> str:
    """Return the mark of a local value or block, by its number in its function."""
    return f"{_LOCAL}{number}{_LOCAL}"


def thing_mark(number: int) -> str:
    """Return the mark of a thing that functions share: a node, an attribute group, a struct, a variable."""
    return f"{_THING}{number}{_THING}"


def rendered(lines: Iterable[str], shown: Mapping[str, str] | None = None) -> list[str]:
    """Return lines as they are shown: locals as `%7`, things as `<7>`.

    Args:
        lines: with marks.
        shown: replacements of certain marks, instead of their numbers.
    """
    others = shown or {}

    def text_of(mark: re.Match[str]) -> str:
        number = others.get(mark[0], mark[2])
        return number if mark[1] == _LOCAL else f"<{number}>"

    return [MARK.sub(text_of, line) for line in lines]
