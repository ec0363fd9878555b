"""Types of the declarations of old intrinsics, and of the new ones."""

from __future__ import annotations

import pytest

from bitcodec.ir.type_table import TypeTable
from bitcodec.upgrade.intrinsics.signatures import bound, function_type_of, immediates, type_of

TYPES = TypeTable()
I32 = TYPES.integer(32)


@pytest.mark.parametrize(
    ("signature", "declared", "letters"),
    [
        ("A:i(A,B:p)", "v4i32(v4i32,p3)", {"A": "<4 x i32>", "B": "ptr addrspace(3)"}),
        ("A:i(A,B:p)", "i32(i64,p0)", None),
        ("A:i(A,B:p)", "f32(f32,p0)", None),
        ("A:s(#i32)", "nxv2i1(i32)", {"A": "<vscale x 2 x i1>"}),
        ("A:s(#i32)", "v2i1(i32)", None),
        ("A:vf()", "v2f32()", {"A": "<2 x float>"}),
        ("A:vf()", "f32()", None),
        ("void(i32)", "void(i32)", {}),
        ("void(i32)", "void()", None),
        ("*", "i1(i1,i1)", {}),
    ],
)
def test_signatures(signature: str, declared: str, letters: dict[str, str] | None) -> None:
    found = bound(signature, function_type_of(declared, {}, TYPES))
    assert (found and {letter: str(type_) for letter, type_ in found.items()}) == letters


def test_variadic_declarations_have_no_signature() -> None:
    assert bound("void()", TYPES.function(TYPES.void, is_vararg=True)) is None


def test_constant_arguments() -> None:
    assert immediates("A:v(P:p,#i32,A,#i1)") == (1, 3)


def test_types_of_new_declarations() -> None:
    letters = {"A": TYPES.vector(8, I32, is_scalable=True), "M": TYPES.vector(4, TYPES.integer(1), is_scalable=True)}
    assert str(type_of("A/M", letters, TYPES)) == "<vscale x 4 x i32>"
    assert str(type_of("{A/M,i1}", letters, TYPES)) == "{ <vscale x 4 x i32>, i1 }"
    assert str(function_type_of("A(M,nxv2f64,token)", letters, TYPES)) == (
        "<vscale x 8 x i32> (<vscale x 4 x i1>, <vscale x 2 x double>, token)"
    )
