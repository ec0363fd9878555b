"""Changes of the module of the IR part: what is written, and what refers to its objects."""

from __future__ import annotations

import difflib
import gzip
import re
from pathlib import Path

import pytest

from amounts import some
from bitcodec import mir
from bitcodec.builder import Builder
from bitcodec.ir import Function, VoidType
from bitcodec.mir.operands import GlobalAddress, IRValue

from .tools import GOLDENS, LLC, run

TEXT = """\
--- |
  ; a comment
  @counter = global i32 0 ; another
  @0 = private constant i32 7

  define  i32  @f(ptr %p, i32 %0) !dbg !9 {
    %object = alloca i32
    %2 = load i32, ptr %p, !tbaa !3
    br label %3

  3:                                                ; preds = %1
    %4 = add i32 %2, %0
    br label %done

  done:                                             ; preds = %3
    ret i32 %4
  }

  ; about g
  define  ptr  @g()  {
    ret  ptr  @f
  }

  !llvm.module.flags = !{!8}
  !3 = !{!4, !4, i64 0}
  !4 = !{!"int", !5}
  !5 = !{!"root"}
  !7 = !{!"machine only"}
  !8 = !{i32 2, !"Debug Info Version", i32 3}
  !9 = distinct !DISubprogram(name: "f", unit: !10, spFlags: DISPFlagDefinition)
  !10 = distinct !DICompileUnit(language: DW_LANG_C, file: !11)
  !11 = !DIFile(filename: "f.c", directory: "")
  !12 = !DILocation(line: 1, scope: !9)
  !20 = !{!"root"}
...
---
name:            f
stack:
  - { id: 0, name: object, size: 4, alignment: 4 }
constants:
  - id:              0
    value:           'ptr @counter'
    alignment:       8
body:             |
  bb.0 (%ir-block.1):
    %0:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg, debug-location !12 :: (load (s32) from %ir.p, !tbaa !3)
    %1:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg, pcsections !7 :: (load (s32) from %ir.2)

    ; kept
    %2:gr32  =  MOV32rm %stack.0.object, 1, $noreg, 0, $noreg  :: (load (s32) from @counter)
    MOV32mr $rip, 1, $noreg, @counter + 4, $noreg, $eax :: (store (s32) into `i64 ptrtoint (ptr @counter to i64)`)

  bb.1 (%ir-block.3):
    %3:gr64 = LEA64r $rip, 1, $noreg, blockaddress(@f, %ir-block.done), $noreg
    %4:gr64 = LEA64r $rip, 1, $noreg, @0, $noreg

  bb.2.done (ir-block-address-taken %ir-block.done):
    RET  0,  %0
...
---
name:            g
body:             |
  bb.0 (%ir-block.0):
    RET  0
...
"""


def changes(module: mir.MachineModule, text: str = TEXT) -> list[str]:
    """Return the lines of the file that are new."""
    lines = difflib.unified_diff(text.split("\n"), module.dumps().split("\n"), lineterm="", n=0)
    return [line[1:].strip() for line in lines if line[:1] == "+" and line[:3] != "+++"]


def function_of(module: mir.MachineModule) -> Function:
    return module.module.functions["f"]


def test_without_a_change_the_text_stays() -> None:
    module = mir.loads(TEXT)
    assert module.module.functions
    assert module.dumps() == TEXT


def test_operands_follow_a_global() -> None:
    module = mir.loads(TEXT)
    counter = module.module.get("counter")
    assert counter is not None
    counter.name = "a b"
    store = [*module.function("f").instructions][3]
    assert changes(module) == [
        '@"a b" = global i32 0',
        "value:           'ptr @\"a b\"'",
        '%2:gr32 = MOV32rm %stack.0.object, 1, $noreg, 0, $noreg :: (load (s32) from @"a b")',
        'MOV32mr $rip, 1, $noreg, @"a b" + 4, $noreg, $eax :: (store (s32) into `i64 ptrtoint (ptr @"a b" to i64)`)',
    ]
    assert store.operands[3] == GlobalAddress("a b", 4)
    assert module.function("f").ir_value(store.operands[3]) is counter
    counter.name = "counter"
    assert module.dumps() == TEXT


