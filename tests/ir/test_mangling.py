"""Names of intrinsics for types; the spellings are LLVM's."""

from __future__ import annotations

import pytest

from bitcodec.errors import BitcodecError
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.intrinsic_signatures import mangled_name, overloaded_types
from bitcodec.ir.mangling import intrinsic_name, mangled
from bitcodec.ir.module import Module
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import StructType, Type
from bitcodec.upgrade.intrinsics.signatures import function_type_of

TYPES = TypeTable()
I32, PTR = TYPES.integer(32), TYPES.ptr


@pytest.mark.parametrize(
    ("type_", "spelling"),
    [
        (TYPES.integer(7), "i7"),
        (TYPES.half, "f16"),
        (TYPES.bfloat, "bf16"),
        (TYPES.ppc_fp128, "ppcf128"),
        (TYPES.pointer(3), "p3"),
        (TYPES.vector(4, PTR), "v4p0"),
        (TYPES.vector(2, TYPES.float, is_scalable=True), "nxv2f32"),
        (TYPES.array(8, TYPES.integer(8)), "a8i8"),
        (TYPES.struct([I32, PTR]), "sl_i32p0s"),
        (StructType((I32,), name="struct.s"), "s_struct.ss"),
        (TYPES.function(TYPES.void, [PTR], is_vararg=True), "f_isVoidp0varargf"),
        (TYPES.function(I32, [I32]), "f_i32i32f"),
        (TYPES.target_extension("aarch64.svcount"), "taarch64.svcountt"),
        (TYPES.target_extension("spirv.Image", [TYPES.void], [1, 0]), "tspirv.Image_isVoid_1_0t"),
        (TYPES.metadata, "Metadata"),
        (TYPES.x86_amx, "x86amx"),
    ],
)
def test_types(type_: Type, spelling: str) -> None:
    assert mangled(type_) == spelling


def test_types_may_be_nested_deeply() -> None:
    type_: Type = I32
    for _ in range(5000):
        type_ = TYPES.array(1, type_)
    assert mangled(type_) == "a1" * 5000 + "i32"


def test_names() -> None:
    assert intrinsic_name("memcpy", [PTR, PTR, I32]) == "llvm.memcpy.p0.p0.i32"
    assert intrinsic_name("get.rounding", []) == "llvm.get.rounding"


@pytest.mark.parametrize(
    ("name", "signature", "wanted"),
    [
        ("llvm.memcpy.p0i8.p1i8.i64", "void(p0,p1,i64,i1)", "llvm.memcpy.p0.p1.i64"),
        ("llvm.powi.f32", "f32(f32,i32)", "llvm.powi.f32.i32"),
        ("llvm.fshl.i8", "i32(i32,i32,i32)", "llvm.fshl.i32"),
        ("llvm.memcpy.p0i8.p1i8.i64", "void(p0,p1,i64)", None),
        ("llvm.memcpy.p0i8.p1i8.i64", "void(i64,p1,i64,i1)", None),
        ("llvm.trap", "void()", "llvm.trap"),
        ("llvm.unheard.of", "void()", None),
    ],
)
def test_names_follow_declarations(name: str, signature: str, wanted: str | None) -> None:
    assert mangled_name(name, function_type_of(signature, {}, TYPES), Module("m", DataLayout(""))) == wanted


def test_overloads_of_structs() -> None:
    type_ = function_type_of("{i32,i1}(i32,i32)", {}, TYPES)
    assert overloaded_types("sadd.with.overflow", type_) == [I32]
    assert overloaded_types("sadd.with.overflow", function_type_of("i32(i32,i32)", {}, TYPES)) is None


def test_names_that_no_memory_holds() -> None:
    type_: Type = I32
    for _ in range(60):
        type_ = TYPES.struct([type_, type_])
    with pytest.raises(BitcodecError, match="the name of an intrinsic spells a type in more than 65536 characters"):
        intrinsic_name("ssa.copy", [type_])


def test_a_type_that_llvm_does_not_spell_is_refused() -> None:
    with pytest.raises(BitcodecError, match="cannot spell the type label"):
        mangled(TYPES.struct([I32, TYPES.label]))
