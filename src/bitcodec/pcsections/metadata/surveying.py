"""The requests of a module: by function and section."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError
from bitcodec.ir.pcsections import PCSECTIONS, PCSections
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.metadata.selecting import has_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSection

__all__ = ["Request", "survey"]


class Request(NamedTuple):
    """Request of a function, or of some of its instructions, for one section.

    Attributes:
        function: the function.
        section: the section, with the constants that accompany the PC there.
        of_function: whether the function itself requests it: then its size accompanies the PC.
        instructions: number of its instructions that request it, 0 if the function does.
    """

    function: Function
    section: PCSection
    of_function: bool
    instructions: int


def survey(module: Module) -> Iterator[Request]:
    """Yield the requests of a module, function by function; ineffective or malformed ones are found by `check`.

    Raises:
        BitcodecError: the module is malformed.
    """
    for function in module.functions:
        if has_code(function):
            yield from _of_function(function)


def _of_function(function: Function) -> Iterator[Request]:
    first = function.metadata.get(PCSECTIONS)
    for section in () if first is None else _sections(first):
        yield Request(function, section, of_function=True, instructions=0)
    nodes = Counter(node for each in function.instructions if (node := each.metadata.get(PCSECTIONS)) is not None)
    counts: Counter[PCSection] = Counter()
    for node, count in nodes.items():
        for section in _sections(node):
            counts[section] += count
    for section, count in counts.items():
        yield Request(function, section, of_function=False, instructions=count)


def _sections(node: MDNode) -> PCSections:
    try:
        return PCSections.of_node(node)
    except PCSectionsError:
        return PCSections()
