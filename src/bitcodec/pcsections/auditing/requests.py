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
"""What stands for a section where a node is malformed."""


class AttachedNode(NamedTuple):
    """A node where it is attached.

    Attributes:
        function: that carries it, or has the instruction that does.
        instruction: that carries it; None if the function does.
        asked: what it says; None if it is malformed.
        problem: why it is, "" if it is not.
    """

    function: Function
    instruction: Instruction | None
    asked: PCSections | None
    problem: str = ""

    @property
    def opcode(self) -> str:
        """The opcode of who carries it."""
        return FUNCTION if self.instruction is None else self.instruction.opcode


class Terms(Protocol):
    """In which terms nodes are compared."""

    def function(self, function: Function) -> str:
        """Return what to call a function."""

    def wanted(self, request: AttachedNode) -> Iterable[Wanted]:
        """Return what a request counts for."""


class NodeTerms:
    """Whole nodes, as LLVM IR and machine IR have them.

    Args:
        module: whose constants are spelled.
    """

    __slots__ = ("_groups", "_spell")

    def __init__(self, module: Module) -> None:
        self._spell = speller(module)
        self._groups: dict[PCSections, tuple[Group, ...]] = {}

    def function(self, function: Function) -> str:
        """Return its name."""
        return function.name

    def wanted(self, request: AttachedNode) -> tuple[Wanted]:
        """Return what the node says."""
        return (Wanted(request.instruction is None, self._of(request)),)

    def group(self, section: PCSection) -> Group:
        """Return what is said of one section."""
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
        terms: in which they are compared.

    Attributes:
        carriers: who carries what.
        functions: those that carry a node or have an instruction that does, by what terms call them.

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
        """Return which instructions carry something in a function."""
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
