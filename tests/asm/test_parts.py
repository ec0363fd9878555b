"""`str` of whatever a module consists of."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

import bitcodec
from bitcodec import ir
from bitcodec.asm import Printer, function_assembly, print_assembly, text_of, write_assembly
from bitcodec.ir.module import Module
from bitcodec.tables.debug_info_flags import DIFlag
from corpus import FOLDER, needs_corpus

HELLO = Path(__file__).parents[2] / "examples" / "hello.bc"


@pytest.fixture
def hello() -> Module:
    return bitcodec.open(HELLO)


def test_modules(hello: Module) -> None:
    text = str(hello)
    assert text.startswith(f"; ModuleID = '{HELLO}'\nsource_filename = \"hello.c\"\n")
    assert text == print_assembly(hello) == bitcodec.print_assembly(hello)
    file = io.StringIO()
    write_assembly(hello, file)
    assert file.getvalue() == text


def test_parts_of_a_function(hello: Module) -> None:
    main = hello.functions["main"]
    entry, body = main.blocks[0], main.blocks[3]
    assert [str(argument) for argument in main.arguments] == ["i32 %0", "ptr %1"]
    assert str(entry.instructions[0]) == "%3 = icmp sgt i32 %0, 1"
    assert str(entry.instructions[0].debug_records[0]) == "#dbg_value(i32 %0, !0, !DIExpression(), !1)"
    assert str(entry.instructions[0].debug_records[0].value) == "i32 %0"
    assert str(entry.terminator) == "br label %6, !dbg !0"
    assert str(body) == (
        "8:                                                ; preds = %6\n"
        "  %9 = load ptr, ptr %4, align 8, !dbg !0, !tbaa !1\n"
        "  br label %10, !dbg !2"
    )
    lines = str(main).splitlines()
    assert lines[0] == "; Function Attrs: nofree nounwind uwtable"
    assert lines[-1] == "}"
    assert str(hello.functions["printf"]).splitlines()[1].startswith("declare !dbg !0 noundef i32 @printf(ptr noundef")


def test_any_node_that_is_a_value_of_a_debug_record_has_a_number(hello: Module) -> None:
    record = hello.functions["main"].blocks[0].instructions[0].debug_records[0]
    assert isinstance(record, ir.DbgVariableRecord)
    record.value = ir.DIBasicType(name="value")
    record.variable = ir.DILocalVariable(name="variable")
    # LLVM numbers the value in front of the variable.
    found = re.search(r"#dbg_value\(!(\d+), !(\d+), ", str(hello))
    assert found is not None
    assert int(found[2]) == int(found[1]) + 1


def test_other_parts(hello: Module) -> None:
    variable = hello.global_variables[1]
    assert str(variable) == '@.str.1 = private unnamed_addr constant [8 x i8] c"bitcode\\00", align 1, !dbg !0'
    assert str(variable.initializer) == '[8 x i8] c"bitcode\\00"'
    assert str(hello.named_metadata["llvm.ident"]) == "!llvm.ident = !{!0}"
    node = hello.named_metadata["llvm.ident"].operands[0]
    assert str(node) == '!{!"Debian clang version 22.1.8 (1~deb12u1)"}'
    assert str(node.operands[0]) == '!"Debian clang version 22.1.8 (1~deb12u1)"'
    assert str(hello.functions["main"].value_type) == "i32 (i32, ptr)"
    assert str(ir.Comdat("a b")) == '$"a b" = comdat any'
    types = hello.context.types
    assert str(hello.context.constants.null(types.pointer())) == "ptr null"


def test_what_stands_nowhere() -> None:
    module = Module("m", ir.DataLayout(""))
    types, constants = module.context.types, module.context.constants
    one = constants.integer(types.integer(32), 1)
    addition = ir.BinaryOperator("add", one, one)
    assert str(addition) == "add i32 1, 1"
    addition.name = "x"
    assert str(ir.BinaryOperator("mul", addition, one)) == "mul i32 %x, 1"
    assert str(ir.BinaryOperator("mul", ir.Freeze(one), one)) == "mul i32 <badref>, 1"
    assert str(ir.Return(types.void)) == "ret void"
    with pytest.raises(TypeError, match="3 has no text"):
        text_of(3)


def test_a_printer_keeps_its_numbers(hello: Module) -> None:
    main = hello.functions["main"]
    instructions = list(main.instructions)
    printer = Printer(hello)
    first = [printer.text_of(instruction) for instruction in instructions]
    assert first == [printer.text_of(instruction) for instruction in instructions]
    assert first[-1] == "br i1 %14, label %5, label %6, !dbg !9, !llvm.loop !10"
    whole = Printer(hello, whole=True)
    text = str(hello)
    for instruction in instructions:
        assert f"\n  {whole.text_of(instruction)}\n" in text


def test_one_function(hello: Module) -> None:
    text = "".join(function_assembly(hello.functions["main"]))
    assert text.startswith("; Function Attrs: nofree nounwind uwtable\ndefine dso_local noundef i32 @main(")
    assert "\nattributes #0 = { nofree nounwind uwtable " in text
    assert "\n!2 = !DILocation(line: 0, scope: !0)\n" in text
    assert '\n!1 = !DILocalVariable(name: "argc", arg: 1, scope: !0, file: !' in text
    assert "!DIFile" not in text
    assert "attributes #1" not in text


@needs_corpus
def test_one_function_leaves_the_others_alone() -> None:
    module = bitcodec.open(FOLDER.parent / "bench" / "sqlite-O1-g.bc")
    text = "".join(function_assembly(module.functions["sqlite3_open"]))
    assert "define dso_local i32 @sqlite3_open(" in text
    read = [function.name for function in module.functions if function.is_materialized and not function.is_declaration]
    assert read == ["sqlite3_open"]


@needs_corpus
def test_structs_that_a_function_mentions_come_with_it() -> None:
    module = bitcodec.open(FOLDER / "modules" / "structs-O0g-22.bc")
    function = next(one for one in module.functions if "%struct." in str(one))
    text = "".join(function_assembly(function))
    assert "\n%struct." in text
    assert " = type { " in text


@needs_corpus
def test_each_instruction_of_the_corpus_by_itself() -> None:
    """What a function's text consists of is what its parts say, but for the numbers of metadata."""
    for path in sorted((FOLDER / "modules").glob("*-22.bc")):
        for module in bitcodec.open_all(path):
            printer = Printer(module, whole=True)
            for function in module.functions:
                text = printer.text_of(function)
                parts = [printer.text_of(block) for block in function.blocks]
                assert all(part in text for part in parts)
                for block, part in zip(function.blocks, parts, strict=True):
                    assert all(printer.text_of(instruction) in part for instruction in block)


def test_flags_above_the_largest_named_one_go_with_the_first_name() -> None:
    unnamed, largest = 1 << 21, max(DIFlag.spellings)
    beyond = 1 << largest.bit_length()
    texts = {flags: str(ir.DILocalVariable(flags=flags)) for flags in (beyond, beyond | unnamed, beyond | unnamed | 4)}
    shown = [re.findall(r"flags: ([^,)]+)", text) for text in texts.values()]
    assert shown == [[str(beyond)], [str(beyond | unnamed)], ["DIFlagFwdDecl | 2097152"]]
