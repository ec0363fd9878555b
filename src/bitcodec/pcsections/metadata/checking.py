"""Checks the PC sections that a module requests.

LLVM's verifier does not check them.  Rules: docs/reference/pc-sections.md, 1.2 and 1.3.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.ir.findings import Finding
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.pcsections import PCSECTIONS, PCSections
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.encoding.constants import encode_constant
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.pcsections.metadata.selecting import has_code
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSection

__all__ = ["PCSectionsProblem", "Severity", "check"]

_STANDARD = re.compile(
    r"\.(text|data|bss|rodata|tdata|tbss|init|fini|init_array|fini_array|preinit_array|ctors|dtors|eh_frame"
    r"|gcc_except_table|comment|note|debug_\w+|symtab|strtab|shstrtab|dynamic|dynsym|dynstr|got|plt|rela?|group)(\..*)?"
)
"""Sections that compilers, assemblers and linkers know; the entries would be mixed with their contents."""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Severity(Enum):
    """How bad a problem is."""

    ERROR = "error"
    """The back end would crash, stop, or write an unreadable section."""
    NOTE = "note"
    """It does something else than one might expect."""


class PCSectionsProblem(NamedTuple):
    """A problem; `str` is one line.

    Attributes:
        severity: how bad it is.
        message: the problem.
        where: the function or variable that it is wrong in; the module if it is in none.
        place: the instruction that it is wrong at; `where` itself if it is wrong as a whole.
    """

    severity: Severity
    message: str
    where: GlobalValue | Module
    place: GlobalValue | Module | Instruction

    def __str__(self) -> str:
        return str(Finding(self.message, self.where, self.place))


def check(module: Module, target: Target | str | None = None) -> list[PCSectionsProblem]:
    """Return the problems of the PC sections of a module, in its order; each node is reported once.

    Args:
        module: the module; all of it is read.
        target: the target, or its triple; None for the module's.  A target without PC sections
            is reported only if the module requests some.

    Raises:
        BitcodecError: the module is malformed.
    """
    checker = _Checker(module, target)
    problems = list(checker.problems())
    return [*checker.target_problems(), *problems]


class _Checker:
    def __init__(self, module: Module, target: Target | str | None) -> None:
        self._module = module
        self._target: Target | None = None
        self._target_error = ""
        self._seen: set[MDNode] = set()
        self._names: set[str] = set()
        self._symbols = {
            value.name.removeprefix("\x01")
            for value in module.globals
            if not value.is_declaration and value.linkage not in (Linkage.AVAILABLE_EXTERNALLY, Linkage.PRIVATE)
        }
        try:
            self._target = Target.of(target) if isinstance(target, str) else target or Target.of_module(module)
        except PCSectionsError as error:
            self._target_error = str(error)

    def problems(self) -> Iterator[PCSectionsProblem]:
        """Yield the problems of nodes, with their places."""
        for variable in self._module.global_variables:
            yield from self._without_effect(variable, "a global variable has no code")
        for function in self._module.functions:
            if not has_code(function):
                yield from self._function_without_code(function)
            else:
                yield from self._function(function)

    def target_problems(self) -> Iterator[PCSectionsProblem]:
        """Yield the problem of the target, when all nodes have been checked."""
        if self._seen and self._target_error:
            yield PCSectionsProblem(Severity.ERROR, self._target_error, self._module, self._module)

    def _function(self, function: Function) -> Iterator[PCSectionsProblem]:
        nodes = function.metadata.get_all(PCSECTIONS)
        if len(nodes) > 1:
            message = f"it has {len(nodes)} !pcsections nodes, of which the back end uses the first"
            yield PCSectionsProblem(Severity.NOTE, message, function, function)
        if nodes:
            yield from self._node(nodes[0], function, function)
        for instruction in function.instructions:
            node = instruction.metadata.get(PCSECTIONS)
            if node is not None:
                yield from self._node(node, function, instruction)

    def _node(self, node: MDNode, function: Function, place: Function | Instruction) -> Iterator[PCSectionsProblem]:
        if node in self._seen:
            return
        self._seen.add(node)
        try:
            sections = PCSections.of_node(node)
        except PCSectionsError as error:
            yield PCSectionsProblem(Severity.ERROR, str(error), function, place)
            return
        for section in sections:
            for severity, message in self._section(section):
                yield PCSectionsProblem(severity, f"!pcsections: {message}", function, place)

    def _section(self, section: PCSection) -> Iterator[tuple[Severity, str]]:
        if section.name not in self._names:
            self._names.add(section.name)
            yield from self._name(section.name)
        if self._target is None:
            return
        for constant in section.constants:
            try:
                encode_constant(constant, self._target, compressed=section.is_compressed)
            except PCSectionsError as error:
                yield Severity.ERROR, f"section {quote_name(section.name)}: {error}"

    def _name(self, name: str) -> Iterator[tuple[Severity, str]]:
        if name in self._symbols:
            yield Severity.ERROR, f"section {name} has the name of a symbol of this module: choose another"
        elif _STANDARD.fullmatch(name):
            yield Severity.ERROR, f"section {name} is one of the object format's own: choose another name"
        elif not _IDENTIFIER.fullmatch(name):
            message = f"{name!r} is not a C identifier, so linkers define no __start_ and __stop_ for this section"
            yield Severity.NOTE, message

    def _function_without_code(self, function: Function) -> Iterator[PCSectionsProblem]:
        why = "a declaration has no code" if function.is_declaration else "available_externally code is left out"
        yield from self._without_effect(function, why)
        if any(PCSECTIONS in instruction.metadata for instruction in function.instructions):
            message = f"the !pcsections of its instructions have no effect: {why}"
            yield PCSectionsProblem(Severity.NOTE, message, function, function)

    def _without_effect(self, value: GlobalObject, why: str) -> Iterator[PCSectionsProblem]:
        if PCSECTIONS in value.metadata:
            yield PCSectionsProblem(Severity.NOTE, f"its !pcsections has no effect: {why}", value, value)
