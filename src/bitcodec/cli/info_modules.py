"""Facts that `info` reads from opened modules: symbols, flags, opcodes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.cli.info_contents import SymbolInfo
from bitcodec.cli.names import readable
from bitcodec.cli.progress import counted
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalVariable
from bitcodec.ir.metadata import MDString, MDTuple, ValueAsMetadata
from bitcodec.symbols import Symbol, symbols_of

if TYPE_CHECKING:
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module import Module

__all__ = ["flags_of", "opcodes_of", "symbols_in"]

_KINDS = {Function: "function", GlobalVariable: "variable", GlobalAlias: "alias", GlobalIFunc: "ifunc"}


def symbols_in(module: Module) -> list[SymbolInfo]:
    """Return all symbols of a module, by the names they have in it.

    Raises:
        BitcodecError: the aliasee of an alias is malformed.
    """
    return [_symbol(symbol) for symbol in symbols_of(module, format_specific=True)]


def flags_of(module: Module) -> dict[str, str]:
    """Return module flags and their values, as text.

    Raises:
        BitcodecError: metadata is malformed.
    """
    return {readable(flag.key): _value(flag.value) for flag in module.flags.entries.values()}


def opcodes_of(module: Module) -> dict[str, int]:
    """Return how many instructions of each opcode there are, the most frequent first; all code is read for it.

    Raises:
        BitcodecError: a body is malformed.
    """
    counts: Counter[str] = Counter()
    for function in counted("reading code", list(module.functions)):
        counts.update(instruction.opcode for instruction in function.instructions)
    return dict(counts.most_common())


def _symbol(symbol: Symbol) -> SymbolInfo:
    value = symbol.value
    name = symbol.name if value is None else value.name
    return SymbolInfo(
        name,
        symbol.letter,
        "assembly" if value is None else _KINDS[type(value)],
        "" if value is None else str(value.linkage),
        symbol.is_defined,
        is_local=not symbol.is_global,
        is_intrinsic=name.startswith("llvm."),
    )


def _value(value: Metadata | None) -> str:
    match value:
        case ValueAsMetadata(value=ConstantInt(value=number)):
            return str(number)
        case MDString(text=text):
            return readable(text)
        case MDTuple(operands=operands):
            return f"{len(operands)} entries"
    return "?"
