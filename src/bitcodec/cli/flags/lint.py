"""`bitcodec flags lint`: whether inputs link, and whether the result keeps the target properties of each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from bitcodec.cli.build_inputs import BuildInputs
from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.flags.inputs import Inputs
from bitcodec.cli.flags.lint_text import command_lines, print_report
from bitcodec.cli.flags.text import finding, flags_as_json
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.linting import check_usage, fails, lint_options, print_rules, write_sarif
from bitcodec.cli.outputs import STANDARD_OUTPUT
from bitcodec.cli.problems import UsageError, answering

if TYPE_CHECKING:
    from bitcodec.cli.modules import ModuleInFile
    from bitcodec.ir.module_flags import ModuleFlags
    from bitcodec.lint import Finding, FlagReport, Prediction

__all__ = ["lint"]

_PAGE = "module-flag-rules.html"


@command(short_help="Check the flags of a whole build against rules.")
@argument("files", nargs=-1, metavar="FILE...")
@json_option
@lint_options
@option("--thinlto", "thin_lto", is_flag=True, help="Predict ThinLTO too, from the summaries of the inputs.")
@option("--all", "lists_all", is_flag=True, help="List all inputs, not only the first ones.")
@answering()
def lint(
    files: tuple[str, ...],
    sarif: str | None,
    disable: tuple[str, ...],
    error_on: tuple[str, ...],
    *,
    as_json: bool,
    lists_all: bool,
    thin_lto: bool,
    list_rules: bool,
) -> None:
    """Report problems with module flags when the FILEs are linked in this order, also where linkers are silent.

    FILE may be bitcode, an object, an archive, a link map (of LLD, GNU ld or Apple's ld), or a compile_commands.json,
    for the objects that it names.  Objects without bitcode are skipped.

    Each finding names the rule, the inputs that disagree, the linked module's flag, the consequence, and the fix: an
    option for each compiler, or a command that changes the file.  The exit code is 1 if there are errors or
    findings that --error-on names, 2 if a file could not be read.

    \b
    Examples:
      bitcodec flags lint build/*.o libfoo.a
      bitcodec flags lint @link.rsp --error-on warning --disable frame-pointers-mixed
      bitcodec flags lint --sarif flags.sarif *.bc
      bitcodec flags lint --json *.bc | jq -r '.findings[].rule'
    """
    from bitcodec.lint import FLAG_RULES, FlagLinter  # noqa: PLC0415 - `--help` need not wait for it

    if list_rules:
        print_rules(FLAG_RULES)
        return
    if not files:
        raise UsageError("Missing argument 'FILE...'.")
    check_usage(disable, error_on, FLAG_RULES, sarif, as_json=as_json)
    most_names = sys.maxsize if lists_all else FlagLinter.MOST_NAMES
    linter = FlagLinter(disabled=disable, most_names=most_names, predicts_thin_lto=thin_lto)
    build = BuildInputs(files)
    inputs = Inputs(build.paths)

    def take(one: ModuleInFile, _: ModuleFlags) -> None:
        if build.contains(one.file, one.found.path):
            linter.add(one.module, one.name)

    inputs.each(take)
    report = linter.report()
    if sarif is not None:
        write_sarif(report.findings, FLAG_RULES, sarif)
    if as_json:
        print_document("flags lint", _as_json(report))
    elif sarif != STANDARD_OUTPUT and report.inputs:
        print_report(report, lists_all=lists_all)
    inputs.finish(is_found=fails(report.findings, error_on))


def _as_json(report: FlagReport) -> dict[str, Any]:
    return {
        "input_count": report.inputs,
        "findings": [_finding_as_json(each) for each in report.findings],
        "linkers": [_linker_as_json(each) for each in report.predictions],
        "flags": flags_as_json(report.merge.flags),
    }


def _linker_as_json(prediction: Prediction) -> dict[str, Any]:
    messages = [finding(each.text, is_error=each.is_error) for each in prediction.messages]
    return {"linker": prediction.linker, "is_stopped": prediction.is_stopped, "findings": messages}


def _finding_as_json(found: Finding) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "severity": found.severity.value,
        "key": found.subject,
        "message": found.message,
        "sides": [
            {
                "value": side.text,
                "count": side.size,
                "inputs": list(side.inputs),
                "compilers": list(side.compilers),
                "is_odd": side.is_odd,
            }
            for side in found.sides
        ],
        "result": found.result or None,
        "options": [{"compiler": compiler, "option": option} for compiler, option in found.fix.options.items()],
        "commands": command_lines(found),
        "section": f"{_PAGE}#{found.rule}",
    }
