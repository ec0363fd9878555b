"""Modules of texts, and modules that LLVM 22 writes again: what has no name, and one change at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask, build

from .models import DATA, EXAMPLES, assembled, compared, hunks

CODE = """
%0 = type { i32, %1 }
%1 = type { ptr }
%named = type { %0 }
@0 = private constant [4 x i8] c"one\\00"
@1 = private constant [4 x i8] c"two\\00"
@2 = alias i32, ptr @v
@v = global i32 1
@n = global %named zeroinitializer
declare void @use(ptr, i32) #0
define i32 @f(i32 %0, i32 %1) #1 {
  %3 = alloca i32
  %4 = alloca i32
  store i32 %0, ptr %3
  store i32 %1, ptr %4
  %5 = icmp eq i32 %0, 0
  br i1 %5, label %6, label %9
6:
  call void @use(ptr @0, i32 1), !mine !0
  %7 = load i32, ptr %3
  %8 = getelementptr %0, ptr @1, i32 %7
  br label %9
9:
  %10 = phi i32 [ 1, %2 ], [ %7, %6 ]
  call void @use(ptr blockaddress(@f, %6), i32 2), !mine !1
  ret i32 %10
}
attributes #0 = { nounwind }
attributes #1 = { noinline }
!0 = distinct !{!"x", !2}
!1 = distinct !{!1, !"y"}
!2 = !{i64 7}
!named = !{!2}
"""


def test_the_same_text() -> None:
    assert compared(assembled(CODE), assembled(CODE)) == []


RENUMBERED = (
    CODE.replace("%0 = type { i32, %1 }\n%1 = type { ptr }", "%0 = type { ptr }\n%1 = type { i32, %0 }")
    .replace("{ %0 }", "{ %1 }")
    .replace("getelementptr %0", "getelementptr %1")
    .replace('@0 = private constant [4 x i8] c"one', '@0 = private constant [4 x i8] c"TWO')
    .replace('@1 = private constant [4 x i8] c"two', '@1 = private constant [4 x i8] c"one')
    .replace("TWO", "two")
    .replace("@use(ptr @0", "@use(ptr @ZERO")
    .replace("ptr @1, i32 %7", "ptr @0, i32 %7")
    .replace("@ZERO", "@1")
    .replace("#0", "#7")
    .replace("!0", "!9")
    .replace("!2", "!0")
)


def test_numbers_do_not_count() -> None:
    assert RENUMBERED != CODE
    assert compared(assembled(CODE), assembled(RENUMBERED)) == []


@pytest.mark.parametrize(
    ("old", "new", "label"),
    [
        ('c"one', 'c"ONE', "~ variables without names"),
        ("{ ptr }", "{ i64 }", "~ %named"),
        ("nounwind", "cold", "~ @use"),
        ("noinline", "cold noinline", "~ @f"),
        ('"x"', '"z"', "~ @f"),
        ("!{i64 7}", "!{i64 8}", "~ !named"),
        ('distinct !{!"x"', '!{!"x"', "~ @f"),
        ("blockaddress(@f, %6)", "blockaddress(@f, %9)", "~ @f"),
        ("alias i32, ptr @v", "alias i32, ptr getelementptr (i8, ptr @v, i64 1)", "~ @<GlobalAlias 0>"),
        ("ptr @0, i32 1", "ptr @1, i32 1", "~ @f"),
        ("[ 1, %2 ], [ %7, %6 ]", "[ %0, %2 ], [ %7, %6 ]", "~ @f"),
    ],
)
def test_contents_do(old: str, new: str, label: str) -> None:
    assert CODE.count(old) == 1
    assert label in compared(assembled(CODE), assembled(CODE.replace(old, new)))


def test_an_inserted_instruction_is_one_line() -> None:
    lines = CODE.partition("@f(")[2]
    added = CODE.replace("  %3 = alloca i32\n", "  %new = alloca i64\n  %3 = alloca i32\n")
    assert lines
    assert hunks(assembled(CODE), assembled(added), "@f") == ["+  %new = alloca i64, align 8"]
    assert compared(assembled(CODE), assembled(added)) == ["~ @f"]


BODY = """define void @f() {{
0:
  {added}
  %{a} = alloca i32
  %{b} = alloca i32
  %{c} = alloca i32
  store i32 0, ptr %{a}
  store i32 1, ptr %{b}
  store i32 2, ptr %{c}
  br label %{d}
{d}:
  ret void
}}
"""


@pytest.mark.parametrize("width", [32, 64])
def test_an_inserted_value_without_a_name_is_one_line(width: int) -> None:
    """All values behind it have other numbers, and of those that are defined alike each is the same one again."""
    before = BODY.format(added="", a=1, b=2, c=3, d=4)
    after = BODY.format(added=f"%1 = alloca i{width}", a=2, b=3, c=4, d=5)
    expected = [f"+  %+1 = alloca i{width}, align {width // 8}"]
    assert hunks(assembled(before), assembled(after), "@f") == expected


def test_a_function_with_another_attribute_keeps_its_values() -> None:
    after = CODE.replace("@f(i32 %0, i32 %1) #1", "@f(i32 noundef %0, i32 %1) #1")
    assert hunks(assembled(CODE), assembled(after), "@f") == [
        "-define i32 @f(i32 %0, i32 %1) #{ noinline } {",
        "+define i32 @f(i32 noundef %0, i32 %1) #{ noinline } {",
    ]


SHIPPED = ["atomics-O2-22.bc", "exceptions-O2-19.bc", "ir_metadata-22.bc", "ir_types-22.bc"]


@pytest.mark.parametrize(
    "path", [EXAMPLES / "queue.bc", *(DATA / name for name in SHIPPED)], ids=lambda path: path.name
)
def test_written_anew_by_llvm_it_is_the_same(path: Path) -> None:
    commands = ["llvm-dis-22 in.bc -o printed.ll", "llvm-as-22 printed.ll -o out.bc"]
    again = build(commands, {"in.bc": path.read_bytes()}, ["out.bc"])["out.bc"]
    assert compared(bitcodec.open(path), bitcodec.loads(again)) == []


@pytest.mark.parametrize("name", ["hello", "queue"])
def test_without_debug_information_it_is_the_same_code(name: str) -> None:
    path = EXAMPLES / f"{name}.bc"
    command = ["opt-22", "-strip-debug", "-o", "-", path]
    stripped = bitcodec.loads(ask(command, check=True).stdout)
    assert compared(bitcodec.open(path), stripped, debug_info=False) == []
    assert len(compared(bitcodec.open(path), stripped)) > 10
