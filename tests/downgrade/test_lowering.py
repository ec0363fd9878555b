"""Attributes, intrinsics, constants and data layouts in the forms of older versions of LLVM."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.bitcode.schema.attributes import FUNCTION_INDEX
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode
from bitcodec.bitcode.writer.attributes import NumberedAttribute
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.downgrade.attributes import AttributeLowering
from bitcodec.downgrade.data_layouts import older_data_layout
from bitcodec.downgrade.expansions import EXPANSIONS
from bitcodec.downgrade.intrinsic_versions import known_since
from bitcodec.downgrade.losses import Losses
from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.attributes import AttributeList, AttributeSet, EnumAttribute, IntegerAttribute, StringAttribute
from bitcodec.ir.context import Context
from bitcodec.ir.module import Module
from bitcodec.tables.attributes import MemoryAccess
from bitcodec.tables.intrinsics import intrinsic_rows

from .oracles import verify

READ, WRITE, BOTH = MemoryAccess.READ, MemoryAccess.WRITE, MemoryAccess.READWRITE


def lowered(version: int, *attributes: IntegerAttribute | EnumAttribute | StringAttribute) -> tuple[object, list[str]]:
    losses = Losses(version)
    lowering = AttributeLowering(losses)
    found = AttributeSet(attributes)
    lowering.survey(AttributeList(found), "f")
    return lowering.lowered(FUNCTION_INDEX, found), [loss.construct for loss in losses]


@pytest.mark.parametrize(
    ("effects", "names"),
    [
        (MemoryEffects(0), [20]),
        (MemoryEffects.everywhere(READ), [21]),
        (MemoryEffects.everywhere(WRITE), [52]),
        (MemoryEffects.of(argmem=BOTH), [45]),
        (MemoryEffects.of(argmem=READ), [21, 45]),
        (MemoryEffects.of(inaccessiblemem=BOTH), [49]),
        (MemoryEffects.of(argmem=BOTH, inaccessiblemem=BOTH), [50]),
    ],
    ids=str,
)
def test_memory_before_llvm_16_is_several_attributes(effects: MemoryEffects, names: list[int]) -> None:
    found, _ = lowered(15, IntegerAttribute("memory", effects.raw))
    assert found == tuple(NumberedAttribute((0, number)) for number in names)


def test_memory_of_three_locations() -> None:
    everything_read = IntegerAttribute("memory", MemoryEffects.everywhere(READ).raw)
    assert lowered(16, everything_read)[0] == (NumberedAttribute((1, 86, 0b010101)),)
    error_number = IntegerAttribute("memory", MemoryEffects.of(errnomem=WRITE).raw)
    assert lowered(20, error_number) == ((NumberedAttribute((1, 86, 0b100000)),), ["`errnomem` in attribute `memory`"])
    assert lowered(21, error_number) == ((error_number,), [])


def test_captures_before_llvm_21_is_nocapture() -> None:
    nothing, provenance = IntegerAttribute("captures", 0), IntegerAttribute("captures", 0b1111)
    assert lowered(20, nothing) == ((NumberedAttribute((0, 11)),), [])
    found, losses = lowered(20, provenance)
    assert (found, len(losses)) == ((), 1)


def test_values_of_string_attributes() -> None:
    text = StringAttribute("frame-pointer", "non-leaf-no-reserve")
    assert lowered(21, text)[0] == (StringAttribute("frame-pointer", "non-leaf"),)


NEWER_FORMS = [
    (22, "<2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> align 4 %q, <2 x i1> %m, <2 x i32> %v)"),
    (22, "<2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 %p, <2 x i1> %m, <2 x i32> %v)"),
    (22, "void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> %v, <2 x ptr> align 4 %q, <2 x i1> %m)"),
    (22, "void @llvm.masked.store.v2i32.p0(<2 x i32> %v, ptr align 4 %p, <2 x i1> %m)"),
    (22, "void @llvm.lifetime.start.p0(ptr %room)"),
    (22, "void @llvm.lifetime.end.p0(ptr %room)"),
    (22, "void @llvm.coro.end(ptr %p, i1 false, token none)"),
    (22, '"frame-pointer"="non-leaf-no-reserve"'),
    (19, '"frame-pointer"="reserved"'),
]
"""Calls and attributes, with the first version whose verifier accepts them."""


@pytest.mark.parametrize(("since", "part"), NEWER_FORMS)
def test_losses_name_the_first_version_with_a_form(since: int, part: str, tmp_path: Path) -> None:
    text = (
        "define void @f(ptr %p, <2 x ptr> %q, <2 x i1> %m, <2 x i32> %v) {}{{\n  %room = alloca i32\n{}  ret void\n}}\n"
    )
    if part.startswith('"'):
        name, text = part.replace('"', ""), text.format(part, "")
    else:
        name, text = part.split("(", maxsplit=1)[0].partition("@")[2], text.format("", f"  call {part}\n")
        text += f"declare {re.sub(r' (%[a-z]+|false|none)(?=[,)])', '', part)}\n"
    path = tmp_path / "f.ll"
    path.write_text(text, encoding="utf-8")
    losses: list[bitcodec.Loss] = []
    bitcodec.dumps(bitcodec.parse_assembly(text), llvm_version=since - 1, on_loss=losses.append)

    assert [loss.since for loss in losses if name in loss.construct.replace('"', "")] == [since]
    assert verify(since - 1, path)
    assert verify(since, path) == ""


X86, X86_17 = "e-m:e-i64:64-i128:128-f80:128-S128", "e-m:e-i64:64-f80:128-S128"


def test_data_layouts_are_those_of_the_version() -> None:
    types = Context().types
    newest = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
    older = newest.replace("-i128:128", "")
    triple = "x86_64-unknown-linux-gnu"
    small, wide = [types.integer(64)], [types.integer(128)]
    assert older_data_layout(newest, triple, small, 18) == newest
    assert older_data_layout(newest, triple, small, 17) == older
    # Data would be placed elsewhere.
    assert older_data_layout(newest, triple, wide, 17) == newest
    arm = "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"
    assert older_data_layout(arm, "arm64-apple-ios", wide, 19) == "e-m:o-i64:64-i128:128-n32:64-S128-Fn32"
    assert older_data_layout(arm, "arm64-apple-ios", wide, 18) == "e-m:o-i64:64-i128:128-n32:64-S128"
    assert older_data_layout("", "unknown", small, 15) == ""


def with_intrinsics() -> Module:
    module = new_module("intrinsics")
    types, constants = module.context.types, module.context.constants
    word, pointer = types.integer(32), types.pointer()
    vector, mask = types.vector(4, word), types.vector(4, types.integer(1))
    function = add_function(module, "f", types.function(vector, [pointer, mask]))
    builder = Builder(add_block(function))
    room = builder.alloca(word)
    start = add_function(module, "llvm.lifetime.start.p0", types.function(types.void, [pointer]))
    builder.call(start, [room])
    begin = add_function(module, "llvm.va_start.p0", types.function(types.void, [pointer]))
    builder.call(begin, [room])
    load = add_function(module, "llvm.masked.load.v4i32.p0", types.function(vector, [pointer, mask, vector]))
    source, chosen = function.arguments
    loaded = builder.call(load, [source, chosen, constants.poison(vector)])
    loaded.attributes = AttributeList(parameters={0: AttributeSet([IntegerAttribute("align", 8)])})
    builder.ret(loaded)
    return module


def test_intrinsics_are_declared_and_called_as_before() -> None:
    module = with_intrinsics()
    before = str(module)
    losses: list[bitcodec.Loss] = []
    data = bitcodec.dumps(module, llvm_version=18, on_loss=losses.append)
    assert str(module) == before
    assert {loss.action for loss in losses} == {"lowered"}
    assert [(loss.construct, loss.instead) for loss in losses] == [
        ("llvm.lifetime.start.p0", "its older form"),
        ("llvm.va_start.p0", "llvm.va_start"),
        ("llvm.masked.load.v4i32.p0", "its older form"),
    ]
    assert b"llvm.va_startllvm.masked" in data
    read = [str(each) for each in bitcodec.loads(data).functions["f"].instructions]
    assert read == [str(each) for each in module.functions["f"].instructions]


def test_attributes_that_were_strings() -> None:
    found, losses = lowered(14, EnumAttribute("presplitcoroutine"))
    assert (found, losses) == ((StringAttribute("coroutine.presplit", "0"),), ["attribute `presplitcoroutine`"])


@pytest.mark.parametrize("version", [19, 21])
def test_attributes_that_decide_what_a_symbol_is_are_refused(version: int) -> None:
    """LLVM 20 to 23 write this one and do not read it."""
    with pytest.raises(bitcodec.EncodingError, match=r"attribute `hybrid_patchable` in @f cannot be written"):
        lowered(version, EnumAttribute("hybrid_patchable"))


def test_parameters_are_aligned_to_slots_before_llvm_13() -> None:
    text = 'target datalayout = "{}"\ndefine void @f([2 x double] alignstack(8) %a) {{\n  ret void\n}}'
    wide, narrow = (bitcodec.parse_assembly(text.format(layout)) for layout in ("e", "e-p:32:32"))
    assert "alignstack" in str(bitcodec.loads(bitcodec.dumps(narrow, llvm_version=13)))
    losses: list[bitcodec.Loss] = []
    data = bitcodec.dumps(wide, llvm_version=12, on_loss=losses.append)
    assert "alignstack" not in str(bitcodec.loads(data))
    assert losses == []
    with pytest.raises(bitcodec.EncodingError, match=r"attribute `alignstack\(8\)` in @f cannot be written"):
        bitcodec.dumps(narrow, llvm_version=12)


def test_addresses_of_blocks_are_in_address_space_0_before_llvm_12() -> None:
    text = "@x = global ptr{0} blockaddress(@f, %b)\ndefine void @f(){0} {{\n  br label %b\n\nb:\n  ret void\n}}"
    data, program = (bitcodec.parse_assembly(text.format(space)) for space in ("", " addrspace(1)"))
    for module, version in ((data, 4), (program, 12)):
        read = bitcodec.loads(bitcodec.dumps(module, llvm_version=version))
        assert str(read.global_variables["x"]) == str(module.global_variables["x"])
    with pytest.raises(bitcodec.EncodingError, match=r"address of a block in an address space other than 0 in @f"):
        bitcodec.dumps(program, llvm_version=11)


def assembled(text: str) -> Module:
    """Return the module of a text, as it is read from bitcode."""
    return bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))


def losses_of(module: Module, version: int) -> tuple[Module, list[tuple[str, str, str]]]:
    found: list[bitcodec.Loss] = []
    data = bitcodec.dumps(module, llvm_version=version, on_loss=found.append)
    rows = [(loss.construct, loss.action, loss.instead) for loss in found if "attribute" not in loss.construct]
    return bitcodec.loads(data), rows


def test_bundles_and_their_tokens_are_dropped() -> None:
    module = assembled(
        """
        define void @f(ptr %p) convergent {
          %token = call token @llvm.experimental.convergence.entry()
          call void %p() convergent [ "convergencectrl"(token %token), "kcfi"(i32 1) ]
          ret void
        }
        declare token @llvm.experimental.convergence.entry()
        """
    )
    read, losses = losses_of(module, 15)
    assert [(name, action) for name, action, _ in losses] == [
        ("operand bundle convergencectrl", "dropped"),
        ("operand bundle kcfi", "dropped"),
        ("llvm.experimental.convergence.entry", "dropped"),
    ]
    called = [str(each).split("#")[0].strip() for each in read.functions["f"].instructions]
    assert called == ["call void @llvm.donothing()", "call void %p()", "ret void"]


def test_parts_of_data_layouts_that_old_readers_end_on_are_reported() -> None:
    module = assembled('target datalayout = "e-m:a-p:32:32-Fi32-i64:64-n32-f64:32:64"')
    read, losses = losses_of(module, 8)
    assert losses == [("`Fi32` in the data layout", "dropped", ""), ("`m:a` in the data layout", "dropped", "`m:e`")]
    assert str(read.data_layout) == "e-m:e-p:32:32-i64:64-n32-f64:32:64"
    assert losses_of(module, 11)[1] == []


def test_variables_in_other_address_spaces_are_refused_where_readers_put_them_into_the_first() -> None:
    module = new_module("variable", data_layout="A5")
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    builder.alloca(types.integer(32), address_space=5)
    builder.ret()
    assert losses_of(module, 5)[1] == []
    with pytest.raises(
        bitcodec.EncodingError, match=r"alloca in an address space other than 0 in @f cannot be written"
    ):
        bitcodec.dumps(module, llvm_version=4)


def test_intrinsics_that_older_readers_take_for_others_are_refused() -> None:
    module = assembled(
        """
        define i128 @f(i128 %a) {
          %b = call i128 @llvm.smul.fix.sat.i128(i128 %a, i128 %a, i32 2)
          ret i128 %b
        }
        declare i128 @llvm.smul.fix.sat.i128(i128, i128, i32 immarg)
        """
    )
    assert losses_of(module, 7)[1] == [("llvm.smul.fix.sat", "kept", "")]
    with pytest.raises(bitcodec.EncodingError, match=r"llvm\.smul\.fix\.sat in @f cannot be written for LLVM 8"):
        bitcodec.dumps(module, llvm_version=8)


@pytest.mark.parametrize("count", [2, 5000])
def test_intrinsics_of_odd_types_are_kept(count: int) -> None:
    module = new_module("odd")
    types = module.context.types
    vector = types.vector(count, types.integer(8))
    parameters = [vector] if count > 2 else [vector, types.integer(8), vector]
    odd = add_function(module, "llvm.vector.reduce.add", types.function(types.integer(8), parameters))
    function = add_function(module, "f", types.function(types.integer(8), parameters))
    builder = Builder(add_block(function))
    builder.ret(builder.call(odd, list(function.arguments)))
    assert ("llvm.vector.reduce.add", "kept", "") in losses_of(module, 4)[1]


def test_rows_are_of_intrinsics() -> None:
    assert set(EXPANSIONS) <= set(intrinsic_rows())
    assert [name for name in EXPANSIONS if not known_since(name)] == []


def test_what_is_attached_to_calls_is_lost_with_them() -> None:
    module = assembled(
        """
        define float @f(float %a) {
          %b = call nnan float @llvm.maximum.f32(float %a, float 1.0), !annotation !0
          ret float %b
        }
        declare float @llvm.maximum.f32(float, float)
        !0 = !{!"note"}
        """
    )
    _, losses = losses_of(module, 16)
    assert [name for name, _, _ in losses] == [
        "metadata of llvm.maximum",
        "fast-math flags of llvm.maximum",
        "llvm.maximum",
    ]


def test_lists_of_arguments_are_written_for_versions_that_have_them() -> None:
    module = assembled(
        """
        define void @f(i32 %a) !dbg !0 {
          #dbg_value(!DIArgList(i32 %a, i32 %a), !1, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_mul), !2)
          ret void
        }
        !llvm.module.flags = !{!3}
        !llvm.dbg.cu = !{!4}
        !0 = distinct !DISubprogram(name: "f", file: !5, unit: !4, spFlags: DISPFlagDefinition)
        !1 = !DILocalVariable(name: "v", scope: !0)
        !2 = !DILocation(line: 1, scope: !0)
        !3 = !{i32 2, !"Debug Info Version", i32 3}
        !4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
        !5 = !DIFile(filename: "a.c", directory: "/")
        """
    )
    for version in (12, 13):
        read, losses = losses_of(module, version)
        assert ("operators of !DIExpression" in [name for name, _, _ in losses]) == (version == 12)
        text = str(read.functions["f"])
        assert ("DW_OP_LLVM_arg" in text, "DIArgList" in text) == (version == 13, version == 13)
        assert has_lists(bitcodec.dumps(module, llvm_version=version)) == (version == 13)


@pytest.mark.parametrize("value", ["!DIArgList(i32 %a)", "!DIArgList(i32 %a, i32 %b)", "i32 %a"])
def test_expressions_for_one_argument_are_plain_before_llvm_13(value: str) -> None:
    module = assembled(
        f"""
        define void @f(i32 %a, i32 %b) !dbg !0 {{
          #dbg_value({value}, !1, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_plus_uconst, 3, DW_OP_stack_value), !2)
          ret void
        }}
        !llvm.module.flags = !{{!3}}
        !llvm.dbg.cu = !{{!4}}
        !0 = distinct !DISubprogram(name: "f", file: !5, unit: !4, spFlags: DISPFlagDefinition)
        !1 = !DILocalVariable(name: "v", scope: !0)
        !2 = !DILocation(line: 1, scope: !0)
        !3 = !{{i32 2, !"Debug Info Version", i32 3}}
        !4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
        !5 = !DIFile(filename: "a.c", directory: "/")
        """
    )
    for version in (4, 12):
        read, losses = losses_of(module, version)
        assert not [name for name, _, _ in losses if "operators" in name]
        expression = "!DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value)"
        assert f"#dbg_value(i32 %a, !7, {expression}" in re.sub(
            r", ![0-9]+, !DIExp", ", !7, !DIExp", str(read.functions["f"])
        )


def test_expressions_that_older_verifiers_refuse_say_nothing() -> None:
    module = assembled(
        """
        define void @f(i32 %a) !dbg !0 {
          #dbg_value(i32 %a, !1, !DIExpression(DW_OP_neg, DW_OP_stack_value), !2)
          ret void
        }
        !llvm.module.flags = !{!3}
        !llvm.dbg.cu = !{!4}
        !named = !{!6, !8}
        !0 = distinct !DISubprogram(name: "f", file: !5, unit: !4, spFlags: DISPFlagDefinition)
        !1 = !DILocalVariable(name: "v", scope: !0)
        !2 = !DILocation(line: 1, scope: !0)
        !3 = !{i32 2, !"Debug Info Version", i32 3}
        !4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
        !5 = !DIFile(filename: "a.c", directory: "/")
        !6 = !DISubrange(lowerBound: 1, upperBound: !DIExpression(DW_OP_push_object_address, DW_OP_neg))
        !7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
        !8 = !DISubrange(lowerBound: 1, upperBound: !DIExpression(DW_OP_push_object_address))
        """
    )
    rows = {("operators of !DIExpression", "dropped"), ("operators of !DIExpression in a type", "dropped")}
    for version in (12, 18, 21):
        read, losses = losses_of(module, version)
        assert {(name, action) for name, action, _ in losses if name.startswith("operators")} == rows
        text = bitcodec.print_assembly(read)
        assert "#dbg_value(!{}, " in re.sub(r"#dbg_value\(![0-9]+,", "#dbg_value(!{},", text)
        assert "upperBound: !DIExpression())" in text
        assert "upperBound: !DIExpression(DW_OP_push_object_address))" in text
        assert "DW_OP_neg" not in text


def test_constrained_operations_are_plain_in_the_default_environment_alone() -> None:
    text = """
        define i1 @f(double %a) strictfp {{
          %s = call double @llvm.experimental.constrained.fadd.f64(
            double %a, double %a, metadata !"{0}", metadata !"{1}")
          %c = call i1 @llvm.experimental.constrained.fcmp.f64(double %s, double %a, metadata !"oeq", metadata !"{1}")
          ret i1 %c
        }}
        declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
        declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)
        """
    plain = assembled(text.format("round.tonearest", "fpexcept.ignore"))
    read, losses = losses_of(plain, 4)
    assert {"fadd", "fcmp"} <= {each.opcode for each in read.functions["f"].blocks[0].instructions}
    assert {action for name, action, _ in losses if "constrained" in name} == {"lowered"}
    for words in (("round.upward", "fpexcept.ignore"), ("round.tonearest", "fpexcept.strict")):
        module = assembled(text.format(*words))
        with pytest.raises(
            bitcodec.EncodingError, match=r"^llvm.experimental.constrained.f\w+ in @f cannot be written"
        ):
            bitcodec.dumps(module, llvm_version=4)
    assert bitcodec.dumps(module, llvm_version=10)


def test_properties_of_llvm_24() -> None:
    text = (
        '!named = !{!0}\n!0 = !DIProperty(name: "p", file: !1, line: 7)\n!1 = !DIFile(filename: "a", directory: "")\n'
    )
    module = bitcodec.parse_assembly(text)
    module.producer = "LLVM24.0.0"
    read, losses = losses_of(module, 22)
    assert losses == [("!DIProperty", "dropped", "!DIObjCProperty")]
    assert '!DIObjCProperty(name: "p", file: ' in bitcodec.print_assembly(read)


def has_lists(data: bytes) -> bool:
    pending = list(bitstream.loads(data).blocks)
    for block in pending:
        pending += block.blocks
    return any(
        record.code == MetadataCode.ARG_LIST
        for block in pending
        if block.id == BlockId.METADATA_BLOCK
        for record in block.records
    )


def test_global_variables_whose_location_older_readers_refuse_have_none() -> None:
    module = assembled(
        """
        @g = addrspace(4) global i32 0, !dbg !0
        !llvm.module.flags = !{!3}
        !llvm.dbg.cu = !{!4}
        !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 4, DW_OP_swap, DW_OP_xderef))
        !1 = distinct !DIGlobalVariable(name: "g", scope: !4, file: !5, type: !2, isDefinition: true)
        !2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
        !3 = !{i32 2, !"Debug Info Version", i32 3}
        !4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug, globals: !6)
        !5 = !DIFile(filename: "a.c", directory: "/")
        !6 = !{!0}
        """
    )
    read, losses = losses_of(module, 4)
    assert ("operators of !DIExpression", "dropped", "a variable without location") in losses
    assert read.global_variables["g"].metadata == {}
    read, losses = losses_of(module, 5)
    assert "operators of !DIExpression" not in [name for name, _, _ in losses]
    assert list(read.global_variables["g"].metadata) == ["dbg"]


STRUCTURE_LOADS = """
define <vscale x 4 x i32> @f(<vscale x 4 x i1> %p, ptr %x) {
  %loaded = call { <vscale x 4 x i32>, <vscale x 4 x i32>, <vscale x 4 x i32> }
    @llvm.aarch64.sve.ld3.sret.nxv4i32(<vscale x 4 x i1> %p, ptr %x)
  %part = extractvalue { <vscale x 4 x i32>, <vscale x 4 x i32>, <vscale x 4 x i32> } %loaded, 2
  ret <vscale x 4 x i32> %part
}
declare { <vscale x 4 x i32>, <vscale x 4 x i32>, <vscale x 4 x i32> }
  @llvm.aarch64.sve.ld3.sret.nxv4i32(<vscale x 4 x i1>, ptr)
