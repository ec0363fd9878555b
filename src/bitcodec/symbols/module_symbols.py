"""The symbols of modules, as linkers and `nm` take them.

Rules: LLVM Language Reference, "Linkage Types"; results match the output of `llvm-nm` 22.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalVariable
from bitcodec.symbols.assembly import assembly_symbols
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.symbols.mangling import Mangler
from bitcodec.symbols.symbol import Symbol, SymbolFlags
from bitcodec.symbols.targets import TripleTarget
from bitcodec.tables.linkage import DLLStorageClass, Linkage, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module

__all__ = ["GLOBAL_OFFSET_TABLE", "flag_bits", "symbols_of"]

_UNDEFINED, _HIDDEN, _CONST = int(SymbolFlags.UNDEFINED), int(SymbolFlags.HIDDEN), int(SymbolFlags.CONST)
_EXECUTABLE, _INDIRECT = int(SymbolFlags.EXECUTABLE), int(SymbolFlags.INDIRECT)
_FORMAT_SPECIFIC = int(SymbolFlags.FORMAT_SPECIFIC)
_WEAK = {Linkage.LINKONCE, Linkage.LINKONCE_ODR, Linkage.WEAK, Linkage.WEAK_ODR, Linkage.EXTERN_WEAK}
_FLAGS_OF_LINKAGE = {
    linkage: SymbolFlags.GLOBAL * (not linkage.is_local)
    | SymbolFlags.WEAK * (linkage in _WEAK)
    | SymbolFlags.COMMON * (linkage is Linkage.COMMON)
    | SymbolFlags.FORMAT_SPECIFIC * (linkage is Linkage.PRIVATE)
    for linkage in Linkage
}
GLOBAL_OFFSET_TABLE = "_GLOBAL_OFFSET_TABLE_"


def symbols_of(*modules: Module, format_specific: bool = False) -> list[Symbol]:
    """Return the symbols of modules that are one file, in LLVM's order: functions, variables, aliases, ifuncs.

    Args:
        modules: the first of them determines their target.
        format_specific: with those that object files do not show, private ones and `llvm.` ones.

    Raises:
        BitcodecError: the aliasee of an alias is malformed.
    """
    bases = BaseObjects()
    mangler = Mangler(bases)
    is_darwin = bool(modules) and TripleTarget.of(modules[0].target_triple).is_darwin
    found = []
    for module in modules:
        for value in chain(module.functions, module.global_variables, module.aliases, module.ifuncs):
            flags = SymbolFlags(flag_bits(value, bases))
            if format_specific or not flags & SymbolFlags.FORMAT_SPECIFIC:
                imported = "__imp_" if value.dll_storage_class is DLLStorageClass.IMPORT else ""
                found.append(Symbol(imported + mangler.name(value, module.data_layout), flags, is_darwin, value))
        found += _outside_the_ir(module)
    return found


def _outside_the_ir(module: Module) -> Iterator[Symbol]:
    # Definitions in assembly text always count as code.
    for name, flags in assembly_symbols(module).items():
        yield Symbol(name, flags | SymbolFlags.EXECUTABLE)
    if TripleTarget.of(module.target_triple).needs_global_offset_table:
        yield Symbol(GLOBAL_OFFSET_TABLE, SymbolFlags.UNDEFINED | SymbolFlags.GLOBAL)


def flag_bits(value: GlobalValue, bases: BaseObjects) -> int:
    """Return the flags of the symbol of a global as the number of a `SymbolFlags`, which takes less time.

    Raises:
        BitcodecError: the aliasee of an alias is malformed.
    """
    linkage = value.linkage
    flags = _FLAGS_OF_LINKAGE[linkage]
    if linkage is Linkage.AVAILABLE_EXTERNALLY or value.is_declaration:
        flags |= _UNDEFINED
    elif value.visibility is Visibility.HIDDEN and not linkage.is_local:
        flags |= _HIDDEN
    if isinstance(value, Function):
        flags |= _EXECUTABLE
    elif isinstance(value, GlobalVariable):
        flags |= _CONST * value.is_constant | _FORMAT_SPECIFIC * (value.section == "llvm.metadata")
    else:
        flags |= _INDIRECT * isinstance(value, GlobalAlias)
        flags |= _EXECUTABLE * isinstance(bases.of(value), (Function, GlobalIFunc))
    if value.name.startswith("llvm."):
        flags |= _FORMAT_SPECIFIC
    return flags
