"""The results as a table, in colour on a terminal, and as JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.results import Result

__all__ = ["as_json", "print_result", "print_table"]

_HEADINGS = ("what", "input", "median", "beside", "result", "of minima", "bar", "")
_VERDICTS = {True: "met", False: "MISSED", None: ""}
_LEFT = 2
"""Columns of text; the others are numbers."""


def print_result(result: Result) -> None:
    """Print one result as soon as it is known."""
    title, source, *figures = _cells(result)
    print(f"  {title}, {source}:", " ".join(filter(None, figures)), flush=True)


def print_table(results: Sequence[Result]) -> None:
    """Print the results."""
    rows = [_cells(result) for result in results]
    if sys.stdout.isatty():
        _print_colored(rows)
        return
    widths = [max(len(row[column]) for row in [_HEADINGS, *rows]) for column in range(len(_HEADINGS))]
    for row in [_HEADINGS, *rows]:
        cells = [
            cell.ljust(width) if column < _LEFT else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def as_json(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return the results with the time of every run, in seconds."""
    return [
        {
            "title": result.title,
            "input": result.input,
            "unit": result.unit,
            "value": result.value,
            "of_minima": result.least,
            "bar": result.bar,
            "met": result.is_met,
            "seconds": {name: times.seconds for name, times in result.times.items()},
        }
        for result in results
    ]


def _print_colored(rows: list[tuple[str, ...]]) -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a terminal is shown to
    from rich.table import Table  # noqa: PLC0415

    table = Table()
    for column, heading in enumerate(_HEADINGS):
        table.add_column(heading, justify="left" if column < _LEFT else "right")
    for row in rows:
        style = "bold red" if row[-1] == _VERDICTS[False] else None
        table.add_row(*row, style=style)
    Console().print(table)


def _cells(result: Result) -> tuple[str, ...]:
    medians = [_duration(times.median) for times in result.times.values()]
    ours, beside = [*medians, "", ""][:2]
    bar = "" if result.bar is None else f"<= {_figure(result.bar, result.unit)}"
    figures = (_figure(result.value, result.unit), _figure(result.least, result.unit))
    return (result.title, result.input, ours, beside, *figures, bar, _VERDICTS[result.is_met])


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:.2f} {unit}" if value >= 0.1 else f"1/{1 / value:.1f}"


def _duration(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"
