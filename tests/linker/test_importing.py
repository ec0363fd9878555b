"""Functions imported by a summary index: what becomes of them, of what they refer to, and of other modules."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.errors import BitcodecError
from bitcodec.linker import Linker, LinkError, ProblemKind
from cli.running import run, succeed

TARGET = """source_filename = "{name}"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128"
target triple = "x86_64-unknown-linux-gnu"
"""
A = """
declare i32 @f()
define internal i32 @own() {
  ret i32 1
}
define i32 @main() {
  %1 = call i32 @f()
  %2 = call i32 @own()
  ret i32 %1
}
"""
B = """
module asm ".symver f, f@V1; .symver limit, limit@V1; .symver other, other@V1; .symver f, f@V2"
$count = comdat largest
@count = internal global i32 5, comdat
@limit = global i32 6, comdat($count)
@last = internal global ptr @limit
define dso_local i32 @f() {
  %1 = load i32, ptr @count
  %2 = load i32, ptr @limit
  store ptr null, ptr @last
  %3 = call i32 @own()
  ret i32 %3
}
define internal i32 @own() {
  ret i32 2
}
define weak i32 @maybe() {
  ret i32 3
}
"""
MODULES = """
^0 = module: (path: "a.bc", hash: (613597280, 2690477455, 0, 0, 0))
^1 = module: (path: "b.bc", hash: (56070797, 2133452550, 0, 0, 0))
"""
GLOBALS = {
    700796238483992154: "function: (module: ^1, flags: ({local}), insts: 1)",
    5506797752989636608: "function: (module: ^0, flags: ({local}), insts: 1)",
    7494001492025909162: "variable: (module: ^1, flags: ({other}), varFlags: (readonly: 0, writeonly: 0))",
    12146213115337932955: "variable: (module: ^1, flags: ({local}), varFlags: (readonly: 1, writeonly: 0))",
    12291941124749553977: "variable: (module: ^1, flags: ({local}), varFlags: (readonly: 1, writeonly: 1))",
    14740650423002898831: "function: (module: ^1, flags: ({own}), insts: 5)",
    15822663052811949562: "function: (module: ^0, flags: ({other}), insts: 3)",
}
"""What opt and llvm-lto make of the two, but for references and calls."""
FLAGS = "linkage: {}, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: {}, canAutoHide: 0"

IMPORTED = """; ModuleID = 'llvm-link'
source_filename = "llvm-link"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128"
target triple = "x86_64-unknown-linux-gnu"

module asm ".symver f, f@V1"
module asm ".symver f, f@V2"
module asm ".symver limit, limit@V1"

@count.llvm.240822241509107462 = external hidden global i32 #0
@limit = external global i32
@last.llvm.240822241509107462 = external hidden global ptr #0

define hidden i32 @own.llvm.2635380253205032335() {
  ret i32 1
}

define i32 @main() {
  %1 = call i32 @f()
  %2 = call i32 @own.llvm.2635380253205032335()
  ret i32 %1
}

define available_externally dso_local i32 @f() {
  %1 = load i32, ptr @count.llvm.240822241509107462, align 4
  %2 = load i32, ptr @limit, align 4
  store ptr null, ptr @last.llvm.240822241509107462, align 8
  %3 = call i32 @own.llvm.240822241509107462()
  ret i32 %3
}

declare hidden i32 @own.llvm.240822241509107462()

attributes #0 = { "thinlto-internalize" }
"""
PROMOTED = """
$count.llvm.240822241509107462 = comdat any

@count.llvm.240822241509107462 = internal global i32 5, comdat #0
@limit = global i32 6, comdat($count.llvm.240822241509107462)
@last.llvm.240822241509107462 = internal global ptr null #0

