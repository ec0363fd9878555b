"""What cannot be read off the corpus: text that LLVM assembles, printed by LLVM and by us."""

from __future__ import annotations

import math
import struct
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .text import assert_printed_as_llvm_does

random_examples = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

decimal_like = st.builds(
    lambda digits, power: float(f"{digits}e{power}"), st.integers(-(10**8), 10**8), st.integers(-30, 30)
)
doubles = st.floats() | decimal_like


def bits_of(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


@pytest.mark.live
@random_examples
@given(values=st.lists(doubles, min_size=50, max_size=200), narrow=st.lists(st.floats(width=32), min_size=50))
def test_random_floats(values: list[float], narrow: list[float], tmp_path: Path) -> None:
    assert_printed_as_llvm_does(text_of_floats(values, narrow), tmp_path)


def test_floats(tmp_path: Path) -> None:
    values = [digit * 10.0**power for digit in (1, -3, 7.25, 123456789.0) for power in range(-30, 31, 5)]
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, sys.float_info.max, 0.1, 1 / 3]
    narrow = [1.5, -0.25, 2.0**-149, 3.4028234663852886e38, float.fromhex("0x1.99999ap-4"), *special[:5]]
    assert_printed_as_llvm_does(text_of_floats([*values, *special], narrow), tmp_path)


def text_of_floats(values: list[float], narrow: list[float]) -> str:
    lines = [f"@d{index} = global double 0x{bits_of(value):016X}" for index, value in enumerate(values)]
    lines += [f"@f{index} = global float 0x{bits_of(value):016X}" for index, value in enumerate(narrow)]
    return "\n".join(lines)


@pytest.mark.live
@random_examples
@given(bits=st.lists(st.integers(0, (1 << 128) - 1), min_size=20, max_size=50))
def test_other_random_floats(bits: list[int], tmp_path: Path) -> None:
    assert_printed_as_llvm_does(text_of_other_floats(bits), tmp_path)


def test_other_floats(tmp_path: Path) -> None:
    random = Random(1)
    bits = [
        0,
        (1 << 128) - 1,
        *(1 << place for place in range(0, 128, 9)),
        *(random.getrandbits(128) for _ in range(30)),
    ]
    assert_printed_as_llvm_does(text_of_other_floats(bits), tmp_path)


def text_of_other_floats(bits: list[int]) -> str:
    lines = []
    for index, value in enumerate(bits):
        low, high = value & (1 << 64) - 1, value >> 64
        lines += [
            f"@h{index} = global half 0xH{value & 0xFFFF:04X}",
            f"@b{index} = global bfloat 0xR{value & 0xFFFF:04X}",
            f"@q{index} = global fp128 0xL{low:016X}{high:016X}",
            f"@p{index} = global ppc_fp128 0xM{low:016X}{high:016X}",
            f"@x{index} = global x86_fp80 0xK{high & 0xFFFF:04X}{low:016X}",
        ]
    return "\n".join(lines)


characters = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
names = st.lists(st.text(characters | st.sampled_from('ab$-._09"\\ \x01é'), min_size=1), min_size=5, max_size=40)


def quoted(name: str) -> str:
    return '"' + "".join(f"\\{byte:02X}" for byte in name.encode()) + '"'


@pytest.mark.live
@random_examples
@given(found=names)
def test_random_names(found: list[str], tmp_path: Path) -> None:
    assert_printed_as_llvm_does(text_of_names(list(dict.fromkeys(found))), tmp_path)


def test_names(tmp_path: Path) -> None:
    unusual = [
        "a",
        "-",
        "$._x",
        "0",
        "09",
        "9a",
        '"',
        "\\",
        " ",
        "\x01",
        "\x7f",
        "é",
        "\u20ac",
        "\U0001f600",
        "a b",
        "_-\n",
    ]
    assert_printed_as_llvm_does(text_of_names([*unusual, *map("x".__add__, unusual)]), tmp_path)


def text_of_names(unique: list[str]) -> str:
    lines = [f"@{quoted(name)} = global i32 0, section {quoted(name)}, comdat" for name in unique]
    lines += [f"${quoted(name)} = comdat any" for name in unique]
    lines += [f"%{quoted(name)} = type {{ i32 }}" for name in unique]
    lines += [f"@t{index} = global %{quoted(name)} zeroinitializer" for index, name in enumerate(unique)]
    lines += [f"!{index} = !{{!{quoted(name)}}}" for index, name in enumerate(unique)]
    lines += [f"!named = !{{{', '.join(f'!{index}' for index in range(len(unique)))}}}"]
    blocks = "".join(f"{quoted(name)}:\n  br label %{quoted(name)}\n" for name in unique)
    lines += [f"define void @last() {{\nentry:\n  br label %{quoted(unique[0])}\n{blocks}}}"]
    return "\n".join(lines)


