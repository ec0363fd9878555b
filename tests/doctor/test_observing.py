"""Constructs that one record shows: attributes of a group are found one by one, whatever stands between them."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.doctor.keys import Key, Kind
from bitcodec.doctor.records import Records

LONG = f'"x"="{"y" * 300}"'
ATTRIBUTES = {
    "ptr": ["initializes((100, 200), (300, 400))", "dead_on_return", "nonnull", "align 8", "byval(i32)", LONG, '"z"'],
    "i128": ["range(i128 -5, 100000000000000000000000)", "noundef", "signext", '"x"="y"'],
    "i8": ["range(i8 1, 5)", "noundef", "zeroext", '"x"'],
}
"""Attributes of parameters that LLVM writes in different forms, by type."""


def found(type_: str, attributes: str) -> set[Key]:
    data = bitcodec.dumps(bitcodec.parse_assembly(f"declare void @f({type_} {attributes})"))
    keys = Records(bitstream.loads(data).decode()).found
    return {key for key in keys if key.kind in {Kind.ATTRIBUTE, Kind.ATTRIBUTE_TAG, Kind.TYPE_ATTRIBUTE}}


@pytest.mark.parametrize("type_", ATTRIBUTES)
def test_attributes_of_a_group(type_: str) -> None:
    attributes = ATTRIBUTES[type_]
    together = found(type_, " ".join(attributes))

    assert together == set().union(*(found(type_, each) for each in attributes))
    assert len(together) >= len([each for each in attributes if '"' not in each])
