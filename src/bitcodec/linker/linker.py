"""Files and modules linked into one module."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue, GlobalVariable
from bitcodec.ir.module import Module
from bitcodec.linker.importing import Imports, open_index
from bitcodec.linker.inputs import open_input
from bitcodec.linker.linking import ModuleLinker
from bitcodec.linker.options import LinkOptions
from bitcodec.linker.problems import LinkProblem
from bitcodec.linker.promotion import internalize_marked
from bitcodec.linker.symbols import add_needed
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from bitcodec.ir.summary import ModuleSummaryIndex
    from bitcodec.linker.inputs import Input
    from bitcodec.linker.records import Candidate

    Index: TypeAlias = ModuleSummaryIndex | str | os.PathLike[str] | bytes

__all__ = ["Linker", "link"]

_ARCHIVE_MODULE = "ArchiveModule"
"""llvm-link's name for the module that the members of an archive are linked into."""


def link(
    inputs: Iterable[Input],
    *,
    overrides: Iterable[Input] = (),
    only_needed: bool = False,
    internalize: bool = False,
    whole_archive: bool = False,
    ignore_non_bitcode: bool = False,
    debug_info_type_map: bool = True,
    imports: Mapping[str, Iterable[str]] | None = None,
    summary_index: Index | None = None,
) -> Module:
    """Link modules into one, as llvm-link of LLVM 22 does.

    >>> linked = bitcodec.link(["examples/hello.bc", "examples/queue.bc"])
    >>> [function.name for function in linked.functions if not function.is_declaration]
    ['main', 'push', 'acquire', 'release', 'pop', 'drain']

    Args:
        inputs: modules, which are not changed; paths of bitcode, assembly, objects and archives; or bytes of these.
        overrides: inputs that are linked last, and whose symbols replace the symbols of the others.
        only_needed: link only definitions that earlier inputs declare, from the second input on.
        internalize: make the symbols of all inputs but the first internal.
        whole_archive: link all members of archives. Default: only members with definitions that earlier inputs declare.
        ignore_non_bitcode: skip members of archives without bitcode. Default: they are an error.
        debug_info_type_map: whether composite types of debug information that have an identifier are one for all.
        imports: names of functions to import for the optimizer, by the path of the module that defines them.
        summary_index: the summaries of all modules, or a file with them; needed for imports.

    Raises:
        ValueError: there are imports without an index.
        LinkError: the modules do not link; `problems` lists everything that was found.
        OSError: a file cannot be read.
        BitcodecError: an input is malformed, or contains no LLVM IR.
    """
    linker = Linker(
        only_needed=only_needed,
        internalize=internalize,
        whole_archive=whole_archive,
        ignore_non_bitcode=ignore_non_bitcode,
        debug_info_type_map=debug_info_type_map,
        summary_index=summary_index,
    )
    for each in inputs:
        linker.add(each)
    for each in overrides:
        linker.override(each)
    for path, names in (imports or {}).items():
        linker.import_functions(path, names)
    return linker.finish()


