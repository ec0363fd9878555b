"""Cycles of control flow: as loops, but a cycle may have several entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bitcodec.ir.basic_blocks import BasicBlock

__all__ = ["Cycle", "Cycles"]


class Cycle:
    """A cycle: blocks that reach each other, apart from edges to the header of a cycle around them.

    Attributes:
        entries: the blocks that edges from outside lead to; the first one is the header.
        parent: the cycle directly around it, None for an outermost cycle.
        contents: its blocks that are in no nested cycle, and the nested cycles, in the order in which LLVM finds them.
    """

    __slots__ = ("contents", "entries", "parent")

    def __init__(self, header: BasicBlock) -> None:
        self.entries: list[BasicBlock] = [header]
        self.parent: Cycle | None = None
        self.contents: list[BasicBlock | Cycle] = [header]

    @property
    def header(self) -> BasicBlock:
        """The entry that a depth-first search reaches first."""
        return self.entries[0]

    @property
    def is_reducible(self) -> bool:
        """Whether the header is the only entry."""
        return len(self.entries) == 1

    @property
    def depth(self) -> int:
        """Number of cycles that it is nested in, itself included: 1 for an outermost cycle."""
        return sum(1 for _ in self.around())

    def around(self) -> Iterator[Cycle]:
        """Yield the cycle and those around it, from the inside out."""
        cycle: Cycle | None = self
        while cycle is not None:
            yield cycle
            cycle = cycle.parent

    def blocks(self) -> Iterator[BasicBlock]:
        """Yield its blocks, including the blocks of nested cycles."""
        pending: list[Iterator[BasicBlock | Cycle]] = [iter(self.contents)]
        while pending:
            found = next(pending[-1], None)
            if found is None:
                pending.pop()
            elif isinstance(found, Cycle):
                pending.append(iter(found.contents))
            else:
                yield found


class Cycles:
    """The cycles of a function, found as LLVM finds them: which block is a header depends on the order of edges.

    Args:
        entry: the first block of the function.
        successors: of each block.
        predecessors_of: returns the predecessors of a block.
        count_visit: called for each visit to a predecessor. Their number depends on how deep cycles with several
            entries are nested.
    """

    def __init__(
        self,
        entry: BasicBlock,
        successors: Mapping[BasicBlock, Sequence[BasicBlock]],
        predecessors_of: Callable[[BasicBlock], Iterable[BasicBlock]],
        count_visit: Callable[[], None] = lambda: None,
    ) -> None:
        self._predecessors_of = predecessors_of
        self._count_visit = count_visit
        self._innermost: dict[BasicBlock, Cycle] = {}
        self._outermost: dict[Cycle, Cycle] = {}
        self._starts, self._ends = _depth_first(entry, successors)
        for header in reversed(self._starts):
            self._find(header)

    def innermost(self, block: BasicBlock) -> Cycle | None:
        """Return the innermost cycle that contains a block, None if it is in no cycle."""
        return self._innermost.get(block)

    def _find(self, header: BasicBlock) -> None:
        """Find the cycle of a header, if it has one."""
        pending = [found for found in self._predecessors(header) if self._is_below(header, found)]
        if not pending:
            return
        cycle = self._innermost[header] = Cycle(header)
        while pending:
            block = pending.pop()
            if block is header:
                continue
            if block not in self._innermost:
                self._innermost[block] = cycle
                cycle.contents.append(block)
                self._enter(cycle, block, pending)
                continue
            child = self._outermost_of(self._innermost[block])
            if child is not cycle:
                child.parent = self._outermost[child] = cycle
                cycle.contents.append(child)
                for found in child.entries:
                    self._enter(cycle, found, pending)

    def _enter(self, cycle: Cycle, block: BasicBlock, pending: list[BasicBlock]) -> None:
        """Add the predecessors of a block in a cycle; it is an entry if one of them is outside."""
        is_entry = False
        for found in self._predecessors(block):
            if self._is_below(cycle.header, found):
                pending.append(found)
            else:
                is_entry = True
        if is_entry:
            cycle.entries.append(block)

    def _predecessors(self, block: BasicBlock) -> Iterator[BasicBlock]:
        """Yield the reachable predecessors of a block."""
        for found in self._predecessors_of(block):
            self._count_visit()
            if found in self._starts:
                yield found

    def _is_below(self, block: BasicBlock, other: BasicBlock) -> bool:
        """Return whether a depth-first search reaches `other` through `block`, or whether both are the same."""
        return self._starts[block] <= self._starts[other] <= self._ends[block]

    def _outermost_of(self, cycle: Cycle) -> Cycle:
        """Return the outermost cycle around a cycle, and shorten the way to it."""
        found = cycle
        while found in self._outermost:
            found = self._outermost[found]
        while cycle is not found:
            self._outermost[cycle], cycle = found, self._outermost[cycle]
        return found


def _depth_first(
    entry: BasicBlock, successors: Mapping[BasicBlock, Sequence[BasicBlock]]
) -> tuple[dict[BasicBlock, int], dict[BasicBlock, int]]:
    """Return the number of each reachable block, in depth-first order, and the last number of the blocks below it.

    The search takes the last successor first, as LLVM's.
    """
    starts: dict[BasicBlock, int] = {}
    ends: dict[BasicBlock, int] = {}
    pending = [(entry, False)]
    while pending:
        block, is_left = pending.pop()
        if is_left:
            ends[block] = len(starts) - 1
        elif block not in starts:
            starts[block] = len(starts)
            pending.append((block, True))
            pending += [(found, False) for found in successors[block]]
    return starts, ends
