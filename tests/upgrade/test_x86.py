"""Old x86 intrinsics become what llvm-dis 22 makes of them."""

from __future__ import annotations

import random

import pytest

from amounts import some
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Call, Store
from bitcodec.ir.metadata import ConstantAsMetadata
from bitcodec.ir.module import Module
from bitcodec.upgrade.calls import upgrade_intrinsics
from bitcodec.upgrade.intrinsics.x86 import TABLE

from .x86_goldens import called, goldens, parsed, printed, upgraded

CASES = goldens()

FAMILIES = ("sse", "ssse3", "avx.", "avx2", "avx10", "avx512.mask.", "avx512.mask3", "avx512.maskz", "fma", "xop")


def family_of(case: str) -> str:
    name = parsed(case)[1]
    return next((family for family in FAMILIES if name.startswith(family)), "other")


@pytest.mark.parametrize("family", [*FAMILIES, "other"])
def test_calls_become_what_llvm_makes_of_them(family):
    cases = [case for case in CASES if family_of(case) == family]
    different = [case for case in cases if printed(upgraded(case)) != CASES[case]]
    assert cases
    assert different == []


def test_every_row_has_a_case():
    names = {parsed(case)[1] for case in CASES}
    prefixes = {name[:end] + "*" for name in names for end in range(1, len(name) + 1)}
    assert set(TABLE.rows) <= names | prefixes


def test_what_was_upgraded_stays():
    for case, listing in some([*CASES.items()], 500):
        module = upgraded(case)
        upgrade_intrinsics(module)
        assert printed(module) == listing


@pytest.mark.parametrize(
    "case",
    [
        "v16i8 sse2.padds.b(v16i8)",
        "v16i8 sse2.padds.b(v16i8,v16i8,v16i8)",
        "v16i8 sse2.padds.b(v16i8,v8i16)",
        "v3i32 sse2.padds.b(v3i32,v3i32)",
        "v4f32 sse2.padds.b(v4f32,v4f32)",
        "i32 sse2.padds.b(i32,i32)",
        "v16i32 avx512.mask.padd.d.512(v16i32,v16i32,v16i32,i8)",
        "v4i32 avx512.mask.padd.d.128(v4i32,v4i32,v4i32,i1)",
        "i16 avx512.mask.pcmpeq.d.128(v4i32,v4i32,i8)",
        "v4i32 sse2.pshuf.d(v4i32,v4i32)",
        "v2i64 avx512.mask.perm.di.256(v2i64,i32 3,v2i64,i8)",
        "v4f32 avx.vperm2f128.ps.256(v4f32,v4f32,i8 1)",
        "v4f64 avx.vinsertf128.pd.256(v4f64,v4f32,i8 1)",
        "v2i64 sse41.pmovsxbq(v2i64)",
        "v8f64 avx512.mask.max.pd.512(v8f64,v8f64,v8f64,i8)",
        "i64 rdtscp(i64)",
        "void addcarry.u32(i8,i32,i32,p0)",
        "v4i32 avx512.vpdpbusd.128(v4i32,v8i16,v8i16)",
        "v4i32 no.such.thing(v4i32)",
        "i32 xop.vpcmov()",
    ],
)
def test_other_declarations_stay(case):
    module = called(case)
    before = printed(module)
    upgrade_intrinsics(module)
    assert printed(module) == before


@pytest.mark.parametrize(
    "case",
    [
        "v4i32 sse2.pshuf.d(v4i32,i8)",
        "v2i64 sse2.psll.dq(v2i64,i32)",
        "i8 avx512.mask.cmp.d.128(v4i32,v4i32,i32,i8)",
        "i8 avx512.mask.cmp.d.128(v4i32,v4i32,i32 8,i8)",
        "v16i8 xop.vpcomb(v16i8,v16i8,i8 -1)",
        "v16f32 avx512.mask.add.ps.512(v16f32,v16f32,v16f32,i16,i32)",
    ],
)
def test_calls_without_a_sensible_constant_stay(case):
    module = called(case)
    before = printed(module)
    upgrade_intrinsics(module)
    assert printed(module) == before


def test_no_declaration_is_too_odd():
    chance = random.Random(22)
    spellings = ["i1", "i8", "i32", "i64", "p0", "f32", "v4f32", "v2f64", "v16i8", "v4i32", "v64i8", "v3i32", "v4i1"]
    for case in some([*CASES], 600):
        result, name, arguments = parsed(case)
        types = [result, *(type_ for type_, _ in arguments)]
        place = chance.randrange(len(types))
        types[place] = chance.choice(spellings)
        constants = ["", *(constant for _, constant in arguments)]
        constants[place] = ""
        spelled = [f"{type_} {constant}".strip() for type_, constant in zip(types, constants, strict=True)]
        if chance.random() < 0.3:
            spelled.pop()
        other = f"{types[0]} {name}({','.join(spelled[1:])})"
        assert "define" in printed(upgraded(other)), other


def test_names_of_several_calls_stay_apart():
    module = called("v4i32 avx512.mask.padd.d.128(v4i32,v4i32,v4i32,i8)")
    old, caller = module.functions
    (block,) = caller.blocks
    first, _ = block.instructions
    second = Call(old.value_type, old, [first, *first.arguments[1:]])
    second.insert_after(first)
    upgrade_intrinsics(module)
    names = [instruction.name for instruction in caller.instructions if instruction.name]
    assert names == ["extract", "extract1"]
    assert old.parent is None


def test_new_calls_take_names_where_llvm_lets_them():
    (renamed,) = (each for each in body("v4f32 xop.vfrcz.ss(v4f32,v4f32)") if isinstance(each, Call))
    (expanded,) = (each for each in body("v4f32 sse.sqrt.ps(v4f32)") if isinstance(each, Call))
    assert (renamed.name, expanded.name) == ("r", "")


def test_stores_past_the_cache_say_so():
    (store,) = (each for each in body("void avx.movnt.ps.256(p0,v8f32)") if isinstance(each, Store))
    (one,) = store.metadata["nontemporal"].operands
    assert isinstance(one, ConstantAsMetadata)
    assert isinstance(one.value, ConstantInt)
    assert (str(one.value.type), one.value.value, store.alignment) == ("i32", 1, 32)


def test_loads_are_aligned_as_the_target_says():
    module = called("v4f64 avx.vbroadcast.sd.256(p0)")
    module.data_layout = type(module.data_layout)("e-f64:32:64")
    upgrade_intrinsics(module)
    assert "load double, ptr %a0, align 4" in printed(module)


def body(case: str) -> list:
    return list(function_of(upgraded(case)).instructions)


def function_of(module: Module) -> Function:
    return next(function for function in module.functions if not function.is_declaration)
