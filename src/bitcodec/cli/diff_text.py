"""Differences as text: unified diffs, or names alone; with colours for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.diff import Difference

__all__ = ["colored", "difference_text", "overview"]

_COLORS = {"+": "green", "-": "red", "@": "cyan"}
"""By the first character of a line."""
_TAB = "\t"
"""Stays as it is: assembly text is full of them."""
_HEADERS = ("--- ", "+++ ", "diff ")


def difference_text(difference: Difference, context: int) -> str:
    """Return the unified diff of a difference."""
    from bitcodec.diff import unified_diff  # noqa: PLC0415 - `--help` need not wait for the model

    return "".join(f"{one_line(line, kept=_TAB)}\n" for line in unified_diff(difference, context))


def overview(difference: Difference) -> str:
    """Return the line that says what became of what."""
    return f"{one_line(f'{difference.change.value} {difference.label}')}\n"


def colored(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces of text, whole lines each, with colours."""
    for piece in pieces:
        yield "".join(f"{_colored(line)}\n" for line in piece.split("\n")[:-1])


def _colored(line: str) -> str:
    if line.startswith(_HEADERS):
        return click.style(line, bold=True)
    color = _COLORS.get(line[:1])
    return line if color is None else click.style(line, fg=color)
