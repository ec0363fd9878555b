"""`bitcodec flags conflicts`: which of many inputs do not agree."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import command, option
from bitcodec.cli.flags.inputs import Inputs, inputs_argument
from bitcodec.cli.flags.text import finding
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.printing import echo, styled
from bitcodec.cli.problems import answering, warn
from bitcodec.cli.tables import print_table, short
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec.flags import ConflictReport, DiagnosticKind, FlagConflict, ValueGroup

__all__ = ["conflicts"]

_LISTED = 8


@command(short_help="Find flags on which inputs disagree, and how to fix them.")
@inputs_argument
@json_option
@option("--all", "lists_all", is_flag=True, help="List all inputs of each value, not only the first ones.")
@answering()
def conflicts(files: tuple[str, ...], *, as_json: bool, lists_all: bool) -> None:
    """Print each flag on which inputs disagree: values, the inputs that have each, their meaning, and how to fix it.

    Only the flags of each module are read.  Objects without bitcode are skipped.  The exit code is 1 if there
    is a conflict that stops a link, 2 if a file could not be read.

    \b
    Examples:
      bitcodec flags conflicts build/*.o libfoo.a
      bitcodec flags conflicts @link.rsp
      bitcodec flags conflicts --json *.bc | jq '.conflicts[].key'
    """
    from bitcodec.flags import FlagSurvey  # noqa: PLC0415 - `--help` need not wait for it

    survey = FlagSurvey(most_names=sys.maxsize) if lists_all else FlagSurvey()
    inputs = Inputs(files)
    inputs.each(lambda one, flags: survey.add(one.name, flags))
    report = survey.report()
    if as_json:
        print_document("flags conflicts", _as_json(report))
    elif report.inputs or not inputs.has_failed:
        _print(report, lists_all=lists_all)
    inputs.finish(is_found=any(conflict.is_error for conflict in report.conflicts))


def _print(report: ConflictReport, *, lists_all: bool) -> None:
    for malformed in report.malformed:
        warn(f"{malformed.input}: {malformed.problem}")
    for conflict in report.conflicts:
        word = styled("error", color="red") if conflict.is_error else styled("warning", color="yellow")
        reasons = ", ".join(_word(kind) for kind in conflict.kinds)
        echo(f"{one_line(short(conflict.key))}: {word}: {reasons}")
        print_table(("inputs", "value", "behavior", "meaning"), [_row(group) for group in conflict.groups])
        for group in conflict.required:
            echo(f"  required by {_names(group, lists_all=lists_all)}: {one_line(group.text)}")
        for group in conflict.groups:
            echo(f"  {one_line(group.text) or 'list'}: {_names(group, lists_all=lists_all)}")
        if conflict.more_values:
            echo(f"  {conflict.more_values} inputs have other values")
        if conflict.advice:
            echo(f"  {one_line(conflict.advice)}")
        if conflict.minority is not None and conflict.groups[0].text and conflict.is_settable:
            assignment = shlex.quote(f"{short(conflict.key)}={conflict.groups[0].text}")
            echo(f"  without compiling again: bitcodec flags set FILE {one_line(assignment)} --in-place")
    count = len(report.conflicts)
    inputs = "1 module" if report.inputs == 1 else f"{report.inputs:,} modules"
    echo(f"{inputs}: {count or 'no'} flag{'s' * (count != 1)} in conflict")


def _word(kind: DiagnosticKind) -> str:
    return kind.name.lower().replace("_", " ")


def _row(group: ValueGroup) -> tuple[str, ...]:
    meaning = f"{group.meaning}: {group.option}" if group.option else group.meaning
    return f"{group.size:,}", group.text, group.behavior.spelling, meaning


def _names(group: ValueGroup, *, lists_all: bool) -> str:
    listed = group.inputs if lists_all else group.inputs[:_LISTED]
    more = group.size - len(listed)
    return one_line(", ".join(listed)) + (f", and {more:,} more" if more else "")


def _as_json(report: ConflictReport) -> dict[str, Any]:
    return {
        "input_count": report.inputs,
        "conflicts": [_conflict_as_json(conflict) for conflict in report.conflicts],
        "findings": [{"input": each.input, **finding(str(each.problem), is_error=False)} for each in report.malformed],
    }


def _conflict_as_json(conflict: FlagConflict) -> dict[str, Any]:
    minority = conflict.minority
    return {
        "key": conflict.key,
        "error": conflict.is_error,
        "kinds": [_word(kind) for kind in conflict.kinds],
        "values": [_group_as_json(group) for group in conflict.groups],
        "required": [_group_as_json(group) for group in conflict.required],
        "absent": conflict.absent,
        "minority": None if minority is None else minority.text,
        "advice": conflict.advice,
    }


def _group_as_json(group: ValueGroup) -> dict[str, Any]:
    return {
        "behavior": group.behavior.name.lower(),
        "value": group.text,
        "count": group.size,
        "inputs": list(group.inputs),
        "meaning": group.meaning,
        "option": group.option,
    }
