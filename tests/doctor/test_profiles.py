"""What `doctor` says of readers with rules of their own is what these say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, add_variable, new_module
from bitcodec.doctor import Effect, Verdict, diagnose
from bitcodec.downgrade.profiles import PROFILES
from bitcodec.ir import Call
from bitcodec.ir.module import Module
from libnvvm import compile_to_ptx

ROOT = Path(__file__).parents[2]
HELLO = ROOT / "examples" / "hello.bc"
CUDA = "nvptx64-nvidia-cuda"
SILENT = "exit status 1"


def verdict_of(data: bytes, profile: str = "nvvm") -> Verdict:
    (diagnosis,) = diagnose(data, (), (profile,))
    (verdict,) = diagnosis.profiles
    assert (verdict.profile, verdict.reader) == (profile, PROFILES[profile].reader)
    return verdict


def device_module(*, has_fence: bool = False) -> Module:
    module = new_module("device", target_triple=CUDA)
    types = module.context.types
    function = add_function(module, "kernel", types.function(types.void, [types.ptr]), calling_convention="ptx_kernel")
    builder = Builder(add_block(function))
    if has_fence:
        builder.fence("seq_cst")
    value = builder.load(types.float, function.arguments[0])
    builder.store(builder.intrinsic("llvm.fabs.f32", types.float, [value]), function.arguments[0])
    builder.ret()
    return module


def as_nvvm_ir(module: Module) -> bytes:
    """Return bitcode of LLVM 7 with NVVM IR's version and data layout, in which nothing is lowered."""
    written = bitcodec.loads(bitcodec.dumps(device_module(), profile="nvvm"))
    module.data_layout = written.data_layout
    module.named_metadata["nvvmir.version"] = bitcodec.loads(bitcodec.dumps(written)).named_metadata["nvvmir.version"]
    return bitcodec.dumps(module, llvm_version=7)


def test_the_message_of_its_llvm_comes_first() -> None:
    verdict = verdict_of(bitcodec.dumps(device_module()))
    assert not verdict.reads
    assert verdict.message.startswith("module: parse Invalid value (Producer: 'bitcodec")
    assert verdict.message.endswith(" Reader: 'LLVM 7.0.1')")
    assert verdict.advice == ("bitcodec downgrade --for nvvm",)


def test_a_body_whose_debug_information_is_no_subprogram() -> None:
    text = f"""
        target triple = "{CUDA}"
        define void @f() !dbg !1 {{
          ret void
        }}
        !llvm.module.flags = !{{!0}}
        !0 = !{{i32 2, !"Debug Info Version", i32 3}}
        !1 = !DIFile(filename: "a", directory: "b")
    """
    verdict = verdict_of(bitcodec.dumps(bitcodec.parse_assembly(text), llvm_version=7))
    assert "broken module: function @f: function !dbg attachment must be a subprogram" in [
        each.construct for each in verdict.obstacles
    ]


def test_what_is_written_for_a_profile_is_read_by_it() -> None:
    verdict = verdict_of(bitcodec.dumps(device_module(has_fence=True), profile="nvvm"))
    assert verdict.is_clean
    assert verdict.advice == ()


def test_modules_of_llvm_7_have_no_version_of_nvvm_ir() -> None:
    verdict = verdict_of(bitcodec.dumps(device_module(), llvm_version=7))
    assert verdict.message == "IR version 1.0 incompatible with current version 2.0"
    assert [each.construct for each in verdict.obstacles][1] == "no data layout"


def test_each_construct_has_its_message_and_its_place() -> None:
    module = device_module(has_fence=True)
    data = as_nvvm_ir(module)
    verdict = verdict_of(data)
    found = [(each.message, each.construct, each.effect) for each in verdict.obstacles]
    assert found == [
        ("Illegal instruction: fence", "fence in @kernel", Effect.REFUSES),
        ("Unsupported intrinsic: llvm.fabs", "llvm.fabs in @kernel", Effect.REFUSES),
    ]
    assert verdict.obstacles[0].record == "MODULE_BLOCK, FUNCTION"
    assert 0 < verdict.obstacles[0].bit_offset < len(data) * 8


def test_constructs_without_another_form_have_other_advice() -> None:
    module = device_module()
    add_variable(module, "x", module.context.types.integer(32), None, linkage="extern_weak")
    verdict = verdict_of(as_nvvm_ir(module))
    assert "extern_weak linkage is not supported." in [each.message for each in verdict.obstacles]
    assert verdict.advice == ("change the program: the reader has no other form for it",)


def test_profiles_are_those_for_the_target() -> None:
    (diagnosis,) = diagnose(HELLO.read_bytes())
    assert diagnosis.profiles == ()
    (diagnosis,) = diagnose(bitcodec.dumps(device_module()))
    assert [verdict.profile for verdict in diagnosis.profiles] == ["nvvm"]
    module = new_module("device", target_triple="spir64-unknown-unknown")
    (diagnosis,) = diagnose(bitcodec.dumps(module, llvm_version=14))
    assert [verdict.profile for verdict in diagnosis.profiles] == ["spirv-14", "spirv-15", "spirv-16"]
    with pytest.raises(ValueError, match="profile must be one of nvvm, spirv-14"):
        diagnose(HELLO.read_bytes(), (), ("metal",))


