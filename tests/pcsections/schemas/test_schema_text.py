"""Schemas as text."""

from __future__ import annotations

import pytest

from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.schemas.kinds import Field, Kind, SectionSchema
from bitcodec.pcsections.schemas.schema import Schema


def test_a_schema_names_its_section_kinds_and_fields() -> None:
    schema = Schema.of("cold!C=function:i32|instruction:i8:7,i64:-1,ptr,5 x i8|instruction")
    assert schema.sections == {
        "cold": SectionSchema(
            (
                Kind(is_function=True, fields=(Field("i32", 0),), is_compressed=True),
                Kind(
                    is_function=False,
                    fields=(Field("i8", 1, 7), Field("i64", 0, -1), Field("ptr", None), Field("[5 x i8]", 5)),
                    is_compressed=True,
                ),
                Kind(is_function=False, is_compressed=True),
            )
        )
    }


@pytest.mark.parametrize(("bits", "size"), [(1, 1), (9, 2), (17, 4), (33, 8), (65, 16), (128, 16), (129, 32)])
def test_integers_take_what_they_take_in_memory(bits: int, size: int) -> None:
    (kind,) = Schema.of(f"s=instruction:i{bits}").sections["s"].kinds
    assert kind.fields[0].size == size


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hot", "'hot' is not a schema: write it as hot=instruction:i32,i64 or cold!C="),
        ("=instruction", "'' names no section"),
        ("hot!X=instruction", "unknown option 'X'"),
        ("hot=load", "'load' is neither 'instruction' nor 'function'"),
        ("hot=", "'' is neither"),
        ("hot=instruction:", "expected iN, half, bfloat"),
        ("hot=instruction:i0", "found 'i0'"),
        ("hot=instruction:i99999999", "found 'i99999999'"),
        ("hot=instruction:i8:256", "'256' is not a valid i8"),
        ("hot=instruction:i8:x", "'x' is not a valid i8"),
        ("hot=instruction:float:1", "only integers can have a known value"),
    ],
)
def test_what_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(PCSectionsError) as caught:
        Schema.of(text)
    assert message in str(caught.value)


def test_merged_schemas_have_what_each_has() -> None:
    first, second = Schema.of("hot=instruction:i32"), Schema.of("hot=function|instruction:i32")
    merged = Schema.merged([first, second]).sections["hot"]
    assert merged.kinds == (*first.sections["hot"].kinds, Kind(is_function=True))


def test_schemas_of_different_layouts_do_not_go_together() -> None:
    with pytest.raises(PCSectionsError, match="constants after each PC"):
        Schema.merged([Schema.of("hot=instruction"), Schema.of("hot=instruction", layout="document")])


def test_sanitizers_are_known_without_being_told() -> None:
    assert Schema().find("sanmd_covered65538") == Schema.of("sanitizer").sections["sanmd_covered65538"]
    assert Schema().find("hot") is None
