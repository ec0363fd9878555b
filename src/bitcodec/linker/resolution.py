"""The choice between two symbols of one name.  Rules: docs/reference/linking.md, 2.1; as in LLVM 22."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from bitcodec.linker.problems import LinkProblem, ProblemKind
from bitcodec.tables.linkage import DLLStorageClass, Linkage

if TYPE_CHECKING:
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.sources import SymbolRow

__all__ = [
    "Standing",
    "SymbolChoice",
    "choice_of",
    "choose",
    "is_declaration_for_linker",
    "is_linked_on_demand",
    "multiply_defined",
    "standing_of",
]


class SymbolChoice(Enum):
    """The chosen one of two symbols."""

    DESTINATION = "-"
    SOURCE = "s"
    LARGER = "l"
    """The one of the larger type; the destination's if they are equal."""
    CONFLICT = "!"
    """Neither: both are definitions that must be the only ones."""


class Standing(Enum):
    """Role of a symbol in symbol resolution; the value is its name in explanations."""

    # Each member is one object; `Enum` computes the hash of its name.
    __hash__ = object.__hash__

    STRONG = "external definition"
    WEAK = "weak definition"
    LINKONCE = "linkonce definition"
    COMMON = "common definition"
    APPENDING = "appending variable"
    AVAILABLE = "available_externally definition"
    IMPORT = "dllimport declaration"
    DECLARATION = "declaration"
    EXTERN_WEAK = "extern_weak declaration"
    LOCAL = "internal definition"
    """It meets no other symbol."""


_SOURCES = (
    Standing.STRONG, Standing.WEAK, Standing.LINKONCE, Standing.COMMON, Standing.AVAILABLE, Standing.IMPORT,
    Standing.DECLARATION, Standing.EXTERN_WEAK,
)  # fmt: skip
_CHOICES = {
    Standing.STRONG: "! - - - - - - -",
    Standing.WEAK: "s - - s - - - -",
    Standing.LINKONCE: "s s - s - - - -",
    Standing.COMMON: "s - - l - - - -",
    Standing.AVAILABLE: "s s s s - s - -",
    Standing.DECLARATION: "s s s s s s - -",
    Standing.EXTERN_WEAK: "s s s s s s s s",
}
"""By standing in the destination: the choice for each standing in the source, in the order of `_SOURCES`."""
_RULES = {
    (destination, source): SymbolChoice(choice)
    for destination, row in _CHOICES.items()
    for source, choice in zip(_SOURCES, row.split(), strict=True)
}
_DEFINITIONS = {
    Linkage.EXTERNAL: Standing.STRONG,
    Linkage.WEAK: Standing.WEAK,
    Linkage.WEAK_ODR: Standing.WEAK,
    Linkage.LINKONCE: Standing.LINKONCE,
    Linkage.LINKONCE_ODR: Standing.LINKONCE,
    Linkage.COMMON: Standing.COMMON,
    Linkage.INTERNAL: Standing.LOCAL,
    Linkage.PRIVATE: Standing.LOCAL,
    Linkage.EXTERN_WEAK: Standing.EXTERN_WEAK,
}
_NOT_DEFINED = {Standing.AVAILABLE, Standing.DECLARATION, Standing.EXTERN_WEAK}
_ON_DEMAND = {Linkage.LINKONCE, Linkage.LINKONCE_ODR, Linkage.AVAILABLE_EXTERNALLY}


def choose(destination: GlobalValue, source: GlobalValue) -> SymbolChoice:
    """Return the choice between two symbols that have the same name."""
    return choice_of(standing_of(destination), standing_of(source), source.dll_storage_class)


def choice_of(there: Standing, arriving: Standing, storage: DLLStorageClass) -> SymbolChoice:
    """Return the choice between two symbols.

    Args:
        there, arriving: their roles in the destination and in the source.
        storage: the DLL storage class of the source's symbol.
    """
    if Standing.APPENDING in (there, arriving):
        return SymbolChoice.SOURCE
    if arriving in _NOT_DEFINED and storage is DLLStorageClass.IMPORT:
        arriving = Standing.IMPORT
    return _RULES[there, arriving]


def multiply_defined(name: str, source: str, destination: str, arriving: Standing, there: Standing) -> LinkProblem:
    """Return the problem of two definitions of a symbol in two modules."""
    return LinkProblem(ProblemKind.MULTIPLY_DEFINED, name, source, destination, arriving.value, there.value)


def standing_of(value: GlobalValue | SymbolRow) -> Standing:
    """Return the role of a symbol in symbol resolution, whether it is imported from a DLL or not."""
    linkage = value.linkage
    if linkage is Linkage.APPENDING:
        return Standing.APPENDING
    if linkage is Linkage.AVAILABLE_EXTERNALLY:
        return Standing.AVAILABLE
    if value.is_declaration and linkage is not Linkage.EXTERN_WEAK:
        return Standing.DECLARATION
    return _DEFINITIONS[linkage]


def is_declaration_for_linker(value: GlobalValue) -> bool:
    """Return whether another module must define a symbol."""
    return value.linkage is Linkage.AVAILABLE_EXTERNALLY or value.is_declaration


def is_linked_on_demand(value: GlobalValue) -> bool:
    """Return whether a definition is linked only if something refers to it."""
    return value.linkage in _ON_DEMAND
