"""Flags as tables and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bitcodec.bitstream.text import one_line
from bitcodec.cli.names import readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["flags_as_json", "json_option", "print_flags", "print_table", "short"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

_LONGEST = 60
"""Characters of a key or a value in a line; JSON has all of it."""


def print_flags(flags: ModuleFlags) -> None:
    """Print a table of flags, in the order of the module; what is no flag is told too."""
    from bitcodec.flags import describe, spelled  # noqa: PLC0415 - `--help` need not wait for it

    rows = []
    problems = {problem.number: problem for problem in flags.check()}
    for number, node in enumerate(flags.nodes):
        flag = flags.entries.get(number)
        if flag is None:
            rows.append((str(number), "-", spelled(node, most_characters=_LONGEST), "", problems[number].message))
            continue
        value = spelled(flag.value, most_characters=_LONGEST)
        problem = problems.get(number)
        meaning = describe(flag.key, flag.value) if problem is None else problem.message
        rows.append((str(number), flag.behavior.spelling, short(flag.key), value, meaning))
    print_table(("", "behavior", "key", "value", "meaning"), rows)


def short(text: str) -> str:
    """Return text that may be of any length as lines have it."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows in columns, the titles in front of them."""
    shown = [titles, *([one_line(readable(cell)) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in shown) for column in range(len(titles))]
    for number, row in enumerate(shown):
        line = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        click.echo(f"  {line}" if number else click.style(f"  {line}", bold=True))


def flags_as_json(flags: ModuleFlags) -> list[dict[str, Any]]:
    """Return the flags as JSON has them, in the order of the module."""
    from bitcodec.flags import spelled  # noqa: PLC0415

    return [
        {"behavior": flag.behavior.name.lower(), "key": readable(flag.key), "value": readable(spelled(flag.value))}
        for flag in flags.entries.values()
    ]
