"""Metadata attached to globals is a list of pairs and a mapping."""

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
    assert metadata == [("dbg", first), ("type", third)]
    metadata.update([("dbg", second), ("prof", third)])
    assert [*metadata] == [("dbg", second), ("type", third), ("prof", third)]
    assert (metadata[0], metadata[1:2]) == (("dbg", second), [("type", third)])
    assert metadata.get("none", 5) == 5
    del metadata[0]
    metadata[0] = ("type", second)
    assert ("type", second) in metadata
    assert metadata.get_all("dbg") == []
