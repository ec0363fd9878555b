"""`bitcodec flags show`: the flags of modules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import command
from bitcodec.cli.flags.inputs import Inputs, inputs_argument
from bitcodec.cli.flags.text import flags_as_json, print_flags
from bitcodec.cli.outputs import print_line
from bitcodec.cli.tables import json_option
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["show"]


@command(short_help="The flags of modules, and what they mean.")
@inputs_argument
@json_option
def show(files: tuple[str, ...], *, as_json: bool) -> None:
    """Print the module flags of each FILE in the order of the module.

    JSON is `{"flags": [{"behavior", "key", "value"}, ...], "warnings": [...], "errors": [...]}`, with "file" if there
    is more than one module, each on a line of its own then.

    \b
    Examples:
      bitcodec flags show module.bc
      bitcodec flags show --json module.bc | jq -r '.flags[] | select(.key == "PIC Level") | .value'
    """
    inputs = Inputs(files, is_question=False)
    results: list[dict[str, Any]] = []
    has_problems = False

    def take(name: str, flags: ModuleFlags) -> None:
        nonlocal has_problems
        problems = [str(problem) for problem in flags.check()]
        has_problems |= bool(problems)
        if as_json:
            results.append({"file": name, "flags": flags_as_json(flags), "warnings": [], "errors": problems})
        else:
            print_line(one_line(f"{name}: {_counted(len(flags.nodes))}"))
            if flags.nodes:
                print_flags(flags)

    inputs.each(take)
    if as_json:
        _print_json(results)
    inputs.finish(is_found=has_problems)


def _counted(count: int) -> str:
    return "no module flags" if not count else f"{count} module flag{'s' * (count != 1)}"


def _print_json(results: list[dict[str, Any]]) -> None:
    if len(results) == 1:
        results[0].pop("file")
        print_line(json.dumps(results[0], indent=2))
    else:
        for result in results:
            print_line(json.dumps(result))
