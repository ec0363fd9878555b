"""Natural loops: blocks that control can go round in, entered through one of them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.analysis.control_flow import ControlFlow
    from bitcodec.analysis.dominators import Dominators
    from bitcodec.ir.basic_blocks import BasicBlock

__all__ = ["Loop", "Loops"]


class Loop:
    """A natural loop.

    Attributes:
        header: the block that it is entered through; it dominates all others.
        latches: the blocks from which control goes back to the header.
        blocks: all its blocks, those of inner loops too; the header is the first.
        parent: the loop directly around it, None for an outermost loop.
        children: the loops directly inside it.
    """

    __slots__ = ("blocks", "children", "header", "latches", "parent")

    def __init__(self, header: BasicBlock, latches: tuple[BasicBlock, ...]) -> None:
        self.header = header
        self.latches = latches
        self.blocks: tuple[BasicBlock, ...] = (header,)
        self.parent: Loop | None = None
        self.children: list[Loop] = []

    @property
    def depth(self) -> int:
        """Nesting depth: 1 for an outermost loop."""
        depth, around = 1, self.parent
        while around is not None:
            depth, around = depth + 1, around.parent
        return depth

    @property
    def exits(self) -> tuple[BasicBlock, ...]:
        """The blocks outside to which control leaves the loop, each once."""
        inside = set(self.blocks)
        return tuple(dict.fromkeys(found for block in self.blocks for found in block.successors if found not in inside))

    @property
    def exiting_blocks(self) -> tuple[BasicBlock, ...]:
        """The blocks inside from which control leaves the loop."""
        inside = set(self.blocks)
        return tuple(block for block in self.blocks if not inside.issuperset(block.successors))

    @property
    def preheader(self) -> BasicBlock | None:
        """The only block outside that leads to the header, and to nothing else; None if the loop lacks one."""
        outside = [block for block in self.header.predecessors if block not in self.blocks]
        return outside[0] if len(outside) == 1 and set(outside[0].successors) == {self.header} else None

    def __contains__(self, block: object) -> bool:
        return block in self.blocks

    def __repr__(self) -> str:
        return f"<Loop of {len(self.blocks)} blocks at depth {self.depth}, header {self.header!r}>"


class Loops:
    """The natural loops of a function, outermost first; loops that share a header are one loop, as in LLVM.

    Args:
        graph: the control-flow graph of the function.

    >>> import bitcodec
    >>> from bitcodec.analysis import ControlFlow
    >>> loops = Loops(ControlFlow(bitcodec.open("examples/hello.bc").functions["main"]))
    >>> [loop.depth for loop in loops]
    [1]
    """

    def __init__(self, graph: ControlFlow) -> None:
        self._innermost: dict[BasicBlock, Loop] = {}
        self._loops: list[Loop] = []
        if graph.entry is not None:
            self._find(graph, graph.dominators)

    @property
    def outermost(self) -> tuple[Loop, ...]:
        """The loops that are in no other."""
        return tuple(loop for loop in self._loops if loop.parent is None)

    def innermost(self, block: BasicBlock) -> Loop | None:
        """Return the innermost loop around a block, None if it is in none."""
        return self._innermost.get(block)

    def _find(self, graph: ControlFlow, dominators: Dominators) -> None:
        # A header comes after all headers that it dominates: inner loops are found before those around them.
        for header in reversed(dominators.order):
            latches = tuple(
                block
                for block in graph.predecessors(header)
                if dominators.is_reachable(block) and dominators.dominates(header, block)
            )
            if latches:
                self._add(Loop(header, latches), graph, dominators)
        self._loops.sort(key=lambda loop: loop.depth)
        self._list_blocks(graph)

    def _add(self, loop: Loop, graph: ControlFlow, dominators: Dominators) -> None:
        """Set the inner loops of a loop, and the blocks that are not in any of them."""
        self._loops.append(loop)
        pending = list(loop.latches)
        while pending:
            block = pending.pop()
            inner = self._innermost.get(block)
            if inner is None:
                self._innermost[block] = loop
                before = () if block is loop.header else graph.predecessors(block)
            else:
                inner = _outermost(inner)
                if inner is loop:
                    continue
                inner.parent = loop
                loop.children.append(inner)
                before = graph.predecessors(inner.header)
            pending += [each for each in before if dominators.is_reachable(each)]
        self._innermost.setdefault(loop.header, loop)

    def _list_blocks(self, graph: ControlFlow) -> None:
        inside: dict[Loop, list[BasicBlock]] = {loop: [loop.header] for loop in self._loops}
        for block in graph:
            around = self._innermost.get(block)
            while around is not None:
                if block is not around.header:
                    inside[around].append(block)
                around = around.parent
        for loop, blocks in inside.items():
            loop.blocks = tuple(blocks)

    def __iter__(self) -> Iterator[Loop]:
        return iter(self._loops)

    def __len__(self) -> int:
        return len(self._loops)

    def __repr__(self) -> str:
        return f"<{len(self)} loops>"


def _outermost(loop: Loop) -> Loop:
    while loop.parent is not None:
        loop = loop.parent
    return loop
