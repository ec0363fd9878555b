"""LLVM bitcode for Python, without LLVM: read, print, check, edit and write it.

>>> import bitcodec
>>> module = bitcodec.open("examples/hello.bc")
>>> [function.name for function in module.functions]
['main', 'printf']

The parts of a module are in `bitcodec.ir`, the container format is in `bitcodec.bitstream`; `bitcodec.containers` finds
bitcode inside other files.
"""

from typing import TYPE_CHECKING

from bitcodec import compiled_modules, features, printing
from bitcodec.errors import (
    AssemblyError,
    BitcodecError,
    BitcodeError,
    BitstreamError,
    ClosedModuleError,
    ContainerError,
    EncodingError,
    InternalError,
    InterruptedReadError,
    MIRError,
    NoBitstreamError,
    PCSectionsError,
    PlacedError,
)
from bitcodec.on_demand import names_on_demand
from bitcodec.version import __version__

if TYPE_CHECKING:
    from bitcodec.asm import print_assembly
    from bitcodec.asm.parser.module import parse_assembly
    from bitcodec.bitcode.loading import loads, loads_all, open, open_all  # noqa: A004 - `bitcodec.open`, like `gzip.open`
    from bitcodec.bitcode.loss import Loss
    from bitcodec.bitcode.saving import dumps, save
    from bitcodec.doctor import diagnose
    from bitcodec.ir.module import Module
    from bitcodec.linker.linker import Linker, link
    from bitcodec.linker.problems import LinkError
    from bitcodec.verifier import verify

__all__ = [
    "AssemblyError",
    "BitcodeError",
    "BitcodecError",
    "BitstreamError",
    "ClosedModuleError",
    "ContainerError",
    "EncodingError",
    "InternalError",
    "InterruptedReadError",
    "LinkError",
    "Linker",
    "Loss",
    "MIRError",
    "Module",
    "NoBitstreamError",
    "PCSectionsError",
    "PlacedError",
    "__version__",
    "diagnose",
    "dumps",
    "link",
    "loads",
    "loads_all",
    "open",
    "open_all",
    "parse_assembly",
    "print_assembly",
    "save",
    "verify",
]

_HOMES = {
    "asm": ("print_assembly",),
    "asm.parser.module": ("parse_assembly",),
    "bitcode.loading": ("loads", "loads_all", "open", "open_all"),
    "bitcode.loss": ("Loss",),
    "bitcode.saving": ("dumps", "save"),
    "doctor": ("diagnose",),
    "ir.module": ("Module",),
    "linker.linker": ("Linker", "link"),
    "linker.problems": ("LinkError",),
    "verifier": ("verify",),
}

_ADDING = {
    "downgrade": ("profile_of", "write_downgraded"),
    "linker.adding": ("parse_into",),
    "linker.adding_blocks": ("parse_blocks_into", "parse_instructions_for"),
}
"""Features that no name here is for."""

__getattr__, __dir__ = names_on_demand(__name__, _HOMES)


def _text_of(part: object, enough: int | None = None) -> str:
    _load_printer()
    return str(part) if enough is None else printing.beginning_of(part, enough)


def _name_of(value: object) -> str:
    _load_printer()
    return printing.reference_to(value)


def _load_printer() -> None:
    from bitcodec.asm import name_of, text_of  # noqa: PLC0415 - when something is printed first

    printing.print_with(text_of, name_of)


compiled_modules.import_compiled_modules(__name__)
printing.print_with(_text_of, _name_of)
features.register(__name__, {**_HOMES, **_ADDING})
