"""The table of which versions have LLVM 22's intrinsics."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import ask
from bitcodec.tables.intrinsic_history import Presence, first_version, presence
from bitcodec.tables.intrinsics import intrinsic_rows

SAME, FORM, IMMEDIATE, UNKNOWN, OTHER = Presence


@pytest.mark.parametrize(
    ("name", "kinds", "expected"),
    [
        ("x86.mmx.padd.b", "", {19: FORM, 20: SAME}),
        ("amdgcn.s.barrier", "", {4: SAME, 19: SAME}),
        ("amdgcn.perm", "", {12: UNKNOWN, 13: SAME, 19: SAME}),
        ("amdgcn.raw.buffer.load.format", "vf", {15: SAME, 19: SAME}),
        ("amdgcn.raw.buffer.load.format", "vi", {15: FORM, 19: FORM, 20: SAME}),
        ("riscv.vfadd.mask", "", {16: FORM, 17: SAME}),
        ("aarch64.sve.fmul.x2", "", {21: OTHER, 22: SAME}),
        ("aarch64.crc32b", "", {4: SAME, 21: SAME}),
        ("smul.fix.sat", "i", {8: OTHER, 9: SAME}),
        ("riscv.vqdot", "", {21: UNKNOWN, 22: SAME, 23: UNKNOWN, 24: UNKNOWN}),
        ("dx.lerp", "", {23: SAME, 24: UNKNOWN}),
        ("pseudoprobe", "", {23: SAME, 24: IMMEDIATE}),
        ("aarch64.neon.smull", "vi", {22: SAME, 23: SAME, 24: SAME}),
        ("aarch64.neon.smull", "vf", {22: SAME, 23: FORM, 24: FORM}),
        ("vp.sqrt", "vf", {23: SAME, 24: SAME}),
    ],
)
def test_answers_of_real_readers(name: str, kinds: str, expected: dict[int, Presence]) -> None:
    assert {version: presence(name, version, kinds) for version in expected} == expected


@pytest.mark.parametrize("version", [13, 16, 19])
@pytest.mark.parametrize(("kinds", "type_", "suffix"), [("i.i.vi", "i32", "i32"), ("f.i.vi", "float", "f32")])
def test_an_assembler_knows_the_same_kinds_of_swaps(
    version: int, kinds: str, type_: str, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / "swap.ll"
    name = f"{type_} @llvm.amdgcn.image.atomic.swap.1d.{suffix}.i32"
    path.write_text(
        f"declare {name}({type_}, i32, <8 x i32>, i32, i32)\n"
        f"define {type_} @f({type_} %data, i32 %at, <8 x i32> %image) {{\n"
        f"  %old = call {name}({type_} %data, i32 %at, <8 x i32> %image, i32 0, i32 0)\n"
        f"  ret {type_} %old\n}}\n",
        encoding="utf-8",
    )
    is_accepted = ask([f"llvm-as-{version}", path, "-o", "-"], keeps="digest").returncode == 0
    assert presence("amdgcn.image.atomic.swap.1d", version, kinds) is (SAME if is_accepted else FORM)


@pytest.mark.parametrize(
    ("name", "kinds", "sized", "expected"),
    [
        ("riscv.masked.atomicrmw.add", "i.p", "i32.p", {7: UNKNOWN, 8: SAME, 9: SAME, 21: SAME}),
        ("riscv.masked.atomicrmw.add", "i.p", "i64.p", {8: FORM, 9: SAME, 21: SAME}),
        ("riscv.masked.atomicrmw.add", "i.p", "i16.p", {8: FORM, 9: FORM, 21: FORM, 22: SAME}),
        ("nvvm.ex2.approx", "f", "f16", {14: UNKNOWN, 15: SAME, 21: SAME}),
        ("nvvm.ex2.approx", "f", "f32", {15: FORM, 21: FORM, 22: SAME}),
    ],
)
def test_numbers_of_bits_decide_where_kinds_do_not(
    name: str, kinds: str, sized: str, expected: dict[int, Presence]
) -> None:
    assert {version: presence(name, version, kinds, sized) for version in expected} == expected


def test_first_versions() -> None:
    assert first_version("x86.mmx.padd.b", 15) == 20
    assert first_version("aarch64.sve.fmul.x2", 15) == 22


def test_each_intrinsic_has_a_row() -> None:
    assert all(presence(name, version) in Presence for name in intrinsic_rows() for version in (4, 21, 22))
