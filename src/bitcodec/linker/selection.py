"""Selects the globals of a source to link, and reconciles properties of symbols of one name.

Rules: docs/reference/linking.md, 2 to 6 and 11.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.globals import GlobalVariable
from bitcodec.linker.comdats import (
    ComdatChoice,
    alloc_size,
    choose_comdat,
    comdat_facts,
    comdat_of,
    drop_replaced,
)
from bitcodec.linker.problems import LinkProblem, ProblemKind
from bitcodec.linker.prototypes import copy_properties
from bitcodec.linker.records import COMDAT_LOST, Candidate
from bitcodec.linker.resolution import SymbolChoice, choose, is_linked_on_demand, multiply_defined, standing_of
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.tables.linkage import Linkage, UnnamedAddress, Visibility

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.globals import Comdat, GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.linker.comdats import ComdatFacts
    from bitcodec.linker.metadata import NodesByValue
    from bitcodec.linker.options import LinkOptions

__all__ = ["LinkSelection"]

_VISIBILITIES = (Visibility.HIDDEN, Visibility.PROTECTED, Visibility.DEFAULT)
"""From the one that prevails."""
_PROMISES = (UnnamedAddress.NONE, UnnamedAddress.LOCAL, UnnamedAddress.GLOBAL)
"""From the weakest, which prevails."""
_LINKONCE = {Linkage.LINKONCE, Linkage.LINKONCE_ODR}


class LinkSelection:
    """The globals of a source that are linked.

    Args:
        destination, source: the modules.
        options: how they are linked.
        origin: returns the name of the module that a global of the destination came from.
        source_origin: returns that for a global of the source.
        nodes: the metadata nodes of the destination that wrap constants.

    Attributes:
        chosen: the globals, in order.
        problems: errors and warnings.
        named: names of everything that was chosen, for `internalize`.
        meetings: definitions of the source that were resolved against the destination's, or whose comdat lost.
    """

    def __init__(
        self,
        destination: Module,
        source: Module,
        options: LinkOptions,
        origin: Callable[[GlobalValue], str],
        source_origin: Callable[[GlobalValue], str],
        nodes: NodesByValue,
    ) -> None:
        self._destination = destination
        self._source = source
        self._options = options
        self._origin = origin
        self._source_origin = source_origin
        self._nodes = nodes
        self._bases = BaseObjects()
        self._destination_bases = BaseObjects()
        self._comdats: dict[Comdat, ComdatChoice] = {}
        self._on_demand: dict[Comdat, list[GlobalValue]] = {}
        self.chosen: dict[GlobalValue, None] = {}
        self.problems: list[LinkProblem] = []
        self.named: set[str] = set()
        self.meetings: dict[GlobalValue, Candidate] = {}
        self._clones: list[GlobalValue] = []

    def select(self) -> None:
        """Select the globals that are linked unconditionally, and change properties that pairs of symbols share."""
        self._choose_comdats()
        if self.problems:
            return
        for value in self._source.globals:
            self._consider(value)
        if any(problem.is_error for problem in self.problems):
            return
        self._clone()
        pending = list(self.chosen)
        for value in pending:
            for mate in self._mates(value):
                if mate not in self.chosen:
                    self.chosen[mate] = None
                    pending.append(mate)
        self.named = {value.name for value in self.chosen}

    def on_demand(self, value: GlobalValue) -> Iterator[GlobalValue]:
        """Yield the definitions to link because something refers to a definition that was not chosen."""
        if is_linked_on_demand(value) or self._options.only_needed:
            self.named.add(value.name)
            yield value
            for mate in self._mates(value):
                self.named.add(mate.name)
                yield mate

    # Comdats

    def _choose_comdats(self) -> None:
        replaced: set[Comdat] = set()
        for comdat in self._used_comdats():
            choice = self._choice_of(comdat)
            if isinstance(choice, ProblemKind):
                self._report_comdat(choice, comdat)
            else:
                self._comdats[comdat] = choice
                if choice is ComdatChoice.SOURCE and comdat.name in self._destination.comdats:
                    replaced.add(self._destination.comdats[comdat.name])
        if self.problems:
            return
        drop_replaced(self._destination, replaced, self._nodes)
        self._release_private_members()
        for value in (*self._source.global_variables, *self._source.functions, *self._source.aliases):
            member = comdat_of(value, self._bases) if value.linkage in _LINKONCE else None
            if member is not None:
                self._on_demand.setdefault(member, []).append(value)

    def _used_comdats(self) -> list[Comdat]:
        return list(self._source.comdats.values())

    def _choice_of(self, comdat: Comdat) -> ComdatChoice | ProblemKind:
        other = self._destination.comdats.get(comdat.name)
        if other is None:
            return ComdatChoice.SOURCE
        return choose_comdat((other.selection_kind, comdat.selection_kind), lambda: self._facts(comdat))

    def _facts(self, comdat: Comdat) -> tuple[ComdatFacts, ComdatFacts]:
        """Return the facts of the destination's and of the source's comdat."""
        other = self._destination.comdats[comdat.name]
        return (
            comdat_facts(self._destination, other, self._destination_bases),
            comdat_facts(self._source, comdat, self._bases),
        )

    def _report_comdat(self, kind: ProblemKind, comdat: Comdat) -> None:
        there, arriving = (facts.describe(comdat.name, kind) for facts in self._facts(comdat))
        other = self._destination.comdats[comdat.name]
        members = (value for value in self._destination.globals if comdat_of(value, self._destination_bases) is other)
        member = next(members, None)
        self._report(kind, comdat.name, arriving, there, "" if member is None else self._origin(member))

    def _release_private_members(self) -> None:
        """Make private members of comdats that lost available: only references to them need them."""
        if ComdatChoice.DESTINATION not in self._comdats.values():
            return
        aliased = {self._bases.of(alias) for alias in self._source.aliases}
        for value in (*self._source.global_variables, *self._source.functions):
            lost = value.comdat is not None and self._comdats.get(value.comdat) is ComdatChoice.DESTINATION
            if lost and value.linkage is Linkage.PRIVATE and value not in aliased:
                value.linkage = Linkage.AVAILABLE_EXTERNALLY
                value.comdat = None

    def _mates(self, value: GlobalValue) -> Iterator[GlobalValue]:
        """Yield the members of the comdat of a global that are linked with it."""
        comdat = comdat_of(value, self._bases)
        for mate in () if comdat is None else self._on_demand.get(comdat, ()):
            there = self._partner(mate)
            if there is None or self._prevails(there, mate):
                yield mate

    # Symbols

    def _partner(self, value: GlobalValue) -> GlobalValue | None:
        """Return the global of the destination that a global meets, None if it meets none."""
        if not value.name or value.linkage.is_local:
            return None
        there = self._destination.get(value.name)
        return None if there is None or there.linkage.is_local else there

    def _consider(self, value: GlobalValue) -> None:
        there = self._partner(value)
        is_appending = value.linkage is Linkage.APPENDING
        if self._options.only_needed and not is_appending and (there is None or not there.is_declaration):
            return
        if there is not None and not is_appending:
            _share_properties(there, value)
        if there is None and not self._options.override and (value.linkage.is_local or is_linked_on_demand(value)):
            return
        if value.is_declaration:
            return
        comdat = comdat_of(value, self._bases)
        group = ComdatChoice.SOURCE if comdat is None else self._comdats.get(comdat, ComdatChoice.SOURCE)
        is_lost = group is ComdatChoice.DESTINATION
        prevails = not is_lost and (there is None or self._prevails(there, value))
        if is_lost and (there is None or there.is_declaration):
            candidate = Candidate(self._source_origin(value), standing_of(value), is_linked=False, reason=COMDAT_LOST)
            self.meetings[value] = candidate
        elif there is not None:
            sides = self._source_origin(value), standing_of(value), prevails, self._origin(there), standing_of(there)
            self.meetings[value] = Candidate(*sides)
            if group is ComdatChoice.BOTH and comdat is not None:
                self._clones.append(there if prevails else value)
        if prevails:
            self.chosen[value] = None

    def _prevails(self, there: GlobalValue, value: GlobalValue) -> bool:
        """Return whether the symbol of the source is taken; note a conflict."""
        if self._options.override:
            return True
        choice = choose(there, value)
        if choice is SymbolChoice.CONFLICT:
            modules = self._source_origin(value), self._origin(there)
            self.problems.append(multiply_defined(value.name, *modules, standing_of(value), standing_of(there)))
        if choice is SymbolChoice.LARGER:
            return _is_larger(value, there)
        return choice is SymbolChoice.SOURCE

    def _clone(self) -> None:
        """Keep the content of variables in comdats that both modules keep, though their symbols lost."""
        for value in self._clones:
            if isinstance(value, GlobalVariable):
                clone = GlobalVariable(value.type, value.value_type)
                copy_properties(value, clone)
                clone.visibility = Visibility.DEFAULT
                clone.linkage = Linkage.PRIVATE
                clone.comdat = value.comdat
                clone.initializer = value.initializer
                if value.parent is not None:
                    value.parent.append(clone)
                if value.parent is self._source:
                    self.chosen[clone] = None
            else:
                self._report(ProblemKind.NOT_CLONED, value.name)

    def _report(
        self, kind: ProblemKind, name: str, arriving: str = "", there: str = "", destination: str | None = None
    ) -> None:
        if destination is None:
            value = self._destination.get(name)
            destination = "" if value is None else self._origin(value)
        self.problems.append(LinkProblem(kind, name, self._source.identifier, destination, arriving, there))


def _is_larger(value: GlobalValue, there: GlobalValue) -> bool:
    if not isinstance(value, GlobalVariable) or not isinstance(there, GlobalVariable):
        return False
    # As in LLVM, the layout of the destination is that of both.
    layout = there.parent.data_layout if there.parent is not None else None
    return alloc_size(value, layout) > alloc_size(there)


def _share_properties(there: GlobalValue, value: GlobalValue) -> None:
    """Give two symbols of one name their common properties."""
    if isinstance(there, GlobalVariable) and isinstance(value, GlobalVariable):
        is_changed = not (there.is_constant and value.is_constant)
        if there.is_declaration and value.is_declaration and is_changed:
            there.is_constant = value.is_constant = False
        if there.linkage is value.linkage is Linkage.COMMON and (there.alignment or value.alignment):
            there.alignment = value.alignment = max(there.alignment or 1, value.alignment or 1)
    visibility = min(there.visibility, value.visibility, key=_VISIBILITIES.index)
    promise = min(there.unnamed_address, value.unnamed_address, key=_PROMISES.index)
    for each in (there, value):
        if each.visibility is not visibility:
            each.visibility = visibility
        each.unnamed_address = promise
