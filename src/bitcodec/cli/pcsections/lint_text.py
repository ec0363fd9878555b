"""Output of `bitcodec pcsections lint` and `pcsections diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.linting import print_counts, severity
from bitcodec.cli.printing import echo
from bitcodec.cli.tables import print_table, short
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.lint import Change, Content, PCFinding, PCReport, Row
    from bitcodec.pcsections import Entry

__all__ = ["print_changes", "print_report"]

_LISTED = 5
"""Entries of a finding."""


def print_report(report: PCReport, *, sizes: bool) -> None:
    """Print the findings, then the sizes by kind, by function if that is requested."""
    explained: set[str] = set()
    for found in report.findings:
        _print_finding(found, explains=found.rule not in explained)
        explained.add(found.rule)
    if report.contents:
        _print_contents(report.contents, sizes=sizes)
    elif not report.findings:
        echo("  no PC sections")
    print_counts("1 file" if report.files == 1 else f"{report.files:,} files", report.findings)


def _print_finding(found: PCFinding, *, explains: bool) -> None:
    from bitcodec.lint import PC_RULES  # noqa: PLC0415 - `--help` need not wait for it

    rule = next(each for each in PC_RULES if each.identifier == found.rule)
    subject = one_line(short(found.subject))
    echo(f"{one_line(found.file)}: {subject}: {severity(found)}: {one_line(found.message)} [{found.rule}]")
    if found.entries:
        print_table(("place", "pc", "source"), [_cells(entry) for entry in found.entries[:_LISTED]])
        if found.size > _LISTED:
            echo(f"  and {found.size - _LISTED:,} more")
    if explains:
        echo(f"  {rule.consequence}")
        echo(f"  fix: {rule.remedy}")


def _cells(entry: Entry) -> tuple[str, str, str]:
    source = "" if entry.file is None else f"{entry.file}:{entry.line}"
    return str(entry.place), short(str(entry.pc)), source


def _print_contents(contents: Mapping[Row, Content], *, sizes: bool) -> None:
    totals: dict[tuple[str, str], Content] = {}
    for row, content in contents.items():
        key = row.section, _kind(row)
        totals[key] = content if key not in totals else totals[key].joined(content)
    rows = [(*key, f"{content.entries:,}", f"{content.size:,}") for key, content in totals.items()]
    print_table(("section", "of", "entries", "bytes"), rows)
    if sizes:
        detailed = sorted(contents.items(), key=lambda item: -item[1].size)
        cells = [
            (row.section, short(row.function), _kind(row), f"{content.entries:,}", f"{content.size:,}")
            for row, content in detailed
        ]
        print_table(("section", "function", "of", "entries", "bytes"), cells)


def _kind(row: Row) -> str:
    return "functions" if row.is_function else "instructions"


def print_changes(changes: Iterable[Change]) -> None:
    """Print how two builds differ, function by function."""
    rows = [
        (
            each.row.section,
            short(each.row.function),
            _kind(each.row),
            f"{each.before.entries:,} -> {each.after.entries:,}",
            f"{each.before.size:,} -> {each.after.size:,}",
        )
        for each in changes
    ]
    if rows:
        print_table(("section", "function", "of", "entries", "bytes"), rows)
