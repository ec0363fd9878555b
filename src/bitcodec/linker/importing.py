"""Functions imported from a module for ThinLTO: another module may inline them, as available definitions.

Rules: LLVM 22's importing of functions.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.bitcode.loading import modules_of_file
from bitcodec.errors import BitcodecError
from bitcodec.files import read_file
from bitcodec.ir.debug_info import DICompileUnit
from bitcodec.ir.summary import ModuleSummaryIndex
from bitcodec.linker.problems import LinkProblem, ProblemKind
from bitcodec.symbols.assembly import symbol_versions
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.linker.records import Candidate

__all__ = ["Imports", "drop_unimported", "open_index", "versions_for"]

_UNITS = "llvm.dbg.cu"
_STATISTICS = "llvm.stats"
_PROBES = "llvm.pseudo_probe_desc"
_LISTS = ("enums", "retained_types", "globals", "imports", "macros")
"""Fields of a compile unit that only the module itself describes."""
_FROM_BYTES = "<bytes>"


def open_index(file: ModuleSummaryIndex | str | os.PathLike[str] | bytes) -> ModuleSummaryIndex:
    """Return the summary index in a file; a module without summaries has an empty index, as in LLVM.

    Args:
        file: an index, the path of a file with one, or its bytes.

    Raises:
        OSError: the file cannot be read.
        BitcodecError: it is malformed, or contains no LLVM IR.
    """
    if isinstance(file, ModuleSummaryIndex):
        return file
    path = None if isinstance(file, bytes) else file
    name = _FROM_BYTES if path is None else os.fsdecode(path)
    data = memoryview(file if isinstance(file, bytes) else read_file(file))
    modules = list(modules_of_file(data, name, path))
    if not modules:
        raise BitcodecError(f"{name} contains no summaries; `llvm-lto -thinlto-action=thinlink` writes an index")
    return next((module.summary for module in modules if module.summary is not None), ModuleSummaryIndex())


class Imports:
    """The functions that are imported from a module; globals that they refer to are only declared.

    Args:
        source: the module.

    Attributes:
        source: the module.
        meetings: none: an import replaces the existing symbol.
    """

    def __init__(self, source: Module) -> None:
        self.source = source
        self._wanted: set[str] = set()
        self.meetings: dict[GlobalValue, Candidate] = {}

    def add(self, names: Iterable[str]) -> list[LinkProblem]:
        """Add functions; return why some are not imported."""
        problems = []
        for name in names:
            kind = _obstacle(self.source, name)
            if kind is None:
                self._wanted.add(name)
            else:
                problems.append(LinkProblem(kind, name, self.source.identifier))
        return problems

    @cached_property
    def chosen(self) -> dict[GlobalValue, None]:
        """The functions, in the order of the module."""
        return dict.fromkeys(function for function in self.source.functions if function.name in self._wanted)

    def on_demand(self, _value: GlobalValue) -> tuple[GlobalValue, ...]:
        """Return the definitions that are linked because something refers to `_value`: none."""
        return ()


def _obstacle(source: Module, name: str) -> ProblemKind | None:
    function = source.functions.get(name)
    if function is None:
        return ProblemKind.NOT_IMPORTED
    if function.linkage is Linkage.WEAK:
        return ProblemKind.NOT_IMPORTED_WEAK
    return ProblemKind.ONLY_DECLARED if function.is_declaration else None


def drop_unimported(source: Module, destination: Module) -> list[LinkProblem]:
    """Drop metadata of a source that would describe it a second time; return warnings."""
    problems = []
    named = source.named_metadata
    if named.pop(_PROBES, None) is not None and _PROBES not in destination.named_metadata:
        problems.append(LinkProblem(ProblemKind.PSEUDO_PROBES, "", source.identifier))
    named.pop(_STATISTICS, None)
    for unit in named[_UNITS].operands if _UNITS in named else ():
        if isinstance(unit, DICompileUnit):
            for each in _LISTS:
                setattr(unit, each, None)
    return problems


def versions_for(source: Module, destination: Module) -> str:
    """Return the assembly text that gives symbols of the destination the versions that a source gives them."""
    versions = [(name, version) for name, version in symbol_versions(source) if destination.get(name) is not None]
    by_symbol: dict[str, list[str]] = {}
    for name, version in versions:
        by_symbol.setdefault(name, []).append(f".symver {name}, {version}\n")
    return "".join(["".join(lines) for lines in by_symbol.values()])
