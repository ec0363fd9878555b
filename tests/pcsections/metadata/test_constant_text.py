"""Constants as users spell them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.metadata.constant_text import constants_of_text
from pcsections.samples import sample

MODULE = sample()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i32:7", ["i32 7"]),
        ("i32:-1,i64:0x10", ["i32 -1", "i64 16"]),
        ("i32:4294967295", ["i32 -1"]),
        ("i1:true, i1:0", ["i1 true", "i1 false"]),
        ("double:0.5,float:-2", ["double 5.000000e-01", "float -2.000000e+00"]),
        ("half:0x3c00,bfloat:1,fp128:0", ["half 0xH3C00", "bfloat 0xR3F80", "fp128 0xL" + "0" * 32]),
        ("double:inf", ["double 0x7FF0000000000000"]),
        ("ptr:null,i8:-128", ["ptr null", "i8 -128"]),
        ("i128:-0x80000000000000000000000000000000", [f"i128 {-(1 << 127)}"]),
    ],
)
def test_values(text: str, expected: list[str]) -> None:
    assert [str(found) for found in constants_of_text(text, MODULE)] == expected


def test_globals() -> None:
    names = ["table", "main", "elsewhere"]
    found = constants_of_text(",".join(f"ptr:@{name}" for name in names), MODULE)
    assert found == tuple(MODULE.get(name) for name in names)


@pytest.mark.parametrize(
    "text",
    [
        *("", "7", "i32", "i32:", "i32:x", "i0:0", "i08:1", "i8388609:0", "i9999999:0", "i8:256", "i8:-129", "i1:2"),
        *("double:x", "half:0x10000", "ptr:0", "ptr:@nothing", "ptr:table", "void:0", "token:none", "i32:7,"),
        *("i32:1.5", "label:x", "metadata:x", "[2 x i8]:0", f"i32:{'9' * 5000}", "double:nan(1)"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_constant(text: str) -> None:
    with pytest.raises(PCSectionsError, match=r"expected a constant|is not a valid|points to nothing"):
        constants_of_text(text, MODULE)


@given(st.text())
def test_any_text(text: str) -> None:
    try:
        found = constants_of_text(text, MODULE)
    except PCSectionsError:
        return
    assert found


def test_a_refusal_is_one_line() -> None:
    with pytest.raises(PCSectionsError, match=r"^'ptr:@a\\nb' points to nothing"):
        constants_of_text("ptr:@a\nb", MODULE)
