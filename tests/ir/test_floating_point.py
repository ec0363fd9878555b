"""Floating-point bit patterns; those in tables are what LLVM 22's APFloat returned."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from random import Random

import pytest

from bitcodec.ir.floating_point import FORMATS, format_of
from bitcodec.ir.folding.floating import calculated, compared, truncated
from bitcodec.ir.type_table import TypeTable

# Source format, pattern, target format, pattern.
CONVERSIONS = (
    ("half", 0x8073, "bfloat", 0xB6E6),
    ("half", 0x9400, "float", 0xBA800000),
    ("half", 0x3890, "double", 0x3FE2400000000000),
    ("half", 0x8380, "x86_fp80", 0xBFF0E000000000000000),
    ("half", 0xBF00, "fp128", 0xBFFFC000000000000000000000000000),
    ("half", 0x920, "ppc_fp128", 0x3F24800000000000),
    ("bfloat", 0x0, "half", 0x0),
    ("bfloat", 0x4040, "float", 0x40400000),
    ("bfloat", 0x3FB0, "double", 0x3FF6000000000000),
    ("bfloat", 0x800A, "x86_fp80", 0xBF7DA000000000000000),
    ("bfloat", 0x3F02, "fp128", 0x3FFE0400000000000000000000000000),
    ("bfloat", 0x3F30, "ppc_fp128", 0x3FE6000000000000),
    ("float", 0xC076A950, "half", 0xC3B5),
    ("float", 0x8032DECD, "bfloat", 0x8033),
    ("float", 0x80065A07, "double", 0xB7C9681C00000000),
    ("float", 0x3F2A922A, "x86_fp80", 0x3FFEAA922A0000000000),
    ("float", 0xC05A7F80, "fp128", 0xC000B4FF000000000000000000000000),
    ("float", 0x77064C2C, "ppc_fp128", 0x46E0C98580000000),
    ("double", 0x394FC00000000000, "half", 0x0),
    ("double", 0x41BFD7416BB6A000, "bfloat", 0x4DFF),
    ("double", 0xF88ECE64DD44FD36, "float", 0xFF800000),
    ("double", 0xBFF2FF3634000000, "x86_fp80", 0xBFFF97F9B1A000000000),
    ("double", 0xC007108E36970000, "fp128", 0xC0007108E36970000000000000000000),
    ("double", 0x54366C219C3ECB54, "ppc_fp128", 0x54366C219C3ECB54),
    ("x86_fp80", 0x3FFFCA970DC500000000, "half", 0x3E55),
    ("x86_fp80", 0xFFFF5F27FF085E617F8E, "bfloat", 0xFFDF),
    ("x86_fp80", 0x8000000000357BD55EE6, "float", 0x80000000),
    ("x86_fp80", 0xC000F4473A9740000000, "double", 0xC00E88E752E80000),
    ("x86_fp80", 0x1448D7EE000000000000, "fp128", 0x1448AFDC000000000000000000000000),
    ("x86_fp80", 0xBFFF8DF542C91A953CC0, "ppc_fp128", 0x3C9A000000000000BFF1BEA8592352A8),
    ("fp128", 0x3FF6E7A2D2DF20000000000000000000, "half", 0x1B9F),
    ("fp128", 0x8000000000000000000000000076F136, "bfloat", 0x8000),
    ("fp128", 0x3FD99DA9DA36C0000000000000000000, "float", 0x2CCED4ED),
    ("fp128", 0x3437F5ABEA3A0683EAD81DCD365FDCD6, "double", 0x0),
    ("fp128", 0x3FFD2D1E0BEDDB070F7A044000000000, "x86_fp80", 0x3FFD968F05F6ED8387BD),
    ("fp128", 0x80000000000000000000000000002F33, "ppc_fp128", 0x8000000000000000),
    ("ppc_fp128", 0xD41F2650959DE000, "half", 0xFC00),
    ("ppc_fp128", 0x2, "bfloat", 0x0),
    ("ppc_fp128", 0xBCCCA604F1B9AB7C, "float", 0xA6653028),
    ("ppc_fp128", 0xB1B70C6160000000, "double", 0xB1B70C6160000000),
    ("ppc_fp128", 0x39B3DD1EE448373CBFF4D1075E320E00, "x86_fp80", 0xBFFFA6883AF190700000),
    ("ppc_fp128", 0x7FF0000000000001, "fp128", 0x7FFF8000000000001000000000000000),
    ("float", 0x7FA00001, "double", 0x7FFC000020000000),
    ("double", 0x7FF0000000000001, "float", 0x7FC00000),
    ("double", 0xFFF0000000000000, "half", 0xFC00),
    ("double", 0x40EFFDFFFFFFFFFF, "half", 0x7BFF),
    ("double", 0x40EFFE0000000000, "half", 0x7C00),
    ("double", 0x3690000000000000, "float", 0x0),
    ("double", 0x3690000000000001, "float", 0x1),
    ("double", 0x8000000000000000, "x86_fp80", 0x80000000000000000000),
    ("x86_fp80", 0x7FFF4000000000000000, "double", 0x7FF8000000000000),
    ("fp128", 0x1, "double", 0x0),
)
# Format, operation, operands, result.
OPERATIONS = (
    ("half", "fadd", 0xC000, 0x800D, 0xC000),
    ("half", "fadd", 0x80FC, 0xBF50, 0xBF50),
    ("half", "fsub", 0x8001, 0x4180, 0xC180),
    ("half", "fsub", 0x8001, 0x0, 0x8001),
    ("half", "fmul", 0xC00, 0xC080, 0x9080),
    ("half", "fmul", 0xFC0B, 0x3B00, 0xFE0B),
    ("half", "fdiv", 0xC3FC, 0x8001, 0x7C00),
    ("half", "fdiv", 0x8010, 0x0, 0xFC00),
    ("half", "frem", 0xB9C0, 0x3CD8, 0xB9C0),
    ("half", "frem", 0xA7E0, 0x8000, 0x7E00),
    ("bfloat", "fadd", 0x0, 0x23, 0x23),
    ("bfloat", "fadd", 0x3, 0x1628, 0x1628),
    ("bfloat", "fsub", 0x801C, 0xD4CA, 0x54CA),
    ("bfloat", "fsub", 0x3F68, 0xBD78, 0x3F78),
    ("bfloat", "fmul", 0x10, 0x7F7F, 0x3EFF),
    ("bfloat", "fmul", 0x9D03, 0x6680, 0xC403),
    ("bfloat", "fdiv", 0x2AB1, 0x89E9, 0xE042),
    ("bfloat", "fdiv", 0x8076, 0x7, 0xC187),
    ("bfloat", "frem", 0x6F05, 0xBF08, 0x3E40),
    ("bfloat", "frem", 0x1, 0xC010, 0x1),
    ("float", "fadd", 0x48B988AA, 0x9E, 0x48B988AA),
    ("float", "fadd", 0xFB75, 0xC0590000, 0xC0590000),
    ("float", "fsub", 0x4CE90000, 0xEED1B940, 0x6ED1B940),
    ("float", "fsub", 0xCE6DAA70, 0x80000002, 0xCE6DAA70),
    ("float", "fmul", 0x401BEC00, 0x3FA13000, 0x40445950),
    ("float", "fmul", 0xD508FF34, 0xACC00000, 0x424D7ECE),
    ("float", "fdiv", 0x3F74A000, 0x81744E12, 0xFD802AED),
    ("float", "fdiv", 0x4066C394, 0x3, 0x7F800000),
    ("float", "frem", 0xC0179EE0, 0x80000001, 0x80000000),
    ("float", "frem", 0x2409EEF8, 0x20FA, 0x916),
    ("double", "fadd", 0x15F870446, 0x3EC5800000000000, 0x3EC5800000000000),
    ("double", "fadd", 0x800000000000135B, 0x8000000000000002, 0x800000000000135D),
    ("double", "fsub", 0xC8E8118000000000, 0xBFFA000000000000, 0xC8E8118000000000),
    ("double", "fsub", 0x8000000000000002, 0xC172E7A0C2000000, 0x4172E7A0C2000000),
    ("double", "fmul", 0x2, 0x1, 0x0),
    ("double", "fmul", 0x8000003B0CB09B78, 0x8000000000000002, 0x0),
    ("double", "fdiv", 0x7FF0000000000000, 0x80000000A46B7F17, 0xFFF0000000000000),
    ("double", "fdiv", 0x0, 0xBD21A9561BA9A6B5, 0x8000000000000000),
    ("double", "frem", 0x0, 0xBFF403A242300000, 0x0),
    ("double", "frem", 0xC43854A000000000, 0x3FF98C0000000000, 0xBFE3E80000000000),
    ("x86_fp80", "fadd", 0x4000BC62AE8F62C00000, 0xBFC7A468000000000000, 0x4000BC62AE8F62BFFFAE),
    ("x86_fp80", "fadd", 0x4040A2875BB000000000, 0xBFFF9F5CE855C5C1C580, 0x4040A2875BB000000000),
    ("x86_fp80", "fsub", 0x3FFEB2EA29C0BF94B980, 0xC000C000000000000000, 0x4000ECBA8A702FE52E60),
    ("x86_fp80", "fsub", 0xFFFF8000000000000000, 0xC000DA6B83969A870000, 0xFFFF8000000000000000),
    ("x86_fp80", "fmul", 0x7FFF74A8039F6ACADD57, 0x7FFFC000000000000000, 0x7FFF74A8039F6ACADD57),
    ("x86_fp80", "fmul", 0xFFFF23C881E9715F8AE1, 0x80000000000000014778, 0xFFFF63C881E9715F8AE1),
    ("x86_fp80", "fdiv", 0x6394FFB27D8DD0AC0000, 0xBFD9C0609D0000000000, 0xE3BAAA21628F4C34B8A9),
    ("x86_fp80", "fdiv", 0xBFFED7AF5A489C000000, 0xC000FD677E3A80000000, 0x3FFCD9E4F2923FB20BBB),
    ("x86_fp80", "frem", 0x3FFEB66CB93F426FD488, 0x3FFEE0BDAAC5128EE000, 0x3FFEB66CB93F426FD488),
    ("x86_fp80", "frem", 0x3FFEBD41400000000000, 0x7FFFC000000000000000, 0x7FFFC000000000000000),
    ("fp128", "fadd", 0x39413691C4D91F76C400000000000000, 0x9A4DCF5418E9, 0x39413691C4D91F76C400000000000000),
    (
        "fp128",
        "fadd",
        0x800004A7534CCC9F98BE768BFD3AF032,
        0xBFFEE00B7646B25E18D61A0000000000,
        0xBFFEE00B7646B25E18D61A0000000000,
    ),
    (
        "fp128",
        "fsub",
        0x916658F590707AC66E96CB4C1540E467,
        0x80000000000000000D2D0A674C82C9DC,
        0x916658F590707AC66E96CB4C1540E467,
    ),
    (
        "fp128",
        "fsub",
        0x1B4C7EA8400000000000000000000000,
        0x4000B9D9A84266115B98E20000000000,
        0xC000B9D9A84266115B98E20000000000,
    ),
    ("fp128", "fmul", 0x1C3B59309C7, 0xB81075514E050C8BFE0BAB0000000000, 0x80000000000000000000000000000000),
    (
        "fp128",
        "fmul",
        0xFFFF0000000000000000000000000001,
        0x5D020032062C8CAC5D959E33D41A224A,
        0xFFFF8000000000000000000000000001,
    ),
    (
        "fp128",
        "fdiv",
        0xC000CC0D5E4576C89054000000000000,
        0xBFFFDACEE1828C1274518A5000000000,
        0x3FFFF01697F518C679D91703DFA22D75,
    ),
    (
        "fp128",
        "fdiv",
        0x763F7674BBEBCFB91453934289F8718,
        0x88338BA2C9BE7D014E3396748BFC2000,
        0xBF2F45BB68A352850B7FE6044F349A65,
    ),
    ("fp128", "frem", 0x282AD575E62992CA1AFBDBFD, 0x18F271EF24D52F5FA74E4B48A25636A3, 0x282AD575E62992CA1AFBDBFD),
    (
        "fp128",
        "frem",
        0xC0008584E86175DFC3EE280000000000,
        0x3FFE7CF07E60A1500000000000000000,
        0xBFFB128D401A91F87DC5000000000000,
    ),
    ("double", "fadd", 0x0, 0x8000000000000000, 0x0),
    ("double", "fadd", 0x8000000000000000, 0x8000000000000000, 0x8000000000000000),
    ("double", "fadd", 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000),
    ("double", "fadd", 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000),
    ("double", "fadd", 0x7FF0000000000000, 0x0, 0x7FF0000000000000),
    ("double", "fadd", 0x3FF0000000000000, 0x0, 0x3FF0000000000000),
    ("double", "fadd", 0x0, 0x0, 0x0),
    ("double", "fadd", 0x3FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000),
    ("double", "fadd", 0xFFF0000000000000, 0x3FF0000000000000, 0xFFF0000000000000),
    ("double", "fadd", 0x7FF0000000000005, 0x3FF0000000000000, 0x7FF8000000000005),
    ("double", "fadd", 0x3FF0000000000000, 0x7FF0000000000005, 0x7FF8000000000005),
    ("double", "fadd", 0x8000000000000000, 0x3FF0000000000000, 0x3FF0000000000000),
    ("double", "fsub", 0x0, 0x8000000000000000, 0x0),
    ("double", "fsub", 0x8000000000000000, 0x8000000000000000, 0x0),
    ("double", "fsub", 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000),
    ("double", "fsub", 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000),
    ("double", "fsub", 0x7FF0000000000000, 0x0, 0x7FF0000000000000),
    ("double", "fsub", 0x3FF0000000000000, 0x0, 0x3FF0000000000000),
    ("double", "fsub", 0x0, 0x0, 0x0),
    ("double", "fsub", 0x3FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000),
    ("double", "fsub", 0xFFF0000000000000, 0x3FF0000000000000, 0xFFF0000000000000),
    ("double", "fsub", 0x7FF0000000000005, 0x3FF0000000000000, 0x7FF8000000000005),
    ("double", "fsub", 0x3FF0000000000000, 0x7FF0000000000005, 0x7FF8000000000005),
    ("double", "fsub", 0x8000000000000000, 0x3FF0000000000000, 0xBFF0000000000000),
    ("double", "fmul", 0x0, 0x8000000000000000, 0x8000000000000000),
    ("double", "fmul", 0x8000000000000000, 0x8000000000000000, 0x0),
    ("double", "fmul", 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000),
    ("double", "fmul", 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000),
    ("double", "fmul", 0x7FF0000000000000, 0x0, 0x7FF8000000000000),
    ("double", "fmul", 0x3FF0000000000000, 0x0, 0x0),
    ("double", "fmul", 0x0, 0x0, 0x0),
    ("double", "fmul", 0x3FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000),
    ("double", "fmul", 0xFFF0000000000000, 0x3FF0000000000000, 0xFFF0000000000000),
    ("double", "fmul", 0x7FF0000000000005, 0x3FF0000000000000, 0x7FF8000000000005),
    ("double", "fmul", 0x3FF0000000000000, 0x7FF0000000000005, 0x7FF8000000000005),
    ("double", "fmul", 0x8000000000000000, 0x3FF0000000000000, 0x8000000000000000),
    ("double", "fdiv", 0x0, 0x8000000000000000, 0x7FF8000000000000),
    ("double", "fdiv", 0x8000000000000000, 0x8000000000000000, 0x7FF8000000000000),
    ("double", "fdiv", 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000),
    ("double", "fdiv", 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000),
    ("double", "fdiv", 0x7FF0000000000000, 0x0, 0x7FF0000000000000),
    ("double", "fdiv", 0x3FF0000000000000, 0x0, 0x7FF0000000000000),
    ("double", "fdiv", 0x0, 0x0, 0x7FF8000000000000),
    ("double", "fdiv", 0x3FF0000000000000, 0x7FF0000000000000, 0x0),
    ("double", "fdiv", 0xFFF0000000000000, 0x3FF0000000000000, 0xFFF0000000000000),
    ("double", "fdiv", 0x7FF0000000000005, 0x3FF0000000000000, 0x7FF8000000000005),
    ("double", "fdiv", 0x3FF0000000000000, 0x7FF0000000000005, 0x7FF8000000000005),
    ("double", "fdiv", 0x8000000000000000, 0x3FF0000000000000, 0x8000000000000000),
    ("double", "frem", 0x0, 0x8000000000000000, 0x7FF8000000000000),
    ("double", "frem", 0x8000000000000000, 0x8000000000000000, 0x7FF8000000000000),
    ("double", "frem", 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000),
    ("double", "frem", 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000),
    ("double", "frem", 0x7FF0000000000000, 0x0, 0x7FF8000000000000),
    ("double", "frem", 0x3FF0000000000000, 0x0, 0x7FF8000000000000),
    ("double", "frem", 0x0, 0x0, 0x7FF8000000000000),
    ("double", "frem", 0x3FF0000000000000, 0x7FF0000000000000, 0x3FF0000000000000),
    ("double", "frem", 0xFFF0000000000000, 0x3FF0000000000000, 0x7FF8000000000000),
    ("double", "frem", 0x7FF0000000000005, 0x3FF0000000000000, 0x7FF8000000000005),
    ("double", "frem", 0x3FF0000000000000, 0x7FF0000000000005, 0x7FF8000000000005),
    ("double", "frem", 0x8000000000000000, 0x3FF0000000000000, 0x8000000000000000),
)
# What LLVM keeps for patterns that no processor makes.
X87_PATTERNS = (
    (0x00000000000000000000, 0x00000000000000000000),
    (0x00000000000000000001, 0x00000000000000000001),
    (0x00008000000000000000, 0x00018000000000000000),
    (0x00008000000000000005, 0x00018000000000000005),
    (0x00010000000000000000, 0x7FFF0000000000000000),
    (0x00010000000000000005, 0x7FFF0000000000000005),
    (0x7FFF0000000000000000, 0x7FFF0000000000000000),
    (0x7FFF4000000000000000, 0x7FFF4000000000000000),
    (0x7FFF8000000000000000, 0x7FFF8000000000000000),
    (0xFFFF0000000000000003, 0xFFFF0000000000000003),
    (0x80008000000000000000, 0x80018000000000000000),
)


@pytest.mark.parametrize(("source", "bits", "target", "expected"), CONVERSIONS)
def test_conversions(source, bits, target, expected):
    assert FORMATS[target].converted(bits, FORMATS[source]) == expected


@pytest.mark.parametrize(("name", "opcode", "lhs", "rhs", "expected"), OPERATIONS)
def test_operations(name, opcode, lhs, rhs, expected):
    assert calculated(FORMATS[name], opcode, lhs, rhs) == expected


@pytest.mark.parametrize(("bits", "expected"), X87_PATTERNS)
def test_patterns_of_the_80_bit_format(bits, expected):
    assert FORMATS["x86_fp80"].canonical(bits) == expected


def test_every_half_is_what_python_says():
    half, double = FORMATS["half"], FORMATS["double"]
    for bits in range(1 << 16):
        (value,) = struct.unpack("<e", bits.to_bytes(2, "little"))
        assert half.is_nan(bits) == math.isnan(value)
        assert half.is_infinite(bits) == math.isinf(value)
        assert half.is_negative(bits) == (bits >= 1 << 15)
        if half.is_finite(bits):
            assert half.value(bits) == Fraction(value)
            assert half.rounded(Fraction(value), negative=half.is_negative(bits)) == bits
            assert double.converted(bits, half) == int.from_bytes(struct.pack("<d", value), "little")


def test_rounding_is_that_of_python():
    random, single = Random(1), FORMATS["float"]
    for _ in range(2000):
        (value,) = struct.unpack("<d", random.randbytes(8))
        try:
            expected = struct.pack("<f", value)
        except OverflowError:
            continue
        if math.isfinite(value):
            assert single.rounded(Fraction(value), negative=value < 0) == int.from_bytes(expected, "little")


@pytest.mark.parametrize("name", FORMATS)
def test_zeros_ones_and_nans(name):
    number = FORMATS[name]
    minus_zero = number.signed(0, negative=True)
    assert number.is_zero(0)
    assert number.is_zero(minus_zero)
    assert number.rounded(Fraction(), negative=True) == minus_zero
    assert number.value(number.one) == 1
    assert number.rounded(Fraction(1)) == number.one
    assert number.is_nan(number.nan)
    assert not number.is_nan(number.infinity)
    assert number.is_infinite(number.signed(number.infinity, negative=True))
    assert number.rounded(Fraction(1 << 20_000)) == number.infinity
    assert number.value(number.negated(number.one)) == -1


def test_formats_belong_to_types():
    types = TypeTable()
    for name, number in FORMATS.items():
        assert format_of(getattr(types, name)) is number


def test_two_doubles_are_their_sum():
    pair = FORMATS["ppc_fp128"]
    third = pair.rounded(Fraction(1, 3))
    assert third == 0x3C755555555555563FD5555555555555
    assert abs(pair.value(third) - Fraction(1, 3)) < Fraction(1, 1 << 106)
    assert pair.of_integer(-1) == 0x8000000000000000BFF0000000000000
    assert pair.of_integer(1) == pair.one
    assert calculated(pair, "fadd", third, third) is None


def test_comparisons():
    double = FORMATS["double"]
    ordered = [double.signed(double.infinity, negative=True), double.rounded(Fraction(-3, 2)), 0, 1, double.infinity]
    for left, lhs in enumerate(ordered):
        for right, rhs in enumerate(ordered):
            assert compared(double, 1, lhs, rhs) == (left == right)
            assert compared(double, 2, lhs, rhs) == (left > right)
            assert compared(double, 4, lhs, rhs) == (left < right)
            assert not compared(double, 8, lhs, rhs)
        assert [compared(double, predicate, lhs, double.nan) for predicate in (7, 8)] == [False, True]
    assert compared(double, 1, 0, double.signed(0, negative=True))


def test_truncation():
    double = FORMATS["double"]
    assert [truncated(double, double.rounded(Fraction(value, 2))) for value in (-3, -1, 1, 3)] == [-1, 0, 0, 1]
    assert truncated(double, double.infinity) is None
    assert truncated(double, double.nan) is None