def test_predecessors_stand_in_one_column(tmp_path: Path) -> None:
    labels = ["l" * length for length in (1, 20, *range(44, 54), 80)]
    blocks = "".join(f"{label}:\n  br label %{label}\n" for label in labels)
    lonely = "".join(f"{label}_:\n  unreachable\n" for label in labels)
    assert_printed_as_llvm_does(f"define void @f() {{\n  unreachable\n{blocks}{lonely}}}", tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        'module asm "one"\nmodule asm ""\nmodule asm "t\\09\\22"\n',
        "@0 = global i32 0\n@1 = alias i32, ptr @0\ndefine void @2() { ret void }\n@x = global ptr @2\n",
        "%0 = type { %1 }\n%1 = type opaque\n@a = external global %0\n",
        '@a = global [3 x i8] c"\\00\\FF\\22"\n@b = global [0 x i32] zeroinitializer\n@c = global {} zeroinitializer\n',
        "@v = global <4 x i32> splat (i32 7)\n@w = global <2 x ptr> <ptr @v, ptr @v>\n",
        "@z = global <2 x i1> splat (i1 1)\n@y = global <2 x i1> <i1 0, i1 1>\n",
        "@p = global ptr ptrauth (ptr @p, i32 2, i64 0, ptr @p)\n@q = global ptr ptrauth (ptr @p, i32 1)\n",
        'target datalayout = "A5"\ndefine void @f(...) { %1 = alloca i64, i64 3, align 8, addrspace(5)\n ret void }\n',
        "define i32 @f(i32 %0) { switch i32 %0, label %2 [ ]\n2:\n ret i32 -1 }\n",
        'define void @f() { call void asm sideeffect inteldialect "a\\0Ab", "~{x}"()\n ret void }\n',
        "declare void @llvm.foo.bar()\ndeclare void @llvm.assume(i1)\n",
        'define void @f() { call void @g() [ "a\\22"(i32 1, ptr null), "b"() ]\n ret void }\ndeclare void @g()\n',
        "define cc 99 void @f() { call cc 1023 void @f()\n ret void }\n",
        "define x86_intrcc void @f(ptr byval(i32) %0) prefix i32 1 prologue i8 2 personality ptr @f { ret void }\n",
        '!n = !{}\n!\\31m2\\20 = !{}\n!o = !{!0}\n!0 = distinct !{!0, null, !"", i32 3, ptr null}\n',
        "@g = global i32 0, !a !0, !dbg !1, !b !0, !a !0\n!0 = !{}\n!1 = !{i32 1}\n",
        "define i128 @f() { ret i128 -170141183460469231731687303715884105728 }\n",
        'target datalayout = "P1"\ndefine void @f() addrspace(1) { call addrspace(1) void @f()\n ret void }\n',
        "define float @f(float %x) { %y = fadd nnan nsz float %x, 1.0\n %z = fneg fast float %y\n ret float %z }\n",
        "define ptr @f(<1 x ptr> %a) { %b = bitcast <1 x ptr> %a to ptr\n ret ptr %b }\n",
        "define <{ half }> @f() { %a = call nnan <{ half }> @f()\n ret <{ half }> %a }\n",
        "define i1 @f(i32 %a) { %b = icmp samesign ult i32 %a, 3\n %c = or disjoint i1 %b, true\n ret i1 %c }\n",
    ],
)
def test_forms(text: str, tmp_path: Path) -> None:
    assert_printed_as_llvm_does(text, tmp_path)


TENSOR_MAPS = {
    "elemtype": 18,
    "interleave.layout": 5,
    "swizzle.mode": 7,
    "swizzle.atomicity": 6,
    "fill.mode": 4,
}


def test_what_immediate_arguments_mean(tmp_path: Path) -> None:
    calls, declarations = [], []
    for name, count in TENSOR_MAPS.items():
        function = f"@llvm.nvvm.tensormap.replace.{name}.p1"
        declarations.append(f"declare void {function}(ptr addrspace(1), i32 immarg)")
        calls += [f"call void {function}(ptr addrspace(1) %p, i32 {number})" for number in range(count)]
    tensor = "@llvm.nvvm.tcgen05.mma.tensor"
    types = "ptr addrspace(6), ptr addrspace(6), i64, i32, i1, i32 immarg, i32 immarg, i32 immarg"
    declarations.append(f"declare void {tensor}({types})")
    front = "ptr addrspace(6) null, ptr addrspace(6) null, i64 0, i32 0, i1 0"
    calls += [f"call void {tensor}({front}, i32 {n}, i32 {n}, i32 {n})" for n in range(4)]
    body = "\n".join([*calls, "ret void"])
    text = "\n".join(declarations) + f"\ndefine void @f(ptr addrspace(1) %p) {{\n{body}\n}}\n"
    assert_printed_as_llvm_does(text, tmp_path)
