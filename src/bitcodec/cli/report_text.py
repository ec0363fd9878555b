"""Growth between two builds as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.demangling import demangled
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.report import Comparison, Growth

__all__ = ["growth_lines"]

_LISTED = 20
"""Rows of each list."""
_WIDTH = 14


def growth_lines(comparison: Comparison, *, demangle: bool) -> Iterator[str]:
    """Yield lines: the total, then the functions, source files and kinds of records that have changed most."""
    total = comparison.total
    percent = "" if total.percent is None else f" ({total.percent:+.2f}%)"
    yield f"{(total.old_bits or 0) // 8:,} -> {(total.new_bits or 0) // 8:,} bytes: {_change(total)}{percent}\n"
    yield from _list("functions", comparison.functions, demangle=demangle)
    yield from _list("source files", comparison.sources)
    yield from _list("blocks and records", comparison.blocks)


def _list(title: str, rows: list[Growth], *, demangle: bool = False) -> Iterator[str]:
    if not rows:
        return
    yield f"\n{title}\n"
    for row in rows[:_LISTED]:
        name = demangled(row.name) if demangle else row.name
        yield f"{_change(row):>{_WIDTH}}  {one_line(name)}{_note(row)}\n"
    if len(rows) > _LISTED:
        rest = len(rows) - _LISTED
        yield f"{_change_of(rows[_LISTED:]):>{_WIDTH}}  {rest:,} more row{'s' * (rest != 1)}\n"


def _note(row: Growth) -> str:
    if row.old_bits is None:
        return " (new)"
    return " (gone)" if row.new_bits is None else ""


def _change(row: Growth) -> str:
    return _bytes(row.bits)


def _change_of(rows: Iterable[Growth]) -> str:
    return _bytes(sum(row.bits for row in rows))


def _bytes(bits: int) -> str:
    """Return a size in bytes, with eighths for single bits."""
    return f"{bits / 8:+,.3f}".rstrip("0").rstrip(".") if bits else "0"
