"""The modules in a file, one after another, and the names that they have in output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.inputs import STANDARD_INPUT, contents, label, llvm_ir, read_checked, reported_in
from bitcodec.cli.json_documents import place
from bitcodec.cli.problems import reported
from bitcodec.containers import is_assembly
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from bitcodec.containers import FoundStream
    from bitcodec.ir.module import Module

__all__ = ["CheckedModule", "ModuleInFile", "checked_modules", "modules_in_file"]


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


class CheckedModule(NamedTuple):
    """A module to verify.

    Attributes:
        name: the name in messages.
        place: the keys that JSON has for it.
        module: the module.
        reported: a context in which an error in the module becomes a `Failure` that names the file.
    """

    name: str
    place: dict[str, Any]
    module: Module
    reported: AbstractContextManager[None]


def checked_modules(file: str) -> Iterator[CheckedModule]:
    """Open the modules in a file to verify them.

    Text is parsed only: bitcode made of it would lack constructs that readers of bitcode upgrade or refuse.

    Raises:
        Failure: it contains none, or one is malformed.
    """
    data = read_checked(file)
    if is_assembly(data, file):
        from bitcodec.asm.parser.module import parse_assembly  # noqa: PLC0415 - few files are text

        with reported(file):
            module = parse_assembly(bytes(data), name="<stdin>" if file == STANDARD_INPUT else file)
        yield CheckedModule(file, place(file, "", 1), module, reported(file))
        return
    for one in modules_in_file(file, data):
        yield CheckedModule(one.name, one.place, one.module, reported_in(file, one.found))


def modules_in_file(file: str, data: memoryview | None = None) -> Iterator[ModuleInFile]:
    """Open the modules in a file; text is made bitcode of first.

    Args:
        file: the file.
        data: its bytes, if they have been read already.

    Raises:
        Failure: it contains none, or one is malformed.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model

    for found in llvm_ir(file, contents(file, data)):
        with reported_in(file, found):
            modules = list(modules_in(found.stream, label(file, found.path)))
        for number, module in enumerate(modules, 1):
            yield ModuleInFile(file, found, number, len(modules) == 1, module)
