"""Kernels that are written for libNVVM compute the same on the host as the originals.

`python -m tests.downgrade.device` runs all kernels; here a few of each kind are run, with `--live`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import bitcodec
from amounts import some
from bitcodec.doctor import diagnose
from bitcodec.ir.instructions import BinaryOperator, Call, FCmp, UnaryOperator
from bitcodec.tables.intrinsics import intrinsic_rows
from libnvvm import compile_to_ptx

from .__main__ import digest, recorded, written_module, written_text
from .host import comparable, compile_library, for_host, joined, outputs, written_for_host
from .kernels import LAYOUT, TRIPLE, Shape, kernels

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.same_in_both

STEP = 40
LEAST_KERNELS = 300
LOWERED = re.compile(r"llvm\.(?:vector\.|vp\.|[su](?:mul|div)\.fix|[su]?m(?:ax|in)(?:num|imum)|fpto[su]i\.sat|fsh|abs)")
"""Intrinsics that nothing may be left of."""


def test_there_are_enough_kernels() -> None:
    assert len(kernels()) >= LEAST_KERNELS


TYPES = ("i1", "i8", "i16", "i32", "i64", "i128", "half", "bfloat", "float", "double")


def test_kernels_cover_every_reduction_of_every_type_and_width() -> None:
    names = {each.name for each in kernels()}
    reductions = [each.rpartition(".")[2] for each in intrinsic_rows() if each.startswith("vector.reduce.")]
    assert len(reductions) == 15
    for name in reductions:
        types = [each for each in TYPES if each.startswith("i") != name.startswith("f")]
        for shape in (Shape(type_, count) for type_ in types for count in range(2, 17)):
            assert f"reduce_{name}_{shape.mangled}" in names


def test_nothing_is_left_that_libnvvm_lacks() -> None:
    for each in some(kernels()[::STEP], 20):
        module = bitcodec.open(bitcodec.dumps(bitcodec.parse_assembly(each.module), profile="nvvm"))
        assert not module.verify(), each.name
        for function in module.functions:
            for block in function.blocks:
                for instruction in block.instructions:
                    types = {str(value.type.scalar_type) for value in (instruction, *instruction.operands)}
                    assert not types & {"half", "bfloat"}, each.name
                    if isinstance(instruction, BinaryOperator) and instruction.opcode[1:] in {"div", "rem"}:
                        assert not types & {"i65", "i100"}, each.name
                    if isinstance(instruction, Call) and instruction.called_function is not None:
                        name = instruction.called_function.name
                        found = LOWERED.match(name)
                        assert found is None or name.startswith(("llvm.maxnum.", "llvm.minnum.")), each.name
                    if isinstance(instruction, UnaryOperator | FCmp):
                        assert not types & {"i16"}, each.name


def test_modules_are_those_whose_results_were_compared() -> None:
    """Without clang, a kernel computes what it is to compute if it is written as it was when its results were compared.

    After a change of what is written, `python -m tests.downgrade.device --step 8 --record` compares them again.
    """
    found = recorded()
    assert len(found) >= LEAST_KERNELS
    by_name = {each.name: each for each in kernels()}
    chosen = some(list(found.items()), 60)
    changed = [name for name, (written, _) in chosen if digest(written_module(by_name[name])) != written]
    assert changed == []


@pytest.mark.live
def test_results_are_the_same(tmp_path: Path) -> None:
    chosen = kernels()[5::STEP]
    originals = compile_library(joined(for_host(each.text) for each in chosen), tmp_path, "original")
    lowered = compile_library(joined(written_for_host(written_text(each)) for each in chosen), tmp_path, "written")
    for each in chosen:
        expected, found = (comparable(each, outputs(each, library)) for library in (originals, lowered))
        assert found == expected, each.name
        assert recorded().get(each.name, ("", digest(repr(expected))))[1] == digest(repr(expected)), each.name


PLAIN = f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n'


def ptx_of(text: str, folder: Path) -> str:
    """Return libNVVM's PTX for a module."""
    path = folder / "kernel.bc"
    path.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(PLAIN + text), profile="nvvm"))
    answer = compile_to_ptx(path, "80")
    assert answer.message == ""
    return answer.ptx


WIDE = [
    "%r = udiv i65 %a, %b",
    "%r = srem i100 %a, %b",
    "%f = sitofp i65 %a to float\n%r = fptoui float %f to i65",
    "%r = call i100 @llvm.fptosi.sat.i100.f32(float 1.0)",
    "%c = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 %b)\n%r = extractvalue { i128, i1 } %c, 0",
]


@pytest.mark.parametrize("lines", WIDE)
def test_libnvvm_compiles_wide_integers(lines: str, tmp_path: Path) -> None:
    type_ = re.search(r"i(?:65|100|128)", lines)
    assert type_ is not None
    text = f"define void @f(ptr %p, ptr %q) {{\n%a = load {type_[0]}, ptr %p\n%b = load {type_[0]}, ptr %q\n{lines}\n"
    assert ".visible .func f(" in ptx_of(f"{text}store {type_[0]} %r, ptr %p\nret void\n}}\n", tmp_path)


COPIES = """
define void @f(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


def test_copies_state_their_alignment() -> None:
    written = bitcodec.dumps(bitcodec.parse_assembly(PLAIN + COPIES), profile="nvvm")
    assert "(ptr align 1 %" in str(bitcodec.open(written))


def test_libnvvm_copies_bytes_one_by_one(tmp_path: Path) -> None:
    assert ".v4" not in ptx_of(COPIES, tmp_path)


VARIADIC = """
define i32 @f(i32 %n, ...) {
  %list = alloca ptr, align 8
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, double
  %rest = load ptr, ptr %list, align 8
  %b = load i32, ptr %rest, align 4
  %c = fptosi double %a to i32
  %d = add i32 %b, %c
  ret i32 %d
}
declare void @llvm.va_start.p0(ptr)
"""


def test_variable_arguments_have_generic_addresses() -> None:
    text = str(bitcodec.open(bitcodec.dumps(bitcodec.parse_assembly(PLAIN + VARIADIC), profile="nvvm")))
    assert "cvta.local.u64" in text
    assert "va_arg" not in text


@pytest.mark.parametrize("text", [COPIES, VARIADIC])
def test_what_is_written_needs_no_more(text: str) -> None:
    once = bitcodec.dumps(bitcodec.parse_assembly(PLAIN + text), profile="nvvm")
    losses: list[bitcodec.Loss] = []
    bitcodec.dumps(bitcodec.open(once), profile="nvvm", on_loss=losses.append)
    words = ("variable arguments", "alignment of llvm.memcpy")
    assert [loss for loss in losses if loss.construct in words] == []
    assert diagnose(once, versions=[7], profiles=["nvvm"])[0].profiles[0].is_clean


def test_libnvvm_reads_variable_arguments_by_generic_addresses(tmp_path: Path) -> None:
    ptx = ptx_of(VARIADIC, tmp_path)
    assert "ld.local" not in ptx
    assert "cvta.local" in ptx
