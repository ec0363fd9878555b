"""Debug information: nodes, locations and records, and that LLVM does not drop them."""

from __future__ import annotations

import pytest

from bitcodec.builder import (
    Builder,
    DebugInfo,
    add_block,
    add_function,
    add_module_flag,
    add_named_metadata,
    metadata_node,
    new_module,
)
from bitcodec.ir import DIExpression, DILabel, Module
from bitcodec.tables.debug_info_flags import DIFlag
from bitcodec.tables.dwarf import Language, TypeEncoding

from .bench import assert_llvm_accepts, text_of


def debugged() -> Module:
    """int twice(int n) { int copy = n; again: return 2 * copy; }"""
    module = new_module("debugged", data_layout="e-m:e-i64:64-S128")
    i32 = module.context.types.integer(32)
    function = add_function(
        module, "_twice", module.context.types.function(i32, [i32]), argument_names=["n"], linkage="internal"
    )
    debug = DebugInfo(module, "twice.c", "/src", producer="bench", language=Language.C99, is_optimized=True)
    number = debug.basic_type("int", 32)
    address = debug.pointer_type(debug.basic_type("char", 8, TypeEncoding.signed_char))
    twice = debug.subprogram(
        function, 1, debug.subroutine_type(number, number), name="twice", scope_line=2, flags=DIFlag.Prototyped
    )
    inside = debug.lexical_block(twice, 3, 5)
    n = debug.local_variable(twice, "n", number, 1, parameter=1)
    copy = debug.local_variable(inside, "copy", number, 3)
    place = debug.local_variable(inside, "place", address, 3)
    builder = Builder(add_block(function))
    room = builder.alloca(i32)
    builder.debug_location = debug.location(1, 15, twice)
    builder.dbg_value(function.arguments[0], n)
    builder.debug_location = debug.location(3, 9, inside)
    builder.dbg_declare(room, copy)
    builder.store(function.arguments[0], room)
    builder.dbg_value(room, place, DIExpression([0x06]), location=debug.location(4, 1, twice))
    loaded = builder.load(i32, room)
    builder.debug_location = debug.location(5, 3, inside)
    builder.ret(builder.mul(loaded, 2))
    label = DILabel(scope=inside, name="again", file=debug.file, line=4)
    with builder.before(loaded):
        builder.dbg_label(label)
    return module


EXPECTED = """\
define internal i32 @_twice(i32 %n) !dbg !4 {
  %1 = alloca i32, align 4
    #dbg_value(i32 %n, !8, !DIExpression(), !9)
    #dbg_declare(ptr %1, !10, !DIExpression(), !12)
  store i32 %n, ptr %1, align 4, !dbg !12
    #dbg_value(ptr %1, !13, !DIExpression(DW_OP_deref), !16)
    #dbg_label(!17, !18)
  %2 = load i32, ptr %1, align 4, !dbg !12
  %3 = mul i32 %2, 2, !dbg !18
  ret i32 %3, !dbg !18
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "bench", isOptimized: true, runtimeVersion: 0, \
emissionKind: FullDebug)
!1 = !DIFile(filename: "twice.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "twice", linkageName: "_twice", scope: !1, file: !1, line: 1, type: !5, \
scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{!7, !7}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "n", arg: 1, scope: !4, file: !1, line: 1, type: !7)
!9 = !DILocation(line: 1, column: 15, scope: !4)
!10 = !DILocalVariable(name: "copy", scope: !11, file: !1, line: 3, type: !7)
!11 = distinct !DILexicalBlock(scope: !4, file: !1, line: 3, column: 5)
!12 = !DILocation(line: 3, column: 9, scope: !11)
!13 = !DILocalVariable(name: "place", scope: !11, file: !1, line: 3, type: !14)
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)
!15 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!16 = !DILocation(line: 4, column: 1, scope: !4)
!17 = !DILabel(scope: !11, name: "again", file: !1, line: 4)
!18 = !DILocation(line: 5, column: 3, scope: !11)
"""


def test_text():
    module = debugged()
    add_module_flag(module, 7, "Dwarf Version", 5)

    assert text_of(module).partition("\n\n")[2] == EXPECTED
    assert_llvm_accepts(module)


def test_a_second_unit_needs_no_second_flag():
    module = debugged()
    other = DebugInfo(module, "other.c", emission_kind=2)

    assert [str(node) for node in module.named_metadata["llvm.dbg.cu"].operands][1:] == [str(other.unit)]
    assert len(module.named_metadata["llvm.module.flags"].operands) == 1
    with pytest.raises(ValueError, match="the module has a flag 'Debug Info Version' already"):
        add_module_flag(module, 2, "Debug Info Version", 3)


def test_flags_that_are_no_flags_are_passed_over():
    module = new_module("odd")
    add_named_metadata(module, "llvm.module.flags", metadata_node(module), metadata_node(module, "x", None, None))
    required = metadata_node(module, "Debug Info Version", module.context.constants.boolean(value=True))
    add_module_flag(module, 3, "Debug Info Version", required)
    add_module_flag(module, 3, "Debug Info Version", required)
    DebugInfo(module, "odd.c")

    texts = [str(flag) for flag in module.named_metadata["llvm.module.flags"].operands]
    assert texts[2:] == ['!{i32 3, !"Debug Info Version", !0}'] * 2 + ['!{i32 2, !"Debug Info Version", i32 3}']


def test_records_need_a_location_and_a_place():
    module = debugged()
    function = module.functions["_twice"]
    (block,) = function.blocks
    builder = Builder(block)
    record = block.instructions[1].debug_records[0]
    with pytest.raises(ValueError, match="dbg_value takes a location: give it one, or the builder"):
        builder.dbg_value(function.arguments[0], record.variable)
    with pytest.raises(ValueError, match="ends in ret already: no record can follow"):
        builder.dbg_value(function.arguments[0], record.variable, location=record.location)
    with pytest.raises(TypeError, match="dbg_declare takes a pointer as its address, not i32"):
        builder.dbg_declare(function.arguments[0], record.variable, location=record.location)
