"""Conflicts between modules, found without linking them.

Only symbols, comdats, module flags, layouts and triples are read.  Every conflict is listed, not only the first one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.merging import Merger
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.module import Module
from bitcodec.linker.appending import PROPERTIES
from bitcodec.linker.comdats import comdat_of, kinds_fit
from bitcodec.linker.problems import LINKED, LinkProblem, ProblemKind
from bitcodec.linker.resolution import Choice, Standing, choice_of, standing_of
from bitcodec.linker.targets import adopt_target
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.linkage import Linkage, SelectionKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.globals import Comdat, GlobalValue

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
        lost = self._add_comdats(module)
        for value in module.globals:
            if value.name and not value.linkage.is_local:
                comdat = comdat_of(value) if lost else None
                self._meet(value, module.identifier, is_lost=comdat is not None and comdat.name in lost)
        self.problems += adopt_target(self._target, module, self._first)
        self._first = self._first or module.identifier
        self.problems += self._flag_problems(module)
        return self.problems[known:]

    def _add_comdats(self, module: Module) -> set[str]:
        """Return the names of comdats whose members are not linked."""
        lost = set()
        for name, comdat in module.comdats.items():
            found = self._comdats.get(name)
            if found is None:
                self._comdats[name] = comdat.selection_kind, module.identifier
                continue
            if not kinds_fit(found[0], comdat.selection_kind):
                self._report_comdat(comdat, module, found)
            if comdat.selection_kind is not SelectionKind.NO_DEDUPLICATE:
                lost.add(name)
        return lost

    def _report_comdat(self, comdat: Comdat, module: Module, found: tuple[SelectionKind, str]) -> None:
        kinds = f"comdat {comdat.selection_kind}", f"comdat {found[0]}"
        problem = LinkProblem(ProblemKind.SELECTION_KINDS, comdat.name, module.identifier, found[1], *kinds)
        self.problems.append(problem)

    def _meet(self, value: GlobalValue, module: str, *, is_lost: bool) -> None:
        standing = standing_of(value)
        there = self._symbols.get(value.name)
        if there is None:
            self._symbols[value.name] = _Symbol(standing, module, _properties(value))
        elif Standing.APPENDING in (standing, there.standing):
            self._check_appending(value, there, module)
        elif not is_lost:
            choice = choice_of(there.standing, standing, value.dll_storage_class)
            if choice is Choice.CONFLICT:
                sides = there.module, standing.value, there.standing.value
                self.problems.append(LinkProblem(ProblemKind.MULTIPLY_DEFINED, value.name, module, *sides))
            elif choice is Choice.SOURCE:
                self._symbols[value.name] = _Symbol(standing, module)

    def _check_appending(self, value: GlobalValue, there: _Symbol, module: str) -> None:
        if value.is_declaration or not there.properties:
            return
        for (kind, _), ours, theirs in zip(PROPERTIES, _properties(value), there.properties, strict=True):
            if ours != theirs:
                self.problems.append(LinkProblem(kind, value.name, module, there.module))
                return

    def _flag_problems(self, module: Module) -> Iterator[LinkProblem]:
        known = len(self._merger.diagnostics)
        self._merger.add(module)
        return (LinkProblem.of_flag(each, module.identifier) for each in self._merger.diagnostics[known:])


def _properties(value: GlobalValue) -> tuple[object, ...]:
    """Return what appending variables must have in common, nothing for other symbols."""
    if not isinstance(value, GlobalVariable) or value.linkage is not Linkage.APPENDING or value.is_declaration:
        return ()
    return tuple(property_of(value) for _, property_of in PROPERTIES)
