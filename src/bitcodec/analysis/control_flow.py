"""Control flow in a function: its blocks, and the successors of their terminators."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.analysis.dominators import Dominators
from bitcodec.analysis.graph import Graph
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.printing import reference_to

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function

__all__ = ["ControlFlow"]


class ControlFlow(Graph[BasicBlock]):
    """The control-flow graph of a function.  Blocks have the names that they have in assembly text: `%entry`, `%7`.

    Args:
        function: the function; a declaration has no blocks.

    Attributes:
        function: the function.

    Raises:
        BitcodecError: the body is malformed.

    >>> import bitcodec
    >>> graph = ControlFlow(bitcodec.open("examples/hello.bc").functions["main"])
    >>> graph.adjacency()["%6"]
    ['%8', '%10']
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        blocks = function.blocks
        successors = {block: block.successors for block in blocks}
        super().__init__(f"@{function.name}", successors, {block: reference_to(block) for block in blocks})

    @property
    def entry(self) -> BasicBlock | None:
        """The entry block, None for a declaration."""
        return next(iter(self), None)

    @cached_property
    def dominators(self) -> Dominators:
        """The dominator tree.

        Raises:
            ValueError: the function is only declared.
        """
        entry = self.entry
        if entry is None:
            raise ValueError(f"{self.name} has no blocks")
        return Dominators(entry, self._successors, {block: self.predecessors(block) for block in self})
