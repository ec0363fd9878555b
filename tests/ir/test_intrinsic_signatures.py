"""Types of intrinsics: what LLVM 22 accepts, and which types names tell; the verdicts are those of its functions."""

from __future__ import annotations

import pytest

from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.intrinsic_signatures import Misfit, mangled_name, matched
from bitcodec.ir.module import Module
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import FunctionType, StructType
from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.upgrade.intrinsics.signatures import function_type_of

TYPES = TypeTable()
I32 = TYPES.integer(32)


def shape(text: str) -> FunctionType:
    return function_type_of(text, {}, TYPES)


@pytest.mark.parametrize(
    ("base", "signature", "verdict"),
    [
        ("abs", "i32(i32,i1)", "llvm.abs.i32"),
        ("abs", "f32(f32,i1)", Misfit.RESULT),
        ("abs", "i32(i64,i1)", Misfit.PARAMETER),
        ("abs", "i32(i32)", Misfit.PARAMETERS_OR_VARIABLE),
        ("abs", "i32(i32,i1,i1)", Misfit.PARAMETER),
        ("vector.reduce.add", "i32(v4i32)", "llvm.vector.reduce.add.v4i32"),
        ("vector.reduce.add", "v4f32(v4i32)", Misfit.RESULT),
        ("vector.reduce.add", "i32(i32)", Misfit.PARAMETER),
        ("sadd.with.overflow", "{v4i32,v4i1}(v4i32,v4i32)", "llvm.sadd.with.overflow.v4i32"),
        ("sadd.with.overflow", "{v4i32,i1}(v4i32,v4i32)", Misfit.RESULT),
        ("sadd.with.overflow", "i32(i32,i32)", Misfit.RESULT),
        ("masked.gather", "v4f32(v4p1,v4i1,v4f32)", "llvm.masked.gather.v4f32.v4p1"),
        ("masked.gather", "v4f32(v2p1,v4i1,v4f32)", Misfit.PARAMETER),
        ("masked.scatter", "void(v4f32,v4p0,v4i1)", "llvm.masked.scatter.v4f32.v4p0"),
        ("vector.deinterleave3", "{v2i8,v2i8,v2i8}(v6i8)", "llvm.vector.deinterleave3.v6i8"),
        ("vector.deinterleave3", "{v2i8,v2i8,v2i8}(v9i8)", Misfit.RESULT),
        ("aarch64.neon.shll", "v8i16(v8i8)", "llvm.aarch64.neon.shll.v8i16"),
        ("aarch64.neon.shll", "v8i16(v8i16)", Misfit.PARAMETER),
        ("aarch64.neon.shll", "v2f16(v2f16)", "llvm.aarch64.neon.shll.v2f16"),
        ("aarch64.sve.sdot", "nxv4i32(nxv4i32,nxv16i8,nxv16i8)", "llvm.aarch64.sve.sdot.nxv4i32"),
        ("aarch64.sve.sdot", "nxv4i32(nxv4i32,nxv8i16,nxv16i8)", Misfit.PARAMETER),
        ("aarch64.sve.rshrnb", "nxv16i8(nxv8i16,i32)", "llvm.aarch64.sve.rshrnb.nxv8i16"),
        ("aarch64.sve.rshrnb", "nxv8i8(nxv8i16,i32)", Misfit.RESULT),
        ("aarch64.sve.punpklo", "nxv1f64(nxv3f64)", "llvm.aarch64.sve.punpklo.nxv3f64"),
        ("prefetch", "void(p3,i32,i32,i32)", "llvm.prefetch.p3"),
        ("prefetch", "void(v2p0,i32,i32,i32)", Misfit.PARAMETER),
        ("trap", "void()", "llvm.trap"),
        ("trap", "i32()", Misfit.RESULT),
    ],
)
def test_verdicts(base: str, signature: str, verdict: str | Misfit) -> None:
    found = matched(base, shape(signature))
    if isinstance(verdict, Misfit):
        assert found is verdict
    else:
        assert not isinstance(found, Misfit)
        assert mangled_name(f"llvm.{base}", shape(signature), Module("m", DataLayout(""))) == verdict


def test_further_arguments() -> None:
    escape = TYPES.function(TYPES.void, is_vararg=True)
    assert matched("localescape", escape) == []
    assert matched("localescape", TYPES.function(TYPES.void)) is Misfit.PARAMETERS_OR_VARIABLE
    assert matched("trap", escape) is Misfit.VARIABLE
    assert matched("abs", TYPES.function(I32, [I32], is_vararg=True)) is Misfit.VARIABLE


def test_structs_are_literal_and_not_packed() -> None:
    elements = (I32, TYPES.integer(1))
    for odd in (StructType(elements, name="s"), TYPES.struct(elements, is_packed=True)):
        assert matched("sadd.with.overflow", TYPES.function(odd, [I32, I32])) is Misfit.RESULT


def test_every_signature_is_understood() -> None:
    deep = TYPES.vector(4, I32)
    for name in intrinsic_rows():
        for shape_ in (TYPES.function(TYPES.void), TYPES.function(deep, [deep] * 9), TYPES.function(I32, [TYPES.ptr])):
            matched(name, shape_)


def test_types_that_are_nested_deeply_fit_no_fixed_type() -> None:
    nested = I32
    for _ in range(60):
        nested = TYPES.struct([nested, nested])
    assert matched("trap", TYPES.function(nested)) is Misfit.RESULT
