"""Flags of modules merged, as `llvm-link` does it.  Rules: docs/reference/flags.md, 3.

The first module is linked into an empty one, the next into the result, and so on.  Where LLVM stops at the first
error, here the earlier flag stays, so that every error is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.combining import Combiner
from bitcodec.flags.diagnostics import Diagnostic, DiagnosticKind, Side
from bitcodec.flags.rules import LANGREF
from bitcodec.flags.upgrading import upgraded
from bitcodec.host.collection import without_collection
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.importing import Importer
from bitcodec.ir.metadata import NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.ir.module_flag_rules import broken_requirement
from bitcodec.ir.module_flags import MODULE_FLAGS, FlagProblem, ModuleFlag, read_flag
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitcodec.flags.rules import Dialect
    from bitcodec.flags.upgrading import Upgrade
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["LINKED", "Merge", "Merger", "merge"]

LINKED = "llvm-link"
"""LLVM's name for the module that its command links all others into."""


_NOWHERE = Side("")


class Merge(NamedTuple):
    """Result of merging flags.

    Attributes:
        flags: the merged flags, of a module that has nothing else.
        diagnostics: the conflicts, in the order in which they were found.
        upgrades: flags that were upgraded as LLVM does when it reads them.
    """

    flags: ModuleFlags
    diagnostics: tuple[Diagnostic, ...]
    upgrades: tuple[Upgrade, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Errors, which stop a link; LLVM prints only the first."""
        return tuple(each for each in self.diagnostics if each.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Warnings, which do not stop a link; LLVM prints those before the first error."""
        return tuple(each for each in self.diagnostics if not each.is_error)


def merge(
    *modules: Module | ModuleFlags,
    dialect: Dialect = LANGREF,
    linked: str = LINKED,
    upgrades_requirements: bool = False,
) -> Merge:
    """Merge the flags of modules, which are not changed.

    Args:
        modules: modules or flags of modules, in the order in which they are linked.
        dialect: the rules, `LANGREF` or `PROPOSAL_2012`.
        linked: name of the linked module in messages.
        upgrades_requirements: whether the required value of a flag is upgraded as the flag is; LLVM leaves it alone.

    Raises:
        BitcodecError: metadata of a module is malformed; an error in flags alone is a diagnostic.
    """
    merger = Merger(dialect, linked=linked, upgrades_requirements=upgrades_requirements)
    for module in modules:
        merger.add(module)
    return merger.merged()


class _PlacedFlag(NamedTuple):
    """A flag of the result, and the module that it comes from."""

    flag: ModuleFlag
    module: str

    @property
    def side(self) -> Side:
        """The flag as diagnostics describe it."""
        return Side(self.module, self.flag.behavior, self.flag.value)


class Merger:
    """Merges flags of one module after another, for modules that need not be in memory together.

    Args:
        dialect: the rules.
        linked: name of the linked module in messages.
        upgrades_requirements: whether the required value of a flag is upgraded as the flag is.
        module: the module that has the result. Default: a new one. Flags of modules in its context are not copied.
    """

    def __init__(
        self,
        dialect: Dialect = LANGREF,
        *,
        linked: str = LINKED,
        upgrades_requirements: bool = False,
        module: Module | None = None,
    ) -> None:
        self._dialect = dialect
        self._linked = linked
        self._upgrades_requirements = upgrades_requirements
        self._module = Module(linked, DataLayout("")) if module is None else module
        self._combiner = Combiner(self._module.context)
        self._globals: dict[str, GlobalValue] = {}
        self._has_list = False
        self._placed: list[_PlacedFlag] = []
        self._diagnostics: list[Diagnostic] = []
        self._upgrades: list[Upgrade] = []
        self._unmet: set[Metadata | None] = set()

    def add(self, module: Module | ModuleFlags, name: str | None = None) -> None:
        """Merge the flags of one more module.

        Args:
            module: the module, or its flags.
            name: its name in messages. Default: its own name.

        Raises:
            BitcodecError: metadata of the module is malformed.
        """
        flags = module.flags if isinstance(module, Module) else module
        if flags.is_present:
            self._has_list = True
            name = flags.module.identifier if name is None else name
            with without_collection():
                source = [_PlacedFlag(flag, name) for flag in self._read(flags, name)]
                if self._dialect.keeps_first_list and not self._placed:
                    self._placed = source
                else:
                    self._link(source)

    def merged(self) -> Merge:
        """Return the flags merged so far, checked as LLVM checks the module that results."""
        self.complete()
        flags = self._module.flags
        if self._dialect.checks_each_link:
            last = self._broken(flags)
        else:
            last = self._unmet_requirements({each.flag.key: each for each in self._placed if not _requires(each)})
        return Merge(flags, (*self._diagnostics, *last), tuple(self._upgrades))

    def complete(self) -> None:
        """Set the flags merged so far in the module of the result."""
        self._combiner.finish()
        if self._has_list:
            nodes = [placed.flag.node for placed in self._placed]
            self._module.named_metadata[MODULE_FLAGS] = NamedMetadata(MODULE_FLAGS, nodes)

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """The conflicts so far, in the order in which they were found."""
        return self._diagnostics

    # Reading

    def _read(self, flags: ModuleFlags, name: str) -> list[ModuleFlag]:
        """Return the flags of a module, copied; other nodes are reported, where LLVM may crash."""
        nodes = [*flags.nodes]
        if flags.module.context is not self._module.context:
            importer = Importer(self._module.context, self._counterpart)
            nodes = [importer.node(node) for node in nodes]
        if self._dialect.upgrades:
            nodes, upgrades = upgraded(nodes, self._module.context, name, in_requirements=self._upgrades_requirements)
            self._upgrades += upgrades
        found = []
        for number, node in enumerate(nodes):
            flag = read_flag(node)
            if isinstance(flag, ModuleFlag) and flag.behavior not in self._dialect.behaviors:
                flag = f"behavior {flag.behavior} is not in the dialect {self._dialect.name}"
            if isinstance(flag, ModuleFlag):
                found.append(flag)
            else:
                problem = FlagProblem(number, flag, None)
                self._tell(DiagnosticKind.MALFORMED, "", Side(name), problem=str(problem))
        return found

    def _counterpart(self, value: GlobalValue) -> GlobalValue:
        """Return the global that a linker would replace a global by: the first of its name."""
        if value.linkage.is_local or not value.name:
            return value
        return self._globals.setdefault(value.name, value)

    # Linking

    def _link(self, source: list[_PlacedFlag]) -> None:
        """Merge flags into the existing ones."""
        places = {placed.flag.key: place for place, placed in enumerate(self._placed) if not _requires(placed)}
        required = dict.fromkeys(placed.flag.value for placed in self._placed if _requires(placed))
        least = [place for place, placed in enumerate(self._placed) if placed.flag.behavior is Behavior.MIN]
        seen = set()
        for arriving in source:
            flag = arriving.flag
            seen.add(flag.key)
            if flag.behavior is Behavior.REQUIRE:
                if flag.value not in required:
                    required[flag.value] = None
                    self._require(arriving)
            elif flag.key in places:
                self._meet(places[flag.key], arriving)
            else:
                places[flag.key] = len(self._placed)
                if flag.behavior is Behavior.MIN:
                    least.append(len(self._placed))
                    seen.discard(flag.key)
                self._placed.append(arriving)
        if self._dialect.checks_each_link:
            # A number that becomes zero counts as it was.
            flags = {key: self._placed[place] for key, place in places.items()}
            self._diagnostics += self._unmet_requirements(flags)
        for place in least:
            placed = self._placed[place]
            if placed.flag.key not in seen:
                self._placed[place] = placed._replace(flag=self._combiner.zero(placed.flag))

    def _require(self, arriving: _PlacedFlag) -> None:
        if self._dialect.has_one_requirement_per_key:
            for placed in self._placed:
                if _requires(placed) and placed.flag.key == arriving.flag.key:
                    self._tell(DiagnosticKind.CONFLICTING_REQUIREMENTS, arriving.flag.key, arriving.side, placed.side)
                    break
        self._placed.append(arriving)

    def _meet(self, place: int, arriving: _PlacedFlag) -> None:
        """Merge a flag into the flag of the same key."""
        placed = self._placed[place]
        there, flag = placed.flag, arriving.flag
        rule = self._dialect.rules.get((there.behavior, flag.behavior))
        if rule is None:
            self._tell(DiagnosticKind.CONFLICTING_BEHAVIORS, flag.key, arriving.side, placed.side)
            return
        if rule.difference is not None and there.value != flag.value:
            self._tell(rule.difference, flag.key, arriving.side, placed.side)
        result = self._combiner.combined(rule.choice, there, flag)
        if result is None:
            self._tell(DiagnosticKind.NOT_MERGEABLE, flag.key, arriving.side, placed.side)
        else:
            is_theirs = result is flag or (result.value is flag.value and result.value is not there.value)
            self._placed[place] = _PlacedFlag(result, (arriving if is_theirs else placed).module)

    # Checking

    def _unmet_requirements(self, flags: Mapping[str, _PlacedFlag]) -> Iterator[Diagnostic]:
        """Yield the requirements of flags that are not met; each is reported once."""
        for placed in self._placed:
            wanted = placed.flag.requirement
            if wanted is None or placed.flag.value in self._unmet:
                continue
            found = flags.get(wanted.key)
            if broken_requirement(None if found is None else found.flag.node, wanted.value) is not None:
                self._unmet.add(placed.flag.value)
                side = Side(placed.module, Behavior.REQUIRE, wanted.value)
                kind = DiagnosticKind.UNMET_REQUIREMENT
                yield self._diagnostic(kind, wanted.key, side, _NOWHERE if found is None else found.side)

    def _broken(self, flags: ModuleFlags) -> Iterator[Diagnostic]:
        """Yield the verifier's errors in the result, unless the merge failed before."""
        if not any(each.is_error for each in self._diagnostics):
            for problem in flags.check():
                placed = self._placed[problem.number]
                kind = DiagnosticKind.BROKEN
                yield self._diagnostic(kind, placed.flag.key, placed.side, problem=problem.message)

    def _diagnostic(
        self, kind: DiagnosticKind, key: str, source: Side, destination: Side = _NOWHERE, *, problem: str = ""
    ) -> Diagnostic:
        return Diagnostic(kind, key, source, destination, self._linked, problem)

    def _tell(
        self, kind: DiagnosticKind, key: str, source: Side, destination: Side = _NOWHERE, *, problem: str = ""
    ) -> None:
        self._diagnostics.append(self._diagnostic(kind, key, source, destination, problem=problem))


def _requires(placed: _PlacedFlag) -> bool:
    return placed.flag.behavior is Behavior.REQUIRE
