"""Distinct nodes whose content is read at the first touch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from bitcodec.errors import BitcodecError, InterruptedReadError
from bitcodec.ir import lazy, metadata
from bitcodec.ir.construction.deferring import deferred_node, read_content
from bitcodec.ir.construction.present import is_unread
from bitcodec.ir.debug_info import DIFile, DILexicalBlock
from bitcodec.ir.lazy import DeferredOnce, MaterializationLock
from bitcodec.ir.metadata import MDNode, MDTuple, MetadataTable

FILE = DIFile(filename="a.c")
BLOCK = DILexicalBlock(file=FILE, line=3, column=4, is_distinct=True)


class Content(DeferredOnce[tuple[Any, ...]]):
    """Content that can be refused, and says how often it was read."""

    def __init__(self, content: tuple[Any, ...], *, refused: int = 0) -> None:
        self.content = content
        self.refused = refused
        self.reads = 0
        self._lock = MaterializationLock()

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context."""
        return self._lock

    def resolve(self) -> tuple[Any, ...]:
        """Return it."""
        self.reads += 1
        if self.reads <= self.refused:
            raise BitcodecError("refused")
        return self.content


@pytest.mark.parametrize(
    "touch",
    [
        lambda node: node.line,
        lambda node: node.operands,
        lambda node: node.key(),
        repr,
        lambda node: setattr(node, "column", 4),
        lambda node: node.set_operand(0, FILE),
        read_content,
    ],
)
def test_each_touch_reads_the_content_once(touch: Callable[[Any], object]) -> None:
    content = Content(BLOCK.key())
    node = deferred_node(DILexicalBlock, content)
    assert type(node) is DILexicalBlock
    assert is_unread(node)
    touch(node)
    assert not is_unread(node)
    assert (node.line, node.column, node.file, node.is_distinct) == (3, 4, FILE, True)
    assert content.reads == 1
    read_content(node)
    assert content.reads == 1


def test_to_refer_to_a_node_is_no_touch() -> None:
    content = Content(BLOCK.key())
    node = deferred_node(DILexicalBlock, content)
    assert isinstance(node, DILexicalBlock)
    table = MetadataTable()
    assert table.tuple([node]) is table.tuple([node])
    assert table.tuple([node]) is not table.tuple([BLOCK])
    assert node.is_distinct
    assert table.unique(node) is node
    assert content.reads == 0


def test_what_is_set_stays() -> None:
    node = deferred_node(MDTuple, Content((FILE,)))
    assert isinstance(node, MDTuple)
    node.set_operands([node])
    assert node.operands == (node,)


def test_what_was_refused_is_read_again() -> None:
    node: Any = deferred_node(DILexicalBlock, Content(BLOCK.key(), refused=2))
    for _ in range(2):
        with pytest.raises(BitcodecError, match="refused"):
            _ = node.line
    assert node.line == 3


def test_patterns_match() -> None:
    match deferred_node(DILexicalBlock, Content(BLOCK.key())):
        case DILexicalBlock(line=line):
            assert line == 3
        case MDNode():
            pytest.fail("it is a block")


def interrupt(at: int, touch: Callable[[], object]) -> int:
    """Touch something, with an exception at an event of what reads nodes; return how many events there were."""
    events = 0

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal events
        code = frame.f_code
        if code.co_filename not in (metadata.__file__, lazy.__file__) and code is not Content.resolve.__code__:
            return None
        events += 1
        if events == at:
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        touch()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
    return events


def test_an_interrupted_node_is_complete_or_refused_for_good() -> None:
    count = interrupt(0, lambda: deferred_node(DILexicalBlock, Content(BLOCK.key())).operands)
    assert count > 10
    outcomes = set()
    for at in range(1, count + 1):
        content = Content(BLOCK.key())
        node: Any = deferred_node(DILexicalBlock, content)
        interrupt(at, lambda node=node: node.operands)  # type: ignore[misc]
        if not is_unread(node):
            outcomes.add("complete")
            assert (node.line, node.column, node.file, node.is_distinct) == (3, 4, FILE, True)
        elif content.reads:
            outcomes.add("refused")
            with pytest.raises(InterruptedReadError):
                content.lock.run(int)
        else:
            outcomes.add("unread")
    assert outcomes == {"complete", "refused", "unread"}
