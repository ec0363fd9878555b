"""Constants of Python's values."""

from __future__ import annotations

import math

import pytest

from bitcodec.builder import constant, new_module
from bitcodec.ir import Type

MODULE = new_module("constants")
TYPES = MODULE.context.types
I1, I8, I32 = (TYPES.integer(width) for width in (1, 8, 32))
PAIR = TYPES.struct([I32, TYPES.ptr])


@pytest.mark.parametrize(
    ("type_", "value", "text"),
    [
        (I32, -7, "i32 -7"),
        (I8, 255, "i8 -1"),
        (I8, -128, "i8 -128"),
        (I1, True, "i1 true"),
        (I1, -1, "i1 true"),
        (I32, False, "i32 0"),
        (TYPES.integer(100), 1 << 99, "i100 -633825300114114700748351602688"),
        (TYPES.float, 0.1, "float 0x3FB99999A0000000"),
        (TYPES.half, 1, "half 0xH3C00"),
        (TYPES.double, -math.inf, "double 0xFFF0000000000000"),
        (TYPES.vector(3, I8), 4, "<3 x i8> splat (i8 4)"),
        (TYPES.vector(2, I8), [1, 2], "<2 x i8> <i8 1, i8 2>"),
        (TYPES.vector(2, TYPES.float, is_scalable=True), 0.0, "<vscale x 2 x float> zeroinitializer"),
        (TYPES.array(3, I8), b"a\0b", '[3 x i8] c"a\\00b"'),
        (
            TYPES.array(2, PAIR),
            [[1, None], (2, None)],
            "[2 x { i32, ptr }] [{ i32, ptr } { i32 1, ptr null }, { i32, ptr } { i32 2, ptr null }]",
        ),
        (PAIR, None, "{ i32, ptr } zeroinitializer"),
        (TYPES.ptr, None, "ptr null"),
        (TYPES.array(0, I32), [], "[0 x i32] zeroinitializer"),
        (I32, MODULE.context.constants.poison(I32), "i32 poison"),
    ],
)
def test_text(type_: Type, value: object, text: str):
    assert str(constant(MODULE, type_, value)) == text


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        (I32, 1.0, "1.0 is not a valid i32"),
        (TYPES.ptr, 0, "0 is not a valid ptr"),
        (PAIR, 0, "0 is not a valid { i32, ptr }"),
        (PAIR, [1], "[1] is not a valid { i32, ptr }"),
        (PAIR, [1, 2], "[1, 2] is not a valid { i32, ptr }"),
        (TYPES.array(2, I8), "ab", "'ab' is not a valid [2 x i8]"),
        (TYPES.array(2, I32), b"ab", "b'ab' is not a valid [2 x i32]"),
        (TYPES.void, None, "type void has no zero"),
        (I8, MODULE.context.constants.null(I32), "<ConstantInt i32 0> is not a valid i8"),
        (TYPES.vector(2, I8, is_scalable=True), [1, 2], "[1, 2] is not a valid <vscale x 2 x i8>"),
    ],
)
def test_type_errors(type_: Type, value: object, message: str):
    with pytest.raises(TypeError) as caught:
        constant(MODULE, type_, value)
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [256, -129])
def test_numbers_that_do_not_fit(value: int):
    with pytest.raises(ValueError, match=f"{value} does not fit into i8"):
        constant(MODULE, TYPES.array(1, I8), [value])