def test_documents_follow_a_function() -> None:
    module = mir.loads(TEXT)
    function_of(module).name = "renamed"
    assert changes(module) == [
        "define i32 @renamed(ptr %p, i32 %0) !dbg !9 {",
        "%object = alloca i32, align 4",
        "%2 = load i32, ptr %p, align 4, !tbaa !3",
        "define ptr @g() {",
        "ret ptr @renamed",
        "name:            renamed",
        "%3:gr64 = LEA64r $rip, 1, $noreg, blockaddress(@renamed, %ir-block.done), $noreg",
    ]
    assert module.function("renamed").ir_function is function_of_name(module, "renamed")


def function_of_name(module: mir.MachineModule, name: str) -> Function:
    return module.module.functions[name]


def test_bodies_follow_locals() -> None:
    module = mir.loads(TEXT)
    function = function_of(module)
    function.arguments[0].name = "q"
    function.blocks[0].name = "entry"
    function.blocks[1].instructions[0].name = "sum"
    function.blocks[2].name = ""
    function.symbols["object"].name = "thing"
    found = [new for new in changes(module) if "%ir" in new or "bb." in new or "thing" in new]
    assert found == [
        "%thing = alloca i32, align 4",
        "- { id: 0, name: thing, size: 4, alignment: 4 }",
        "bb.0.entry:",
        "%0:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg, debug-location !12 :: (load (s32) from %ir.q, !tbaa !3)",
        "%1:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg, pcsections !7 :: (load (s32) from %ir.1)",
        "%2:gr32 = MOV32rm %stack.0.thing, 1, $noreg, 0, $noreg :: (load (s32) from @counter)",
        "bb.1 (%ir-block.2):",
        "%3:gr64 = LEA64r $rip, 1, $noreg, blockaddress(@f, %ir-block.3), $noreg",
        "bb.2 (%ir-block.3, ir-block-address-taken %ir-block.3):",
    ]
    machine = mir.loads(module.dumps()).function("f")
    assert [block.ir_block for block in machine.blocks] == list(machine.ir_function.blocks)


JUMP_TABLE = """\
jumpTable:
  kind:            label-difference32
  entries:
    - id:              0
      blocks:          [ '%bb.1', '%bb.2.done' ]
body:             |
  bb.0 (%ir-block.1):
"""


def test_jump_tables_follow_blocks() -> None:
    text = TEXT.replace("body:             |\n  bb.0 (%ir-block.1):\n", JUMP_TABLE)
    module = mir.loads(text)
    block = function_of(module).blocks[2]
    block.name = "finish"
    assert "      blocks:          [ '%bb.1', '%bb.2.finish' ]\n" in module.dumps()
    block.name = "a b"
    assert "      blocks:          [ '%bb.1', '%bb.2' ]\n" in module.dumps()


def test_names_that_no_label_can_have() -> None:
    module = mir.loads(TEXT)
    function = function_of(module)
    function.blocks[2].name = "a b"
    function.symbols["object"].name = "c d"
    text = module.dumps()
    assert "  - { id: 0, name: 'c d', size: 4, alignment: 4 }" in text
    assert "MOV32rm %stack.0, 1" in text
    assert '  bb.2 (%ir-block."a b", ir-block-address-taken %ir-block."a b"):' in text
    function.blocks[2].name = "done"
    function.symbols["c d"].name = "object"
    text = module.dumps()
    assert "  bb.2.done (ir-block-address-taken %ir-block.done):" in text
    assert "  - { id: 0, name: object, size: 4, alignment: 4 }" in text


def test_numbers_of_nodes_stay() -> None:
    module = mir.loads(TEXT)
    function = function_of(module)
    metadata = module.module.context.metadata
    first, last = (metadata.tuple([metadata.string(text)]) for text in ("first", "last"))
    function.blocks[0].instructions[1].metadata["other"] = first
    reference = module.reference_to(last)
    assert reference.number == 21
    assert module.reference_to(last) == reference
    assert module.reference_to(module.node(7)).number == 7
    next(module.function("f").instructions).set_suffix("pcsections", reference)
    text = module.dumps()
    assert "!tbaa !3, !other !22" in text
    for line in TEXT.split("\n"):
        if line.startswith("  !"):
            assert line in text
    assert '  !21 = !{!"last"}\n' in text
    assert '  !22 = !{!"first"}\n' in text
    assert "pcsections !21, debug-location !12" in text
    assert module.dumps() == text


