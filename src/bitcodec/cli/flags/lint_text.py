"""Output of `bitcodec flags lint`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from bitcodec.cli.inputs import STANDARD_INPUT
from bitcodec.cli.linting import print_counts, severity
from bitcodec.cli.printing import echo
from bitcodec.cli.tables import print_table, short
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec.lint import Finding, FlagReport, Side

__all__ = ["command_lines", "print_report"]

_LISTED = 3
"""Names of inputs in a line."""
_MOST_MESSAGES = 5


def print_report(report: FlagReport, *, lists_all: bool) -> None:
    """Print the findings, the messages of `llvm-link`, and the number of findings."""
    explained: set[str] = set()
    for found in report.findings:
        _print_finding(found, lists_all=lists_all, explains=found.rule not in explained)
        explained.add(found.rule)
    _print_messages(report)
    print_counts(_count(report.inputs), report.findings)


def _print_finding(found: Finding, *, lists_all: bool, explains: bool) -> None:
    from bitcodec.lint import FLAG_RULES  # noqa: PLC0415 - `--help` need not wait for it

    rule = next(each for each in FLAG_RULES if each.identifier == found.rule)
    echo(f"{one_line(short(found.subject))}: {severity(found)}: {found.message} [{found.rule}]")
    rows = [
        (f"{side.size:,}", side.text, _names(side, lists_all=lists_all), ", ".join(side.compilers))
        for side in found.sides
    ]
    print_table(("inputs", "value", "names", "compiler"), rows)
    if found.result:
        echo(f"  linked module: {one_line(found.result)}")
    if explains:
        echo(f"  {rule.consequence}")
        echo(f"  fix: {rule.remedy}")
    options = ", ".join(f"{option} ({compiler})" for compiler, option in found.fix.options.items())
    if options:
        echo(f"  options: {options}")
    lines = command_lines(found)
    for line in lines:
        echo(f"  without compiling again: {one_line(line)}")
    if not lines and options:
        echo("  without compiling again: not possible, as the flag describes code that exists already")


def command_lines(found: Finding) -> list[str]:
    """Return the commands that fix an input that cannot be compiled again."""
    inputs = found.odd_inputs
    file = inputs[0] if len(inputs) == 1 and inputs[0] != STANDARD_INPUT and "(" not in inputs[0] else "FILE"
    return [
        shlex.join(["bitcodec", "flags", step[0], file, *step[1:], "--in-place"])
        for step in found.fix.steps
        if all(len(word) <= _LONGEST for word in step)
    ]


_LONGEST = 200
"""Characters of a word in a command that is worth printing."""


def _names(side: Side, *, lists_all: bool) -> str:
    listed = side.inputs if lists_all else side.inputs[:_LISTED]
    more = side.size - len(listed)
    return ", ".join(listed) + (f", and {more:,} more" if more else "")


def _print_messages(report: FlagReport) -> None:
    """Print the predicted messages of linkers, of many the last ones: an error stops them."""
    for prediction in report.predictions:
        for each in prediction.messages[-_MOST_MESSAGES:]:
            echo(f"{prediction.linker}: {'error' if each.is_error else 'warning'}: {one_line(each.text)}")


def _count(inputs: int) -> str:
    return "1 module" if inputs == 1 else f"{inputs:,} modules"
