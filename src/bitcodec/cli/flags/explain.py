"""`bitcodec flags explain`: the meaning of a flag."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure
from bitcodec.cli.tables import print_table

if TYPE_CHECKING:
    from bitcodec.flags import KnownFlag

__all__ = ["explain"]


@command(short_help="Explain a flag.")
@argument("key", required=False)
@json_option
def explain(key: str | None, *, as_json: bool) -> None:
    """Print meaning, values and producers of the flag KEY, and the option that sets it; without KEY, all known flags.

    \b
    Examples:
      bitcodec flags explain wchar_size
      bitcodec flags explain
      bitcodec flags explain --json | jq -r '.flags[] | select(.option == "-fPIC") | .key'
    """
    from bitcodec.flags import KNOWN_FLAGS  # noqa: PLC0415 - `--help` need not wait for it

    rows = KNOWN_FLAGS.values() if key is None else [_known(key)]
    if as_json:
        print_document("flags explain", {"flags": [_as_json(row) for row in rows]})
    elif key is None:
        print_table(("key", "behavior", "type", "meaning"), [_line(row) for row in rows])
    else:
        _print(*rows)


def _known(key: str) -> KnownFlag:
    from bitcodec.flags import KNOWN_FLAGS  # noqa: PLC0415

    row = KNOWN_FLAGS.get(key)
    if row is None:
        near = difflib.get_close_matches(key, KNOWN_FLAGS, 1, cutoff=0.5)
        more = f"; did you mean {near[0]!r}?" if near else ""
        raise Failure(f"unknown module flag {key!r} (unknown flags are allowed){more}")
    return row


def _line(row: KnownFlag) -> tuple[str, ...]:
    return row.key, row.behavior.spelling, row.type, row.meaning


def _print(row: KnownFlag) -> None:
    echo(f"{row.key}: {row.meaning}")
    others = "".join(f", {behavior.spelling} by others" for behavior in row.other_behaviors)
    facts = {
        "type": row.type,
        "behavior": row.behavior.spelling + others,
        "set by": row.option,
        "written by": ", ".join(row.producers),
        "since": f"LLVM {row.since}" if row.since else "",
        "until": f"LLVM {row.until}" if row.until else "",
        "today": row.successor,
    }
    for name, fact in facts.items():
        if fact:
            echo(f"  {name:<10}  {fact}")
    if row.values:
        echo("  values")
        for value, meaning in row.values.items():
            option = f": {meaning.option}" if meaning.option else ""
            echo(f"    {value:<8}  {meaning.text}{option}")
    elif row.unit:
        echo(f"  value       {row.unit.format('N')}")


def _as_json(row: KnownFlag) -> dict[str, Any]:
    values = [
        {"value": value, "meaning": meaning.text, "option": meaning.option or None}
        for value, meaning in row.values.items()
    ]
    return {
        "key": row.key,
        "type": row.type,
        "behavior": row.behavior.name.lower(),
        "other_behaviors": [behavior.name.lower() for behavior in row.other_behaviors],
        "meaning": row.meaning,
        "values": values,
        "unit": row.unit or None,
        "option": row.option or None,
        "producers": list(row.producers),
        "since": row.since or None,
        "until": row.until or None,
        "successor": row.successor or None,
    }
