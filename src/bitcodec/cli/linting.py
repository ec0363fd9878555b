"""Common parts of the linters: options, exit codes, SARIF logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.cli.declaring import option
from bitcodec.cli.json_documents import json_line
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.printing import echo, styled
from bitcodec.cli.problems import UsageError
from bitcodec.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitcodec.lint import AnyFinding, RuleInfo

__all__ = [
    "SEVERITIES",
    "check_usage",
    "fails",
    "lint_options",
    "print_counts",
    "print_rules",
    "severity",
    "write_sarif",
]

SEVERITIES = ("error", "warning", "note")
"""The worst first; a test compares them with the library's."""
_COLORS = dict(zip(SEVERITIES, ("red", "yellow", "cyan"), strict=True))

_Command = TypeVar("_Command", bound="Callable[..., object]")

_OPTIONS = (
    option(
        "--sarif", metavar="FILE", help="Write a SARIF 2.1.0 log to FILE; - for standard output, without the report."
    ),
    option("--disable", multiple=True, metavar="RULE", help="Leave out a rule.  May be repeated."),
    option(
        "--error-on",
        multiple=True,
        metavar="NAME",
        help="Exit with 1 not only on errors, but also on findings of this rule or of this severity: warning, note."
        "  May be repeated.",
    ),
    option("--list-rules", is_flag=True, help="Print the rules, and exit."),
)


def lint_options(command: _Command) -> _Command:
    """Give a command the options that all linters have."""
    for each in reversed(_OPTIONS):
        command = each(command)
    return command


def print_rules(rules: Iterable[RuleInfo]) -> None:
    """Print a table of rules."""
    print_table(("rule", "severity", "finds"), [(each.identifier, each.severity.value, each.title) for each in rules])


def check_usage(
    disable: Iterable[str], error_on: Iterable[str], rules: Iterable[RuleInfo], sarif: str | None, *, as_json: bool
) -> None:
    """Refuse options that name no rule, and two documents for standard output.

    Raises:
        UsageError: there are such.
    """
    if as_json and sarif == STANDARD_OUTPUT:
        raise UsageError("--json and --sarif - both write to standard output; give --sarif a file")
    known = {rule.identifier for rule in rules}
    for spelling, given, names in (("--disable", disable, known), ("--error-on", error_on, known | set(SEVERITIES))):
        for name in given:
            if name not in names:
                raise UsageError(f"{spelling} {name}: unknown rule; --list-rules prints the rules")


def fails(findings: Iterable[AnyFinding], error_on: Sequence[str]) -> bool:
    """Return whether findings give the exit code 1."""
    return any(_counts(found, (SEVERITIES[0], *error_on)) for found in findings)


def _counts(found: AnyFinding, error_on: Sequence[str]) -> bool:
    if found.rule in error_on:
        return True
    wanted = [SEVERITIES.index(name) for name in error_on if name in SEVERITIES]
    return SEVERITIES.index(found.severity.value) <= max(wanted)


def severity(found: AnyFinding) -> str:
    """Return how bad a finding is, in its color."""
    name: str = found.severity.value
    return styled(name, color=_COLORS[name])


def print_counts(what: str, findings: Sequence[AnyFinding]) -> None:
    """Print the number of findings, behind the number of inputs."""
    counts = {name: sum(each.severity.value == name for each in findings) for name in SEVERITIES}
    words = [f"{count} {name}{'s' * (count != 1)}" for name, count in counts.items() if count]
    echo(f"{what}: {', '.join(words) or 'no findings'}")


def write_sarif(findings: Iterable[AnyFinding], rules: Sequence[RuleInfo], output: str) -> None:
    """Write a SARIF log.

    Raises:
        Failure: it cannot be written.
    """
    from bitcodec.lint import sarif_log  # noqa: PLC0415 - `--help` need not wait for it

    write_text(output, [json_line(sarif_log(findings, rules)), "\n"])
