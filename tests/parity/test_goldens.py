"""The heads of globals as llvm-dis 22 prints them, field by field: those of every module of the corpus."""

from __future__ import annotations

import pytest

import bitcodec
import corpus

from . import llvmlite_view
from .goldens import Head, differences_of_heads, heads_of_module, heads_of_text, is_of_one_module, text_of

MODULES = [file for file in corpus.streams() if is_of_one_module(file)]

TEXT = r"""
%T = type { i32 }
$c = comdat any
@a = external global %T
@"b\22\\" = private unnamed_addr constant [2 x i8] c"x\22", section "a\0Ab", comdat($c), align 1, !dbg !3 #1
@t = weak hidden thread_local(initialexec) addrspace(1) externally_initialized global ptr @a, partition "p", comdat
@0 = alias i8, getelementptr (i8, ptr @a, i64 4)
@i = internal ifunc void (), ptr @f

define dllexport x86_stdcallcc noundef "k"="@x(" x86_fp80 @f(ptr "a)" %0, ...) unnamed_addr #0 section "s" align 16 {
  ret x86_fp80 undef
}

declare !dbg !7 extern_weak avr_intrcc  range(i32 0, 5) i32 @"g h"() local_unnamed_addr addrspace(4) #3
define linkonce_odr riscv_vls_cc(64) void @gc() comdat gc "shadow-stack" prefix i32 1 personality ptr @f !dbg !3 {
}
"""


def test_text_is_told_apart() -> None:
    local = {"dso_local": "dso_local"}
    assert heads_of_text(TEXT) == [
        Head("global", "a", {}),
        Head(
            "constant",
            'b"\\',
            local
            | {
                "linkage": "private",
                "unnamed_addr": "unnamed_addr",
                "section": "a\nb",
                "comdat": "c",
                "alignment": "1",
            },
        ),
        Head(
            "global",
            "t",
            local
            | {
                "linkage": "weak",
                "visibility": "hidden",
                "thread_local": "thread_local(initialexec)",
                "address_space": "addrspace(1)",
                "externally_initialized": "externally_initialized",
                "partition": "p",
                "comdat": "t",
            },
        ),
        Head("alias", "", {}),
        Head("ifunc", "i", local | {"linkage": "internal"}),
        Head(
            "define",
            "f",
            {
                "dll_storage_class": "dllexport",
                "cc": "x86_stdcallcc",
                "unnamed_addr": "unnamed_addr",
                "section": "s",
                "alignment": "16",
            },
        ),
        Head(
            "declare",
            "g h",
            {
                "linkage": "extern_weak",
                "cc": "avr_intrcc",
                "unnamed_addr": "local_unnamed_addr",
                "address_space": "addrspace(4)",
            },
        ),
        Head(
            "define",
            "gc",
            {
                "linkage": "linkonce_odr",
                "cc": "riscv_vls_cc(64)",
                "comdat": "gc",
                "gc": "shadow-stack",
                "prefix": "prefix",
                "personality": "personality",
            },
        ),
    ]


@pytest.mark.skipif(not llvmlite_view.is_there(), reason="llvmlite is not installed")
@pytest.mark.parametrize("file", corpus.parameters(MODULES[::10]))
def test_two_witnesses_agree(file: corpus.File) -> None:
    """What llvm-dis printed and what llvmlite tells were made apart: a reading of either that errs shows."""
    heads = heads_of_text(text_of(corpus.FOLDER / file.path))
    view = llvmlite_view.view_of(file.data)

    functions = [
        (
            head.name,
            head.fields.get("linkage", "external"),
            head.fields.get("visibility", "default"),
            head.fields.get("dll_storage_class", "default"),
            head.kind == "declare",
        )
        for head in heads
        if head.kind in {"declare", "define"}
    ]
    assert functions == [(*function[:4], function.is_declaration) for function in view.functions]
    assert [head.name for head in heads if head.kind in {"global", "constant"}] == [one.name for one in view.globals]


@pytest.mark.parametrize("file", corpus.parameters(MODULES))
def test_heads_are_those_llvm_prints(file: corpus.File) -> None:
    theirs = heads_of_text(text_of(corpus.FOLDER / file.path))

    ours = heads_of_module(bitcodec.loads(file.data))

    assert [str(difference) for difference in differences_of_heads(ours, theirs)][:5] == []
