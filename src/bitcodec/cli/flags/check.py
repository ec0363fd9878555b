"""`bitcodec flags check`: what is wrong with the flags of single modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.declaring import command
from bitcodec.cli.flags.inputs import Inputs, inputs_argument
from bitcodec.cli.outputs import print_line
from bitcodec.cli.problems import answering, warn
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["check"]


@command(short_help="Malformed flags, and requirements that are not met.")
@inputs_argument
@answering()
def check(files: tuple[str, ...]) -> None:
    """Print what is wrong with the flags of each FILE: what breaks the rules of LLVM's verifier, in its words.

    What no rule forbids and no producer writes, such as a value that a known flag has not, is a warning.  The exit code
    is 1 if a rule is broken, 2 if a file could not be read.

    \b
    Examples:
      bitcodec flags check module.bc
      bitcodec flags check build/*.o
    """
    inputs = Inputs(files)
    broken = 0

    def take(name: str, flags: ModuleFlags) -> None:
        nonlocal broken
        from bitcodec.flags import lint  # noqa: PLC0415 - `--help` need not wait for it

        for problem in flags.check():
            broken += 1
            print_line(one_line(f"{name}: {problem}"))
        for doubt in lint(flags):
            warn(f"{name}: {doubt}")

    inputs.each(take)
    inputs.finish(is_found=bool(broken))
