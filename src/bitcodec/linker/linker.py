"""Files and modules linked into one module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.linker.inputs import open_input
from bitcodec.linker.linking import ModuleLinker
from bitcodec.linker.options import LinkOptions
from bitcodec.linker.symbols import needed_members
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.ir.module import Module
    from bitcodec.linker.inputs import Input
    from bitcodec.linker.problems import LinkProblem
    from bitcodec.linker.records import Candidate

__all__ = ["Linker", "link"]

_ARCHIVE_MODULE = "ArchiveModule"
"""What llvm-link calls the module that the members of an archive are linked into."""


def link(
    inputs: Iterable[Input],
    *,
    overrides: Iterable[Input] = (),
    only_needed: bool = False,
    internalize: bool = False,
    whole_archive: bool = False,
    ignore_non_bitcode: bool = False,
) -> Module:
    """Link modules into one, as llvm-link of LLVM 22 does.

    >>> linked = bitcodec.link(["examples/hello.bc", "examples/queue.bc"])
    >>> [function.name for function in linked.functions if not function.is_declaration]
    ['main', 'push', 'acquire', 'release', 'pop', 'drain']

    Args:
        inputs: modules, which stay as they are; paths of bitcode, assembly, objects and archives; or bytes of these.
        overrides: inputs that are linked last, and whose symbols replace those of the others.
        only_needed: link only definitions that earlier inputs declare, from the second input on.
        internalize: make the symbols of all inputs but the first internal.
        whole_archive: link all members of archives. Default: those that define what earlier inputs declare.
        ignore_non_bitcode: skip members of archives without bitcode. Default: they are an error.

    Raises:
        LinkError: the modules do not link; `problems` lists everything that was found.
        OSError: a file cannot be read.
        BitcodecError: an input is malformed, or contains no LLVM IR.
    """
    linker = Linker(
        only_needed=only_needed,
        internalize=internalize,
        whole_archive=whole_archive,
        ignore_non_bitcode=ignore_non_bitcode,
    )
    for each in inputs:
        linker.add(each)
    for each in overrides:
        linker.override(each)
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
        on_problem: called with each error and warning as it is found.
    """

    def __init__(
        self,
        *,
        only_needed: bool = False,
        internalize: bool = False,
        whole_archive: bool = False,
        ignore_non_bitcode: bool = False,
        on_problem: Callable[[LinkProblem], object] | None = None,
    ) -> None:
        self._linker = ModuleLinker()
        self._later = LinkOptions(only_needed=only_needed, internalize=internalize)
        self._options = LinkOptions()
        self._whole_archive = whole_archive
        self._ignore_non_bitcode = ignore_non_bitcode
        self._on_problem = on_problem
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
        """Link an input whose symbols replace those of earlier ones.

        Raises:
            LinkError, OSError, BitcodecError: as `add`.
        """
        self._link(file, name, self._options._replace(override=True))

    def finish(self) -> Module:
        """Return the module that results."""
        return self._linker.finish()

    def explain(self, symbol: str) -> tuple[Candidate, ...]:
        """Return the definitions of a symbol in the order of the inputs, and what became of each."""
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
        try:
            if is_archive and self._whole_archive:
                joined = _joined(modules)
                self._linker.add(joined.finish(), options, joined.resolutions.origins)
            elif is_archive:
                self._link_needed(modules, options)
            else:
                for module in modules:
                    self._linker.add(module, options)
        finally:
            self._report()

    def _link_needed(self, members: list[Module], options: LinkOptions) -> None:
        """Link members of an archive that define what is declared so far, and what these need."""
        module = self._linker.module
        undefined = [value.name for value in (*module.functions, *module.global_variables)]
        rest = dict.fromkeys(members)
        for member in needed_members(members, undefined, self._is_undefined):
            self._linker.add(member, options)
            del rest[member]
        for member in rest:
            self._linker.resolutions.add_member(member)

    def _is_undefined(self, name: str) -> bool:
        """Return whether the result needs a symbol of a further input."""
        value = self._linker.module.get(name)
        if not isinstance(value, Function | GlobalVariable) or not value.is_declaration:
            return False
        return value.linkage is not Linkage.EXTERN_WEAK and not (isinstance(value, Function) and value.is_intrinsic)

    def _report(self) -> None:
        if self._on_problem is not None:
            for problem in self._linker.problems[self._reported :]:
                self._on_problem(problem)
        self._reported = len(self._linker.problems)


def _joined(members: list[Module]) -> ModuleLinker:
    """Link the members of an archive into a module of their own."""
    linker = ModuleLinker(members[0].context, _ARCHIVE_MODULE)
    for member in members:
        linker.add(member)
    return linker