def test_broken_modules_are_refused() -> None:
    module = device_module()
    types = module.context.types
    Builder(add_block(add_function(module, "f", types.function(types.void, [])))).fence("acquire")
    verdict = verdict_of(as_nvvm_ir(module))
    broken, *rest = verdict.obstacles
    assert broken.construct.startswith("broken module: function @f")
    assert "does not have terminator" in broken.construct
    assert broken.message == ""
    assert rest[0].message.startswith("Unsupported intrinsic")


def test_broken_globals_are_refused_in_silence() -> None:
    module = device_module()
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    function.add_attribute("jumptable")
    verdict = verdict_of(as_nvvm_ir(module))
    assert (verdict.reads, verdict.message) == (False, "")
    assert "Attribute 'jumptable' requires 'unnamed_addr'" in verdict.obstacles[0].construct


WRONG_TYPE = """
declare i32 @llvm.fabs.f32(float)
define void @f() {
  %x = call i32 @llvm.fabs.f32(float 0.0)
  ret void
}
"""
WRONG_ORDER = """
define i32 @g(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  br label %b
b:
  fence seq_cst
  ret i32 %x
}
"""
WRONG_FLAG = "!llvm.module.flags = !{!9}\n!9 = !{i32 1, i32 2}\n"
NO_DATA = "@x = appending global i32 0"
BROKEN = {
    # It prints what its LLVM says up to the last instruction or metadata.
    WRONG_TYPE: "",
    NO_DATA: "",
    WRONG_ORDER: "Instruction does not dominate all uses!",
    WRONG_FLAG: "incorrect number of operands in module flag",
    WRONG_TYPE + WRONG_ORDER: "Intrinsic has incorrect return type!",
    WRONG_ORDER + WRONG_TYPE: "Instruction does not dominate all uses!",
    WRONG_TYPE + WRONG_FLAG: "Intrinsic has incorrect return type!",
}
READ = """
define void @f(ptr %p, i1 %c) {
  %x = load i32, ptr %p, !tbaa !0, !noalias !1
  br i1 %c, label %a, label %a, !prof !2
a:
  ret void
}
!0 = !{!"tag"}
!1 = !{!"scope"}
!2 = !{!"branch_weights"}
"""
"""Tags of types that break rules are stripped on reading; LLVM 7 has no rules of scopes and profiles."""


OTHER_TARGETS = """
define float @scalar(double %x) {
  %y = call float @llvm.aarch64.sisd.fcvtxn(double %x)
  ret float %y
}
define <1 x i64> @short(<1 x i64> %x) {
  %y = call <1 x i64> @llvm.aarch64.neon.srshl.v1i64(<1 x i64> %x, <1 x i64> %x)
  ret <1 x i64> %y
}
define <2 x double> @vectors(<2 x double> %x, double %y, ptr %p) {
  %a = call float @llvm.aarch64.sisd.fcvtxn(double %y)
  store float %a, ptr %p
  call void @llvm.arm.neon.vst1.p0.v2f64(ptr %p, <2 x double> %x, i32 1)
  %b = call <2 x double> @llvm.x86.sse2.max.pd(<2 x double> %x, <2 x double> %x)
  ret <2 x double> %b
}
define <2 x float> @newer(<2 x float> %x, double %y) {
  %unused = call float @llvm.aarch64.sisd.fcvtxn(double %y)
  %a = call <2 x float> @llvm.aarch64.neon.faddp.v2f32(<2 x float> %x, <2 x float> %x)
  ret <2 x float> %a
}
declare float @llvm.aarch64.sisd.fcvtxn(double)
declare <1 x i64> @llvm.aarch64.neon.srshl.v1i64(<1 x i64>, <1 x i64>)
declare void @llvm.arm.neon.vst1.p0.v2f64(ptr, <2 x double>, i32)
declare <2 x double> @llvm.x86.sse2.max.pd(<2 x double>, <2 x double>)
declare <2 x float> @llvm.aarch64.neon.faddp.v2f32(<2 x float>, <2 x float>)
"""
SELECTED = {
    "scalar": "unsupported operation",
    "short": "Do not know how to scalarize the result of this operator!",
    "vectors": "Do not know how to split the result of this operator!",
    "newer": "",
}


def with_one(name: str) -> bytes:
    """Return a module with one of the functions that call intrinsics of other targets."""
    module = of_text(OTHER_TARGETS)
    for function in list(module.functions):
        if not function.is_declaration and function.name != name:
            function.erase_from_parent()
    return as_nvvm_ir(module)


@pytest.mark.parametrize(("name", "message"), SELECTED.items())
def test_intrinsics_of_other_targets(name: str, message: str) -> None:
    """It knows those of LLVM 7; the others are functions for it."""
    verdict = verdict_of(with_one(name))
    assert (verdict.reads, verdict.message) == (not message, message)


def of_text(text: str) -> Module:
    module = bitcodec.parse_assembly(text)
    module.target_triple = CUDA
    return module


