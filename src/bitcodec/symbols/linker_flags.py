"""Options of linkers for Windows that follow from globals: exports of a DLL, and exclusions.

Rules: LLVM 22's code generator, which writes them into the section `.drectve`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.ir.types import FunctionType
from bitcodec.symbols.mangling import MANGLINGS
from bitcodec.tables.linkage import DLLStorageClass, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.symbols.mangling import Mangler
    from bitcodec.symbols.targets import TripleTarget

__all__ = ["linker_flags"]

_PLAIN = re.compile(r"[A-Za-z0-9_@#]+")


def linker_flags(value: GlobalValue, target: TripleTarget, mangler: Mangler, layout: DataLayout) -> Iterator[str]:
    """Yield the options for a global, for a target whose object format is COFF."""
    if value.is_declaration:
        return
    name = value.name
    quote = '"' if name and not _PLAIN.fullmatch(name) else ""
    if value.dll_storage_class is DLLStorageClass.EXPORT:
        symbol = mangler.name(value, layout)
        if target.is_mingw:
            symbol = _without_prefix(symbol, layout)
        if target.architecture == "arm64ec":
            symbol += _exported_as(name)
        kind = "" if isinstance(value.value_type, FunctionType) else ",DATA" if target.is_msvc else ",data"
        yield f"{'/EXPORT' if target.is_msvc else '-export'}:{quote}{symbol}{quote}{kind}"
    if value.visibility is Visibility.HIDDEN and target.is_mingw:
        symbol = _without_prefix(mangler.name(value, layout), layout)
        yield f"-exclude-symbols:{quote}{symbol}{quote}"


def _without_prefix(symbol: str, layout: DataLayout) -> str:
    return symbol.removeprefix(MANGLINGS.get(layout.mangling, MANGLINGS[""]).prefix)


def _exported_as(name: str) -> str:
    """Return the option that exports a function of Arm64EC under its unmarked name, "" if the name is unmarked."""
    if name.startswith("#"):
        return f",EXPORTAS,{name[1:]}"
    before, _, after = name.partition("$$h")
    return f",EXPORTAS,{before}{after}" if name.startswith("?") and after else ""
