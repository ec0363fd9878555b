"""Gives the globals of a module the names, linkages and visibilities that ThinLTO gives them, from a summary index.

What other modules may refer to loses local linkage: its name gets a suffix made of the hash of its module.

Rules: LLVM 22's processing of globals before and while functions are imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError
from bitcodec.ir.attributes import StringAttribute
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalVariable
from bitcodec.ir.guid import global_identifier, guid_of
from bitcodec.ir.summary import GlobalVarSummary
from bitcodec.linker.comdats import comdat_of
from bitcodec.linker.resolution import is_declaration_for_linker
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.tables.linkage import DLLStorageClass, Linkage, Visibility
from bitcodec.tables.summaries import IndexFlags, SummaryFlag, VariableFlag

if TYPE_CHECKING:
    from collections.abc import Collection

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.summary import ModuleSummaryIndex, ValueInfo

__all__ = ["internalize_marked", "promote"]

_MARK = "thinlto-internalize"
"""The attribute of variables that become internal again once everything is imported."""
_IMPORTED_LINKAGES = {
    Linkage.EXTERNAL: (Linkage.AVAILABLE_EXTERNALLY, Linkage.EXTERNAL),
    Linkage.LINKONCE_ODR: (Linkage.AVAILABLE_EXTERNALLY, Linkage.LINKONCE_ODR),
    Linkage.WEAK_ODR: (Linkage.AVAILABLE_EXTERNALLY, Linkage.EXTERNAL),
    Linkage.AVAILABLE_EXTERNALLY: (Linkage.AVAILABLE_EXTERNALLY, Linkage.EXTERNAL),
}
"""Of globals that are not local in a module that is imported from: as a definition, and as a declaration."""
_HALF = 32


def promote(module: Module, index: ModuleSummaryIndex, imported: Collection[GlobalValue] | None = None) -> None:
    """Change the globals of a module as needed when several modules share their definitions.

    Args:
        module: the module; the index names it by its identifier.
        index: the summaries.
        imported: the imports from it into another module. Default: the module itself is linked.

    Raises:
        BitcodecError: a local symbol must be renamed, and the index does not contain the module.
    """
    promoter = _Promoter(module, index, imported)
    for value in (*module.global_variables, *module.functions, *module.aliases):
        promoter.process(value)
    promoter.rename_comdats()


def internalize_marked(module: Module) -> None:
    """Make variables internal that an index marks as read-only or write-only, now that all imports are done."""
    for variable in module.global_variables:
        if not variable.is_declaration and _MARK in variable.attributes:
            variable.linkage = Linkage.INTERNAL
            variable.visibility = Visibility.DEFAULT


class _Promoter:
    def __init__(self, module: Module, index: ModuleSummaryIndex, imported: Collection[GlobalValue] | None) -> None:
        self._module = module
        self._index = index
        self._imported = imported
        self._summarized = index.modules.get(module.identifier)
        self._renamed: dict[Comdat, Comdat] = {}
        self._bases = BaseObjects()

    def process(self, value: GlobalValue) -> None:
        """Change a global."""
        info = self._info(value)
        if info is not None and isinstance(value, GlobalVariable):
            self._mark(value, info)
        if value.linkage.is_local and self._is_promoted(value, info):
            self._promote(value)
        elif self._imported is not None:
            value.linkage = self._imported_linkage(value)
        if info is not None and self._is_dso_local(info):
            value.is_dso_local = True
            if value.dll_storage_class is DLLStorageClass.IMPORT:
                value.dll_storage_class = DLLStorageClass.DEFAULT
        # A comdat contains definitions only.
        if isinstance(value, GlobalObject) and value.comdat is not None and is_declaration_for_linker(value):
            value.comdat = None

    def rename_comdats(self) -> None:
        """Let the members of comdats whose key has another name follow it."""
        for value in (*self._module.global_variables, *self._module.functions) if self._renamed else ():
            if value.comdat in self._renamed:
                value.comdat = self._renamed[value.comdat]

    def _info(self, value: GlobalValue) -> ValueInfo | None:
        if not value.name:
            return None
        identifier = global_identifier(value.name, self._module.source_filename, is_local=value.linkage.is_local)
        return self._index.values.get(guid_of(identifier))

    def _mark(self, variable: GlobalVariable, info: ValueInfo) -> None:
        """Mark a variable that nothing writes or nothing reads; the latter needs no initializer."""
        if variable.is_declaration or not self._index.flags & IndexFlags.WITH_ATTRIBUTE_PROPAGATION:
            return
        summary = None if self._summarized is None else info.summary_in(self._summarized)
        flags = summary.variable_flags if isinstance(summary, GlobalVarSummary) else ()
        if VariableFlag.READ_ONLY in flags or VariableFlag.WRITE_ONLY in flags:
            variable.attributes = variable.attributes.with_(StringAttribute(_MARK))
        if VariableFlag.WRITE_ONLY in flags:
            variable.initializer = self._module.context.constants.null(variable.value_type)

    def _is_promoted(self, value: GlobalValue, info: ValueInfo | None) -> bool:
        """Return whether other modules may refer to a local symbol, by its new name."""
        if isinstance(value, GlobalAlias) and isinstance(self._bases.of(value), GlobalIFunc):
            return False
        if self._imported is not None:
            return True
        return info is not None and self._summarized is not None and info.summary_in(self._summarized) is not None

    def _promote(self, value: GlobalValue) -> None:
        name = value.name
        value.name = self._promoted_name(name)
        is_definition = self._is_imported(value) and not isinstance(value, GlobalAlias)
        value.linkage = Linkage.AVAILABLE_EXTERNALLY if is_definition else Linkage.EXTERNAL
        value.visibility = Visibility.HIDDEN
        comdat = comdat_of(value, self._bases)
        if comdat is not None and comdat.name == name and comdat not in self._renamed:
            # As in LLVM, it is of the kind `any`.
            self._renamed[comdat] = self._module.comdats.setdefault(value.name, Comdat(value.name))

    def _promoted_name(self, name: str) -> str:
        if self._summarized is None:
            raise BitcodecError(
                f"the summary index does not contain {self._module.identifier}, which has local symbols: "
                "make the index of all modules, under the names by which they are linked"
            )
        high, low = self._summarized.hash[:2]
        return f"{name}.llvm.{high << _HALF | low}"

    def _is_imported(self, value: GlobalValue) -> bool:
        return self._imported is not None and value in self._imported

    def _imported_linkage(self, value: GlobalValue) -> Linkage:
        linkage = value.linkage
        if linkage not in _IMPORTED_LINKAGES:
            return linkage
        as_definition, as_declaration = _IMPORTED_LINKAGES[linkage]
        is_definition = self._is_imported(value) and not isinstance(value, GlobalAlias)
        return as_definition if is_definition else as_declaration

    def _is_dso_local(self, info: ValueInfo) -> bool:
        """Return whether all definitions of a symbol are in the program itself."""
        are_equal = self._index.flags & IndexFlags.WITH_DSO_LOCAL_PROPAGATION
        summaries = info.summaries[:1] if are_equal else info.summaries
        return bool(summaries) and all(SummaryFlag.DSO_LOCAL in each.flags.flags for each in summaries)
