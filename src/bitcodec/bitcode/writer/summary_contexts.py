"""Contexts of allocations in summaries, which share their outer frames in one array, a radix tree.

Rules: LLVM 22's module summary index; `reader/summary_contexts` has the layout.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["radix_tree"]

_WORD = 0xFFFF_FFFF


def radix_tree(contexts: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Return the array of some contexts, and the place of each in it.

    Args:
        contexts: the numbers of stack ids of each, innermost first; at least one context.
    """
    counts = Counter(number for context in contexts for number in context)
    from_root = [context[::-1] for context in contexts]
    order = sorted(range(len(contexts)), key=lambda place: [(counts[number], number) for number in from_root[place]])
    tree: list[int] = []
    ends = [0] * len(contexts)
    places: list[int] = []
    before: tuple[int, ...] = ()
    # The array is built from its end, so that a context refers to one that is already there.
    for place in reversed(order):
        context = from_root[place]
        common = _common_length(before, context)
        del places[common:]
        if common:
            tree.append((places[-1] - len(tree)) & _WORD)
        for number in context[common:]:
            places.append(len(tree))
            tree.append(number)
        ends[place] = len(tree)
        tree.append(len(context))
        before = context
    tree.reverse()
    return tree, [len(tree) - 1 - end for end in ends]


def _common_length(first: Sequence[int], second: Sequence[int]) -> int:
    """Return how many of the first frames two contexts share."""
    for length, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return length
    return min(len(first), len(second))
