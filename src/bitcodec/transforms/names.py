"""Takes names out.  Rules: the passes `strip` and `strip-nondebug` of LLVM 22."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantCast
from bitcodec.ir.constants import ConstantWithOperands
from bitcodec.ir.globals import GlobalValue, GlobalVariable
from bitcodec.ir.type_finder import TypeFinder
from bitcodec.transforms.reading import read_for_change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["strip_names"]

_LISTS = ("llvm.used", "llvm.compiler.used")
"""Variables that list symbols that must stay unchanged, whoever refers to them."""


def strip_names(module: Module) -> None:
    """Remove names that nothing outside the module uses, as `opt -passes=strip-nondebug` does.

    These are the names of arguments, blocks, instructions, structs, and of internal and private functions and
    variables, if these are not in `llvm.used`.  Aliases keep theirs.  After `strip_debug_info` the result is that of
    `opt -passes=strip`.

    Raises:
        BitcodecError: something in the module is malformed; it is then unchanged.
    """
    read_for_change(module)
    finder = TypeFinder()
    finder.find_in(module)
    for struct in finder.structs:
        struct.name = ""
    used = set(_used(module))
    for value in (*module.global_variables, *module.functions):
        if value.linkage.is_local and value not in used:
            value.name = ""
    for function in module.functions:
        for name in list(function.symbols):
            local = function.symbols.get(name)
            assert local is not None, "a table has what it is iterated over"  # noqa: S101
            local.name = ""


def _used(module: Module) -> Iterator[Value]:
    """Yield the lists of symbols that must stay, and these symbols."""
    for name in _LISTS:
        listed = module.get(name)
        if isinstance(listed, GlobalVariable):
            yield listed
            if isinstance(listed.initializer, ConstantWithOperands):
                yield from map(_without_casts, listed.initializer.operands)


def _without_casts(value: Value) -> Value:
    while isinstance(value, ConstantCast) and not isinstance(value, GlobalValue):
        value = value.operand
    return value
