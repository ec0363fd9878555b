"""`bitcodec flags explain`: what is known of a flag."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import click

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.problems import Failure
from bitcodec.cli.tables import print_table

if TYPE_CHECKING:
    from bitcodec.flags import KnownFlag

__all__ = ["explain"]


@command(short_help="What is known of a flag.")
@argument("key", required=False)
def explain(key: str | None) -> None:
    """Print what the flag KEY means, which values it has, who writes it and how; without KEY, which flags are known.

    \b
    Examples:
      bitcodec flags explain wchar_size
      bitcodec flags explain
    """
    from bitcodec.flags import KNOWN_FLAGS  # noqa: PLC0415 - `--help` need not wait for it

    if key is None:
        print_table(("key", "behavior", "type", "meaning"), [_line(row) for row in KNOWN_FLAGS.values()])
        return
    row = KNOWN_FLAGS.get(key)
    if row is None:
        near = difflib.get_close_matches(key, KNOWN_FLAGS, 1, cutoff=0.5)
        more = f"; did you mean {near[0]!r}?" if near else ""
        raise Failure(f"nothing is known of the flag {key!r}, which is no error{more}")
    _print(row)


def _line(row: KnownFlag) -> tuple[str, ...]:
    return row.key, row.behavior.spelling, row.type, row.meaning


def _print(row: KnownFlag) -> None:
    click.echo(f"{row.key}: {row.meaning}")
    others = "".join(f", {behavior.spelling} by others" for behavior in row.other_behaviors)
    facts = {
        "type": row.type,
        "behavior": row.behavior.spelling + others,
        "set by": row.option,
        "written by": ", ".join(row.producers),
        "since": f"LLVM {row.since}" if row.since else "",
        "today": row.successor,
    }
    for name, fact in facts.items():
        if fact:
            click.echo(f"  {name:<10}  {fact}")
    if row.values:
        click.echo("  values")
        for value, meaning in row.values.items():
            option = f": {meaning.option}" if meaning.option else ""
            click.echo(f"    {value:<8}  {meaning.text}{option}")
    elif row.unit:
        click.echo(f"  value       {row.unit.format('N')}")
