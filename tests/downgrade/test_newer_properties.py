"""Properties of instructions, globals and nodes that older readers refuse or take for others.

The readers of LLVM 4 to 21 print the lines.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

import bitcodec
from bitcodec.builder import add_function, new_module

from .oracles import read, verify

UNIT = """
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!3}}
!0 = distinct !DICompileUnit({language}, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{{}}
!3 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, type: !5, spFlags: DISPFlagDefinition, unit: !0{flags})
!5 = !DISubroutineType(types: !2)
define void @f() !dbg !4 {{
  ret void
}}
"""
DOMAIN = """
define i32 @f(ptr %p) {{
  %v = load i32, ptr %p, align 4, !alias.scope !0, !llvm.access.group !3
  ret i32 %v
}}
!0 = !{{!1}}
!1 = distinct !{{!1, !2, !"scope"}}
!2 = distinct !{{{domain}}}
!3 = distinct !{{}}
!4 = !{{!"llvm.loop.vectorize.enable", i1 true}}
!named = !{{!4}}
"""
OPERATION = """
declare {type} @g()
define {type} @f(i1 %c, {type} %x) {{
e:
  %r = call nnan {type} @g()
  br label %b
b:
  %p = phi nnan {type} [ %x, %e ]
  %s = select nnan i1 %c, {type} %r, {type} %p
  ret {type} %s
}}
"""
STRUCT, ARRAY = OPERATION.format(type="{ float, float }"), OPERATION.format(type="[2 x float]")
IFUNCS = """
@i = internal ifunc i32 (i32), ptr @res
@j = weak_odr dso_local ifunc i32 (i32), ptr @res, partition "p"
define internal ptr @res() {
  ret ptr null
}
"""
CODE = """
target datalayout = "e-P1-p1:16:8"
define void @f(ptr addrspace(1) %p) addrspace(1) {
  call addrspace(1) void %p()
  call addrspace(1) void @h()
  ret void
}
declare void @h() addrspace(1)
"""


class Case(NamedTuple):
    """A text, versions that it is written for, the losses, and a line that these versions print."""

    name: str
    text: str
    versions: tuple[int, ...]
    losses: list[str]
    line: str


STRUCT_LOSS, ARRAY_LOSS = "fast-math flags of a structure", "fast-math flags of an array"
OLD_LOSSES = ["fast-math flags of phi", "fast-math flags of select"]
CASES = [
    Case("call of a structure", STRUCT, (20, 21), [], "%r = call nnan { float, float } @g()"),
    Case("call of a structure", STRUCT, (10, 14, 19), [STRUCT_LOSS], "%r = call { float, float } @g()"),
    Case("phi of a structure", STRUCT, (10, 14, 19), [STRUCT_LOSS], "%p = phi { float, float } [ %x, %e ]"),
    Case("select of a structure", STRUCT, (4, 8), [STRUCT_LOSS, *OLD_LOSSES],
         "%s = select i1 %c, { float, float } %r, { float, float } %p"),
    Case("call of an array", ARRAY, (10, 14, 21), [], "%r = call nnan [2 x float] @g()"),
    Case("call of an array", ARRAY, (9,), [ARRAY_LOSS, OLD_LOSSES[0]], "%r = call [2 x float] @g()"),
    Case("disjoint domain", DOMAIN.format(domain='!2, i1 true, !"d"'), (4, 14, 19, 21),
         ["`i1 true` in a domain of alias scopes"], '= distinct !{!N, !"d"}'),
    Case("joint domain", DOMAIN.format(domain="!2, i1 false"), (4, 14, 19, 21),
         ["`i1 false` in a domain of alias scopes"], "= distinct !{!N}"),
    Case("named domain", DOMAIN.format(domain='!"d", i1 false'), (14, 21),
         ["`i1 false` in a domain of alias scopes"], '= distinct !{!"d"}'),
    Case("option of a loop", DOMAIN.format(domain='!2, !"d"'), (14, 21), [],
         '= !{!"llvm.loop.vectorize.enable", i1 true}'),
    Case("local ifunc", IFUNCS, (5, 6), ["partition of a global", "flag `dso_local` of an ifunc"],
         "@i = internal ifunc i32 (i32), bitcast (i8* ()* @res to i32 (i32)* ()*)"),
    Case("ifunc", IFUNCS, (4, 5, 6), ["partition of a global", "flag `dso_local` of an ifunc"],
         "@j = weak_odr ifunc i32 (i32), bitcast (i8* ()* @res to i32 (i32)* ()*)"),
    Case("ifunc", IFUNCS, (7, 8), ["partition of a global"],
         "@j = weak_odr dso_local ifunc i32 (i32), bitcast (i8* ()* @res to i32 (i32)* ()*)"),
    Case("function in program space", CODE, (8, 14, 15), [], "define void @f(PTR addrspace(1)%p) addrspace(1) {"),
    Case("function in program space", CODE, (7,), ["function in an address space other than 0"],
         "define void @f(PTR addrspace(1)%p) {"),
    Case("higher flags", UNIT.format(language="language: DW_LANG_C99", flags=", flags: 1073741888"), (9, 10, 11),
         ["flags of debug-info nodes above `AllCallsDescribed`"], "flags: DIFlagArtificial,"),
    Case("higher flags", UNIT.format(language="language: DW_LANG_C99", flags=", flags: 1073741888"), (12, 21), [],
         "flags: DIFlagArtificial,"),
    Case("language by name", UNIT.format(language="sourceLanguageName: DW_LNAME_Rust", flags=""), (5, 21),
         ["field `sourceLanguageName` of !DICompileUnit"], "!DICompileUnit(language: DW_LANG_Rust,"),
    Case("language and version",
         UNIT.format(language="sourceLanguageName: DW_LNAME_C, sourceLanguageVersion: 199901", flags=""), (5, 21),
         ["field `sourceLanguageName` of !DICompileUnit"], "!DICompileUnit(language: DW_LANG_C99,"),
]  # fmt: skip


def plain(text: str) -> str:
    """Return a text with pointers of one spelling and nodes of one number."""
    text = re.sub(r"i8( addrspace\(1\))?\* ?|ptr( addrspace\(1\))? ?", r"PTR\1\2 ", text).replace(") %", ")%")
    return re.sub(r"!\d+", "!N", text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.versions[0]}")
def test_older_readers_read_what_was_meant(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "older.bc"
    module = bitcodec.loads(case.text.encode(), "case")
    before = str(module)
    for version in case.versions:
        losses: list[bitcodec.Loss] = []
        bitcodec.save(module, path, llvm_version=version, on_loss=losses.append)
        assert {loss.construct for loss in losses} - {
            "`P1` in the data layout",
            "newer flags of debug-info nodes",
        } == set(case.losses)
        assert not verify(version, path)
        text = read(version, path)
        assert case.line in text or plain(case.line) in plain(text), text
    assert str(module) == before


@pytest.mark.parametrize(
    ("text", "version", "message"),
    [
        (f"{CODE}@p = global ptr addrspace(1) @h", 7, "address of a function in an address space other than 0 in @h"),
        (
            'target datalayout = "A5"\ndefine void @f() {\n  %a = alloca i8\n  ret void\n}',
            14,
            "alloca in an address space other than the data layout's in @f",
        ),
    ],
    ids=["function", "alloca"],
)
def test_other_address_spaces_are_refused(text: str, version: int, message: str) -> None:
    with pytest.raises(bitcodec.EncodingError, match=message):
        bitcodec.dumps(bitcodec.loads(text.encode(), "spaces"), llvm_version=version)


def test_domains_of_llvm_24_are_written_for_llvm_22_without_their_flag() -> None:
    module = bitcodec.loads(DOMAIN.format(domain='!2, i1 true, !"d"').encode(), "domain")
    losses: list[bitcodec.Loss] = []
    data = bitcodec.dumps(module, llvm_version=22, on_loss=losses.append)
    assert [(loss.construct, loss.since) for loss in losses] == [("`i1 true` in a domain of alias scopes", 24)]
    assert 'distinct !{!3, !"d"}' in str(bitcodec.loads(data, "older"))


def test_orders_of_uses_are_no_loss() -> None:
    module = bitcodec.open(Path(__file__).parents[2] / "examples" / "hello.bc")
    module.materialize()
    assert module.preserves_use_list_order
    losses: list[bitcodec.Loss] = []
    older = bitcodec.dumps(module, llvm_version=21, on_loss=losses.append, is_strict=True)
    assert losses == []
    for data, has_orders in ((older, False), (bitcodec.dumps(module, llvm_version=22), True)):
        read = bitcodec.loads(data)
        read.materialize()
        assert read.preserves_use_list_order == has_orders


def test_options_of_loops_are_no_domains() -> None:
    text = "define void @f() {\n  br label %l\nl:\n  br label %l, !llvm.loop !0\n}\n"
    text += '!0 = distinct !{!0, !1}\n!1 = !{!"llvm.loop.vectorize.enable", i1 true}\n'
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))
    assert "LLVM" not in module.producer


@pytest.mark.parametrize(("version", "lost"), [(22, ["preferred alignment of a function"]), (None, [])])
def test_llvm_22_has_no_preferred_alignment_of_functions(version: int | None, lost: list[str]) -> None:
    """llvm-as 22.1.8 says "expected '{' in function body" at `prefalign(32)`, which llvm-as 23.1.4 accepts."""
    module = new_module("m")
    function = add_function(module, "f", module.context.types.function(module.context.types.void, []))
    function.preferred_alignment = 32
    losses: list[bitcodec.Loss] = []

    read = bitcodec.loads(bitcodec.dumps(module, llvm_version=version, on_loss=losses.append)).functions["f"]

    assert [loss.construct for loss in losses] == lost
    assert read.preferred_alignment == (None if lost else 32)
