"""Whole lines as llvm-dis 22 prints them: instructions, constants and types of every module of the corpus."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import bitcodec
import corpus
from bitcode.streams import llvm_dis

from .details import (
    FunctionDetails,
    GlobalDetails,
    InstructionDetails,
    ModuleDetails,
    TypeDetails,
    details_of_text,
    differences_of_details,
)
from .float_text import float_text
from .goldens import is_of_one_module, text_of

RARE = sorted(Path(__file__).parent.glob("rare*.bc"))
MODULES = [file for file in corpus.streams() if is_of_one_module(file)]

TEXT = r"""
%T = type { i32 }
%"a b" = type opaque
%0 = type { %T }

@g = constant [3 x i8] c"!1\22", align 1, !dbg !3 #0

; Function Attrs: nounwind
declare !kind !0 void @"d !1"() #1

define i32 @f(i1 %c) !dbg !2 {
  %1 = tail call i32 asm "#0 !1", "r"(i32 /* kind=x */ 1) #1, !dbg !4, !srcloc !0

2:                                                ; preds = %0
    #dbg_value(i32 %1, !6, !DIExpression(DW_OP_plus_uconst, 8), !4)
    #dbg_label(!7, !4)
  switch i1 %c, label %2 [
    i1 true, label %2
  ], !prof !0
  %x = landingpad { ptr, i32 }
          cleanup
  %"y = z" = invoke i32 @g(metadata !0)
          to label %2 unwind label %2, !dbg !5
}

attributes #0 = { "k"="}" }
attributes #1 = { nounwind }

!0 = !{!"!1 x", i32 1, !1, null}
!1 = !{}
!2 = distinct !DISubprogram(name: "f, line: 9", scope: null, line: 3, spFlags: DISPFlagDefinition)
!3 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression(DW_OP_plus_uconst, 8))
!4 = !DILocation(line: 0, column: 2, scope: !2, inlinedAt: !5)
!5 = distinct !DILocation(line: 7, scope: !2)
!6 = !DILocalVariable(name: "v", scope: !2)
!7 = !DILabel(scope: !2, name: "", file: !1, line: 8)
"""
SUBPROGRAM = 'distinct !DISubprogram(name: "f, line: 9", line: 3)'
INLINED_AT = f"distinct !DILocation(line: 7, scope: {SUBPROGRAM})"
LOCATION = f"!DILocation(column: 2, scope: {SUBPROGRAM}, inlinedAt: {INLINED_AT})"
VARIABLE = '!DILocalVariable(name: "v")'
TUPLE = '!{!"!1 x", i32 1, !, null}'


def test_text_is_told_apart() -> None:
    assert details_of_text(TEXT) == ModuleDetails(
        (TypeDetails('%"a b"', "opaque"), TypeDetails("%T", "{ i32 }")),
        (
            GlobalDetails(
                "@g",
                r'@g = constant [3 x i8] c"!1\22", align 1 #{ "k"="}" }',
                ("!dbg !DIGlobalVariableExpression()",),
            ),
        ),
        (
            FunctionDetails('@"d !1"', 'declare void @"d !1"() #{ nounwind }', (f"!kind {TUPLE}",), (), ()),
            FunctionDetails(
                "@f",
                "define i32 @f(i1 %c)",
                (f"!dbg {SUBPROGRAM}",),
                ("2: ; preds = %0",),
                (
                    InstructionDetails(
                        "call",
                        '%1 = tail call i32 asm "#0 !1", "r"(i32 1) #{ nounwind }',
                        LOCATION,
                        (f"!srcloc {TUPLE}",),
                        (),
                    ),
                    InstructionDetails(
                        "switch",
                        "switch i1 %c, label %2 [ i1 true, label %2 ]",
                        "",
                        (f"!prof {TUPLE}",),
                        (
                            f"#dbg_value(i32 %1, {VARIABLE}, !DIExpression(DW_OP_plus_uconst, 8), {LOCATION})",
                            f"#dbg_label(!DILabel(line: 8), {LOCATION})",
                        ),
                    ),
                    InstructionDetails("landingpad", "%x = landingpad { ptr, i32 } cleanup", "", (), ()),
                    InstructionDetails(
                        "invoke",
                        f'%"y = z" = invoke i32 @g(metadata {TUPLE}) to label %2 unwind label %2',
                        INLINED_AT,
                        (),
                        (),
                    ),
                ),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.000000e+00"),
        (-0.0, "-0.000000e+00"),
        (1.0, "1.000000e+00"),
        (123456.0, "1.234560e+05"),
        (0.1, "1.000000e-01"),
        (-2.5, "-2.500000e+00"),
        (1e100, "1.000000e+100"),
        (5e-324, "4.940660e-324"),
        (1234567.0, "0x4132D68700000000"),
        (-0.7, "0xBFE6666666666666"),
        (2.0**-1022, "0x10000000000000"),
        (float("-inf"), "0xFFF0000000000000"),
    ],
)
def test_doubles(value: float, text: str) -> None:
    assert float_text("double", struct.unpack("<Q", struct.pack("<d", value))[0]) == text


@pytest.mark.parametrize(
    ("spelling", "bits", "text"),
    [
        ("float", 0x3DCCCCCD, "0x3FB99999A0000000"),
        ("float", 0x7FA00000, "0x7FF4000000000000"),
        ("half", 0x3C00, "0xH3C00"),
        ("bfloat", 0x3F80, "0xR3F80"),
        ("x86_fp80", 0x3FFF << 64 | 1 << 63, "0xK3FFF8000000000000000"),
        ("fp128", 0x3FFF << 112, "0xL00000000000000003FFF000000000000"),
        ("ppc_fp128", 0x3FF0 << 48, "0xM3FF00000000000000000000000000000"),
    ],
)
def test_other_numbers(spelling: str, bits: int, text: str) -> None:
    assert float_text(spelling, bits) == text


@pytest.mark.parametrize("file", corpus.parameters(MODULES))
def test_lines_are_those_llvm_prints(file: corpus.File) -> None:
    found = differences_of_details(bitcodec.loads(file.data), text_of(corpus.FOLDER / file.path))

    assert [str(difference) for difference in found][:5] == []


@pytest.mark.parametrize("file", RARE, ids=lambda file: file.name)
def test_lines_that_the_corpus_has_not(file: Path) -> None:
    data = file.read_bytes()

    found = differences_of_details(bitcodec.loads(data), llvm_dis(data))

    assert [str(difference) for difference in found][:5] == []
