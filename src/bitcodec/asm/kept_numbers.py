"""Numbers that the texts of parts of a module share as long as the module does not change.

Without them the text of each instruction would number the whole function again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.numbering import kind_numbers, local_names, unnamed_globals
from bitcodec.ir.construction.present import kept_numbers, symbol_changes
from bitcodec.ir.construction.setting import keep_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.asm.numbering import FirstUseNumbers
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.object_numbers import ObjectTexts

__all__ = ["KeptNumbers"]

_MAX_KEPT_NAMES = 1 << 18
"""Maximum number of kept names of locals, besides the last function's."""


class KeptNumbers:
    """The numbers of one module.  Every method updates the numbers of changed parts.

    Args:
        module: the module.
    """

    __slots__ = ("_globals", "_globals_changes", "_kinds", "_locals", "_module", "_registered_kinds", "_size")

    def __init__(self, module: Module) -> None:
        self._module = module
        self._locals: dict[Function, tuple[int, ObjectTexts]] = {}
        self._size = 0
        self._globals: dict[GlobalValue, int] = {}
        self._globals_changes = -1
        self._kinds: FirstUseNumbers[str] | None = None
        self._registered_kinds: tuple[str, ...] = ()

    @classmethod
    def of(cls, module: Module) -> KeptNumbers:
        """Return the numbers that a module keeps."""
        kept = kept_numbers(module)
        if not isinstance(kept, KeptNumbers):
            kept = cls(module)
            keep_numbers(module, kept)
        return kept

    def locals_of(self, function: Function) -> ObjectTexts:
        """Return how operands refer to arguments, blocks and instructions of a function."""
        function.materialize()
        changes = symbol_changes(function)
        known = self._locals.get(function)
        if known is not None and known[0] == changes:
            return known[1]
        names = local_names(function)
        if self._size > _MAX_KEPT_NAMES:
            self._locals, self._size = {}, 0
        self._size += len(names)
        self._locals[function] = changes, names
        return names

    def unnamed_globals(self) -> Mapping[GlobalValue, int]:
        """Return the numbers of globals without a name."""
        changes = self._module.symbols.changes
        if changes != self._globals_changes:
            self._globals, self._globals_changes = unnamed_globals(self._module), changes
        return self._globals

    def kinds(self) -> FirstUseNumbers[str]:
        """Return the numbers of the kinds of attached metadata that are registered; a copy, which may grow."""
        registered = self._module.metadata_kinds
        if self._kinds is None or registered is not self._registered_kinds:
            self._kinds, self._registered_kinds = kind_numbers(registered), registered
        return self._kinds.copy()