@pytest.mark.parametrize(("text", "message"), BROKEN.items())
def test_what_it_prints_about_broken_modules(text: str, message: str) -> None:
    verdict = verdict_of(as_nvvm_ir(of_text(text)))
    assert (verdict.reads, verdict.message) == (False, message)
    assert verdict.obstacles[0].effect is Effect.REJECTS


CONFINED = """
define float @f(float %x) nounwind memory(inaccessiblemem: readwrite) {
  ret float %x
}
"""


def test_functions_that_its_optimizer_finds_access_no_memory() -> None:
    losses: list[bitcodec.Loss] = []
    data = bitcodec.dumps(of_text(CONFINED), profile="nvvm", on_loss=losses.append)
    assert [each.name for each in bitcodec.loads(data).functions["f"].attributes.for_function] == ["nounwind"]
    assert [str(each) for each in losses if "memory" in str(each)] == [
        "`memory(inaccessiblemem: ...)` of a function with a body (not in libNVVM 12.4) dropped in @f"
    ]


def test_rules_that_its_llvm_does_not_check() -> None:
    assert len(bitcodec.verify(of_text(READ))) > 1
    assert verdict_of(as_nvvm_ir(of_text(READ))).reads


TEXT = """
@late = global half 0xH3C00, section "s"
@"a b" = global i32 0
define void @first() uwtable ssp section "t" align 16 {
  %x = call float @llvm.fabs.f32(float 1.0)
  fence seq_cst
  ret void
}
define void @second() gc "g" {
  ret void
}
declare extern_weak void @third()
declare float @llvm.fabs.f32(float)
"""
IN_ORDER = [
    "extern_weak linkage is not supported.",
    "Explicit section marker",
    "half type is not supported",
    "Invalid identifier name: a b",
    "Explicit section marker",
    "Explicit alignment is not allowed.",
    "ssp function attribute is not supported.",
    "uwtable function attribute is not supported.",
    "Unsupported intrinsic: llvm.fabs",
    "Illegal instruction: fence",
    "GC names are not supported.",
]


def test_constructs_are_in_the_order_of_the_reader() -> None:
    assert [each.message for each in verdict_of(as_nvvm_ir(of_text(TEXT))).obstacles] == IN_ORDER


def small_module(callee: str) -> Module:
    """Return a module with a function that calls another one."""
    module = new_module("device", target_triple=CUDA)
    type_ = module.context.types.function(module.context.types.void, [])
    builder = Builder(add_block(add_function(module, "caller", type_)))
    builder.call(add_function(module, callee, type_), [])
    builder.ret()
    return module


def test_names_that_opening_changes_are_those_of_the_file() -> None:
    data = as_nvvm_ir(small_module("clang_arc_use"))
    assert verdict_of(data).reads
    data = data.replace(b"clang_arc_use", b"clang.arc.use")
    opened = bitcodec.loads(data)
    opened.materialize()
    assert "clang.arc.use" not in [function.name for function in opened.functions]
    assert verdict_of(data).message == "Invalid identifier name: clang.arc.use"


def test_newer_rules_of_the_verifier_do_not_count() -> None:
    module = small_module("callee")
    module.functions["callee"].calling_convention = "spir_kernel"
    for instruction in module.functions["caller"].blocks[0].instructions:
        if isinstance(instruction, Call):
            instruction.calling_convention = "spir_kernel"
    assert "calling convention does not permit calls" in str(bitcodec.verify(module)[0])
    assert verdict_of(as_nvvm_ir(module)).reads


def test_damaged_files_have_a_verdict() -> None:
    data = bitcodec.dumps(device_module(), profile="nvvm")
    for size in (len(data) // 2 & ~3, len(data) // 3 & ~3):
        assert not verdict_of(data[:size]).reads


def variants() -> Iterator[bytes]:
    for has_fence in (False, True):
        module = device_module(has_fence=has_fence)
        yield bitcodec.dumps(module)
        yield bitcodec.dumps(module, llvm_version=7)
        yield bitcodec.dumps(module, profile="nvvm")
        yield as_nvvm_ir(module)
    yield bitcodec.dumps(bitcodec.open(HELLO), llvm_version=7)
    # Without what it refuses first, it refuses the next.
    text = TEXT
    for gone in (
        "declare extern_weak void @third()",
        ', section "s"',
        "@late = global half 0xH3C00",
        '@"a b" = global i32 0',
    ):
        text = text.replace(gone, "")
        yield as_nvvm_ir(of_text(text))
    for broken in (*BROKEN, READ):
        yield as_nvvm_ir(of_text(broken))
    yield from map(with_one, SELECTED)
    yield bitcodec.dumps(of_text(CONFINED), profile="nvvm")


@pytest.mark.same_in_both
def test_libnvvm_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "module.bc"
    for number, data in enumerate(variants()):
        path.write_bytes(data)
        answer, verdict = compile_to_ptx(path), verdict_of(data)
        assert (number, not answer.message) == (number, verdict.reads)
        assert verdict.message in answer.message
        assert verdict.message or answer.message in {"", SILENT}
