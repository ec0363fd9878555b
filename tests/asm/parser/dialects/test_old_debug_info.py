"""Debug information as LLVM 3.7 to 3.9 wrote it in text: what it becomes is what bitcode of that time is read as."""

from __future__ import annotations

import pytest

import bitcodec
from bitcode.test_metadata_upgrades import OLD_VARIABLE_TEXT
from corpus import FOLDER, needs_corpus

HEAD = """!llvm.module.flags = !{!100}
!100 = !{i32 2, !"Debug Info Version", i32 3}
!llvm.dbg.cu = !{!0}
!1 = !DIFile(filename: "a.c", directory: "/")
"""


def lines(module: bitcodec.Module) -> list[str]:
    """Return the text of a module without the lines that name its file."""
    return [line for line in str(module).splitlines() if not line.startswith(("; ModuleID", "source_filename"))]


TYPES = """
!named = !{!0, !1, !2, !3, !4, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16}
!0 = !DIFile(filename: "path/to/file", directory: "/path/to/dir")
!1 = !DICompositeType(tag: DW_TAG_structure_type, name: "T1", file: !0, identifier: "T1")
!2 = !DICompositeType(tag: DW_TAG_structure_type, name: "T2", file: !0, scope: !"T1", baseType: !"T1",
                      vtableHolder: !"T1", identifier: "T2")
!3 = !DIDerivedType(tag: DW_TAG_member, name: "M1", file: !0, scope: !"T1", baseType: !"T2")
!4 = !DISubroutineType(types: !5)
!5 = !{!"T1", !"T2"}
!6 = !DISubprogram(scope: !"T1", isDefinition: false, containingType: !"T1")
!7 = !DILocalVariable(name: "V1", scope: !6, type: !"T2")
!8 = !DIObjCProperty(name: "P1", type: !"T1")
!9 = !DITemplateTypeParameter(type: !"T1")
!10 = !DIGlobalVariable(name: "G", type: !"T1", isDefinition: false, variable: i32* @G1)
!11 = !DITemplateValueParameter(type: !"T1", value: i32* @G1)
!12 = !DIImportedEntity(tag: DW_TAG_imported_module, name: "T2", scope: !0, entity: !"T1")
!13 = !DICompositeType(tag: DW_TAG_structure_type, name: "T3", file: !0, elements: !14, identifier: "T3")
!14 = !{!15}
!15 = !DISubprogram(scope: !"T3", isDefinition: false)
!16 = !DIDerivedType(tag: DW_TAG_ptr_to_member_type, baseType: !4, extraData: !"T3")
@G1 = global i32 0
"""

CONSTANT = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!8, !9}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "clang version 3.8.1", isOptimized: true,
  runtimeVersion: 0, emissionKind: 1, enums: !2, globals: !3)
!1 = !DIFile(filename: "g.c", directory: "/")
!2 = !{}
!3 = !{!4}
!4 = !DIGlobalVariable(name: "c", scope: !0, file: !1, line: 1, type: !5, isLocal: false, isDefinition: true,
  variable: i32 42)
