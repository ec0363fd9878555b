"""`bitcodec verify`: whether modules keep to the rules of LLVM IR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.files import Files
from bitcodec.cli.findings import finding_texts, findings_as_json, is_broken
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.modules import checked_modules
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.problems import Trouble, answering, warn_of_ignored_debug_info
from bitcodec.cli.progress import shown_progress, shown_while
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.cli.modules import CheckedModule
    from bitcodec.ir.module import Module
    from bitcodec.verifier import Finding

__all__ = ["verify"]


@command(short_help="Check modules by the rules of LLVM IR, like opt -passes=verify.")
@argument("files", nargs=-1, required=True, metavar="FILE...", or_standard_input=True)
@option("--quiet", is_flag=True, help="Print nothing; only set the exit code.")
@json_option
@answering()
def verify(files: tuple[str, ...], *, quiet: bool, as_json: bool) -> None:
    """Check the modules in each FILE by the rules of LLVM's verifier, and print each violation as opt does.

    A violation is a message and, on the lines below, the values that it concerns.  A line with the name of the file
    follows the violations of a module.  If only rules of debug information are violated, that line is a warning: LLVM
    drops all debug information of such a module and reads the rest.

    The exit code is 0 if no rule is violated, 1 if one is, 2 if a file could not be read.  A violated rule of debug
    information counts too; opt exits with 0 then, because it drops that information.

    Without FILE, standard input is read, unless it is a terminal.

    \b
    Examples:
      bitcodec verify module.bc
      bitcodec verify --quiet *.bc && echo sound
      bitcodec verify --json libfoo.a | jq '.modules[] | select(.findings != [])'
    """
    results: list[dict[str, Any]] = []
    all_files = Files(files)
    has_findings = False

    def check(file: str) -> None:
        nonlocal has_findings
        for one in checked_modules(file):
            with one.reported:
                findings = _findings(one.module)
                if not quiet:
                    warn_of_ignored_debug_info(one.module)
                has_findings |= bool(findings)
                if as_json:
                    results.append({**one.place, "findings": findings_as_json(one.module, findings)})
                elif findings and not quiet:
                    write_text(STANDARD_OUTPUT, _text(one, findings))

    all_files.each(check, "verifying")
    if as_json:
        print_document("verify", {"modules": results})
    all_files.finish(is_found=has_findings, trouble=Trouble.exit_code)


def _findings(module: Module) -> list[Finding]:
    from bitcodec.host.collection import without_collection  # noqa: PLC0415
    from bitcodec.verifier import verify as findings_of  # noqa: PLC0415

    with without_collection():
        with shown_progress(module.identifier, len(module.functions)) as progress:
            module.materialize(progress)
        with shown_while("verifying"):
            return findings_of(module)


def _text(one: CheckedModule, findings: list[Finding]) -> Iterator[str]:
    yield from finding_texts(one.module, findings)
    verdict = "error: input module is broken!" if is_broken(findings) else "warning: invalid debug info"
    yield f"{one_line(one.name)}: {verdict}\n"
