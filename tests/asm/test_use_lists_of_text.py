"""Orders of uses in bitcode of text; the directives were printed by LLVM 22.1.8: `llvm-as`, then `llvm-dis`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec.bitcode.assembling import assemble

from .text import assembled, disassembled, printed

OPTION = "--preserve-ll-uselistorder"

BLOCK_ADDRESSES = """\
@first = constant ptr blockaddress(@one, %block)
@second = constant ptr getelementptr (i8, ptr blockaddress(@two, %block), i64 1)

define ptr @before() {
  ret ptr getelementptr (i8, ptr blockaddress(@two, %block), i64 1)
more:
  ret ptr blockaddress(@one, %block)
last:
  ret ptr blockaddress(@three, %block)
}

define void @one() {
  br label %block
block:
  unreachable
}

define void @two() {
  br label %block
block:
  unreachable
}

define void @three() {
  br label %block
block:
  unreachable
}

define ptr @after() {
  ret ptr blockaddress(@two, %block)
more:
  ret ptr blockaddress(@one, %block)
last:
  ret ptr blockaddress(@three, %block)
}
"""
"""What globals hold makes LLVM read @one, @two and the other users of their blocks when it opens the file."""

NO_CFI = """\
define void @caller() {
  call void no_cfi @callee()
  call void @callee()
  ret void
}

declare void @callee()

define void @storer(ptr %p) {
  store ptr no_cfi @callee, ptr %p
  ret void
}
"""
"""@callee comes after its first use, and a later `no_cfi @callee` is the constant that stood for it there."""

DEBUG_RECORDS = """\
@array = global [10 x i64] zeroinitializer

define void @first() !dbg !4 {
  %1 = load i64, ptr getelementptr ([10 x i64], ptr @array, i64 0, i64 4)
    #dbg_value(ptr getelementptr ([10 x i64], ptr @array, i64 0, i64 5), !6, !DIExpression(), !8)
  %2 = load i64, ptr getelementptr ([10 x i64], ptr @array, i64 0, i64 6)
  ret void
}

define void @second() !dbg !5 {
    #dbg_value(ptr getelementptr ([10 x i64], ptr @array, i64 0, i64 7), !7, !DIExpression(), !9)
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "first", file: !1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "second", file: !1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocalVariable(name: "a", scope: !4)
!7 = !DILocalVariable(name: "b", scope: !5)
!8 = !DILocation(line: 1, scope: !4)
!9 = !DILocation(line: 2, scope: !5)
"""
"""The last function that uses @array does so in a debug record, so it has the order."""

CASES = {
    BLOCK_ADDRESSES: [
        "uselistorder ptr blockaddress(@one, %block), { 1, 2, 0 }",
        "uselistorder ptr blockaddress(@three, %block), { 1, 0 }",
    ],
    NO_CFI: [],
    DEBUG_RECORDS: [],
}
"""Text and the directives in the text of its bitcode."""


@pytest.mark.parametrize(("text", "wanted"), CASES.items(), ids=["block-addresses", "no-cfi", "debug-records"])
def test_directives(text: str, wanted: list[str]) -> None:
    found = printed(assemble(text.encode(), "a.ll"), "a.bc", preserve_use_list_order=True).decode()
    assert [line for line in found.splitlines() if line.startswith("uselistorder")] == wanted


@pytest.mark.parametrize("text", CASES, ids=["block-addresses", "no-cfi", "debug-records"])
def test_llvm_finds_the_same_orders(text: str, tmp_path: Path) -> None:
    path = assembled(text, tmp_path)
    theirs = disassembled(path, OPTION)
    assert printed(path.read_bytes(), str(path), preserve_use_list_order=True) == theirs
    path.write_bytes(assemble(text.encode(), "a.ll"))
    assert directives(disassembled(path, OPTION)) == directives(theirs)


def directives(text: bytes) -> list[bytes]:
    return [line for line in text.splitlines() if line.lstrip().startswith(b"uselistorder")]