def test_new_nodes_request_sections() -> None:
    module = mir.loads(TEXT)
    metadata = module.module.context.metadata
    instruction = next(module.function("f").instructions)
    instruction.set_pcsections(module.reference_to(metadata.tuple([metadata.string("hot")])))
    assert str(instruction.pcsections) == "<PCSections hot>"
    text = module.dumps()
    assert "  !bitcodec.pcsections = !{!21}\n" in text
    assert str(next(mir.loads(text).function("f").instructions).pcsections) == "<PCSections hot>"


def test_new_objects_are_found() -> None:
    module = mir.loads(TEXT)
    function = function_of(module)
    builder = Builder(function.blocks[0])
    terminator = function.blocks[0].terminator
    assert terminator is not None
    builder.before(terminator)
    (made,) = builder.parse("%new = add i32 %2, 1")
    (table,) = module.module.parse("@table = global ptr @f")
    machine = module.function("f")
    assert machine.ir_value(IRValue("new")) is made
    assert machine.ir_value(GlobalAddress("table")) is table
    text = module.dumps()
    assert "  @table = global ptr @f\n" in text
    assert "    %new = add i32 %2, 1\n" in text
    assert "; about g\n  define  ptr  @g()  {\n    ret  ptr  @f\n" in text


def test_update_references_renames_operands_at_once() -> None:
    module = mir.loads(TEXT)
    argument = function_of(module).arguments[0]
    load = next(module.function("f").instructions)
    argument.name = "q"
    module.update_references()
    assert load.memory_operands[0].value == IRValue("q")
    assert module.function("f").ir_value(IRValue("q")) is argument


def test_ends_of_lines_stay() -> None:
    text = TEXT.replace("\n", "\r\n")
    module = mir.loads(text)
    function_of(module).arguments[0].name = "q"
    changed = module.dumps()
    assert "%ir.q" in changed
    assert changed.count("\n") == changed.count("\r\n")


def test_a_part_that_cannot_be_merged_is_rewritten() -> None:
    text = "--- |\n  define void @f() #7 {\n    ret void\n  }\n  define void @g() #3 {\n    ret void\n  }\n"
    text += "  attributes #3 = { cold }\n  attributes #7 = { noreturn }\n...\n"
    module = mir.loads(text)
    module.module.functions["g"].name = "h"
    changed = mir.loads(module.dumps()).module
    assert [str(function.attributes.for_function) for function in changed.functions] == ["noreturn", "cold"]


_NAMES = re.compile(r"%ir[^\s,)]*")


def rename_all(module: mir.MachineModule) -> dict[object, str]:
    """Give another name to everything that can have one; return the names that there were."""
    found: dict[object, str] = {}
    for value in module.module.globals:
        if value.name and not value.name.startswith(("llvm.", "__")):
            found[value] = value.name
            value.name = f"r.{value.name}"
    for function in module.module.functions:
        for local in (*function.arguments, *function.blocks, *function.instructions):
            if not isinstance(local.type, VoidType):
                found[local] = local.name
                local.name = f"v.{local.name}"
    return found


@pytest.mark.same_in_both
@pytest.mark.parametrize("path", some(GOLDENS, 7), ids=lambda path: path.name)
def test_names_of_real_files_go_there_and_back(path: Path) -> None:
    text = gzip.decompress(path.read_bytes()).decode()
    module = mir.loads(text)
    names = rename_all(module)
    changed = module.dumps()
    assert changed != text
    reread = mir.loads(changed)
    for function in reread.functions:
        assert [block.ir_block is None for block in function.blocks] == [
            block.ir_block is None for block in module.function(function.name).blocks
        ]
    for value, name in names.items():
        if not name:
            value.name = ""  # type: ignore[attr-defined]
    for value, name in names.items():
        value.name = name  # type: ignore[attr-defined]
    assert module.dumps() == text


@pytest.mark.parametrize("path", some(GOLDENS, 7), ids=lambda path: path.name)
def test_llc_reads_renamed_files(path: Path, tmp_path: Path) -> None:
    module = mir.loads(gzip.decompress(path.read_bytes()).decode())
    rename_all(module)
    file = tmp_path / "renamed.mir"
    mir.save(module, file)
    written = mir.loads(run(LLC, "-run-pass=none", file, "-o", "-"))
    assert [function.name for function in written.functions] == [function.name for function in module.functions]
    for function in written.functions:
        expected = [str(instruction) for instruction in module.function(function.name).instructions]
        found = [str(instruction) for instruction in function.instructions]
        assert _NAMES.findall("".join(found)) == _NAMES.findall("".join(expected))
