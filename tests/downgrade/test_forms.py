"""Constructs that all versions know, in the form that an older one has: its reader and verifier accept the result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bitcodec
from bitcodec import Module
from bitcodec.downgrade.expansions.targets import BFLOAT_PRODUCTS, BFLOAT_VECTORS, BYTE_PRODUCTS
from bitcodec.ir.debug_info import DIEnumerator
from bitcodec.ir.instructions import Call
from bitcodec.ir.runs import MAX_RUN
from bitcodec.tables.intrinsics import intrinsic_rows

from .oracles import verify

pytestmark = pytest.mark.same_in_both

PRODUCTS = """
define <16 x i32> @bytes(<16 x i32> %a, <64 x i8> %b) {
  %c = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %a, <64 x i8> %b, <64 x i8> %b)
  ret <16 x i32> %c
}
define <8 x bfloat> @numbers(<4 x float> %a, <8 x bfloat> %b, <4 x i1> %mask) {
  %c = call <4 x float> @llvm.x86.avx512bf16.dpbf16ps.128(<4 x float> %a, <8 x bfloat> %b, <8 x bfloat> %b)
  %d = call <8 x bfloat> @llvm.x86.avx512bf16.mask.cvtneps2bf16.128(<4 x float> %c, <8 x bfloat> %b, <4 x i1> %mask)
  %e = call <8 x bfloat> @llvm.x86.avx512bf16.cvtne2ps2bf16.128(<4 x float> %c, <4 x float> %a)
  %f = select i1 true, <8 x bfloat> %d, <8 x bfloat> %e
  ret <8 x bfloat> %f
}
declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>, <64 x i8>, <64 x i8>)
declare <4 x float> @llvm.x86.avx512bf16.dpbf16ps.128(<4 x float>, <8 x bfloat>, <8 x bfloat>)
declare <8 x bfloat> @llvm.x86.avx512bf16.mask.cvtneps2bf16.128(<4 x float>, <8 x bfloat>, <4 x i1>)
declare <8 x bfloat> @llvm.x86.avx512bf16.cvtne2ps2bf16.128(<4 x float>, <4 x float>)
"""
ENDS = """
define void @f(ptr %handle, ptr %value) presplitcoroutine {
  %token = call token (...) @llvm.coro.end.results(ptr %value)
  call void (ptr, i1, ...) @llvm.coro.end.async(ptr %handle, i1 false, ptr @g, ptr %value)
  ret void
}
define void @g(ptr %value) {
  ret void
}
declare token @llvm.coro.end.results(...)
declare void @llvm.coro.end.async(ptr, i1, ...)
"""
ANNOTATED = """
define void @f() {
  %a = alloca i32, align 4, !annotation !0
  %b = alloca i32, align 4, !annotation !1
  ret void
}
!names = !{!0}
!0 = !{!2, !"plain"}
!1 = !{!"plain"}
!2 = !{!"alloca_name_altered", !"a"}
"""
ALLOCATORS = """
declare ptr @new(i64) allockind("alloc,uninitialized") "alloc-variant-zeroed"="new_zeroed" "alloc-family"="new"
declare ptr @new_zeroed(i64) allockind("alloc,zeroed") "alloc-family"="new"
"""


def written(text: str, version: int, folder: Path) -> tuple[Module, list[bitcodec.Loss]]:
    """Return what is read of a module that is written for a version, whose reader accepts it, and what is lost."""
    losses: list[bitcodec.Loss] = []
    path = folder / f"{version}.bc"
    bitcodec.save(bitcodec.parse_assembly(text), path, llvm_version=version, on_loss=losses.append)
    assert verify(version, path) == ""
    return bitcodec.open(path), losses


@pytest.mark.parametrize("version", [21, 15, 14, 11])
def test_vectors_have_the_elements_that_they_had(version: int, tmp_path: Path) -> None:
    module, losses = written(PRODUCTS, version, tmp_path)
    found = {loss.construct: loss.instead for loss in losses if loss.construct.startswith("llvm.x86")}
    assert found.pop("llvm.x86.avx512.vpdpbusd.512") == "vectors of i32"
    assert set(found.values()) == (set() if version == 21 else {"vectors of i32", "vectors of i16"})
    assert module.functions["numbers"].return_type is module.context.types.vector(8, module.context.types.bfloat)


def test_all_products_of_x86_have_their_elements() -> None:
    """LLVM 22 gave them vectors of bytes and words, LLVM 16 those with `bfloat`; its own list has the names."""
    products = {name for name in intrinsic_rows() if re.match(r"x86\.avx\w+\.vpdp", name)}
    with_bfloat = {name for name in intrinsic_rows() if name.startswith("x86.avx512bf16.")}

    assert set(BYTE_PRODUCTS) == products
    assert {*BFLOAT_PRODUCTS, *BFLOAT_VECTORS} == with_bfloat


@pytest.mark.parametrize("version", [19, 17, 9])
def test_rounding_to_vectors_of_integers(version: int, tmp_path: Path) -> None:
    text = """
        define <2 x i64> @f(<2 x float> %a) {
          %b = call <2 x i64> @llvm.lround.v2i64.v2f32(<2 x float> %a)
          ret <2 x i64> %b
        }
        define i64 @g(float %a) {
          %b = call i64 @llvm.lround.i64.f32(float %a)
          ret i64 %b
        }
        declare <2 x i64> @llvm.lround.v2i64.v2f32(<2 x float>)
        declare i64 @llvm.lround.i64.f32(float)
    """
    _, losses = written(text, version, tmp_path)
    lowered = [(loss.construct, loss.since, loss.place) for loss in losses if loss.construct == "llvm.lround"]
    assert lowered == [("llvm.lround", 20, "f")]


def test_registers_of_mmx_are_refused() -> None:
    module = bitcodec.parse_assembly(
        "define <1 x i64> @f(<1 x i64> %a) {\n  %b = call <1 x i64> @llvm.x86.mmx.padd.b(<1 x i64> %a, <1 x i64> %a)\n"
        "  ret <1 x i64> %b\n}\ndeclare <1 x i64> @llvm.x86.mmx.padd.b(<1 x i64>, <1 x i64>)\n"
    )
    assert bitcodec.dumps(module, llvm_version=20)
    with pytest.raises(bitcodec.EncodingError, match=r"llvm\.x86\.mmx\.padd\.b in @f cannot be written for LLVM 19"):
        bitcodec.dumps(module, llvm_version=19)


@pytest.mark.parametrize("version", [8, 9, 10, 11])
@pytest.mark.parametrize(("type_", "output", "value"), [("void", "", ""), ("i32", "=r", "0")])
def test_callbr_is_refused_where_its_reader_refuses_it(
    type_: str, output: str, value: str, version: int, tmp_path: Path
) -> None:
    call = f'callbr {type_} asm "", "{output}"() to label %end []'
    module = bitcodec.parse_assembly(f"define {type_} @f() {{\n  {call}\nend:\n  ret {type_} {value}\n}}\n")
    path = tmp_path / "module.bc"
    bitcodec.save(module, path, llvm_version=11)
    is_refused = False
    try:
        bitcodec.save(module, path, llvm_version=version)
    except bitcodec.EncodingError:
        is_refused = True
    assert is_refused is (verify(version, path) != "")


def test_ends_of_coroutines_are_told_apart(tmp_path: Path) -> None:
    module, losses = written(ENDS, 21, tmp_path)
    assert [loss.construct for loss in losses if loss.action == "lowered"] == ["llvm.coro.end.async"]
    call = next(each for each in module.functions["f"].instructions if "async" in str(each))
    assert isinstance(call, Call)
    assert len(call.arguments) == 4


@pytest.mark.parametrize("version", [17, 16, 12, 11])
def test_details_of_annotations(version: int, tmp_path: Path) -> None:
    module, losses = written(ANNOTATED, version, tmp_path)
    lost = [(loss.construct, loss.place, loss.occurrences) for loss in losses if "annotation" in loss.construct]
    assert lost == ([("details of !annotation", "f", 1)] if version in (12, 16) else [])
    first, second, _ = module.functions["f"].instructions
    assert len(first.metadata["annotation"].operands) == (3 if lost else 2)
    assert len(second.metadata["annotation"].operands) == 1


@pytest.mark.parametrize(("version", "lost"), [(11, 0), (10, 2), (7, 2), (6, 2)])
def test_enumerators_that_64_bits_cannot_hold_are_reported(version: int, lost: int, tmp_path: Path) -> None:
    text = """
        !names = !{!0, !1, !2, !3}
        !0 = !DIEnumerator(name: "a", value: 9223372036854775808)
        !1 = !DIEnumerator(name: "b", value: 9223372036854775808, isUnsigned: true)
        !2 = !DIEnumerator(name: "c", value: -5)
        !3 = !DIEnumerator(name: "d", value: 18446744073709551616, isUnsigned: true)
    """
    module, losses = written(text, version, tmp_path)
    nodes = module.named_metadata["names"].operands
    kept = [node.value for node in nodes if isinstance(node, DIEnumerator)][1:3]
    assert kept == [(1 << 63) - (1 << 64 if version < 7 else 0), -5]
    assert sum(loss.occurrences for loss in losses if loss.construct.startswith("value of !DIEnumerator")) == lost


@pytest.mark.parametrize("version", [15, 14])
def test_allocators_name_no_other_ones_without_their_kind(version: int, tmp_path: Path) -> None:
    module, losses = written(ALLOCATORS, version, tmp_path)
    names = {each.name for each in module.functions["new"].attributes.for_function}
    assert ("alloc-variant-zeroed" in names) is (version == 15)
    assert any("alloc-variant-zeroed" in loss.construct for loss in losses) is (version == 14)
    assert "alloc-family" in names


def test_long_blocks_that_were_changed_get_typed_pointers(tmp_path: Path) -> None:
    lines = [f"  %v{number} = load i32, ptr %p\n" for number in range(MAX_RUN + 1)]
    module = bitcodec.parse_assembly(
        f"define void @f(ptr %p) {{\n{''.join(lines)}  store ptr %p, ptr %p\n  ret void\n}}\n"
    )
    block = module.functions["f"].entry_block
    assert block is not None
    block.instructions[1].erase_from_parent()
    path = tmp_path / "14.bc"
    bitcodec.save(module, path, llvm_version=14)
    assert verify(14, path) == ""
    assert len(list(bitcodec.open(path).functions["f"].instructions)) >= MAX_RUN + 2


# The verifier of LLVM 22 accepts these calls, those of the older versions accept them as they are.
@pytest.mark.parametrize(
    ("name", "element", "operands"),
    [
        ("vp.add", "float", 2),
        ("vp.bswap", "i8", 1),
        ("vp.fadd", "i32", 2),
        ("vp.fshl", "float", 3),
        ("vp.sdiv", "float", 2),
        ("vp.sqrt", "i32", 1),
        ("vp.umax", "float", 2),
    ],
)
@pytest.mark.parametrize("version", [4, 10])
def test_masked_operations_on_elements_of_another_kind_stay_calls(
    name: str, element: str, operands: int, version: int, tmp_path: Path
) -> None:
    vector = f"<4 x {element}>"
    mangled = f"llvm.{name}.v4{element.replace('float', 'f32')}"
    values = ", ".join([f"{vector} %a"] * operands)
    assert_kept(
        f"define {vector} @f({vector} %a, <4 x i1> %m, i32 %n) {{\n"
        f"  %b = call {vector} @{mangled}({values}, <4 x i1> %m, i32 %n)\n  ret {vector} %b\n}}\n"
        f"declare {vector} @{mangled}({values.replace(' %a', '')}, <4 x i1>, i32)\n",
        f"llvm.{name}",
        version,
        tmp_path,
    )


def assert_kept(text: str, construct: str, version: int, folder: Path) -> None:
    _, losses = written(text, version, folder)
    assert (construct, "kept") in {(loss.construct, loss.action) for loss in losses}


@pytest.mark.parametrize("family", ["vector.reduce", "vp.reduce"])
def test_reductions_of_elements_of_another_kind_stay_calls(family: str, tmp_path: Path) -> None:
    name = f"llvm.{family}.fmaximum"
    masks = family == "vp.reduce"
    values = ("i32 %s, " * masks) + "<4 x i32> %a" + ", <4 x i1> %m, i32 %n" * masks
    text = (
        f"define i32 @f(i32 %s, <4 x i32> %a, <4 x i1> %m, i32 %n) {{\n  %b = call i32 @{name}.v4i32({values})\n"
        f"  ret i32 %b\n}}\ndeclare i32 @{name}.v4i32({re.sub(' %[a-z]', '', values)})\n"
    )
    assert_kept(text, name, 14, tmp_path)


# Of these calls, too, LLVM 22 accepts some without a meaning.
@pytest.mark.parametrize(
    ("name", "suffix", "result", "parameter"),
    [
        ("fptosi.sat", "i8.v2f64", "i8", "<2 x double>"),
        ("fptoui.sat", "v2i64.f32", "<2 x i64>", "float"),
        ("frexp", "v2f16.v4i32", "{ <2 x half>, <4 x i32> }", "<2 x half>"),
    ],
)
def test_conversions_to_another_number_of_elements_stay_calls(
    name: str, suffix: str, result: str, parameter: str, tmp_path: Path
) -> None:
    text = (
        f"define {result} @f({parameter} %a) {{\n  %b = call {result} @llvm.{name}.{suffix}({parameter} %a)\n"
        f"  ret {result} %b\n}}\ndeclare {result} @llvm.{name}.{suffix}({parameter})\n"
    )
    assert_kept(text, f"llvm.{name}", 10, tmp_path)


OLD = """
define void @f(ptr %p) presplitcoroutine {
  call void @llvm.instrprof.increment.step(ptr %p, i64 1, i32 1, i32 0, i64 2)
  call void @llvm.coro.end(ptr %p, i1 false, token none)
  ret void
}
declare void @llvm.instrprof.increment.step(ptr, i64, i32, i32, i64)
declare void @llvm.coro.end(ptr, i1, token)
"""


# The verifier of LLVM 4 accepts `void @llvm.coro.end(i8*, i1)`, that of LLVM 5 `i1 @llvm.coro.end(i8*, i1)`.
@pytest.mark.parametrize("version", [4, 5])
def test_intrinsics_of_llvm_4(version: int, tmp_path: Path) -> None:
    _, losses = written(OLD, version, tmp_path)
    found = {loss.construct: loss.instead for loss in losses}
    assert found["llvm.coro.end"] == "its older form"
    assert "llvm.instrprof.increment.step" not in found


ATOMIC_COPY = """
declare void @llvm.memmove.element.unordered.atomic.p0.p0.i32(ptr, ptr, i32, i32 immarg)
define void @f(ptr %p, ptr %q) {
  call void @llvm.memmove.element.unordered.atomic.p0.p0.i32(ptr align 4 %p, ptr align 4 %q, i32 8, i32 4)
  ret void
}
"""


def test_atomic_copies_of_elements_are_in_llvm_5(tmp_path: Path) -> None:
    module, losses = written(ATOMIC_COPY, 5, tmp_path)
    assert not any("memmove" in loss.construct for loss in losses)
    assert "memmove.element" in str(module)
    with pytest.raises(bitcodec.EncodingError, match="LLVM 5 is the first that has it"):
        written(ATOMIC_COPY, 4, tmp_path)


ANNOTATED_POINTER = """
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr{space} %s) {{
  %a = call ptr addrspace(1) @llvm.ptr.annotation.p1.p{number}(
    ptr addrspace(1) %p, ptr{space} %s, ptr{space} %s, i32 1, ptr{space} null)
  ret ptr addrspace(1) %a
}}
declare ptr addrspace(1) @llvm.ptr.annotation.p1.p{number}(ptr addrspace(1), ptr{space}, ptr{space}, i32, ptr{space})
"""


# The verifiers of these versions accept strings in address space 0 only.
@pytest.mark.parametrize("version", [4, 10, 13, 15])
def test_strings_of_annotations_are_in_address_space_0(version: int, tmp_path: Path) -> None:
    module, _ = written(ANNOTATED_POINTER.format(space="", number=0), version, tmp_path)
    assert "llvm.ptr.annotation.p1" in str(module)
    with pytest.raises(bitcodec.EncodingError, match=r"llvm\.ptr\.annotation\.p1\.p1"):
        written(ANNOTATED_POINTER.format(space=" addrspace(1)", number=1), version, tmp_path)


TOO_FEW = """
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, <2 x double>)
declare double @llvm.powi.f64.i32(double, i32)
define <2 x double> @f(ptr %p, <2 x i1> %m, double %d) {
  %a = call <2 x double> (ptr, <2 x i1>) @llvm.masked.load.v2f64.p0(ptr %p, <2 x i1> %m)
  %b = call double (double) @llvm.powi.f64.i32(double %d)
  ret <2 x double> %a
}
"""


@pytest.mark.parametrize("version", [4, 14, 15, 21])
def test_intrinsics_that_are_called_with_other_arguments_are_declared_with_them(version: int) -> None:
    written = str(bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(TOO_FEW), llvm_version=version)))
    assert "declare double @llvm.powi.f64.i32(double)" in written
    assert "%b = call double @llvm.powi.f64.i32(double %d)" in written
    assert re.search(r"%a = call <2 x double> @llvm\.masked\.load\.\w+\.\w+\(ptr %[p1], <2 x i1> %m\)", written)


REDUCTION = """
declare i32 @llvm.vector.reduce.add.v{count}i32(<{count} x i32>)
define i32 @f(<{count} x i32> %a) {{
  %b = call i32 @llvm.vector.reduce.add.v{count}i32(<{count} x i32> %a)
  ret i32 %b
}}
"""


# LLVM 7 computes wrong sums of vectors whose length is no power of two.
@pytest.mark.parametrize(
    ("version", "count", "instead"),
    [
        (7, 4, "llvm.experimental.vector.reduce.add.v4i32"),
        (7, 3, "one operation for each element"),
        (10, 6, "one operation for each element"),
    ],
)
def test_reductions_are_written_for_each_element_if_lengths_are_odd(version: int, count: int, instead: str) -> None:
    losses: list[bitcodec.Loss] = []
    bitcodec.dumps(bitcodec.parse_assembly(REDUCTION.format(count=count)), llvm_version=version, on_loss=losses.append)
    assert [loss.instead for loss in losses if "reduce" in loss.construct] == [instead]
