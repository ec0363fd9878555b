"""Writing for the translator to SPIR-V: typed pointers, types of OpenCL as clang 14 has them, no other instructions."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec import Loss, bitstream
from bitcodec.bitcode.schema.blocks import BlockId, TypeCode
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.downgrade.profiles.mangled_parameters import pointees_of
from bitcodec.ir.context import Context
from bitcodec.ir.functions import Function
from bitcodec.ir.module import Module

TARGET = "spir64-unknown-unknown"


def kernel(*parameters: str) -> tuple[Module, Function, Builder]:
    """Return a module with a kernel whose parameters are `ptr` (to global memory) or have the names of types."""
    module = new_module("device", target_triple=TARGET)
    types = module.context.types
    kinds = [types.pointer(1) if each == "ptr" else getattr(types, each) for each in parameters]
    function = add_function(module, "kernel", types.function(types.void, kinds), calling_convention="spir_kernel")
    return module, function, Builder(add_block(function))


def lowered(module: Module, profile: str = "spirv-14") -> tuple[str, list[Loss]]:
    """Return the text of what is written, and the losses."""
    losses: list[Loss] = []
    data = bitcodec.dumps(module, profile=profile, on_loss=losses.append)
    return str(bitcodec.loads(data)), losses


def names_of_structs(data: bytes) -> list[str]:
    (module,) = [block for block in bitstream.loads(data).blocks if block.id == BlockId.MODULE_BLOCK]
    (types,) = [block for block in module.blocks if block.id == BlockId.TYPE_BLOCK]
    return [bytes(record.operands).decode() for record in types.records if record.code == TypeCode.STRUCT_NAME]


def translate(data: bytes, folder: Path) -> None:
    (folder / "a.bc").write_bytes(data)
    ask(["llvm-spirv-14", folder / "a.bc", "-o", os.devnull], check=True)


def test_images_and_samplers_are_opaque_pointers(tmp_path: Path) -> None:
    module = new_module("device", target_triple=TARGET)
    types = module.context.types
    image = types.target_extension("spirv.Image", [types.void], [1, 0, 1, 0, 0, 0, 0])
    sampler = types.target_extension("spirv.Sampler")
    function = add_function(module, "f", types.function(types.void, [image, sampler]), calling_convention="spir_func")
    Builder(add_block(function)).ret()
    data = bitcodec.dumps(module, profile="spirv-14")
    assert names_of_structs(data) == ["opencl.image2d_array_ro_t", "opencl.sampler_t"]
    read = bitcodec.loads(data)
    assert "void @f(ptr addrspace(1) %0, ptr addrspace(2) %1)" in str(read.functions["f"])
    assert bitcodec.dumps(module, profile="spirv-15") == data
    assert "spirv.Image" in str(bitcodec.loads(bitcodec.dumps(module, profile="spirv-16")))
    translate(data, tmp_path)


def test_parameters_of_builtins_have_the_types_that_their_names_say(tmp_path: Path) -> None:
    module, function, builder = kernel("ptr")
    types = module.context.types
    type_ = types.function(types.integer(32), [types.pointer(1), types.integer(32)])
    add = add_function(module, "_Z10atomic_addPU3AS1Vii", type_, calling_convention="spir_func")
    builder.call(add, [function.arguments[0], 1])
    builder.ret()
    data = bitcodec.dumps(module, profile="spirv-14")
    assert "elementtype" not in str(bitcodec.loads(data))
    translate(data, tmp_path)


def test_typed_pointers_alone_declare_what_they_point_to() -> None:
    """Verifiers refuse `elementtype` of functions that are no intrinsics; for typed pointers it is not written."""
    module, function, builder = kernel("ptr")
    types = module.context.types
    type_ = types.function(types.integer(32), [types.pointer(1), types.integer(32)])
    builder.call(add_function(module, "_Z10atomic_addPU3AS1Vii", type_), [function.arguments[0], 1])
    builder.ret()
    assert not bitcodec.loads(bitcodec.dumps(module, profile="spirv-16")).verify()


DEBUG_INFO = """
target triple = "spir64-unknown-unknown"
define spir_func void @f(i32 %x) !dbg !4 {
    #dbg_value(i32 %x, !8, !DIExpression(DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !9)
    #dbg_value(i32 %x, !8, !DIExpression(DW_OP_plus_uconst, 1, DW_OP_stack_value), !9)
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{null, !7}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 1, type: !7)
!9 = !DILocation(line: 1, scope: !4)
"""


def test_debug_information_that_the_translator_ends_on() -> None:
    text, losses = lowered(bitcodec.parse_assembly(DEBUG_INFO))
    assert "#dbg_value(i32 poison, " in text or "#dbg_value(i32 undef, " in text
    assert "DW_OP_LLVM_convert" not in text
    assert "DIExpression(DW_OP_plus_uconst, 1, DW_OP_stack_value)" in text
    assert "dwarfAddressSpace: 0" in text
    assert [loss.action for loss in losses if "DIExpression" in loss.construct] == ["dropped"]


def test_freeze_reductions_and_overflow() -> None:
    module, function, builder = kernel("ptr")
    (pointer,) = function.arguments
    types = module.context.types
    word, four = types.integer(32), types.vector(4, types.integer(32))
    vector = builder.freeze(builder.load(four, pointer))
    total = builder.intrinsic("llvm.vector.reduce.add.v4i32", word, [vector])
    pair = builder.intrinsic("llvm.uadd.with.overflow.i32", types.struct([word, types.integer(1)]), [total, total])
    builder.store(builder.extractvalue(pair, 1), pointer)
    builder.ret()
    text, losses = lowered(module)
    assert [word in text for word in ("freeze", "llvm.vector.reduce", "with.overflow")] == [False] * 3
    assert text.count("extractelement <4 x i32>") == 4
    assert [loss.construct for loss in losses if loss.reader] == [
        "freeze",
        "llvm.vector.reduce.add",
        "llvm.uadd.with.overflow",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("_Z10atomic_addPU3AS1Vii", ["i32", None]),
        ("_Z5fractDv4_fPU3AS1S_", [None, "<4 x float>"]),
        ("_Z21async_work_group_copyPU3AS3Dv2_hPU3AS1KS_m9ocl_event", ["<2 x i8>", "<2 x i8>", None, None]),
        ("_Z6vstorePDhPKc", ["half", "i8"]),
        ("_Z1fPPi", [None]),
        ("_Z1fP14ocl_image2d_roi", [None, None]),
        ("main", []),
        ("_Z9999f", []),
        ("_Z1fPS9_", []),
        ("_Z1f" + "P" * 10_000 + "i", [None]),
    ],
)
def test_mangled_parameters(name: str, expected: list[str | None]) -> None:
    found = pointees_of(name, Context().types)
    assert [None if each is None else str(each) for each in found] == expected


def odd_integer(builder: Builder, function: Function) -> None:
    builder.load(builder.types.integer(24), function.arguments[0])


def long_vector(builder: Builder, function: Function) -> None:
    builder.load(builder.types.vector(5, builder.types.integer(32)), function.arguments[0])


def function_pointer(builder: Builder, function: Function) -> None:
    builder.call(function.arguments[0], [], function_type=builder.types.function(builder.types.void, []))


def atomic_nand(builder: Builder, function: Function) -> None:
    one = builder.constants.integer(builder.types.integer(32), 1)
    builder.atomicrmw("nand", function.arguments[0], one, ordering="monotonic")


def wide_product(builder: Builder, function: Function) -> None:
    word = builder.types.integer(64)
    value = builder.load(word, function.arguments[0])
    result = builder.types.struct([word, builder.types.integer(1)])
    builder.intrinsic("llvm.umul.with.overflow.i64", result, [value, value])


def unknown_to_the_translator(builder: Builder, _function: Function) -> None:
    builder.intrinsic("llvm.get.fpenv.i32", builder.types.integer(32))


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (
            odd_integer,
            r"^integer type of other than 8, 16, 32 or 64 bits in @kernel cannot be written",
        ),
        (long_vector, r"^vector of other than 2, 3, 4, 8 or 16 elements in @kernel"),
        (function_pointer, r"^call of a function pointer in @kernel"),
        (atomic_nand, r"^atomicrmw nand in @kernel cannot be written for llvm-spirv 14: it has no other form there"),
        (
            unknown_to_the_translator,
            r"^llvm\.get\.fpenv in @kernel cannot be written for llvm-spirv 14: LLVM 17",
        ),
    ],
)
def test_what_has_no_other_form_is_refused(add: Callable[[Builder, Function], None], message: str) -> None:
    module, function, builder = kernel("ptr")
    add(builder, function)
    builder.ret()
    with pytest.raises(bitcodec.EncodingError, match=message):
        bitcodec.dumps(module, profile="spirv-14")


def test_other_targets_are_refused() -> None:
    with pytest.raises(bitcodec.EncodingError, match=r"^target other than spir, spir64"):
        bitcodec.dumps(new_module("host", target_triple="x86_64-linux-gnu"), profile="spirv-15")
