"""`bitcodec pcsections lint`: whether the contents of PC sections are valid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.linting import check_usage, fails, lint_options, print_rules, write_sarif
from bitcodec.cli.outputs import STANDARD_OUTPUT
from bitcodec.cli.pcsections.decode import schemas_of
from bitcodec.cli.pcsections.elf_inputs import each_elf
from bitcodec.cli.problems import Trouble, UsageError, answering, note, warn
from bitcodec.cli.rewriting import only_module

if TYPE_CHECKING:
    from bitcodec.lint import PCFinding, PCReport

__all__ = ["lint"]


@command(short_help="Check the PC sections of objects and programs against rules.")
@argument("files", nargs=-1, metavar="FILE...")
@json_option
@option(
    "--module", "modules", multiple=True, metavar="MODULE", help="Compare with what this module requests; repeatable."
)
@option(
    "--schema", "schemas", multiple=True, metavar="MODULE|sanitizer|SPEC", help="Constants that follow PCs; repeatable."
)
@lint_options
@option("--sizes", is_flag=True, help="Print entries and bytes of each function as well.")
@answering()
def lint(
    files: tuple[str, ...],
    modules: tuple[str, ...],
    schemas: tuple[str, ...],
    sarif: str | None,
    disable: tuple[str, ...],
    error_on: tuple[str, ...],
    *,
    as_json: bool,
    list_rules: bool,
    sizes: bool,
) -> None:
    """Report problems with the PC sections of the FILEs, which belong to one program.

    FILE is an object, an executable or a shared object in ELF, or an archive of objects.  With --module, requests of
    the module are compared with the file.  Schemas are as for `pcsections decode`.

    The exit code is 1 if there are errors or findings that --error-on names, 2 if a file could not be read.  An archive
    of bitcode alone has nothing to lint, which a note reports.

    \b
    Examples:
      bitcodec pcsections lint program
      bitcodec pcsections lint build/*.o --error-on warning --disable section-not-kept
      bitcodec pcsections lint tagged.o --module tagged.bc --sizes
      bitcodec pcsections lint program --sarif pcsections.sarif
    """
    from bitcodec.lint import PC_RULES, PCLinter  # noqa: PLC0415 - `--help` need not wait for it

    if list_rules:
        print_rules(PC_RULES)
        return
    if not files:
        raise UsageError("Missing argument 'FILE...'.")
    check_usage(disable, error_on, PC_RULES, sarif, as_json=as_json)
    opened = [only_module(path).module for path in modules]
    linter = PCLinter(schemas_of(schemas), opened, disabled=disable)
    inputs = each_elf(files, lambda name, data: linter.add(data, name), "reading PC sections", on_bitcode=_note_bitcode)
    report = linter.report()
    if sarif is not None:
        write_sarif(report.findings, PC_RULES, sarif)
    if as_json:
        print_document("pcsections lint", _as_json(report))
    elif sarif != STANDARD_OUTPUT and report.files:
        from bitcodec.cli.pcsections.lint_text import print_report  # noqa: PLC0415

        print_report(report, sizes=sizes)
    for each in report.notes:
        warn(each)
    inputs.finish(is_found=fails(report.findings, error_on), trouble=Trouble.exit_code)


def _note_bitcode(path: str) -> None:
    note(f"{path}: nothing to lint: all members are bitcode; PC sections are in what is compiled or linked from it")


def _as_json(report: PCReport) -> dict[str, Any]:
    return {
        "file_count": report.files,
        "findings": [_finding_as_json(each) for each in report.findings],
        "contents": [
            {
                "section": row.section,
                "function": row.function or None,
                "of_function": row.is_function,
                "entries": content.entries,
                "bytes": content.size,
            }
            for row, content in report.contents.items()
        ],
    }


def _finding_as_json(found: PCFinding) -> dict[str, Any]:
    from bitcodec.cli.pcsections.decode_text import as_json  # noqa: PLC0415

    return {
        "rule": found.rule,
        "severity": found.severity.value,
        "file": found.file,
        "subject": found.subject,
        "message": found.message,
        "size": found.size,
        "entries": [as_json(entry) for entry in found.entries],
    }
