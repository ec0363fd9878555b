"""`bitcodec flags check`: the errors in the flags of single modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import command
from bitcodec.cli.flags.inputs import Inputs, inputs_argument
from bitcodec.cli.flags.text import finding
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.outputs import print_line
from bitcodec.cli.problems import answering, warn
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.cli.modules import ModuleInFile
    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["check"]


@command(short_help="Find malformed flags and unmet requirements.")
@inputs_argument
@json_option
@answering()
def check(files: tuple[str, ...], *, as_json: bool) -> None:
    """Print the errors of LLVM's verifier about the flags of each FILE, with the same messages.

    A flag that is valid but that no producer writes, such as a known flag with an unknown value, is a warning.  The
    exit code is 1 if there are errors, 2 if a file could not be read.

    \b
    Examples:
      bitcodec flags check module.bc
      bitcodec flags check build/*.o
      bitcodec flags check --json module.bc | jq -r '.modules[].findings[].message'
    """
    inputs = Inputs(files)
    results: list[dict[str, Any]] = []
    is_broken = False

    def take(one: ModuleInFile, flags: ModuleFlags) -> None:
        nonlocal is_broken
        from bitcodec.flags import lint  # noqa: PLC0415 - `--help` need not wait for it

        problems, doubts = [str(each) for each in flags.check()], [str(each) for each in lint(flags)]
        is_broken |= bool(problems)
        if as_json:
            findings = [finding(each, is_error=True) for each in problems]
            findings += [finding(each, is_error=False) for each in doubts]
            results.append({**one.place, "findings": findings})
        else:
            _print(one.name, problems, doubts)

    inputs.each(take)
    if as_json:
        print_document("flags check", {"modules": results})
    inputs.finish(is_found=is_broken)


def _print(name: str, problems: Iterable[str], doubts: Iterable[str]) -> None:
    for problem in problems:
        print_line(one_line(f"{name}: {problem}"))
    for doubt in doubts:
        warn(f"{name}: {doubt}")
