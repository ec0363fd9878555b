"""Conflicts between modules, found without linking them.

Only symbols, comdats, module flags, layouts and triples are read.  Every conflict is listed, not only the first one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.merging import Merger
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.module import Module
from bitcodec.linker.appending import PROPERTIES
from bitcodec.linker.comdats import comdat_of, kinds_fit
from bitcodec.linker.problems import LINKED, LinkProblem, ProblemKind
from bitcodec.linker.resolution import Choice, Standing, choice_of, standing_of
from bitcodec.linker.symbols import linker_symbols, needed_members
from bitcodec.linker.targets import adopt_target
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.linkage import SelectionKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitcodec.ir.sources import SymbolRow

__all__ = ["Survey"]


class _Symbol(NamedTuple):
    """A symbol of the result so far: what is needed of it when another one meets it."""

    standing: Standing
    module: str
    properties: tuple[object, ...] = ()


class Survey:
    """Finds the conflicts of modules that are to be linked, one module after another.

    Attributes:
        problems: the errors and warnings so far, in order.  Each is reported as if those before it did not exist.
    """

    def __init__(self) -> None:
        self.problems: list[LinkProblem] = []
        self._symbols: dict[str, _Symbol] = {}
        self._comdats: dict[str, tuple[SelectionKind, str]] = {}
        self._target = Module(LINKED, DataLayout(""))
        self._first = ""
        self._merger = Merger()

    def add(self, module: Module) -> Sequence[LinkProblem]:
        """Add a module; it stays as it is, and its bodies are not read.

        Returns:
            The conflicts with the modules before it.

        Raises:
            BitcodecError: its symbols or its module flags are malformed.
        """
        known = len(self.problems)
        symbols = linker_symbols(module)
        lost = self._add_comdats(module, symbols.comdats)
        for row in symbols.rows:
            self._meet(row, module.identifier, is_lost=bool(lost) and _comdat_of(row, module) in lost)
        self.problems += adopt_target(self._target, module, self._first)
        self._first = self._first or module.identifier
        self.problems += self._flag_problems(module)
        return self.problems[known:]

    def add_archive(self, members: Sequence[Module]) -> Sequence[LinkProblem]:
        """Add the members of an archive that define what earlier modules declare, and what these need.

        Returns:
            Their conflicts with the modules before them.

        Raises:
            BitcodecError: symbols or module flags of one are malformed.
        """
        known = len(self.problems)
        undefined = [name for name in self._symbols if self._is_undefined(name)]
        for member in needed_members(members, undefined, self._is_undefined):
            self.add(member)
        return self.problems[known:]

    def _is_undefined(self, name: str) -> bool:
        found = self._symbols.get(name)
        return found is not None and found.standing is Standing.DECLARATION

    def _add_comdats(self, module: Module, comdats: Mapping[str, SelectionKind]) -> set[str]:
        """Return the names of comdats whose members are not linked."""
        lost = set()
        for name, kind in comdats.items():
            there = self._comdats.get(name)
            if there is None:
                self._comdats[name] = kind, module.identifier
                continue
            if not kinds_fit(there[0], kind):
                kinds = f"comdat {kind}", f"comdat {there[0]}"
                sides = module.identifier, there[1]
                self.problems.append(LinkProblem(ProblemKind.SELECTION_KINDS, name, *sides, *kinds))
            if kind is not SelectionKind.NO_DEDUPLICATE:
                lost.add(name)
        return lost

    def _meet(self, row: SymbolRow, module: str, *, is_lost: bool) -> None:
        standing = standing_of(row)
        there = self._symbols.get(row.name)
        if there is None:
            self._symbols[row.name] = _Symbol(standing, module, _properties(row))
        elif Standing.APPENDING in (standing, there.standing):
            self._check_appending(row, there, module)
        elif not is_lost:
            choice = choice_of(there.standing, standing, row.dll_storage_class)
            if choice is Choice.CONFLICT:
                sides = there.module, standing.value, there.standing.value
                self.problems.append(LinkProblem(ProblemKind.MULTIPLY_DEFINED, row.name, module, *sides))
            elif choice is Choice.SOURCE:
                self._symbols[row.name] = _Symbol(standing, module)

    def _check_appending(self, row: SymbolRow, there: _Symbol, module: str) -> None:
        if row.is_declaration or not there.properties:
            return
        for (kind, _), ours, theirs in zip(PROPERTIES, _properties(row), there.properties, strict=False):
            if ours != theirs:
                self.problems.append(LinkProblem(kind, row.name, module, there.module))
                return

    def _flag_problems(self, module: Module) -> Iterator[LinkProblem]:
        known = len(self._merger.diagnostics)
        self._merger.add(module)
        return (LinkProblem.of_flag(each, module.identifier) for each in self._merger.diagnostics[known:])


def _properties(row: SymbolRow) -> tuple[object, ...]:
    """Return what appending variables must have in common, nothing for other symbols."""
    variable = None if row.is_declaration else row.variable
    return () if variable is None else tuple(property_of(variable) for _, property_of in PROPERTIES)


def _comdat_of(row: SymbolRow, module: Module) -> str:
    """Return the name of the comdat of a symbol, "" if it has none."""
    if row.comdat is not None:
        return row.comdat
    value = module.get(row.name)
    comdat = None if value is None else comdat_of(value)
    return "" if comdat is None else comdat.name
