"""Metadata that is deep, endless, wide or says the same thing over and over, and modules of very many functions."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

import bitcodec
from amounts import amount
from bitcodec.diff import contents, differences
from bitcodec.errors import BitcodecError
from bitcodec.ir.functions import Function
from bitcodec.ir.metadata import MDString, MDTuple, NamedMetadata
from bitcodec.ir.module import Module
from blowups import chain_of_distinct_nodes, chain_of_nodes, nodes_in_a_circle

from .models import compared, hello, hunks


def with_metadata(*nodes: MDTuple) -> Module:
    module = hello()
    module.named_metadata["hostile"] = NamedMetadata("hostile", nodes)
    return module


def chain(length: int, end: str) -> MDTuple:
    node = MDTuple([MDString(end)])
    for _ in range(length):
        node = MDTuple([node])
    return node


def circle(length: int, start: int = 0) -> MDTuple:
    """Return a node of a circle of nodes that are not distinct, all with different strings."""
    nodes = [MDTuple([None, MDString(str(number))]) for number in range(length)]
    for number, node in enumerate(nodes):
        node.set_operand(0, nodes[(number + 1) % length])
    return nodes[start]


def doubled(depth: int, end: str) -> MDTuple:
    """Return what would have 2**depth ends if it were written out."""
    node = MDTuple([MDString(end)])
    for _ in range(depth):
        node = MDTuple([node, node])
    return node


def wide(end: str) -> MDTuple:
    return MDTuple([*(MDTuple([MDString(str(number))]) for number in range(amount(2_000, 20_000))), MDString(end)])


@pytest.mark.parametrize(
    "make",
    [lambda end: chain(5000, end), lambda end: doubled(300, end), wide, lambda end: chain(10, end * 1000)],
    ids=["deep", "doubled", "wide", "long"],
)
def test_large_nodes(make: Callable[[str], MDTuple]) -> None:
    assert compared(with_metadata(make("a")), with_metadata(make("a"))) == []
    assert compared(with_metadata(make("a")), with_metadata(make("b"))) == ["~ !hostile"]


def test_circles() -> None:
    assert compared(with_metadata(circle(5000)), with_metadata(circle(5000))) == []
    assert compared(with_metadata(circle(5)), with_metadata(circle(6))) == ["~ !hostile"]
    assert compared(with_metadata(circle(5)), with_metadata(circle(5, start=1))) == ["~ !hostile"]


def test_what_a_node_is_called_does_not_depend_on_what_was_met_before() -> None:
    """A circle that was entered elsewhere before, and a chain whose end was met before, are told the same."""
    modules = [hello(), hello()]
    for module, first in zip(modules, (True, False), strict=True):
        node, deep = circle(4), chain(70, "x")
        inner = deep
        for _ in range(20):
            inner = inner.operands[0]
        module.named_metadata["a"] = NamedMetadata("a", [node.operands[0], inner] if first else [])
        module.named_metadata["b"] = NamedMetadata("b", [node, deep])
    assert compared(*modules) == ["~ !a"]


def test_nodes_of_one_content_that_are_not_the_same_one() -> None:
    loops = [MDTuple([MDString("x")], is_distinct=True) for _ in range(2)]
    assert compared(with_metadata(loops[0], loops[0]), with_metadata(*loops)) == ["~ !hostile"]


def test_what_is_out_of_all_proportion_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "_LEAST_BUDGET", 10_000)
    with pytest.raises(BitcodecError, match="too much metadata"):
        compared(with_metadata(wide("a" * 100)), hello())


def test_thousands_of_functions() -> None:
    modules = [hello(), hello()]
    for module in modules:
        main = module.functions["main"]
        for number in range(3000):
            added = Function(main.type, main.value_type)
            added.name = f"f{number}"
            module.append(added)
    modules[1].functions["f1500"].section = "elsewhere"
    modules[1].functions["f2999"].erase_from_parent()
    assert compared(*modules) == ["~ @f1500", "- @f2999"]


def test_names_that_look_like_marks() -> None:
    before, after = hello(), hello()
    for module, name in ((before, "\x010\x01"), (after, "\x021\x02")):
        module.functions["main"].garbage_collector = name
    assert hunks(before, after, "@main")[0].startswith("-define")
    after.functions["main"].garbage_collector = "\x02999999999\x02"
    assert compared(before, after) == ["~ @main"]
    assert [one.name for one in differences(before, after)] == ["main"]


@pytest.mark.parametrize("generate", [chain_of_nodes, nodes_in_a_circle, chain_of_distinct_nodes])
def test_memory_for_long_chains(generate: Callable[[int], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither texts nor marks of nodes are kept after their text is compared."""
    monkeypatch.setattr(contents, "_MAX_KEPT", 256)
    count = amount(3_000, 20_000)
    data = generate(count)
    modules = [bitcodec.loads(data) for _ in range(2)]
    for module in modules:
        module.materialize()
    tracemalloc.start()
    assert list(differences(*modules)) == []
    left, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert left < 20 * count
    assert peak < 140 * count


def test_forgotten_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands for a node does not depend on how many were met before it."""
    shared = doubled(20, "shared")

    def module(end: str) -> Module:
        found = with_metadata(chain(300, end), shared)
        found.named_metadata["more"] = NamedMetadata("more", [shared, circle(300), doubled(20, end), wide(end)])
        return found

    expected = [hunks(module("a"), module("b"), label) for label in ("!hostile", "!more")]
    monkeypatch.setattr(contents, "_MAX_KEPT", 100)
    assert [hunks(module("a"), module("b"), label) for label in ("!hostile", "!more")] == expected
    assert compared(module("a"), module("a")) == []
