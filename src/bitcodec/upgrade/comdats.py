"""Comdats of modules of LLVM 3.4 and older, which had none: linkages that allow several definitions implied them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.globals import Comdat
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.globals import GlobalObject
    from bitcodec.ir.module import Module

__all__ = ["IMPLICIT_COMDAT_LINKAGES", "add_implicit_comdats", "supports_comdats"]

IMPLICIT_COMDAT_LINKAGES = frozenset({Linkage.WEAK, Linkage.LINKONCE, Linkage.WEAK_ODR, Linkage.LINKONCE_ODR})
_NO_COMDATS = ("-apple", "-darwin", "-macos", "-ios", "macho", "-aix", "xcoff", "dxil", "shadermodel")


def supports_comdats(triple: str) -> bool:
    """Return whether object files for a target have comdats."""
    lowered = triple.lower()
    return not any(part in lowered for part in _NO_COMDATS)


def add_implicit_comdats(module: Module, values: Iterable[GlobalObject]) -> None:
    """Put each of some globals into a comdat of the same name, if the target has comdats."""
    if not supports_comdats(module.target_triple):
        return
    for value in values:
        value.comdat = module.comdats.setdefault(value.name, Comdat(value.name))