!5 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !6)
!6 = !DIBasicType(name: "int", size: 32, align: 32, encoding: DW_ATE_signed)
!8 = !{i32 2, !"Dwarf Version", i32 2}
!9 = !{i32 2, !"Debug Info Version", i32 3}
"""


@needs_corpus
@pytest.mark.parametrize(("text", "name"), [(TYPES, "dityperefs-3.8.ll.bc"), (CONSTANT, "diglobalvariable-3.8.ll.bc")])
def test_as_bitcode_of_llvm_3_8(text: str, name: str) -> None:
    assert lines(bitcodec.parse_assembly(text)) == lines(bitcodec.open(FOLDER / "legacy" / name))


def test_types_are_found_by_their_identifiers_without_the_corpus() -> None:
    nodes = bitcodec.parse_assembly(TYPES).named_metadata["named"].operands
    (listed,) = nodes[13].operands
    assert listed.scope is nodes[12]
    assert list(nodes[4].types.operands) == [nodes[1], nodes[2]]


SUBPROGRAM = f"""{HEAD}
define void @f() {{
  ret void, !dbg !5
}}
!0 = !DICompileUnit(language: 12, file: !1, emissionKind: 1, subprograms: !2)
!2 = !{{!3}}
!3 = !DISubprogram(name: "f", scope: !1, file: !1, isDefinition: true, function: void ()* @f, variables: !4)
!4 = !{{!DILocalVariable(tag: DW_TAG_arg_variable, name: "x", arg: 1, scope: !3)}}
!5 = !DILocation(line: 1, scope: !3)
"""


@pytest.mark.parametrize("dialect", [None, "3.7"])
def test_subprograms_are_attached_to_functions_and_belong_to_units(dialect: str | None) -> None:
    module = bitcodec.parse_assembly(SUBPROGRAM, dialect=dialect)
    (unit,) = module.named_metadata["llvm.dbg.cu"].operands
    subprogram = module.functions["f"].subprogram
    assert subprogram is not None
    assert (unit.is_distinct, subprogram.is_distinct) == (True, True)
    assert subprogram.unit is unit
    (variable,) = subprogram.retained_nodes.operands
    assert (variable.name, variable.arg) == ("x", 1)
    assert module.functions["f"].entry_block.instructions[0].debug_location.scope is subprogram


def test_tags_of_local_variables_are_checked() -> None:
    with pytest.raises(bitcodec.AssemblyError, match="invalid DWARF tag 'DW_TAG_none_variable'"):
        bitcodec.parse_assembly(SUBPROGRAM.replace("arg_variable", "none_variable"))


def test_llvm_22_refuses_what_is_gone() -> None:
    with pytest.raises(bitcodec.AssemblyError, match="missing 'distinct', required for !DICompileUnit"):
        bitcodec.parse_assembly(SUBPROGRAM, dialect=22)


def test_variables_that_name_a_global_are_attached_to_it() -> None:
    text = (
        f"{HEAD}@g = global i32 0\n!0 = distinct !DICompileUnit(language: 12, file: !1, globals: !2)\n!2 = !{{!3}}\n"
        '!3 = !DIGlobalVariable(name: "g", scope: !0, variable: i32* @g)\n'
    )
    module = bitcodec.parse_assembly(text)
    (attached,) = module.global_variables["g"].metadata.get_all("dbg")
    (unit,) = module.named_metadata["llvm.dbg.cu"].operands
    (listed,) = unit.globals.operands
    assert attached.variable is listed.variable
    assert listed.variable.name == "g"
    assert listed.expression.elements == ()


VARIABLE_OF_A_NAMED_TYPE = """@x = external global i32
!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!7}
!1 = !DIGlobalVariable(name: "T", type: !"T", isDefinition: true, variable: i32* @x)
!2 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "T", identifier: "T")
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4, emissionKind: FullDebug, globals: !5)
!4 = !DIFile(filename: "T", directory: "T")
!5 = !{!1}
!7 = !{i32 2, !"Debug Info Version", i32 3}
"""
FUNCTION_OF_A_NAMED_TYPE = f"""{HEAD}
define void @f() {{
  ret void
}}
!0 = distinct !DICompileUnit(language: 12, file: !1, emissionKind: 1, subprograms: !2)
!2 = !{{!3}}
!3 = !DISubprogram(name: "f", scope: !"T", isDefinition: true, function: void ()* @f)
!4 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "T", identifier: "T")
"""


def test_variables_of_types_that_are_named() -> None:
    assert str(bitcodec.parse_assembly(VARIABLE_OF_A_NAMED_TYPE, dialect="3.8")).endswith(OLD_VARIABLE_TEXT)


def test_functions_of_types_that_are_named() -> None:
    module = bitcodec.parse_assembly(FUNCTION_OF_A_NAMED_TYPE, dialect="3.7")
    (unit,) = module.named_metadata["llvm.dbg.cu"].operands
    subprogram = module.functions["f"].subprogram
    assert subprogram is not None
    assert subprogram.unit is unit
    assert subprogram.scope.identifier == "T"


@pytest.mark.parametrize("dialect", ["3.9", "6", "16"])
def test_what_functions_import_is_retained_by_them(dialect: str) -> None:
    text = (
        f"{HEAD}!0 = distinct !DICompileUnit(language: 12, file: !1, imports: !2)\n!2 = !{{!3, !4}}\n"
        "!3 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !5, entity: !1)\n"
        "!4 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !0, entity: !1)\n"
        "!5 = distinct !DILexicalBlock(scope: !6)\n"
        '!6 = distinct !DISubprogram(name: "f", isDefinition: true, unit: !0)\n!named = !{!6}\n'
    )
    module = bitcodec.parse_assembly(text, dialect=dialect)
    (unit,) = module.named_metadata["llvm.dbg.cu"].operands
    (subprogram,) = module.named_metadata["named"].operands
    assert [entity.scope for entity in unit.imports.operands] == [unit]
    assert [entity.scope.scope for entity in subprogram.retained_nodes.operands] == [subprogram]


def test_circles_of_scopes_lead_nowhere() -> None:
    text = (
        f"{HEAD}!0 = distinct !DICompileUnit(language: 12, file: !1, imports: !2)\n!2 = !{{!3}}\n"
        "!3 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !5, entity: !1)\n"
        "!5 = distinct !DILexicalBlock(scope: !6)\n!6 = distinct !DILexicalBlock(scope: !5)\n"
    )
    module = bitcodec.parse_assembly(text, dialect="3.9")
    (unit,) = module.named_metadata["llvm.dbg.cu"].operands
    assert list(unit.imports.operands) == []
