"""Intrinsics that are written as plain operations for older versions of LLVM give the same results when they run.

Each is called with all combinations of a few values; what LLVM 22 makes of the calls prints the same as what the code
generator of an older version makes of those that are written for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import bitcodec

from .running import code_of, compare

pytestmark = pytest.mark.same_in_both

VERSIONS = {4: 14, 7: 14, 10: 14, 14: 14, 16: 16, 19: 19}
"""Versions that are written for, and the versions of the code generator: one reads what older ones write."""

SOURCES = {
    "dump.c": r"""
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
void dump(const unsigned char *data, int size, int kind) {
  float f; double d;
  memcpy(&f, data, 4); memcpy(&d, data, 8);
  if (kind == 1 ? f != f : kind == 2 ? d != d : 0) { printf("nan "); return; }
  while (size--) printf("%02x", *data++);
  putchar(' ');
}
void end_of(const char *name) { puts(name); }
"""
}
WIDTHS = (1, 7, 8, 32, 33, 64, 128)
VECTORS = ((4, 32), (3, 8))
FLOATS = (
    0x00000000, 0x80000000, 0x3F800000, 0xBFC00000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFA00000, 0x00000001,
    0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x4F000000, 0xCF000000, 0xCF000001, 0x4F7FFFFF, 0x4B800001, 0x40200000,
)  # fmt: skip
"""Bits of `float`: zeros, infinite numbers, some that are none, subnormal ones, and limits of integers."""
WIDE = tuple(
    f"0xK{sign | exponent:04X}{fraction:016X}"
    for sign in (0, 0x8000)
    for exponent, fraction in (
        (0, 0),
        (0, 1),
        (1, 1 << 63),
        (0x3FFF, 1 << 63),
        (0x7FFF, 1 << 63),
        (0x7FFF, 3 << 62),
        (0x7FFF, 5 << 61),
    )
)
"""The same kinds of `x86_fp80`."""
ORDER = "smax smin umax umin sadd.sat ssub.sat uadd.sat usub.sat"
FLOAT_PAIRS = "maximum minimum maximumnum minimumnum"
FUNCTIONS = "acos asin atan cosh exp10 sinh tan tanh roundeven"
REDUCED = "add mul and or xor smax smin umax umin"
REDUCED_FLOATS = "fmax fmin fmaximum fminimum"


class Case(NamedTuple):
    """Calls of one intrinsic: its name, the type of the result, those of the arguments, and values of each."""

    name: str
    result: str
    parameters: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]


def integers(width: int) -> tuple[str, ...]:
    top = 1 << width - 1
    return tuple(str(value) for value in sorted({0, 1 % (top << 1), top - 1, top, (top << 1) - 1, 5 % (top << 1)}))


def vectors(count: int, width: int) -> tuple[str, ...]:
    numbers = integers(width)
    rows = (numbers[start:] + numbers[:start] for start in range(len(numbers)))
    return tuple("<" + ", ".join(f"i{width} {row[each % len(row)]}" for each in range(count)) + ">" for row in rows)


def floats(bits: tuple[int, ...] = FLOATS) -> tuple[str, ...]:
    return tuple(f"bitcast (i32 {each} to float)" for each in bits)


def integer_types() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for width in WIDTHS:
        yield f"i{width}", f"i{width}", integers(width)
    for count, width in VECTORS:
        yield f"<{count} x i{width}>", f"v{count}i{width}", vectors(count, width)


def cases() -> Iterator[Case]:
    for type_, suffix, values in integer_types():
        for name in ORDER.split():
            yield Case(f"{name}.{suffix}", type_, (type_, type_), (values, values))
        for name in ("fshl", "fshr"):
            yield Case(f"{name}.{suffix}", type_, (type_,) * 3, (values,) * 3)
        yield Case(f"abs.{suffix}", type_, (type_, "i1"), (values, ("false",)))
        for name in ("scmp", "ucmp"):
            count = f"<{type_[1]} x i8>" if type_.startswith("<") else "i8"
            short = f"v{type_[1]}i8" if type_.startswith("<") else "i8"
            yield Case(f"{name}.{short}.{suffix}", count, (type_, type_), (values, values))
    for width in (8, 32, 64):
        small = tuple(str(value) for value in (0, 1, 3, width - 1))
        for name in ("sshl.sat", "ushl.sat"):
            yield Case(f"{name}.i{width}", f"i{width}", (f"i{width}",) * 2, (integers(width), small))
    yield from cases_of_floats()
    yield from cases_of_vectors()


def cases_of_floats() -> Iterator[Case]:
    for name in FLOAT_PAIRS.split():
        yield Case(f"{name}.f32", "float", ("float", "float"), (floats(), floats()))
    for name in FUNCTIONS.split():
        yield Case(f"{name}.f32", "float", ("float",), (floats(FLOATS[:7] + FLOATS[-2:]),))
    for width in (1, 8, 32, 33, 64, 100):
        for name in ("fptosi.sat", "fptoui.sat"):
            yield Case(f"{name}.i{width}.f32", f"i{width}", ("float",), (floats(),))
    for test in (1, 2, 3, 4, 16, 64, 128, 240, 256, 264, 516, 519, 1008, 1023):
        yield Case("is.fpclass.f32", "i1", ("float", "i32"), (floats(), (str(test),)))
        yield Case("is.fpclass.f80", "i1", ("x86_fp80", "i32"), (WIDE, (str(test),)))
    yield Case("ldexp.f32.i32", "float", ("float", "i32"), (floats(), ("0", "3", "-150", "200")))
    yield Case("frexp.f32.i32", "{ float, i32 }", ("float",), (floats(),))
    yield Case("modf.f32", "{ float, float }", ("float",), (floats(),))
    yield Case("sincos.f32", "{ float, float }", ("float",), (floats(FLOATS[:4]),))
    yield Case("lround.i64.f32", "i64", ("float",), (floats(FLOATS[:4] + FLOATS[-2:]),))
    yield Case("llrint.i64.f32", "i64", ("float",), (floats(FLOATS[:4] + FLOATS[-2:]),))
    yield Case("atan2.f32", "float", ("float", "float"), (floats(FLOATS[:4]), floats(FLOATS[:4])))


def cases_of_vectors() -> Iterator[Case]:
    for name in REDUCED.split():
        yield Case(f"vector.reduce.{name}.v4i32", "i32", ("<4 x i32>",), (vectors(4, 32),))
        yield Case(f"vector.reduce.{name}.v3i32", "i32", ("<3 x i32>",), (vectors(3, 32),))
    three = ("<float 1.0, float -2.5, float 0.5>", "<float -0.0, float 8.0, float 1024.0>")
    few = ("<float 1.0, float -2.5, float 0.5, float 4.0>", "<float -0.0, float 0.0, float -1.0, float 1024.0>")
    for name in REDUCED_FLOATS.split():
        yield Case(f"vector.reduce.{name}.v4f32", "float", ("<4 x float>",), (few,))
        yield Case(f"vector.reduce.{name}.v3f32", "float", ("<3 x float>",), (three,))
    for name in ("fadd", "fmul"):
        yield Case(f"vector.reduce.{name}.v4f32", "float", ("float", "<4 x float>"), (("0.0", "3.0"), few))
        yield Case(f"vector.reduce.{name}.v3f32", "float", ("float", "<3 x float>"), (("0.0", "3.0"), three))
    yield Case("tan.v4f32", "<4 x float>", ("<4 x float>",), (few[:1],))
    yield Case("vector.reverse.v4i32", "<4 x i32>", ("<4 x i32>",), (vectors(4, 32),))
    yield Case("vector.interleave2.v8i32", "<8 x i32>", ("<4 x i32>",) * 2, (vectors(4, 32),) * 2)
    yield Case("vector.deinterleave2.v4i32", "{ <2 x i32>, <2 x i32> }", ("<4 x i32>",), (vectors(4, 32),))
    parts = ("<4 x i32>", "<8 x i32>")
    eight = ("<" + ", ".join(f"i32 {each * each}" for each in range(8)) + ">",)
    yield Case("vector.partial.reduce.add.v4i32.v8i32", parts[0], parts, (vectors(4, 32), eight))


def text_of(found: list[Case]) -> str:
    """Return a program with one function for each case, which prints the results of its calls."""
    lines = [
        "declare void @dump(ptr, i32, i32)",
        "declare void @end_of(ptr)",
        "@end = constant [1 x i8] zeroinitializer",
    ]
    names = {f"declare {case.result} @llvm.{case.name}({', '.join(case.parameters)})": None for case in found}
    lines += names
    for number, case in enumerate(found):
        is_fixed = case.name.startswith(("abs", "is.fpclass"))
        parameters = case.parameters[:1] if is_fixed else case.parameters
        declared = ", ".join(f"{type_} %a{place}" for place, type_ in enumerate(parameters))
        passed = declared + (f", {case.parameters[1]} {case.values[1][0]}" if is_fixed else "")
        lines += [
            f"define void @case{number}({declared}) noinline optnone {{",
            "  %place = alloca [64 x i8], align 16",
            "  store [64 x i8] zeroinitializer, ptr %place",
            f"  %result = call {case.result} @llvm.{case.name}({passed})",
            *stored(case.result),
            "  ret void",
            "}",
        ]
    lines.append("define i32 @main() {")
    for number, case in enumerate(found):
        is_fixed = case.name.startswith(("abs", "is.fpclass"))
        values = case.values[:1] if is_fixed else case.values
        for chosen in itertools.product(*values):
            passed = ", ".join(f"{type_} {value}" for type_, value in zip(case.parameters, chosen, strict=False))
            lines.append(f"  call void @case{number}({passed})")
        lines.append("  call void @end_of(ptr @end)")
    return "\n".join([*lines, "  ret i32 0", "}", ""])


def stored(type_: str) -> Iterator[str]:
    """Yield lines that print a result, a struct element by element."""
    parts = type_[1:-1].split(", ") if type_.startswith("{") and "x" not in type_ else [type_]
    for place, part in enumerate(parts):
        value = "%result"
        if len(parts) > 1:
            value = f"%part{place}"
            yield f"  {value} = extractvalue {type_} %result, {place}"
        yield f"  store {part.strip()} {value}, ptr %place"
        size, kind = (4, 1) if part.strip() == "float" else (32, 0)
        yield f"  call void @dump(ptr %place, i32 {size}, i32 {kind})"


def test_expansions_give_the_same_results() -> None:
    found = list(cases())
    module = bitcodec.parse_assembly(text_of(found))
    original = code_of(bitcodec.dumps(module), 22, sources=SOURCES)
    for version, generating in VERSIONS.items():
        losses: list[bitcodec.Loss] = []
        written = bitcodec.dumps(module, llvm_version=version, on_loss=losses.append)
        assert [loss.construct for loss in losses if loss.action == "kept"] == []
        comparison = compare(original, code_of(written, generating, sources=SOURCES))
        # A line for each case.
        assert comparison == (len(found), []), f"LLVM {version}"
