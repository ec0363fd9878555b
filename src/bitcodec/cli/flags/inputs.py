"""The modules in the files that the user names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument
from bitcodec.cli.files import Files
from bitcodec.cli.inputs import reported_in
from bitcodec.cli.modules import ModuleInFile, modules_in_file
from bitcodec.cli.problems import Failure, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["Inputs", "inputs_argument"]

inputs_argument = argument("files", nargs=-1, required=True, metavar="FILE...")


class Inputs:
    """The modules of files, one after another.

    Args:
        files: the files, as the user named them.
        is_question: whether the command answers a question about inputs of a link: objects without bitcode are passed
            over, and the exit code is 2 if a file cannot be read.
    """

    def __init__(self, files: Sequence[str], *, is_question: bool = True) -> None:
        self._files = Files(files, passes_over_native=is_question)
        self._trouble = Trouble.exit_code if is_question else Failure.exit_code

    @property
    def has_failed(self) -> bool:
        """Whether a file could not be read."""
        return self._files.has_failed

    def each(self, use: Callable[[ModuleInFile, ModuleFlags], object]) -> None:
        """Call `use` with each module and its flags; then let go of it."""
        self._files.each(lambda file: _use_modules(file, use), "reading flags")

    def finish(self, *, is_found: bool = False) -> None:
        """Exit with a code other than 0 if a file could not be read, or if the command found a match."""
        self._files.finish(is_found=is_found, trouble=self._trouble)


def _use_modules(file: str, use: Callable[[ModuleInFile, ModuleFlags], object]) -> None:
    for one in modules_in_file(file):
        with reported_in(file, one.found):
            use(one, one.module.flags)
