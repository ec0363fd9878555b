"""Flags as tables and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.tables import LONGEST, print_table, short

if TYPE_CHECKING:
    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["finding", "flags_as_json", "print_flags"]


def print_flags(flags: ModuleFlags) -> None:
    """Print a table of flags, in the order of the module; nodes that are not flags are reported too."""
    from bitcodec.flags import describe, spelled  # noqa: PLC0415 - `--help` need not wait for it

    rows = []
    problems = {problem.number: problem for problem in flags.check()}
    for number, node in enumerate(flags.nodes):
        flag = flags.entries.get(number)
        if flag is None:
            rows.append((str(number), "-", spelled(node, most_characters=LONGEST), "", problems[number].message))
            continue
        value = spelled(flag.value, most_characters=LONGEST)
        problem = problems.get(number)
        meaning = describe(flag.key, flag.value) if problem is None else problem.message
        rows.append((str(number), flag.behavior.spelling, short(flag.key), value, meaning))
    print_table(("", "behavior", "key", "value", "meaning"), rows)


def flags_as_json(flags: ModuleFlags) -> list[dict[str, Any]]:
    """Return the flags as JSON has them, in the order of the module."""
    from bitcodec.flags import spelled  # noqa: PLC0415

    return [
        {"key": flag.key, "behavior": flag.behavior.name.lower(), "value": spelled(flag.value)}
        for flag in flags.entries.values()
    ]


def finding(message: str, *, is_error: bool) -> dict[str, str]:
    """Return a problem as JSON."""
    return {"severity": "error" if is_error else "warning", "message": message}
