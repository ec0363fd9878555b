"""Requests PC sections: nodes put on chosen instructions and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.pcsections import PCSECTIONS, PCSections
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.metadata.selecting import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.attachments import Attachments
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MDNode, MDTuple
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSection

__all__ = ["Attached", "Attachment", "attach", "attach_to"]


class Attached(NamedTuple):
    """Number of functions and instructions that have been given a node."""

    functions: int
    instructions: int


class Attachment:
    """Sections that are requested in addition to existing requests, in one module.

    What had the same node has the same node afterwards, for the back end writes constants once for all instructions of
    a function that share one (docs/reference/pc-sections.md, 2.1).

    Args:
        module: the module.
        sections: the request.

    Raises:
        PCSectionsError: that is malformed.
    """

    __slots__ = ("_context", "_nodes", "_sections")

    def __init__(self, module: Module, sections: Iterable[PCSection]) -> None:
        self._context = module.context
        self._sections = tuple(sections)
        self._nodes: dict[MDNode | None, MDTuple] = {None: PCSections(self._sections).node(self._context)}

    def beside(self, node: MDNode | None) -> MDTuple:
        """Return a node with the requests of another node, then these.

        Raises:
            PCSectionsError: the other node is malformed.
        """
        found = self._nodes.get(node)
        if found is None:
            before = PCSections.of_node(cast("MDNode", node))
            both = PCSections((*before, *self._sections), is_distinct=before.is_distinct)
            found = self._nodes[node] = both.node(self._context)
        return found


def attach(module: Module, select: str | Iterable[str], sections: Iterable[PCSection]) -> Attached:
    """Request PC sections for chosen functions and instructions, in addition to their existing requests.

    Of a function with several nodes the first is changed, because the back end uses that one.  If
    something is wrong, nothing is changed.

    Args:
        module: the module.
        select: the selection: see `Selection`.
        sections: the request.

    Raises:
        PCSectionsError: the choice means nothing in the module, a section is malformed, or so is a node that is
            there already.
    """
    selection, attachment = Selection(module, select), Attachment(module, sections)
    functions = list(selection.functions)
    function_nodes = [attachment.beside(function.metadata.get(PCSECTIONS)) for function in functions]
    instructions = list(selection.instructions)
    nodes = [attachment.beside(instruction.metadata.get(PCSECTIONS)) for instruction in instructions]
    for function, node in zip(functions, function_nodes, strict=True):
        _replace_first(function.metadata, node)
    for instruction, node in zip(instructions, nodes, strict=True):
        instruction.metadata[PCSECTIONS] = node
    return Attached(len(functions), len(instructions))


def attach_to(module: Module, function: Function, sections: Iterable[PCSection]) -> None:
    """Request PC sections for one function of the module, in addition to those it requests already; see `attach`.

    Raises:
        PCSectionsError: a section is malformed, or so is a node that is there already.
    """
    node = Attachment(module, sections).beside(function.metadata.get(PCSECTIONS))
    _replace_first(function.metadata, node)


def _replace_first(metadata: Attachments, node: MDNode) -> None:
    """Replace the first of a function's attachments that requests PC sections, or add one."""
    if PCSECTIONS in metadata:
        pairs = list(metadata.items())
        pairs[list(metadata).index(PCSECTIONS)] = (PCSECTIONS, node)
        metadata.assign(pairs)
    else:
        metadata.add(PCSECTIONS, node)