define dso_local i32 @f() {
"""


@pytest.fixture
def index() -> bytes:
    flags = {
        "local": FLAGS.format("internal", 1),
        "own": FLAGS.format("external", 1),
        "other": FLAGS.format("external", 0),
    }
    lines = [
        f"^{number} = gv: (guid: {guid}, summaries: ({text.format(**flags)}))"
        for number, (guid, text) in enumerate(GLOBALS.items(), 2)
    ]
    return "\n".join([MODULES, *lines, "^99 = flags: 33"]).encode()


def named(name: str, text: str) -> bytes:
    return (TARGET.format(name=name) + text).encode()


def test_imported_functions_are_definitions_for_the_optimizer(index: bytes) -> None:
    linker = Linker(summary_index=index)
    linker.add(named("a.ll", A), "a.bc")
    linker.import_functions(named("b.ll", B), ["f", "nope", "maybe"], "b.bc")
    assert bitcodec.print_assembly(linker.finish()) == IMPORTED
    assert [str(problem) for problem in linker.problems] == [
        "Ignoring import request for non-existent function nope from b.bc",
        "Ignoring import request for weak-any function maybe from b.bc",
    ]
    assert [str(candidate) for candidate in linker.explain("f")] == ["b.bc: an available_externally definition, linked"]


def test_what_other_modules_may_refer_to_is_promoted(index: bytes) -> None:
    linker = Linker(summary_index=index)
    linker.add(named("b.ll", B), "b.bc")
    assert PROMOTED in bitcodec.print_assembly(linker.finish())


def test_imports_that_cannot_be(index: bytes) -> None:
    with pytest.raises(ValueError, match="summary_index"):
        Linker().import_functions(named("b.ll", B), ["f"])
    linker = Linker(summary_index=index)
    linker.import_functions(named("c.ll", B), ["f"], "c.bc")
    with pytest.raises(BitcodecError, match="does not contain"):
        linker.finish()
    with pytest.raises(LinkError, match="only declares it"):
        Linker(summary_index=index).import_functions(named("a.ll", A), ["f"], "a.bc")


def test_an_index_without_summaries_is_empty() -> None:
    linker = Linker(summary_index=named("a.ll", A))
    linker.add(named("b.ll", B), "b.bc")
    assert PROMOTED not in bitcodec.print_assembly(linker.finish())  # as llvm-link 22


def test_command(index: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in (("a.bc", named("a.ll", A)), ("b.bc", named("b.ll", B)), ("index.ll", index)):
        Path(name).write_bytes(content)
    options = ["--import", "f:b.bc", "--summary-index", "index.ll"]
    assert succeed("link", "a.bc", *options, "-S", "-o", "-").decode() == IMPORTED
    assert run("link", "a.bc", *options[:2], "-o", "x.bc").stderr.startswith("bitcodec: error: --import needs")
    assert "give FUNCTION:FILE" in run("link", "a.bc", "--import", "f", *options[2:], "-o", "x.bc").stderr


def test_what_describes_the_module_itself_is_left_behind(index: bytes) -> None:
    text = """
define i32 @f() !dbg !2 {
  ret i32 0
}
!llvm.dbg.cu = !{!0}
!llvm.stats = !{!3}
!llvm.pseudo_probe_desc = !{!3}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug, enums: !5, retainedTypes: !5,
  globals: !5, imports: !5, macros: !5)
!1 = !DIFile(filename: "b.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, unit: !0, spFlags: DISPFlagDefinition)
!3 = !{i64 1}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{}
"""
    linker = Linker(summary_index=index)
    linker.add(named("a.ll", A), "a.bc")
    linker.import_functions(named("b.ll", text), ["f"], "b.bc")
    module = linker.finish()
    unit = module.named_metadata["llvm.dbg.cu"].operands[0]
    assert "C11, file: !0, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)" in str(unit)
    assert list(module.named_metadata) == ["llvm.dbg.cu", "llvm.module.flags"]
    assert [problem.kind for problem in linker.problems] == [ProblemKind.PSEUDO_PROBES]


def test_structs_become_literal_ones_of_the_same_content() -> None:
    """LLVM looks for structs in the destination anew, among all kinds, and takes the names of those it has away."""
    structs = "%D = type { ptr, ptr }\n%B = type { %D }\n%C = type { %D, i8 }\n"
    body = "define void @{}() {{\n  %b = alloca %B\n  %d = alloca %D\n  %c = alloca %C\n  ret void\n}}\n"
    linker = Linker(summary_index=MODULES.encode())
    linker.add(named("a.ll", structs.replace("%C", ";") + body.format("main").replace("  %c", ";")), "a.bc")
    literal = "@literal = constant { ptr, ptr } zeroinitializer\n"
    linker.add(named("c.ll", literal), "c.bc")
    linker.import_functions(named("b.ll", structs + body.format("f")), ["f"], "b.bc")
    text = bitcodec.print_assembly(linker.finish())
    assert "%0 = type { { ptr, ptr } }" in text
    assert "%C = type { { ptr, ptr }, i8 }" in text
    assert "%b = alloca %0, align 8\n  %d = alloca { ptr, ptr }, align 8\n  %c = alloca %C" in text
