"""From columns back to the order of the stream."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bitcodec import bitstream
from bitcodec.bitstream.walk import WalkEvent, WalkStep, walk, walk_with_definitions
from bits import Bits

from .random_streams import MadeBlock, StreamMaker

BITS = (
    Bits().enter_block(8).unabbreviated(1).define(5).unabbreviated(2).enter_block(9).end_block().define(6)
    .unabbreviated(3).unabbreviated(4).end_block().enter_block(10).define(7).end_block()
)  # fmt: skip


def columns() -> bitstream.Columns:
    return bitstream.loads(BITS.stream()).columns


def test_runs_of_records_between_blocks() -> None:
    assert list(walk(columns())) == [
        WalkStep(WalkEvent.ENTER, 0, 0),
        WalkStep(WalkEvent.RECORDS, 0, 0, 0, 2),
        WalkStep(WalkEvent.ENTER, 1, 1),
        WalkStep(WalkEvent.LEAVE, 1, 1),
        WalkStep(WalkEvent.RECORDS, 0, 0, 2, 4),
        WalkStep(WalkEvent.LEAVE, 0, 0),
        WalkStep(WalkEvent.ENTER, 2, 0),
        WalkStep(WalkEvent.LEAVE, 2, 0),
    ]


def test_definitions_split_the_runs() -> None:
    assert list(walk_with_definitions(columns())) == [
        WalkStep(WalkEvent.ENTER, 0, 0),
        WalkStep(WalkEvent.RECORDS, 0, 0, 0, 1),
        WalkStep(WalkEvent.DEFINE, 0, 0, 0),
        WalkStep(WalkEvent.RECORDS, 0, 0, 1, 2),
        WalkStep(WalkEvent.ENTER, 1, 1),
        WalkStep(WalkEvent.LEAVE, 1, 1),
        WalkStep(WalkEvent.DEFINE, 0, 0, 1),
        WalkStep(WalkEvent.RECORDS, 0, 0, 2, 4),
        WalkStep(WalkEvent.LEAVE, 0, 0),
        WalkStep(WalkEvent.ENTER, 2, 0),
        WalkStep(WalkEvent.DEFINE, 2, 0, 2),
        WalkStep(WalkEvent.LEAVE, 2, 0),
    ]


def test_nothing() -> None:
    assert list(walk(bitstream.loads(Bits().stream()).columns)) == []


@given(random=st.randoms(use_true_random=False))
def test_any_stream(random: Random) -> None:
    made = StreamMaker(random)
    order: list[object] = []
    for step in walk(bitstream.loads(made.data).columns):
        order += [0] * (step.last - step.first) if step.event is WalkEvent.RECORDS else [(step.event, step.depth)]
    assert order == [each for block in made.blocks for each in flattened(block, 0)]


def flattened(block: MadeBlock, depth: int) -> list[object]:
    inner: list[object] = []
    for item in block.items:
        inner += flattened(item, depth + 1) if isinstance(item, MadeBlock) else [0]
    return [(WalkEvent.ENTER, depth), *inner, (WalkEvent.LEAVE, depth)]
