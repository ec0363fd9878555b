"""Dominators, compared with what removing a block cuts off."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from amounts import amount
from bitcodec.analysis.dominators import Dominators
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.types import LabelType

LABEL = LabelType()
Edges = list[tuple[int, int]]


def dominators(count: int, edges: Edges) -> tuple[list[BasicBlock], Dominators]:
    """Return blocks, the first of them the entry, and their dominators."""
    blocks = [BasicBlock(LABEL) for _ in range(count)]
    successors: dict[BasicBlock, list[BasicBlock]] = {block: [] for block in blocks}
    predecessors: dict[BasicBlock, list[BasicBlock]] = {block: [] for block in blocks}
    for start, end in edges:
        successors[blocks[start]].append(blocks[end])
        predecessors[blocks[end]].append(blocks[start])
    return blocks, Dominators(blocks[0], successors, predecessors)


def reached(count: int, edges: Edges, without: int | None = None) -> set[int]:
    """Return what can be reached from the entry if control may not go through a block."""
    following: dict[int, list[int]] = {number: [] for number in range(count)}
    for start, end in edges:
        following[start].append(end)
    pending, found = ([] if without == 0 else [0]), set()
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending += [end for end in following[current] if end != without]
    return found


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    count = draw(st.integers(1, 12))
    ends = st.integers(0, count - 1)
    return count, draw(st.lists(st.tuples(ends, ends), max_size=30))


@given(graphs())
def test_what_is_cut_off_is_dominated(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    blocks, found = dominators(count, edges)
    reachable = reached(count, edges)
    assert {number for number in range(count) if found.is_reachable(blocks[number])} == reachable
    for block in reachable:
        left = reached(count, edges, without=block)
        dominated = {other for other in reachable if found.dominates(blocks[block], blocks[other])}
        assert dominated == reachable - left


def test_deep_and_tangled_flow_takes_little() -> None:
    count = amount(20_000, 50_000)
    chain = [(number, number + 1) for number in range(count - 1)]
    back = [(number + 1, number) for number in range(1, count - 1)]
    tangled = [(0, number) for number in range(2, count, 3)]
    started = time.process_time()
    blocks, found = dominators(count, chain + back + tangled)
    assert found.dominates(blocks[0], blocks[-1])
    assert not found.dominates(blocks[1], blocks[-1])
    blocks, found = dominators(count, chain + back)
    assert found.dominates(blocks[count // 2], blocks[-1])
    assert time.process_time() - started < 10
