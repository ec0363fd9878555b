"""Makes symbols of linked modules internal, as llvm-link does.  Rules: docs/reference/linking.md, 11."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.globals import Comdat, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.linker.comdats import comdat_of
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.tables.linkage import DLLStorageClass, Linkage, SelectionKind, Visibility

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bitcodec.ir.module import Module

__all__ = ["internalize"]

_USED = "llvm.used"
_PRESERVED = {
    _USED, "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors", "llvm.global.annotations",
    "__stack_chk_fail", "__stack_chk_guard",
}  # fmt: skip
"""Symbols that code generation looks for by name."""


def internalize(module: Module, names: Collection[str]) -> None:
    """Make definitions of some names internal, unless something that no linker sees may use them.

    Args:
        module: the module.
        names: the symbols to consider.
    """
    used = {value.name for value in _used_globals(module)}
    internalizer = _Internalizer(names, _PRESERVED | used)
    values = [*module.functions, *module.global_variables, *module.aliases]
    for value in values:
        internalizer.count(value)
    for value in values:
        internalizer.consider(value, is_wasm=module.target_triple.startswith("wasm"))


class _Internalizer:
    def __init__(self, names: Collection[str], preserved: Collection[str]) -> None:
        self._names = names
        self._preserved = preserved
        self._sizes: dict[Comdat, int] = {}
        self._external: set[Comdat] = set()
        self._bases = BaseObjects()

    def count(self, value: GlobalValue) -> None:
        """Record the comdat of a global."""
        comdat = comdat_of(value, self._bases)
        if comdat is not None:
            self._sizes[comdat] = self._sizes.get(comdat, 0) + 1
            # As in LLVM, members of comdats are internalized even if `llvm.used` lists them.
            if self._is_kept(value, ()):
                self._external.add(comdat)

    def consider(self, value: GlobalValue, *, is_wasm: bool) -> None:
        """Make a global internal if allowed; a comdat of one member is removed, others keep their members together."""
        comdat = comdat_of(value, self._bases)
        if comdat is not None:
            if comdat in self._external:
                return
            if isinstance(value, GlobalObject):
                if self._sizes.get(comdat) == 1:
                    value.comdat = None
                elif not is_wasm:
                    comdat.selection_kind = SelectionKind.NO_DEDUPLICATE
        elif self._is_kept(value, self._preserved):
            return
        if not value.linkage.is_local:
            value.visibility = Visibility.DEFAULT
            value.linkage = Linkage.INTERNAL

    def _is_kept(self, value: GlobalValue, preserved: Collection[str]) -> bool:
        if value.is_declaration or value.linkage is Linkage.AVAILABLE_EXTERNALLY:
            return True
        if value.dll_storage_class is DLLStorageClass.EXPORT:
            return True
        if isinstance(value, GlobalVariable) and value.is_externally_initialized:
            return True
        if value.linkage.is_local:
            return False
        return value.name in preserved or value.name not in self._names


def _used_globals(module: Module) -> Iterator[GlobalValue]:
    """Yield the globals that `llvm.used` lists."""
    listed = module.global_variables.get(_USED)
    initializer = None if listed is None else listed.initializer
    for element in () if initializer is None else initializer.operands:
        target: object = element
        while isinstance(target, ConstantExpr):
            target = target.operands[0]
        if isinstance(target, GlobalValue):
            yield target
