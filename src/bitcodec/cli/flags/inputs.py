"""The modules in the files that the user names."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument
from bitcodec.cli.inputs import contents, counted, label, llvm_ir, reported_in
from bitcodec.cli.problems import Failure, reported
from bitcodec.files import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["Inputs", "inputs_argument"]

_MAX_LIST = 1 << 26
"""Bytes."""

inputs_argument = argument("files", nargs=-1, required=True, metavar="FILE...")


class Inputs:
    """Modules of files, one after another; `@LIST` stands for the files that LIST names, as linkers have it.

    Args:
        files: the files, as the user named them.

    Attributes:
        has_failed: whether a file could not be read; the others are none the worse.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files = [each for file in files for each in _listed(file)]
        self.has_failed = False

    def each(self, use: Callable[[str, ModuleFlags], object]) -> None:
        """Give the flags of each module to `use`, and what to call it; then let go of it."""
        for file in counted("reading flags", self._files):
            try:
                _use_modules(file, use)
            except Failure as failure:
                failure.show()
                self.has_failed = True

    def finish(self, *, is_no: bool = False) -> None:
        """Exit with code 1 if a file could not be read, or the answer is no."""
        if self.has_failed or is_no:
            raise SystemExit(Failure.exit_code)


def _listed(file: str) -> list[str]:
    if not file.startswith("@"):
        return [file]
    name = file[1:]
    with reported(file):
        text = bytes(read_file(name, limit=_MAX_LIST)).decode("utf-8", "surrogateescape")
    try:
        return shlex.split(text)
    except ValueError as error:  # a quotation or an escape does not end
        raise Failure(f"{name}: {error}") from error


def _use_modules(file: str, use: Callable[[str, ModuleFlags], object]) -> None:
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model

    for found in llvm_ir(file, contents(file)):
        name = label(file, found)
        with reported_in(file, found):
            modules = list(modules_in(found.stream, name))
            for number, module in enumerate(modules, 1):
                use(f"{name}[{number}]" if len(modules) > 1 else name, module.flags)
