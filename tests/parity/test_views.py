"""Differences between views are found, and told in one line each."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from . import llvmlite_view
from .bitcodec_view import kind_of
from .llvmlite_view import cases_of, type_text
from .views import ArgumentView, BlockView, FunctionView, InstructionView, ModuleView, OperandView, differences

ONE = OperandView("constant_int", "", "i32", "1")
TWO = OperandView("constant_int", "", "i32", "2")
ADD = InstructionView("add", "i32", "x", "", (ONE, TWO))
RET = InstructionView("ret", "void", "", "", ())


def module(*instructions: InstructionView, argument: str = "a") -> ModuleView:
    arguments = (ArgumentView(argument, "i32", ""),)
    blocks = (BlockView("entry", instructions),)
    function = FunctionView("f", "external", "default", "default", "void (i32)", False, "", arguments, blocks)
    return ModuleView("f.c", "", "", (), (function,))


def lines(ours: ModuleView, theirs: ModuleView) -> list[str]:
    return [str(difference) for difference in differences(ours, theirs)]


def test_equal_views_differ_in_nothing() -> None:
    assert lines(module(ADD, RET), module(ADD, RET)) == []


def test_a_field_is_told_with_its_place() -> None:
    other = ADD._replace(operands=(ONE, ONE))
    assert lines(module(ADD, RET), module(other, RET)) == [
        "function 0 f, block 0 entry, instruction 0 add, operand 1 constant_int, which: ours '2', theirs '1'"
    ]
    assert lines(module(argument="b"), module()) == ["function 0 f, argument 0 a, name: ours 'b', theirs 'a'"]


def test_a_missing_part_is_told_once() -> None:
    assert lines(module(ADD, RET), module(ADD, ADD, RET)) == [
        "function 0 f, block 0 entry, number of instructions: ours 2, theirs 3",
        "function 0 f, block 0 entry, instruction 1, what it is: ours 'ret', theirs 'add'",
    ]
    assert lines(module(ADD), module(ADD._replace(name="y"), RET)) == [
        "function 0 f, block 0 entry, number of instructions: ours 1, theirs 2",
        "function 0 f, block 0 entry, instruction 1, what it is: ours None, theirs 'ret'",
        "function 0 f, block 0 entry, instruction 0 add, name: ours 'x', theirs 'y'",
    ]


def test_texts_in_lists_are_told_one_by_one() -> None:
    class Lines(NamedTuple):
        lines: tuple[str, ...]

    def told(ours: Lines, theirs: Lines) -> list[str]:
        return [str(difference) for difference in differences(ours, theirs)]

    assert told(Lines(("a", "b")), Lines(("a", "c"))) == ["line 1: ours 'b', theirs 'c'"]
    assert told(Lines(("a",)), Lines(("a", "c"))) == [
        "number of lines: ours 1, theirs 2",
        "line 1, what it is: ours None, theirs 'c'",
    ]


def test_kinds_of_differences_leave_the_place_out() -> None:
    (difference,) = differences(module(ADD), module(ADD._replace(type="i64")))
    assert difference.kind == "instruction.type"


@pytest.mark.parametrize(
    ("printed", "spelling"),
    [
        ("%a = type { i32 }", "%a"),
        ("%a = type opaque", "%a"),
        ('%"type 0x55f33a914a90" = type { i32 }', '%""'),
        ('[2 x %"type 0x55f33a914a90"]', '[2 x %""]'),
        ("i32 (ptr, ...)", "i32 (ptr, ...)"),
    ],
)
def test_types_are_spelled_as_operands_have_them(printed: str, spelling: str) -> None:
    assert type_text(printed) == spelling


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ConstantInt", "constant_int"),
        ("ConstantFP", "constant_fp"),
        ("GlobalIFunc", "global_ifunc"),
        ("BasicBlock", "basic_block"),
        ("NoCFIValue", "wrapper_of_a_global"),
        ("MetadataAsValue", "metadata_as_value"),
    ],
)
def test_kinds_are_found_by_class(name: str, kind: str) -> None:
    base = type(name, (), {})
    assert kind_of(base()) == kind
    assert kind_of(type("Derived", (base,), {})()) == kind


def test_values_of_cases_are_read_from_text() -> None:
    text = '  switch i8 %x, label %a [\n    i8 1, label %b\n    i8 -1, label %"i8 7, label "\n  ], !x !0'
    assert list(cases_of(text)) == [OperandView("constant_int", "", "i8", value) for value in ("1", "255")]
    assert [case.which for case in cases_of("  switch i1 %x, label %a [\n    i1 true, label %b\n  ]")] == ["1"]


TEXT = """
%0 = type { i32 }
@g = external global %0
@a = alias i32, ptr @g
declare void @callee(ptr byval(%0), i32 noundef zeroext)
define i32 @f(i32 %x) {
entry:
  call void @callee(ptr byval(%0) @g, i32 zeroext 7) nounwind
  %c = icmp eq i32 %x, 0
  br i1 %c, label %then, label %else
then:
  %l = load i32, ptr @a
  ret i32 %l
else:
  %p = phi i32 [ 3, %entry ]
  switch i32 %p, label %end [ i32 -1, label %end ]
end:
  %u = load i32, ptr dso_local_equivalent @callee
  unreachable
}
"""


def test_llvmlite_tells_all_that_a_view_holds() -> None:
    llvm = pytest.importorskip("llvmlite.binding")
    view = llvmlite_view.view_of(llvm.parse_assembly(TEXT, llvm.create_context()).as_bitcode())

    assert [(one.name, one.type, one.is_declaration) for one in view.globals] == [("g", '%""', True)]
    callee, function = view.functions
    assert [argument.attributes for argument in callee.arguments] == ['byval(%"")', "noundef zeroext"]
    assert function.arguments == (ArgumentView("x", "i32", ""),)
    entry, then, other, end = function.blocks
    call, compare, branch = entry.instructions
    assert (call.opcode, call.attributes) == ("call", "nounwind")
    assert call.operands == (
        OperandView("global_variable", "g", "ptr", "global 0"),
        OperandView("constant_int", "", "i32", "7"),
        OperandView("function", "callee", "ptr", "function 0"),
    )
    assert compare.operands[0] == OperandView("argument", "x", "i32", "argument 0")
    assert [(operand.kind, operand.which) for operand in branch.operands] == [
        ("instruction", "instruction 1"),
        ("basic_block", "block 2"),
        ("basic_block", "block 1"),
    ]
    assert then.instructions[0].operands == (OperandView("global_alias", "a", "ptr", ""),)
    three, minus_one = (OperandView("constant_int", "", "i32", str(value)) for value in (3, (1 << 32) - 1))
    assert other.instructions[0].operands == (three, OperandView("basic_block", "entry", "label", "block 0"))
    last = OperandView("basic_block", "end", "label", "block 3")
    assert other.instructions[1].operands[1:] == (last, last, minus_one)
    assert end.instructions[0].operands == (OperandView("wrapper_of_a_global", "", "ptr", ""),)
