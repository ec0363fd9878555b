"""Attached metadata goes by kind."""

from __future__ import annotations

import pytest

from bitcodec.builder import add_variable, metadata_node
from bitcodec.transforms import strip_metadata

from .samples import add_caller, queue, small_module, text_of


def test_one_kind_goes_the_others_stay() -> None:
    module = queue()
    before = str(module)
    count = before.count(", !tbaa ")
    assert strip_metadata(module, ["tbaa"]) == {"tbaa": count}
    after = text_of(module)
    assert count > 0
    assert after.count("!tbaa") == 0
    assert after.count("!dbg") == before.count("!dbg")
    assert after.count(", !llvm.loop ") == before.count(", !llvm.loop ")


def test_functions_and_variables_have_some_too() -> None:
    module = small_module()
    node = metadata_node(module, "a")
    function = add_caller(module, "f")
    variable = add_variable(module, "v", module.context.types.integer(8), 0)
    for each in (function, variable):
        each.metadata.assign([*each.metadata.items(), ("mine", node), ("yours", node), ("mine", node)])
    function.instructions[0].metadata["mine"] = node
    assert strip_metadata(module, {"mine", "theirs"}) == {"mine": 5, "theirs": 0}
    assert [function.metadata, variable.metadata] == [{"yours": node}] * 2


def test_one_kind_alone_may_be_given_as_it_is() -> None:
    module = queue()
    assert strip_metadata(module, "llvm.loop").keys() == {"llvm.loop"}
    assert "!llvm.loop " not in str(module)


def test_debug_information_goes_as_a_whole() -> None:
    module = queue()
    before = str(module)
    with pytest.raises(ValueError, match="strip_debug_info"):
        strip_metadata(module, ["tbaa", "dbg"])
    assert str(module) == before