class Linker:
    """Links inputs one after another, which need not be in memory together.

    >>> linker = bitcodec.Linker()
    >>> linker.add("examples/hello.bc")
    >>> linker.finish().functions["main"].name
    'main'
    >>> [str(candidate) for candidate in linker.explain("main")]
    ['examples/hello.bc: an external definition, linked']

    Args:
        only_needed: link only definitions that earlier inputs declare, from the second input on.
        internalize: make the symbols of all inputs but the first internal.
        whole_archive: link all members of archives, as llvm-link does.
        ignore_non_bitcode: skip members of archives without bitcode. Default: they are an error.
        debug_info_type_map: whether composite types of debug information that have an identifier are one for all.
        summary_index: the summaries of all modules, or a file with them, for `import_functions`: local symbols of a
            module become visible to others, under a name that no other symbol has.
        reads_bodies: whether to read the bodies of all functions at once.  Default: bodies that need no change are not
            read; they are written unchanged, except for numbers in them, and read when a part is requested.
        on_problem: called with each error and warning as it is found.
        check_text: called with each module that was parsed from assembly, before it is linked; it may raise an error.
            Default: nothing is checked.
    """

    def __init__(
        self,
        *,
        only_needed: bool = False,
        internalize: bool = False,
        whole_archive: bool = False,
        ignore_non_bitcode: bool = False,
        debug_info_type_map: bool = True,
        summary_index: Index | None = None,
        reads_bodies: bool = False,
        on_problem: Callable[[LinkProblem], object] | None = None,
        check_text: Callable[[Module], object] | None = None,
    ) -> None:
        self._linker = ModuleLinker(shares_types=debug_info_type_map, reads_bodies=reads_bodies)
        self._shares_types = debug_info_type_map
        self._index = None if summary_index is None else open_index(summary_index)
        self._options = LinkOptions(summary_index=self._index)
        self._later = self._options._replace(only_needed=only_needed, internalize=internalize)
        self._whole_archive = whole_archive
        self._ignore_non_bitcode = ignore_non_bitcode
        self._imports: dict[Input, Imports] = {}
        self._on_problem = on_problem
        self._check_text = check_text
        self._reported = 0

    @property
    def problems(self) -> tuple[LinkProblem, ...]:
        """The errors and warnings so far, in order."""
        return tuple(self._linker.problems)

    @property
    def module(self) -> Module:
        """The result so far."""
        return self._linker.module

    def add(self, file: Input, name: str | None = None) -> None:
        """Link an input.

        Args:
            file: a module, a path, or bytes.
            name: of the input, for messages. Default: its path, or the identifier of the module.

        Raises:
            LinkError: it does not link; this linker cannot be used any more.
            OSError: the file cannot be read.
            BitcodecError: the input is malformed, or contains no LLVM IR.
        """
        self._link(file, name, self._options)
        self._options = self._later

    def override(self, file: Input, name: str | None = None) -> None:
        """Link an input whose symbols replace the symbols of earlier ones.

        Raises:
            LinkError, OSError, BitcodecError: as `add`.
        """
        self._link(file, name, self._options._replace(override=True))

    def import_functions(self, file: Input, names: Iterable[str], name: str | None = None) -> None:
        """Import functions of a module for the optimizer, as ThinLTO does: their definitions stay where they are.

        `finish` imports them, in the order of the names of modules, as llvm-link does.

        Args:
            file: a module, a path, or bytes.
            names: of the functions.
            name: of the module in the index. Default: its path, or the identifier of the module.

        Raises:
            ValueError: this linker has no summary index.
            LinkError, OSError, BitcodecError: as `add`.
        """
        if self._index is None:
            raise ValueError("imports need a summary_index")
        key = name or (file.identifier if isinstance(file, Module) else file)
        imports = self._imports.get(key)
        if imports is None:
            modules, _ = open_input(file, name, self._linker.module.context)
            if len(modules) != 1:
                raise BitcodecError(
                    f"{modules[0].identifier} is one of {len(modules)} modules; imports need a single one"
                )
            imports = self._imports[key] = Imports(modules[0])
        try:
            self._linker.note_import(imports, names)
        finally:
            self._report()

    def finish(self) -> Module:
        """Return the module that results, with the functions that were requested.

        Raises:
            LinkError, BitcodecError: as `add`, for imports.
        """
        self._warn_of_archives()
        if self._index is not None:
            requests = sorted(self._imports.values(), key=lambda imports: imports.source.identifier)
            self._imports.clear()
            try:
                self._linker.import_functions(requests, self._index)
            finally:
                self._report()
            internalize_marked(self.module)
        return self._linker.finish()

    def explain(self, symbol: str) -> tuple[Candidate, ...]:
        """Return the definitions of a symbol in the order of the inputs, and whether each was linked."""
        return self._linker.resolutions.candidates(symbol)

    def declared_by(self, symbol: str) -> str:
        """Return the input that the declaration of a symbol came from, "" if the result does not declare it."""
        value = self.module.get(symbol)
        return self._linker.resolutions.origin(value) if value is not None and value.is_declaration else ""

    def origins(self) -> dict[str, str]:
        """Return the input that each symbol of the result was defined in, without appending variables."""
        named = [
            value
            for value in self.module.globals
            if value.name and not value.is_declaration and value.linkage is not Linkage.APPENDING
        ]
        origins = {value.name: self._linker.resolutions.origin(value) for value in named}
        return {name: origin for name, origin in origins.items() if origin}

    def _link(self, file: Input, name: str | None, options: LinkOptions) -> None:
        modules, is_archive = open_input(
            file, name, self._linker.module.context, ignore_non_bitcode=self._ignore_non_bitcode
        )
        check = self._check_text
        for module in modules:
            if check is not None and module.bitcode_size is None:
                check(module)
        try:
            if is_archive and not modules:
                pass  # an archive without members
            elif is_archive and self._whole_archive:
                joined = self._joined(modules)
                self._linker.add(joined.finish(), options, joined.resolutions.origins)
            elif is_archive:
                self._link_needed(modules, options)
            else:
                for module in modules:
                    self._linker.add(module, options)
        finally:
            self._report()

    def _joined(self, members: list[Module]) -> ModuleLinker:
        """Link the members of an archive into a separate module."""
        linker = self._archive_linker(members)
        for member in members:
            linker.add(member)
        return linker

    def _archive_linker(self, members: list[Module]) -> ModuleLinker:
        # What is linked twice is read: bodies that stay records are linked once.
        return ModuleLinker(members[0].context, _ARCHIVE_MODULE, shares_types=self._shares_types, reads_bodies=True)

    def _link_needed(self, members: list[Module], options: LinkOptions) -> None:
        """Link members of an archive that define declared symbols, and members that these need."""
        module = self._linker.module
        names = [value.name for value in (*module.functions, *module.global_variables)]
        # A member may be needed again by a later one, so definitions are chosen when all members are known.
        joined = self._archive_linker(members) if options.only_needed else None
        add = partial(self._linker.add, options=options) if joined is None else joined.add
        rest, problems = add_needed(members, names, partial(self._is_undefined, joined), add)
        if joined is not None:
            self._linker.add(joined.finish(), options, joined.resolutions.origins)
        self._linker.problems += problems
        for member in rest:
            self._linker.resolutions.add_member(member)

    def _warn_of_archives(self) -> None:
        """Record archives that precede the files that need them."""
        self._linker.problems += self._linker.resolutions.passed_over.warnings(partial(self._is_undefined, None))
        self._report()

    def _is_undefined(self, joined: ModuleLinker | None, name: str) -> bool:
        """Return whether the result, and members that will be part of it, need a symbol of a further input."""
        found = [each.module.get(name) for each in (self._linker, joined) if each is not None]
        values = [value for value in found if value is not None]
        return all(value.is_declaration for value in values) and any(map(_needs_definition, values))

    def _report(self) -> None:
        if self._on_problem is not None:
            for problem in self._linker.problems[self._reported :]:
                self._on_problem(problem)
        self._reported = len(self._linker.problems)


def _needs_definition(value: GlobalValue) -> bool:
    """Return whether a declaration must be defined by another module."""
    if not isinstance(value, Function | GlobalVariable) or value.linkage is Linkage.EXTERN_WEAK:
        return False
    return not (isinstance(value, Function) and value.is_intrinsic)
