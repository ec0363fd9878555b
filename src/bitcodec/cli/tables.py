"""Tables of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.outputs import print_line
from bitcodec.cli.printing import styled
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["LONGEST", "print_table", "short", "table"]

LONGEST = 60
"""Characters of a cell that may be of any length; JSON has all of it."""


def short(text: str) -> str:
    """Return text that may be of any length as lines have it."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of rows in columns, the titles first."""
    shown = [titles, *([one_line(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in shown) for column in range(len(titles))]
    for row in shown:
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows in columns, the titles in front of them."""
    for number, line in enumerate(table(titles, rows)):
        print_line(line if number else styled(line))
