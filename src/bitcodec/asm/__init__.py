"""LLVM assembly: the text of modules and of their parts, as `llvm-dis` of LLVM 22 prints it.

>>> import bitcodec
>>> module = bitcodec.open("examples/hello.bc")
>>> print(module.functions["main"].entry_block.terminator)
br label %6, !dbg !0

`names`, `floats`, `types`, `constants` and `metadata` make texts of operands; `globals`, `functions`,
`bodies`, `instructions` and `nodes` of the parts of a module; `module` puts them together, with the numbers of
`numbering`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.module import module_text
from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from typing import TextIO

    from bitcodec.asm.excerpt import function_assembly
    from bitcodec.asm.parts import Printer, name_of, text_of
    from bitcodec.ir.module import Module

__all__ = ["Printer", "function_assembly", "module_text", "name_of", "print_assembly", "text_of", "write_assembly"]

__getattr__, __dir__ = names_on_demand(
    __name__, {"excerpt": ("function_assembly",), "parts": ("Printer", "name_of", "text_of")}
)


def print_assembly(module: Module, *, preserve_use_list_order: bool = False) -> str:
    """Return the text of a module; `write_assembly` is for long ones.

    Args:
        module: the module.
        preserve_use_list_order: whether to print use-list order directives (`llvm-dis --preserve-ll-uselistorder`).

    Raises:
        BitcodecError: something in the module is malformed.
    """
    return "".join(module_text(module, preserve_use_list_order=preserve_use_list_order))


def write_assembly(module: Module, file: TextIO, *, preserve_use_list_order: bool = False) -> None:
    """Write the text of a module to a file, which never is in memory as a whole.

    Args:
        module: the module.
        file: open for text; names that are not UTF-8 want it to be opened with `errors="surrogateescape"`.
        preserve_use_list_order: whether to print use-list order directives (`llvm-dis --preserve-ll-uselistorder`).

    Raises:
        BitcodecError: something in the module is malformed.
        OSError: the file cannot be written.
    """
    file.writelines(module_text(module, preserve_use_list_order=preserve_use_list_order))
