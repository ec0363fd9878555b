"""`bitcodec flags show`: the flags of modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import command
from bitcodec.cli.flags.inputs import Inputs, inputs_argument
from bitcodec.cli.flags.text import finding, flags_as_json, print_flags
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.outputs import print_line
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec.cli.modules import ModuleInFile
    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["show"]


@command(short_help="Print module flags and their meaning.")
@inputs_argument
@json_option
def show(files: tuple[str, ...], *, as_json: bool) -> None:
    """Print the module flags of each FILE in the order of the module.

    \b
    Examples:
      bitcodec flags show module.bc
      bitcodec flags show --json module.bc | jq -r '.modules[].flags[] | select(.key == "PIC Level") | .value'
    """
    inputs = Inputs(files, is_question=False)
    results: list[dict[str, Any]] = []
    has_problems = False

    def take(one: ModuleInFile, flags: ModuleFlags) -> None:
        nonlocal has_problems
        problems = [str(problem) for problem in flags.check()]
        has_problems |= bool(problems)
        if as_json:
            findings = [finding(problem, is_error=True) for problem in problems]
            results.append({**one.place, "flags": flags_as_json(flags), "findings": findings})
        else:
            print_line(one_line(f"{one.name}: {_counted(len(flags.nodes))}"))
            if flags.nodes:
                print_flags(flags)

    inputs.each(take)
    if as_json:
        print_document("flags show", {"modules": results})
    inputs.finish(is_found=has_problems)


def _counted(count: int) -> str:
    return "no module flags" if not count else f"{count} module flag{'s' * (count != 1)}"
