"""`bitcodec flags merge`: the merged flags of linked modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import WordChoice, command, option
from bitcodec.cli.flags.inputs import Inputs, inputs_argument
from bitcodec.cli.flags.saving import encode_flags
from bitcodec.cli.flags.text import finding, flags_as_json, print_flags
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.outputs import write
from bitcodec.cli.printing import echo, styled
from bitcodec.cli.problems import answering, reported
from bitcodec.cli.rewriting import only_module
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec.flags import Merge

__all__ = ["merge"]

_DIALECTS = ("langref", "2012")


@command(short_help="Print the flags that linking gives.")
@inputs_argument
@json_option
@option("-o", "--output", metavar="FILE", help="Write the first module with the merged flags.")
@option(
    "--dialect",
    type=WordChoice(_DIALECTS),
    default=_DIALECTS[0],
    help="Rules to apply: today's, or those of the proposal of 2012.",
)
@option("--upgrade-requirements", is_flag=True, help="Auto-upgrade the values in requirements as well.")
@answering()
def merge(
    files: tuple[str, ...], output: str | None, dialect: str, *, as_json: bool, upgrade_requirements: bool
) -> None:
    """Print the flags that linking the FILEs in this order gives, and the errors and warnings of `llvm-link`.

    LLVM stops at the first error; here all errors are reported and explained, and the earlier flag is kept.  The exit
    code is 1 if there are errors, 2 if a file could not be read; then nothing is written.

    \b
    Examples:
      bitcodec flags merge a.bc b.bc
      bitcodec flags merge --json a.bc b.bc | jq '.findings[].message'
      bitcodec flags merge a.bc b.bc -o a-with-merged-flags.bc
    """
    from bitcodec.flags import LANGREF, PROPOSAL_2012, Merger  # noqa: PLC0415 - `--help` need not wait for it

    rules = PROPOSAL_2012 if dialect == PROPOSAL_2012.name else LANGREF
    merger = Merger(rules, upgrades_requirements=upgrade_requirements)
    inputs = Inputs(files)
    inputs.each(lambda one, flags: merger.add(flags, one.name))
    result = merger.merged()
    if as_json:
        print_document("flags merge", _as_json(result))
    else:
        _print(result)
    if output is not None and not (result.errors or inputs.has_failed):
        opened = only_module(files[0], reads_all=False)
        with reported(files[0]):
            opened.module.flags.assign(result.flags)
        write(output, encode_flags(opened))
    inputs.finish(is_found=bool(result.errors))


def _print(result: Merge) -> None:
    from bitcodec.flags import explanation  # noqa: PLC0415

    print_flags(result.flags)
    for upgrade in result.upgrades:
        echo(one_line(f"note: {upgrade}"), err=True)
    for each in result.diagnostics:
        word = styled("error", color="red", err=True) if each.is_error else styled("warning", color="yellow", err=True)
        echo(f"{word}: {one_line(str(each))}", err=True)
        echo(f"  {one_line(explanation(each))}", err=True)


def _as_json(result: Merge) -> dict[str, Any]:
    return {
        "flags": flags_as_json(result.flags),
        "findings": [finding(str(each), is_error=each.is_error) for each in result.diagnostics],
    }
