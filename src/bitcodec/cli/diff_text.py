"""Differences as text: unified diffs, or names alone; with colours for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.demangling import demangled
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.diff import Difference

__all__ = ["colored", "difference_text", "overview"]

_COLORS = {"+": "green", "-": "red", "@": "cyan"}
"""By the first character of a line."""
_TAB = "\t"
"""Printed unchanged: assembly text is full of them."""
_HEADER_LINES = 2
_HEADERS = ("--- ", "+++ ", "diff ")


def difference_text(difference: Difference, context: int, *, demangle: bool = False) -> str:
    """Return the unified diff of a difference."""
    from bitcodec.diff import unified_diff  # noqa: PLC0415 - `--help` need not wait for the model

    ending = _demangled_ending(difference) if demangle else ""
    lines = (
        f"{line}{ending}" if number < _HEADER_LINES and not line.endswith("/dev/null") else line
        for number, line in enumerate(unified_diff(difference, context))
    )
    return "".join(f"{one_line(line, kept=_TAB)}\n" for line in lines)


def overview(difference: Difference, *, demangle: bool = False) -> str:
    """Return the line that names a difference."""
    ending = _demangled_ending(difference) if demangle else ""
    return f"{one_line(f'{difference.change.value} {difference.label}{ending}')}\n"


def _demangled_ending(difference: Difference) -> str:
    """Return the text behind a label: the demangled name, if the name is mangled."""
    name = difference.name and demangled(difference.name)
    return "" if name == difference.name else f" {name}"


def colored(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces of text, whole lines each, with colours."""
    from click import style  # noqa: PLC0415 - only where a terminal is shown to

    for piece in pieces:
        yield "".join(f"{_colored(line, style)}\n" for line in piece.split("\n")[:-1])


def _colored(line: str, style: Callable[..., str]) -> str:
    if line.startswith(_HEADERS):
        return style(line, bold=True)
    color = _COLORS.get(line[:1])
    return line if color is None else style(line, fg=color)
