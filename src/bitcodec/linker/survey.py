"""Conflicts between modules, found without linking them.

Only symbols, comdats, module flags, layouts and triples are read.  Every conflict is listed, not only the first one.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from bitcodec.flags.merging import Merger
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.module import Module
from bitcodec.linker.appending import first_difference, properties_of
from bitcodec.linker.comdats import ComdatChoice, ComdatFacts, choose_comdat, comdat_facts, comdat_of
from bitcodec.linker.problems import LINKED, LinkProblem, ProblemKind, merge_flags
from bitcodec.linker.records import PassedOver
from bitcodec.linker.resolution import Standing, SymbolChoice, choice_of, multiply_defined, standing_of
from bitcodec.linker.symbols import add_needed, linker_symbols
from bitcodec.linker.targets import adopt_target
from bitcodec.named_tuple import NamedTuple
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.tables.linkage import SelectionKind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bitcodec.ir.sources import SymbolRow

__all__ = ["Survey"]

_WITHOUT_KEYS = (SelectionKind.ANY, SelectionKind.NO_DEDUPLICATE)


class _Symbol(NamedTuple):
    """A symbol of the result so far: the facts needed to resolve it against others."""

    standing: Standing
    module: str
    properties: tuple[str, ...] = ()
    comdat: str = ""


class _LinkedComdat(NamedTuple):
    """A comdat whose members are linked, and the module that has it."""

    facts: ComdatFacts
    module: str


class Survey:
    """Finds the conflicts of modules that are to be linked, one module after another.

    Attributes:
        problems: the errors and warnings so far, in order.  Each is reported as if those before it did not exist.
    """

    def __init__(self) -> None:
        self.problems: list[LinkProblem] = []
        self._symbols: dict[str, _Symbol] = {}
        self._comdats: dict[str, _LinkedComdat] = {}
        self._replaced: set[tuple[str, str]] = set()
        self._target = Module(LINKED, DataLayout(""))
        self._first = ""
        self._merger = Merger()
        self._passed_over = PassedOver()

    def add(self, module: Module) -> Sequence[LinkProblem]:
        """Add a module; it is not changed, and its bodies are not read.

        Returns:
            The conflicts with the modules before it.

        Raises:
            BitcodecError: its symbols or its module flags are malformed.
        """
        known = len(self.problems)
        symbols = linker_symbols(module)
        bases = BaseObjects()
        lost = {name for name, kind in symbols.comdats.items() if self._add_comdat(module, name, kind, bases)}
        for row in symbols.rows:
            comdat = _comdat_of(row, module, bases) if lost else row.comdat or ""
            self._meet(row, module.identifier, comdat, lost)
        self.problems += adopt_target(self._target, module, self._first)
        self._first = self._first or module.identifier
        self.problems += merge_flags(self._merger, module)
        return self.problems[known:]

    def add_archive(self, members: Sequence[Module]) -> Sequence[LinkProblem]:
        """Add the members of an archive that define symbols which earlier modules declare, and members that these need.

        Returns:
            Their conflicts with the modules before them.

        Raises:
            BitcodecError: symbols or module flags of one are malformed.
        """
        known = len(self.problems)
        rest, problems = add_needed(members, list(self._symbols), self._is_undefined, self.add)
        self.problems += problems
        for member in rest:
            self._passed_over.add(member, [(row.name, standing_of(row)) for row in linker_symbols(member).rows])
        return self.problems[known:]

    def finish(self) -> Sequence[LinkProblem]:
        """Return the problems that show when all modules have been added: archives that precede their users."""
        known = len(self.problems)
        self.problems += self._passed_over.warnings(self._is_undefined)
        return self.problems[known:]

    def _is_undefined(self, name: str) -> bool:
        found = self._symbols.get(name)
        return found is not None and found.standing is Standing.DECLARATION

    def _add_comdat(self, module: Module, name: str, kind: SelectionKind, bases: BaseObjects) -> bool:
        """Add a comdat; return whether its members are not linked."""
        found = self._comdats.get(name)
        arriving = cache(partial(_facts, module, name, kind, bases))
        choice: ComdatChoice | ProblemKind = ComdatChoice.SOURCE
        if found is not None:
            there = found.facts
            choice = choose_comdat((there.kind, kind), lambda: (there, arriving()))
            if isinstance(choice, ProblemKind):
                sides = arriving().describe(name, choice), there.describe(name, choice)
                self.problems.append(LinkProblem(choice, name, module.identifier, found.module, *sides))
            elif choice is ComdatChoice.SOURCE:
                self._replaced.add((found.module, name))
        if choice is ComdatChoice.SOURCE:
            self._comdats[name] = _LinkedComdat(arriving(), module.identifier)
        return choice not in {ComdatChoice.SOURCE, ComdatChoice.BOTH}

    def _meet(self, row: SymbolRow, module: str, comdat: str, lost: Collection[str]) -> None:
        standing = standing_of(row)
        there = self._symbols.get(row.name)
        if there is not None and (there.module, there.comdat) in self._replaced:
            there = None
        if there is None:
            self._symbols[row.name] = _symbol(row, standing, module, comdat)
        elif Standing.APPENDING in (standing, there.standing):
            self._check_appending(row, there, module)
        elif comdat not in lost:
            choice = choice_of(there.standing, standing, row.dll_storage_class)
            if choice is SymbolChoice.CONFLICT:
                self.problems.append(multiply_defined(row.name, module, there.module, standing, there.standing))
            elif choice is SymbolChoice.SOURCE:
                self._symbols[row.name] = _symbol(row, standing, module, comdat)

    def _check_appending(self, row: SymbolRow, there: _Symbol, module: str) -> None:
        if row.is_declaration:
            return
        arriving = _symbol(row, standing_of(row), module)
        if there.standing in (Standing.DECLARATION, Standing.EXTERN_WEAK):
            self._symbols[row.name] = arriving
            return
        difference = first_difference(
            there.properties or (there.standing.value,), arriving.properties or (arriving.standing.value,)
        )
        if difference is not None:
            kind, ours, theirs = difference
            self.problems.append(LinkProblem(kind, row.name, module, there.module, theirs, ours))
        else:
            self._symbols[row.name] = there._replace(module=module)


def _facts(module: Module, name: str, kind: SelectionKind, bases: BaseObjects) -> ComdatFacts:
    """Return the facts that decide about a comdat, without references to the module.

    The globals of the module are read only for kinds that depend on the key.
    """
    if kind in _WITHOUT_KEYS:
        return ComdatFacts(kind)
    facts = comdat_facts(module, module.comdats[name], bases)
    return facts if facts.initializer is None else facts._replace(initializer=str(facts.initializer))


def _symbol(row: SymbolRow, standing: Standing, module: str, comdat: str = "") -> _Symbol:
    """Return the facts about a symbol that are needed to resolve it against others."""
    properties = () if row.variable is None else properties_of(row.variable)
    return _Symbol(standing, module, properties, comdat)


def _comdat_of(row: SymbolRow, module: Module, bases: BaseObjects) -> str:
    """Return the name of the comdat of a symbol, "" for a symbol without one."""
    if row.comdat is not None:
        return row.comdat
    value = module.get(row.name)
    comdat = None if value is None else comdat_of(value, bases)
    return "" if comdat is None else comdat.name
