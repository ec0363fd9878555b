"""Strings and integers of metadata that is read as a whole: as those that are read one by one."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.metadata_strings import MetadataStrings
from bitcodec.ir.debug_info import DIBasicType

TEXTS = ["", "one", "", "a longer text", "z"]
WITH_OTHERS = [*TEXTS, "gr\u00fc\u00dfe", "\udcff", "\u20ac"]


def strings(texts: list[str]) -> MetadataStrings:
    """Return the strings of a record: lengths of six bits each, the lowest first, then the characters."""
    encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
    lengths = sum(len(each) << 6 * place for place, each in enumerate(encoded))
    size = -(-6 * len(texts) // 32) * 4
    blob = lengths.to_bytes(size, "little") + b"".join(encoded)
    return MetadataStrings([len(texts), size], memoryview(blob))


@pytest.mark.parametrize("texts", [TEXTS, WITH_OTHERS])
def test_all_at_once_are_those_one_by_one(texts: list[str]) -> None:
    assert strings(texts).texts() == texts
    one_by_one = strings(texts)
    assert [one_by_one[index] for index in range(len(texts))] == texts
    assert one_by_one.texts() == texts


def test_strings_that_are_longer_than_the_record_are_refused() -> None:
    found = MetadataStrings([1, 4], memoryview(bytes([31, 0, 0, 0]) + b"short"))
    with pytest.raises(Malformed, match="strings of 31 bytes do not fit in 5"):
        found.texts()


@pytest.mark.parametrize("number", [0, 1, -1, 2**63 - 1, -(2**63)])
def test_sizes_are_unsigned(number: int) -> None:
    text = f"""!named = !{{!0}}
!0 = !DIBasicType(name: "t", size: {number % 2**64}, encoding: DW_ATE_signed)
!1 = !{{i64 {number}}}
"""
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))
    module.materialize()
    [node] = module.named_metadata["named"].operands
    assert isinstance(node, DIBasicType)
    assert node.size == number % 2**64
