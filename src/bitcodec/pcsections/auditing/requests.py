"""The nodes of a module, and their terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.errors import PCSectionsError
from bitcodec.ir.functions import Function
from bitcodec.ir.pcsections import PCSECTIONS, PCSections
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.auditing.carriers import FUNCTION, Carriers, Group, Wanted
from bitcodec.pcsections.metadata.spelling import speller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSection
    from bitcodec.pcsections.auditing.carriers import Key

__all__ = ["MALFORMED", "AttachedNode", "NodeTerms", "Requests", "Terms"]

MALFORMED = "malformed"
"""Section of malformed nodes."""


class AttachedNode(NamedTuple):
    """A node where it is attached.

    Attributes:
        function: the function that carries it, or contains the instruction that does.
        instruction: the instruction that carries it; None if the function does.
        asked: its requests; None if it is malformed.
        problem: the error, "" if it is valid.
    """

    function: Function
    instruction: Instruction | None
    asked: PCSections | None
    problem: str = ""

    @property
    def opcode(self) -> str:
        """The opcode of its carrier."""
        return FUNCTION if self.instruction is None else self.instruction.opcode


class Terms(Protocol):
    """Terms in which nodes are compared."""

    def function(self, function: Function) -> str:
        """Return the name of a function in these terms."""

    def wanted(self, request: AttachedNode) -> Iterable[Wanted]:
        """Return a request in these terms."""


class NodeTerms:
    """Whole nodes, as LLVM IR and machine IR have them.

    Args:
        module: the module of the constants.
    """

    __slots__ = ("_groups", "_spell")

    def __init__(self, module: Module) -> None:
        self._spell = speller(module)
        self._groups: dict[PCSections, tuple[Group, ...]] = {}

    def function(self, function: Function) -> str:
        """Return its name."""
        return function.name

    def wanted(self, request: AttachedNode) -> tuple[Wanted]:
        """Return the contents of the node."""
        return (Wanted(request.instruction is None, self._of(request)),)

    def group(self, section: PCSection) -> Group:
        """Return the request for one section."""
        return Group(section.spelling, tuple(map(self._spell, section.constants)))

    def _of(self, request: AttachedNode) -> tuple[Group, ...]:
        asked = request.asked
        if asked is None:
            return (Group(MALFORMED, (request.problem,)),)
        if asked not in self._groups:
            self._groups[asked] = tuple(map(self.group, asked))
        return self._groups[asked]


class Requests:
    """All nodes of a module.

    Args:
        module: the module; all of it is read.
        terms: the terms of the comparison.

    Attributes:
        carriers: the carriers of nodes.
        functions: the functions that carry a node or contain an instruction that does, by their names in the terms.

    Raises:
        BitcodecError: the module is malformed.
    """

    __slots__ = ("_sources", "carriers", "functions")

    def __init__(self, module: Module, terms: Terms) -> None:
        self.carriers = Carriers(terms.function(each) for each in module.functions if not each.is_declaration)
        self.functions: dict[str, Function] = {}
        self._sources: dict[Key, list[Instruction]] = {}
        for request in _requests(module):
            name = terms.function(request.function)
            self.functions[name] = request.function
            for wanted in terms.wanted(request):
                self.carriers.add(name, wanted, request.opcode)
                if request.instruction is not None:
                    self._sources.setdefault((name, wanted), []).append(request.instruction)

    def instructions(self, key: Key) -> list[Instruction]:
        """Return the instructions that carry a node in a function."""
        return self._sources.get(key, [])


def _requests(module: Module) -> Iterator[AttachedNode]:
    """Yield the nodes of a module; of several on a function the first, for the others have no effect."""
    known: dict[MDNode, tuple[PCSections | None, str]] = {}
    for function in module.functions:
        node = function.metadata.get(PCSECTIONS)
        if node is not None:
            yield AttachedNode(function, None, *_read(node, known))
        for instruction in function.instructions:
            node = instruction.metadata.get(PCSECTIONS)
            if node is not None:
                yield AttachedNode(function, instruction, *_read(node, known))


def _read(node: MDNode, known: dict[MDNode, tuple[PCSections | None, str]]) -> tuple[PCSections | None, str]:
    if node not in known:
        try:
            known[node] = PCSections.of_node(node), ""
        except PCSectionsError as error:
            known[node] = None, str(error).removeprefix("!pcsections: ")
    return known[node]
