"""Links modules one after another into one.  Rules: docs/reference/linking.md, 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.carrying.sources import carried_module
from bitcodec.bitcode.reader.use_lists import SharedUses
from bitcodec.flags.merging import Merger
from bitcodec.host.collection import ObjectGrowth, without_collection
from bitcodec.ir.construction.deferring import materialize_metadata, materialize_symbols
from bitcodec.ir.construction.present import source_of
from bitcodec.ir.construction.record_bodies import expect_record_bodies
from bitcodec.ir.context import Context
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.metadata import NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.ir.shared_members import share_types
from bitcodec.linker.importing import Imports, drop_unimported, versions_for
from bitcodec.linker.internalizing import internalize
from bitcodec.linker.metadata import NodesByValue
from bitcodec.linker.mover import Mover
from bitcodec.linker.namesakes import release_namesakes
from bitcodec.linker.options import LinkOptions
from bitcodec.linker.problems import LINKED, LinkError, LinkProblem, ProblemKind, merge_flags
from bitcodec.linker.promotion import promote
from bitcodec.linker.records import Resolutions, definitions_of
from bitcodec.linker.selection import LinkSelection
from bitcodec.linker.targets import adopt_target, assembly_for
from bitcodec.linker.types import StructSet
from bitcodec.upgrade.debug_info_stripping import ignored_debug_info, strip_declared_globals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bitcodec.bitcode.carrying.sources import CarriedModule
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.summary import ModuleSummaryIndex
    from bitcodec.linker.resolution import Standing

__all__ = ["ModuleLinker"]


class ModuleLinker:
    """Links modules of one context into one.

    Args:
        context: of the modules. Default: a new one.
        name: of the module that results.
        shares_types: whether composite types of debug information that have an identifier are one for all modules.
        reads_bodies: whether to read all bodies at once. Default: bodies that need no change stay records, and are read
            on demand.

    Attributes:
        module: the result so far.
        problems: errors and warnings so far, in order.
        resolutions: resolutions of the symbols so far.
    """

    def __init__(
        self,
        context: Context | None = None,
        name: str = LINKED,
        *,
        shares_types: bool = True,
        reads_bodies: bool = False,
    ) -> None:
        self.module = Module(name, DataLayout(""), context)
        self.module.preserves_use_list_order = True  # as llvm-link does
        if shares_types and self.module.context.shared_types is None:
            share_types(self.module.context)
        self.problems: list[LinkProblem] = []
        self._growth = ObjectGrowth()
        self._structs = StructSet()
        self._attribute_lists: dict[AttributeList, AttributeList] = {}
        self._nodes = NodesByValue(self.module.context)
        self._merger = Merger(module=self.module)
        self._first = ""
        self._reads_bodies = reads_bodies
        self.resolutions = Resolutions()

    def add(
        self, source: Module, options: LinkOptions | None = None, origins: Mapping[GlobalValue, str] | None = None
    ) -> None:
        """Link a module, which must not be used any more afterwards.

        Args:
            source: the module.
            options: how it is linked.
            origins: the names of the modules that its globals came from. Default: its own name for all.

        Raises:
            LinkError: it does not link.
            BitcodecError: a linked part of it is malformed.
        """
        with without_collection(self._growth):
            self._add(source, options or LinkOptions(), origins or {})

    def _add(self, source: Module, options: LinkOptions, origins: Mapping[GlobalValue, str]) -> None:
        def origin_of(value: GlobalValue) -> str:
            return origins.get(value, source.identifier)

        destination = self.module
        wrapper_count = self._read(source)
        if options.summary_index is not None:
            promote(source, options.summary_index)
        selection = LinkSelection(destination, source, options, self.resolutions.origin, origin_of, self._nodes)
        selection.select()
        self._note(selection.problems)
        reads_all = self._reads_bodies or options.summary_index is not None
        carried = None if reads_all else carried_module(source)
        self._move(source, origin_of, wrapper_count, selection, definitions_of(source), carried)
        destination.module_asm += assembly_for(source)
        self._merge_flags(source)
        if options.internalize:
            internalize(destination, selection.named)

    def note_import(self, imports: Imports, names: Iterable[str]) -> None:
        """Add names of functions to import, and record why some are not imported.

        Raises:
            LinkError: one cannot be.
        """
        with without_collection(self._growth):
            self._note(imports.add(names))

    def import_functions(self, requests: Iterable[Imports], index: ModuleSummaryIndex) -> None:
        """Import functions as definitions for the optimizer alone.

        Args:
            requests: the functions, by module; the modules must not be used any more afterwards.
            index: summaries of the modules.

        Raises:
            LinkError: they cannot be imported.
            BitcodecError: an imported part is malformed, or the index does not contain the module.
        """
        with without_collection(self._growth):
            self._structs = StructSet.of(self.module)
            for imports in requests:
                if imports.chosen:
                    self._import(imports, index)

    def _import(self, imports: Imports, index: ModuleSummaryIndex) -> None:
        source = imports.source
        wrapper_count = self._read(source)
        promote(source, index, imports.chosen)
        self._note(drop_unimported(source, self.module))
        definitions = [each for each in definitions_of(source) if each[0] in imports.chosen]
        self._move(source, lambda _: source.identifier, wrapper_count, imports, definitions)
        self.module.module_asm += versions_for(source, self.module)
        self._merge_flags(source)

    def _read(self, source: Module) -> int:
        """Read everything of a source but its bodies; return how many constants metadata wrapped before."""
        # What has been read to the end has wrapped its constants already.
        reader = source_of(source)
        wrapper_count = -1 if reader is None else self.module.context.metadata.wrapper_count
        if reader is not None:
            reader.is_in_parts = True
        materialize_symbols(source)
        materialize_metadata(source)
        if reader is not None:
            strip_declared_globals(source)
        warning = ignored_debug_info(source)
        if warning:
            self.problems.append(
                LinkProblem(ProblemKind.IGNORED_DEBUG_INFO, "", source.identifier, source_value=warning)
            )
        return wrapper_count

    def _move(
        self,
        source: Module,
        origin_of: Callable[[GlobalValue], str],
        wrapper_count: int,
        selection: LinkSelection | Imports,
        definitions: Sequence[tuple[GlobalValue, str, Standing]],
        carried: CarriedModule | None = None,
    ) -> None:
        """Move globals of a source, with everything that they need, and its named metadata."""
        self.problems += adopt_target(self.module, source, self._first)
        self._first = self._first or source.identifier
        release_namesakes(source, self._structs)
        mover = Mover(
            self.module,
            source,
            self._structs,
            self._attribute_lists,
            self._nodes,
            wrapper_count,
            selection.chosen,
            selection.on_demand,
            carried,
        )
        try:
            mover.move()
        except LinkError as error:
            self._note([self._with_origin(problem) for problem in error.problems])
        successors = mover.finish()
        if mover.has_records:
            expect_record_bodies(self.module, SharedUses())
        self.resolutions.add(origin_of, definitions, selection.meetings, mover.moved, mover.joined)
        self._append_named_metadata(source, successors)

    def _merge_flags(self, source: Module) -> None:
        if not source.flags.is_present:
            return
        self.module.named_metadata.setdefault(MODULE_FLAGS, NamedMetadata(MODULE_FLAGS))
        self._note(merge_flags(self._merger, source))

    def finish(self) -> Module:
        """Return the result.

        Raises:
            LinkError: module flags require absent flags.
        """
        self._merger.complete()
        return self.module

    def _with_origin(self, problem: LinkProblem) -> LinkProblem:
        value = self.module.get(problem.name)
        return problem if value is None else problem._replace(destination=self.resolutions.origin(value))

    def _note(self, problems: list[LinkProblem]) -> None:
        self.problems += problems
        self._stop_on_errors()

    def _stop_on_errors(self) -> None:
        if any(problem.is_error for problem in self.problems):
            raise LinkError(tuple(self.problems))

    def _append_named_metadata(self, source: Module, successors: dict[MDNode, MDNode]) -> None:
        named = self.module.named_metadata
        for name, each in source.named_metadata.items():
            if name == MODULE_FLAGS:
                continue
            found = named.setdefault(name, NamedMetadata(name))
            known = set(found.operands)
            for node in [successors.get(operand, operand) for operand in each.operands]:
                if node not in known:
                    known.add(node)
                    found.operands.append(node)
