"""Constructs that one record shows: attributes of a group are found one by one, whatever stands between them."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.bitcode.schema.attributes import AttributeTag
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.records import StreamRecords

from .readers import disagreements

LONG = f'"x"="{"y" * 300}"'
ATTRIBUTES = {
    "ptr": ["initializes((100, 200), (300, 400))", "dead_on_return", "nonnull", "align 8", "byval(i32)", LONG, '"z"'],
    "i128": ["range(i128 -5, 100000000000000000000000)", "noundef", "signext", '"x"="y"'],
    "i8": ["range(i8 1, 5)", "noundef", "zeroext", '"x"'],
}
"""Attributes of parameters that LLVM writes in different forms, by type."""


def found(type_: str, attributes: str) -> set[Key]:
    return keys(bitcodec.dumps(bitcodec.parse_assembly(f"declare void @f({type_} {attributes})")))


def keys(data: bytes) -> set[Key]:
    found = StreamRecords(bitstream.loads(data).decode()).found
    return {
        key
        for key in found
        if key.kind in {ConstructKind.ATTRIBUTE, ConstructKind.ATTRIBUTE_TAG, ConstructKind.TYPE_ATTRIBUTE}
    }


@pytest.mark.parametrize("type_", ATTRIBUTES)
def test_attributes_of_a_group(type_: str) -> None:
    attributes = ATTRIBUTES[type_]
    together = found(type_, " ".join(attributes))

    assert together == set().union(*(found(type_, each) for each in attributes))
    assert len(together) >= len([each for each in attributes if '"' not in each])


def test_attributes_behind_a_list_of_ranges(tmp_path: Path) -> None:
    """Readers accept attributes in any order; LLVM 20 does not know the one behind the ranges."""
    text = "declare void @f(ptr captures(none) initializes((100, 200), (300, 400)))"
    written = bitcodec.dumps(bitcodec.parse_assembly(text))
    draft = bitstream.loads(written).edit()
    (group,) = draft.block(BlockId.MODULE_BLOCK).block(BlockId.PARAMATTR_GROUP_BLOCK).records
    number, place, *attributes = group.operands
    ranges = attributes.index(AttributeTag.RANGES)
    group.operands = (number, place, *attributes[ranges:], *attributes[:ranges])

    assert keys(draft.dumps()) == keys(written)
    assert disagreements(draft.dumps(), tmp_path) == []
