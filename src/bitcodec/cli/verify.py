"""`bitcodec verify`: whether modules keep to the rules of LLVM IR."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.files import Files
from bitcodec.cli.inputs import contents, label, llvm_ir, reported_in, shown_progress
from bitcodec.cli.names import readable
from bitcodec.cli.outputs import print_text, write_text
from bitcodec.cli.problems import Trouble, answering
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec.ir.module import Module
    from bitcodec.verifier import Finding

__all__ = ["verify"]


@command(short_help="Whether modules keep to the rules of LLVM IR, like opt -passes=verify.")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option("--quiet", is_flag=True, help="Print nothing: the exit code says it.")
@option("--json", "as_json", is_flag=True, help="Print JSON.")
@answering()
def verify(files: tuple[str, ...], *, quiet: bool, as_json: bool) -> None:
    """Check the modules in each FILE by the rules of LLVM's verifier, and print all that breaks one, a line each.

    The exit code is 0 if nothing breaks a rule, 1 if something does, 2 if a file could not be read.

    \b
    Examples:
      bitcodec verify module.bc
      bitcodec verify --quiet *.bc && echo sound
      bitcodec verify --json libfoo.a | jq '.modules[] | select(.findings != [])'
    """
    results: list[dict[str, Any]] = []
    all_files = Files(files)
    is_broken = False

    def check(file: str) -> None:
        nonlocal is_broken
        for name, findings in _checked(file):
            is_broken |= bool(findings)
            if as_json:
                results.append({"module": readable(name), "findings": [_as_json(each) for each in findings]})
            elif not quiet:
                write_text("-", (one_line(f"{name}: {finding}") + "\n" for finding in findings))

    all_files.each(check, "verifying")
    if as_json:
        print_text(json.dumps({"schema": "bitcodec/verify/1", "modules": results}, indent=2) + "\n")
    all_files.finish(is_found=is_broken, trouble=Trouble.exit_code)


def _checked(file: str) -> list[tuple[str, list[Finding]]]:
    """Return what to call each module in a file, and what breaks a rule there.

    Raises:
        Failure: there is no module, or one is malformed.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model

    checked: list[tuple[str, list[Finding]]] = []
    for found in llvm_ir(file, contents(file)):
        name = label(file, found)
        with reported_in(file, found):
            modules = list(modules_in(found.stream, name))
            for number, module in enumerate(modules, 1):
                checked.append((f"{name}[{number}]" if len(modules) > 1 else name, _findings(module)))
    return checked


def _findings(module: Module) -> list[Finding]:
    from bitcodec.collection import without_collection  # noqa: PLC0415
    from bitcodec.verifier import verify as findings_of  # noqa: PLC0415

    with without_collection(), shown_progress(module.identifier, len(module.functions)) as progress:
        module.materialize(progress)
        return findings_of(module)


def _as_json(finding: Finding) -> dict[str, Any]:
    return {"message": readable(finding.message), "text": readable(str(finding))}
