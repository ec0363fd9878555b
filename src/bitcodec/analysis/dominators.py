# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""The dominator tree: for each block, the blocks on every path to it from the entry.

Dominators are found by the algorithm of Lengauer and Tarjan, with path compression: in nearly linear time whatever the
control flow looks like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitcodec.ir.basic_blocks import BasicBlock

__all__ = ["Dominators"]

_NONE = -1


class Dominators:
    """The dominator tree of a function.

    Blocks are numbered in the order in which a depth-first search reaches them; a block dominates another if the tree
    number of that one lies in the range of numbers below it.

    Args:
        entry: where the function begins.
        successors: of each block.
        predecessors: of each block.

    Attributes:
        order: the reachable blocks, each behind the blocks that dominate it.
    """

    __slots__ = ("_first", "_immediate", "_numbers", "_sizes", "order")

    def __init__(
        self,
        entry: BasicBlock,
        successors: Mapping[BasicBlock, Sequence[BasicBlock]],
        predecessors: Mapping[BasicBlock, Iterable[BasicBlock]],
    ) -> None:
        self._numbers, parents = _searched(entry, successors)
        numbers = self._numbers
        arrivals = [[numbers[found] for found in predecessors.get(block, ()) if found in numbers] for block in numbers]
        self.order = tuple(numbers)
        self._immediate = _immediate(parents, arrivals)
        self._first, self._sizes = _ranges(self._immediate)

    def is_reachable(self, block: BasicBlock) -> bool:
        """Return whether a block is reachable."""
        return block in self._numbers

    def immediate_dominator(self, block: BasicBlock) -> BasicBlock | None:
        """Return the last block that control has passed on every way to a reachable one, None for the entry."""
        number = self._numbers[block]
        return self.order[self._immediate[number]] if number else None

    def dominates(self, block: BasicBlock, other: BasicBlock) -> bool:
        """Return whether `block` dominates `other`; both are reachable."""
        number = self._numbers[block]
        first, place = self._first[number], self._first[self._numbers[other]]
        return first <= place < first + self._sizes[number]


def _searched(
    entry: BasicBlock, successors: Mapping[BasicBlock, Sequence[BasicBlock]]
) -> tuple[dict[BasicBlock, int], list[int]]:
    """Return the numbers of the reachable blocks, depth first, and the number of the block each was reached from."""
    numbers: dict[BasicBlock, int] = {}
    parents: list[int] = []
    pending = [(entry, _NONE)]
    while pending:
        block, parent = pending.pop()
        if block in numbers:
            continue
        number = numbers[block] = len(parents)
        parents.append(parent)
        pending += [(found, number) for found in successors.get(block, ()) if found not in numbers]
    return numbers, parents


def _immediate(parents: list[int], arrivals: list[list[int]]) -> list[int]:
    """Return the immediate dominator of each block, by number; the entry is its own."""
    count = len(parents)
    forest = _Forest(count)
    semi = forest.semi
    dominators = [0] * count
    waiting: list[list[int]] = [[] for _ in range(count)]
    for number in range(count - 1, 0, -1):
        least = number
        for arrival in arrivals[number]:
            found = semi[forest.best(arrival)]
            least = min(least, found)
        semi[number] = least
        waiting[least].append(number)
        parent = forest.ancestors[number] = parents[number]
        for found in waiting[parent]:
            best = forest.best(found)
            dominators[found] = best if semi[best] < semi[found] else parent
        waiting[parent] = []
    for number in range(1, count):
        if dominators[number] != semi[number]:
            dominators[number] = dominators[dominators[number]]
    return dominators


class _Forest:
    """The part of the search tree that has been gone through, from its end.

    Attributes:
        semi: of each block its current semidominator, at first the block itself.
        ancestors: of each block one above it in the same tree.
    """

    __slots__ = ("_labels", "ancestors", "semi")

    def __init__(self, count: int) -> None:
        self.semi = list(range(count))
        self.ancestors = [_NONE] * count
        self._labels = list(range(count))

    def best(self, number: int) -> int:
        """Return the block with the least semidominator between one and the root of its tree, the root left out."""
        if self.ancestors[number] == _NONE:
            return number
        self._compress(number)
        return self._labels[number]

    def _compress(self, number: int) -> None:
        semi, ancestors, labels = self.semi, self.ancestors, self._labels
        above = ancestors[number]
        if ancestors[above] == _NONE:
            return
        path = []
        while ancestors[above] != _NONE:
            path.append(number)
            number, above = above, ancestors[above]
        for found in reversed(path):
            above = ancestors[found]
            if semi[labels[above]] < semi[labels[found]]:
                labels[found] = labels[above]
            ancestors[found] = ancestors[above]


def _ranges(dominators: list[int]) -> tuple[list[int], list[int]]:
    """Return other numbers for the blocks, such that those below one follow it, and how many that range has."""
    count = len(dominators)
    sizes = [1] * count
    for number in range(count - 1, 0, -1):
        sizes[dominators[number]] += sizes[number]
    first = [0] * count
    free = [1] * count
    for number in range(1, count):
        above = dominators[number]
        first[number] = free[above]
        free[above] += sizes[number]
        free[number] = first[number] + 1
    return first, sizes
