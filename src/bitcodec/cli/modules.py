"""The modules in a file, one after another, and the names that they have in output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.inputs import contents, label, llvm_ir, reported_in
from bitcodec.cli.json_documents import place
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.containers import FoundStream
    from bitcodec.ir.module import Module

__all__ = ["ModuleInFile", "modules_in_file"]


class ModuleInFile(NamedTuple):
    """A module, and where it is.

    Attributes:
        file: the file, as the user named it.
        found: the bitstream in the file.
        number: of the module in the bitstream, from 1.
        is_alone: whether the bitstream has no other module.
        module: the module.
    """

    file: str
    found: FoundStream
    number: int
    is_alone: bool
    module: Module

    @property
    def name(self) -> str:
        """The name in messages: `FILE(MEMBER)[NUMBER]`, without the parts that are not needed."""
        name = label(self.file, self.found.path)
        return name if self.is_alone else f"{name}[{self.number}]"

    @property
    def place(self) -> dict[str, Any]:
        """The keys that JSON has for it."""
        return place(self.file, self.found.path, self.number)


def modules_in_file(file: str) -> Iterator[ModuleInFile]:
    """Open the modules in a file.

    Raises:
        Failure: there is none, or one is malformed.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model

    for found in llvm_ir(file, contents(file)):
        with reported_in(file, found):
            modules = list(modules_in(found.stream, label(file, found.path)))
        for number, module in enumerate(modules, 1):
            yield ModuleInFile(file, found, number, len(modules) == 1, module)