"""


@pytest.mark.parametrize("version", [11, 13])
def test_loads_of_structures_return_one_vector_in_older_versions(version: int, tmp_path: Path) -> None:
    losses: list[bitcodec.Loss] = []
    written = bitcodec.dumps(bitcodec.parse_assembly(STRUCTURE_LOADS), llvm_version=version, on_loss=losses.append)
    assert [str(loss.action) for loss in losses if "sve.ld3" in loss.construct] == ["lowered"]
    upgraded = bitcodec.print_assembly(bitcodec.loads(written))
    assert "call { <vscale x 4 x i32>, <vscale x 4 x i32>, <vscale x 4 x i32> } @llvm.aarch64.sve.ld3.sret" in upgraded
    assert upgraded.count("= call <vscale x 4 x i32> @llvm.vector.extract.nxv4i32.nxv12i32") == 3
    path = tmp_path / "f.bc"
    path.write_bytes(written)
    assert verify(version, path) == ""


def test_unused_intrinsics_are_written_the_same_after_printing() -> None:
    name = "llvm.matrix.column.major.load.v4f64.i64"
    text = f"declare <4 x double> @{name}(ptr, i64, i1 immarg, i32 immarg, i32 immarg)"
    written = bitcodec.dumps(bitcodec.parse_assembly(text))
    printed = bitcodec.loads(written)
    assert name in bitcodec.print_assembly(printed)
    assert bitcodec.dumps(printed, llvm_version=7) == bitcodec.dumps(bitcodec.loads(written), llvm_version=7)
