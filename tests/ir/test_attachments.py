"""Metadata attached to globals is a mapping, in which a kind may have several nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir import Attachments, MDTuple

HELLO = Path(__file__).parents[2] / "examples" / "hello.bc"


def test_the_same_verbs_for_globals_and_instructions() -> None:
    module = bitcodec.open(HELLO)
    node = module.context.metadata.tuple([])
    function = module.functions["main"]
    for owner in (function, function.instructions[0], module.global_variables[0]):
        metadata = owner.metadata
        metadata["mine"] = node
        assert "mine" in metadata
        assert metadata["mine"] is node
        assert metadata.get("mine") is node
        assert metadata.get("other") is None
        assert ("mine", node) in metadata.items()
        assert [*metadata.keys()].count("mine") == 1
        assert node in metadata.values()
        del metadata["mine"]
        assert "mine" not in metadata
        with pytest.raises(KeyError):
            _ = metadata["mine"]
        with pytest.raises(KeyError):
            del metadata["mine"]


def test_a_kind_may_occur_more_than_once() -> None:
    first, second, third = MDTuple(is_distinct=True), MDTuple(is_distinct=True), MDTuple(is_distinct=True)
    metadata = Attachments([("dbg", first), ("type", first)])
    metadata.add("type", second)
    assert metadata.get_all("type") == [first, second]
    assert metadata["type"] is first
    metadata["type"] = third
    assert [*metadata.items()] == [("dbg", first), ("type", third)]
    metadata.update({"dbg": second, "prof": third})
    assert [*metadata.items()] == [("dbg", second), ("type", third), ("prof", third)]
    metadata.assign([("type", second), ("type", second)])
    assert (metadata.pop("type"), metadata.pop("type", None)) == (second, None)
    assert not metadata


def test_a_kind_with_several_nodes_occurs_once_for_each() -> None:
    first, second = MDTuple(is_distinct=True), MDTuple(is_distinct=True)
    metadata = Attachments([("type", first), ("prof", first), ("type", second)])
    assert len(metadata) == 3
    assert [*metadata] == [*metadata.keys()] == ["type", "prof", "type"]
    assert [*metadata.values()] == [first, first, second]
    assert [*metadata.items()] == [("type", first), ("prof", first), ("type", second)]
    assert ("type", second) in metadata.items()
    assert dict(metadata) == {"type": first, "prof": first}
    assert metadata == Attachments(metadata.items())
    assert metadata != dict(metadata)
    del metadata["prof"]
    assert repr(metadata) == "{'type': <distinct MDTuple of 0>, 'type': <distinct MDTuple of 0>}"


def test_globals_and_instructions_iterate_alike() -> None:
    module = bitcodec.open(HELLO)
    function = module.functions["main"]
    assert list(function.metadata) == ["dbg"]
    assert function.metadata == {"dbg": function.subprogram}
    for owner in (function, function.instructions[0]):
        assert all(isinstance(kind, str) for kind in owner.metadata)
        assert [*zip(owner.metadata, owner.metadata.values(), strict=True)] == [*owner.metadata.items()]


def test_kinds_are_strings() -> None:
    node = MDTuple(is_distinct=True)
    metadata = Attachments([("dbg", node)])
    for change in (lambda: metadata.add(1, node), lambda: metadata.assign([("type", node), (None, node)])):
        with pytest.raises(TypeError, match="the kind of attached metadata is a string"):
            change()
    assert list(metadata.items()) == [("dbg", node)]
