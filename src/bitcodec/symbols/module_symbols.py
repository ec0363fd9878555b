"""The symbols of modules, as linkers and `nm` take them.

Rules: LLVM Language Reference, "Linkage Types"; what they amount to is what `llvm-nm` of release 22 prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, auto
from itertools import chain
from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalVariable
from bitcodec.symbols.assembly import AssemblySymbol, assembly_symbols
from bitcodec.symbols.base_objects import base_object
from bitcodec.symbols.mangling import Mangler
from bitcodec.symbols.targets import Target
from bitcodec.tables.linkage import DLLStorageClass, Linkage, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module

__all__ = ["Symbol", "SymbolFlags", "symbols_of"]


class SymbolFlags(IntFlag):
    """What is known of a symbol."""

    UNDEFINED = auto()
    GLOBAL = auto()
    WEAK = auto()
    COMMON = auto()
    INDIRECT = auto()
    FORMAT_SPECIFIC = auto()
    HIDDEN = auto()
    CONST = auto()
    EXECUTABLE = auto()


_WEAK = {Linkage.LINKONCE, Linkage.LINKONCE_ODR, Linkage.WEAK, Linkage.WEAK_ODR, Linkage.EXTERN_WEAK}
_LETTERS = (
    (SymbolFlags.UNDEFINED | SymbolFlags.WEAK, "w"),
    (SymbolFlags.UNDEFINED, "U"),
    (SymbolFlags.WEAK, "W"),
    (SymbolFlags.COMMON, "C"),
)
"""Letters that do not tell whether the symbol is global: the first row whose flags are all there counts."""

_OF_ASSEMBLY = {
    AssemblySymbol.DEFINED: SymbolFlags(0),
    AssemblySymbol.DEFINED_GLOBAL: SymbolFlags.GLOBAL,
    AssemblySymbol.DEFINED_WEAK: SymbolFlags.GLOBAL | SymbolFlags.WEAK,
    AssemblySymbol.GLOBAL: SymbolFlags.GLOBAL | SymbolFlags.UNDEFINED,
    AssemblySymbol.USED: SymbolFlags.GLOBAL | SymbolFlags.UNDEFINED,
    AssemblySymbol.WEAK: SymbolFlags.WEAK | SymbolFlags.UNDEFINED,
}
_GLOBAL_OFFSET_TABLE = "_GLOBAL_OFFSET_TABLE_"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol.

    Attributes:
        name: as the object file has it.
        flags: what is known of it.
        is_darwin: whether it is for one of Apple's systems, which tell constants from other data.
        value: the global, None if assembly text beside the IR makes or uses it.
    """

    name: str
    flags: SymbolFlags
    is_darwin: bool = False
    value: GlobalValue | None = None

    @property
    def letter(self) -> str:
        """The letter by which `llvm-nm` tells its kind; a small one for what other modules cannot see."""
        for flags, letter in _LETTERS:
            if self.flags & flags == flags:
                return letter
        if self.flags & SymbolFlags.EXECUTABLE:
            letter = "t"
        else:
            letter = "s" if self.is_darwin and self.flags & SymbolFlags.CONST else "d"
        return letter.upper() if self.is_global else letter

    @property
    def is_defined(self) -> bool:
        """Whether it is here."""
        return not self.flags & SymbolFlags.UNDEFINED

    @property
    def is_global(self) -> bool:
        """Whether other modules can see it."""
        return bool(self.flags & SymbolFlags.GLOBAL)

    @property
    def is_weak(self) -> bool:
        """Whether another of its name may take its place, or none need be there."""
        return bool(self.flags & SymbolFlags.WEAK)


def symbols_of(*modules: Module, format_specific: bool = False) -> list[Symbol]:
    """Return the symbols of modules that are one file, in LLVM's order.

    Args:
        modules: the first of them decides for what target they are.
        format_specific: with those that object files do not show: private ones, and `llvm.` ones.

    Raises:
        BitcodecError: what an alias leads to is malformed.
    """
    mangler = Mangler()
    is_darwin = bool(modules) and Target.of(modules[0].target_triple).is_darwin
    found = []
    for module in modules:
        for value in _values(module):
            flags = _flags(value)
            if format_specific or not flags & SymbolFlags.FORMAT_SPECIFIC:
                imported = "__imp_" if value.dll_storage_class is DLLStorageClass.IMPORT else ""
                name = imported + mangler.name(value, module.data_layout)
                found.append(Symbol(name, flags, is_darwin, value))
        found += _outside_the_ir(module)
    return found


def _values(module: Module) -> Iterator[GlobalValue]:
    return chain(module.functions, module.global_variables, module.aliases, module.ifuncs)


def _outside_the_ir(module: Module) -> Iterator[Symbol]:
    for name, state in assembly_symbols(module).items():
        yield Symbol(name, _OF_ASSEMBLY[state] | SymbolFlags.EXECUTABLE)
    if Target.of(module.target_triple).needs_global_offset_table:
        yield Symbol(_GLOBAL_OFFSET_TABLE, SymbolFlags.UNDEFINED | SymbolFlags.GLOBAL)


def _flags(value: GlobalValue) -> SymbolFlags:
    linkage = value.linkage
    conditions = {
        SymbolFlags.UNDEFINED: _is_undefined(value),
        SymbolFlags.GLOBAL: not linkage.is_local,
        SymbolFlags.WEAK: linkage in _WEAK,
        SymbolFlags.COMMON: linkage is Linkage.COMMON,
        SymbolFlags.INDIRECT: isinstance(value, GlobalAlias),
        SymbolFlags.FORMAT_SPECIFIC: _is_format_specific(value),
        SymbolFlags.HIDDEN: _is_hidden(value),
        SymbolFlags.CONST: isinstance(value, GlobalVariable) and value.is_constant,
        SymbolFlags.EXECUTABLE: isinstance(base_object(value), (Function, GlobalIFunc)),
    }
    flags = SymbolFlags(0)
    for flag, holds in conditions.items():
        if holds:
            flags |= flag
    return flags


def _is_undefined(value: GlobalValue) -> bool:
    return value.linkage is Linkage.AVAILABLE_EXTERNALLY or value.is_declaration


def _is_hidden(value: GlobalValue) -> bool:
    return value.visibility is Visibility.HIDDEN and not value.linkage.is_local and not _is_undefined(value)


def _is_format_specific(value: GlobalValue) -> bool:
    if value.linkage is Linkage.PRIVATE or value.name.startswith("llvm."):
        return True
    return isinstance(value, GlobalVariable) and value.section == "llvm.metadata"
