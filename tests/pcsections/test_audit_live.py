"""What LLVM 22 keeps and loses today: the observations of docs/reference/pc-sections.md, 4.2, 5 and 6, audited."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec import mir
from bitcodec.ir import Module
from bitcodec.pcsections.auditing.audit import Audit, audit
from bitcodec.pcsections.auditing.comparison import Verdict

from .audited import told

LLC, OPT, CLANG, LLD = "llc-22", "opt-22", "clang-22", "ld.lld-22"
X86, AARCH64 = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"


def run(tool: str, *options: str | Path, data: bytes) -> bytes:
    done = ask([tool, *options], input=data)
    assert done.returncode == 0, done.stderr.decode()
    return bytes(done.stdout)


def assembled(text: str, triple: str = X86) -> tuple[bytes, Module]:
    """Return bitcode, and the module that it is."""
    nodes = '\n!0 = !{!"s0"}\n!1 = !{!"s1", !2}\n!2 = !{i32 7}\n'
    module = bitcodec.parse_assembly(f'target triple = "{triple}"\n{text}{nodes}')
    return bitcodec.dumps(module), module


def optimized(text: str, passes: str) -> Audit:
    bitcode, module = assembled(text)
    return audit(module, bitcodec.loads(run(OPT, f"-passes={passes}", "-", "-o", "-", data=bitcode)))


def generated(text: str, triple: str, *options: str) -> Audit:
    """Audit machine IR."""
    bitcode, module = assembled(text, triple)
    return audit(module, mir.loads(run(LLC, *options, "-", "-o", "-", data=bitcode)))


def compiled(text: str, triple: str, *options: str) -> Audit:
    """Audit an object."""
    bitcode, module = assembled(text, triple)
    return audit(module, run(LLC, "-filetype=obj", *options, "-", "-o", "-", data=bitcode))


# Passes over LLVM IR: docs/reference/pc-sections.md, 4.2

INLINED = """
define internal i32 @callee(ptr %p) !pcsections !1 {
  %a = load volatile i32, ptr %p, !pcsections !0
  ret i32 %a
}
define i32 @caller(ptr %p) {
  %a = call i32 @callee(ptr %p), !pcsections !1
  ret i32 %a
}
"""
UNROLLED = """
define void @f(ptr %p) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %n, %loop ]
  store volatile i32 %i, ptr %p, !pcsections !0
  %n = add i32 %i, 1
  %c = icmp eq i32 %n, 3
  br i1 %c, label %out, label %loop
out:
  ret void
}
"""
TWICE = """
define i32 @f(ptr %p) {
  %a = load i32, ptr %p, !pcsections !0
  %b = load i32, ptr %p, !pcsections !0
  %c = add i32 %a, %b
  ret i32 %c
}
"""
KEPT_IN_MEMORY = """
define i32 @f(i32 %a) !pcsections !1 {
  %p = alloca i32
  store i32 %a, ptr %p, !pcsections !0
  %b = load i32, ptr %p, !pcsections !0
  ret i32 %b
}
"""
DEAD = """
define void @f(ptr %p) {
  store i32 1, ptr %p, !pcsections !0
  store i32 2, ptr %p, !pcsections !1
  ret void
}
"""


def test_inlining() -> None:
    found = optimized(INLINED, "inline")
    assert [(each.function, str(each.wanted), each.verdict, each.elsewhere) for each in found] == [
        ("callee", "s1: i32 7", Verdict.LOST, ()),
        ("callee", "s0", Verdict.MOVED, ("caller",)),
        ("caller", "s1: i32 7", Verdict.LOST, ()),
        ("caller", "s0", Verdict.MOVED, ("callee",)),
    ]
    assert found[2].reason == "the call was inlined, or rebuilt"


def test_unrolling() -> None:
    assert told(optimized(UNROLLED, "loop-unroll")) == [("f", "s0", "copied", "1 store", "3 store")]


@pytest.mark.parametrize("passes", ["gvn", "early-cse"])
def test_two_loads_that_become_one(passes: str) -> None:
    """Though both had the same node, the one that is left has none."""
    assert told(optimized(TWICE, passes)) == [("f", "s0", "lost", "2 load", "")]


def test_memory_that_becomes_registers() -> None:
    found = optimized(KEPT_IN_MEMORY, "mem2reg")
    assert told(found) == [("f", "s0", "lost", "1 store", ""), ("f", "s0", "lost", "1 load", "")]
    assert told(found, functions=True) == [("f", "s1: i32 7", "kept", "1 function", "1 function")]


def test_dead_stores() -> None:
    assert told(optimized(DEAD, "dse")) == [
        ("f", "s0", "lost", "1 store", ""),
        ("f", "s1: i32 7", "kept", "1 store", "1 store"),
    ]


def test_atomic_expansion() -> None:
    text = """
define i32 @f(ptr %p, i32 %a) {
  %b = atomicrmw nand ptr %p, i32 %a seq_cst, !pcsections !0
  ret i32 %b
}
define i128 @g(ptr %p) {
  %b = load atomic i128, ptr %p seq_cst, align 16, !pcsections !0
  ret i128 %b
}
"""
    bitcode, module = assembled(text)
    after = run(OPT, f"-mtriple={X86}", "-passes=atomic-expand", "-", "-o", "-", data=bitcode)
    expanded, call = audit(module, bitcodec.loads(after))
    assert (expanded.verdict, expanded.attached, expanded.found) == (Verdict.COPIED, 1, 9)
    assert expanded.after["cmpxchg"] == 1
    assert (call.function, call.verdict, call.reason) == (
        "g",
        Verdict.LOST,
        "calls of __atomic_... functions have no nodes",
    )


# Machine passes, from LLVM IR: docs/reference/pc-sections.md, 5.3

PAIR = """
define i64 @f(ptr %p) {
  %q = getelementptr i64, ptr %p, i64 1
  %a = load i64, ptr %p, !pcsections !0
  %b = load i64, ptr %q, !pcsections !1
  %c = add i64 %a, %b
  ret i64 %c
}
"""
SWITCH = """
define i32 @f(ptr %p, i32 %a) {
  switch i32 %a, label %join [ i32 1, label %one
                               i32 2, label %two ]
one:
  store volatile i32 1, ptr %p
  br label %join
two:
  store volatile i32 2, ptr %p
  br label %join
join:
  %b = load volatile i32, ptr %p, !pcsections !0
  ret i32 %b
}
"""
ADD = """
define i32 @f(ptr %p, i32 %a) {
  %b = atomicrmw add ptr %p, i32 %a monotonic, !pcsections !0
  %dead = add i32 %a, 1, !pcsections !1
  ret i32 %b
}
"""


def test_a_pass_that_makes_pairs_of_loads() -> None:
    """The third rule is broken there: what is merged loses both nodes."""
    both = [("f", "s0", "kept", "1 load", "1 LDRXui"), ("f", "s1: i32 7", "kept", "1 load", "1 LDRXui")]
    assert told(generated(PAIR, AARCH64, "-stop-before=aarch64-ldst-opt")) == both
    neither = [("f", "s0", "lost", "1 load", ""), ("f", "s1: i32 7", "lost", "1 load", "")]
    assert told(generated(PAIR, AARCH64, "-stop-after=aarch64-ldst-opt")) == neither
    assert told(compiled(PAIR, AARCH64)) == neither


def test_a_block_that_is_copied() -> None:
    assert told(generated(SWITCH, X86, "-stop-after=finalize-isel")) == [("f", "s0", "kept", "1 load", "1 MOV32rm")]
    (object_,) = told(compiled(SWITCH, X86))
    (machine,) = told(generated(SWITCH, X86, "-stop-after=block-placement"))
    assert object_[:4] == ("f", "s0", "copied", "1 load")
    assert machine[2:] == ("copied", "1 load", f"{object_[4]} MOV32rm")


def test_one_that_becomes_many() -> None:
    machine = generated(ADD, AARCH64, "-stop-after=finalize-isel")
    assert (machine[0].verdict, machine[0].found) == (Verdict.COPIED, 6)
    assert {"LDXRW", "STXRW", "CBNZW"} <= machine[0].after.keys()
    assert told(compiled(ADD, AARCH64)) == [
        ("f", "s0", "copied", "1 atomicrmw", "4"),
        ("f", "s1: i32 7", "lost", "1 add", ""),
    ]


def test_reasons_of_the_code_generator() -> None:
    text = """
declare void @g()
define void @f(ptr %p) {
  call void @g(), !pcsections !0
  ret void, !pcsections !1
}
"""
    bitcode, module = assembled(text)
    made = run(LLC, "-filetype=obj", "-", "-o", "-", data=bitcode)
    assert [(each.verdict, each.reason) for each in audit(module, made)] == [
        (Verdict.LOST, "selection keeps no nodes of calls and inline assembly"),
        (Verdict.LOST, "selection keeps no nodes of what makes no value"),
    ]


NAMES = """
@also = alias void (ptr), ptr @named
@"a b" = alias void (ptr), ptr @named
define void @named(ptr %p) !pcsections !0 {
  store volatile i32 1, ptr %p, !pcsections !1
  ret void
}
define void @"\\01_plain"(ptr %p) !pcsections !0 {
  store volatile i32 1, ptr %p, !pcsections !1
  ret void
}
define internal void @inner(ptr %p) noinline !pcsections !0 {
  store volatile i32 1, ptr %p, !pcsections !1
  ret void
}
define void @outer(ptr %p) {
  call void @inner(ptr %p)
  ret void
}
"""


@pytest.mark.parametrize("triple", [X86, AARCH64])
@pytest.mark.parametrize("options", [(), ("-function-sections",)])
def test_functions_with_several_names(triple: str, options: tuple[str, ...]) -> None:
    found = compiled(NAMES, triple, *options)
    assert set(found.counts()) == {Verdict.KEPT}
    assert [each.function for each in found] == [name for name in ("named", "_plain", "inner") for _ in range(2)]


def test_functions_without_a_symbol() -> None:
    """What is private has none in the object, so that its PCs are in nobody's function."""
    found = compiled(NAMES.replace("define internal", "define private"), X86)
    assert [each.function for each in found.of({Verdict.KEPT})] == ["named", "named", "_plain", "_plain"]
    assert [(each.function, each.elsewhere) for each in found.of({Verdict.MOVED})] == [
        *[(".Linner", ("?",))] * 2,
        *[("?", (".Linner",))] * 2,
    ]
    assert "no symbol gives its address" in found[4].reason


# Attached against emitted: docs/reference/pc-sections.md, 6

SOURCE = """
typedef __int128 wide;
static int counter, slot;
__attribute__((noinline)) static int get(int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
int both(int *p, int *q) { return get(p) + get(q); }
_Bool exchange(int *p, int old, int new) {
  return __atomic_compare_exchange_n(p, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}
void fill(int *p, int n) {
  for (int i = 0; i < n; i++)
    __atomic_store_n(p + i, 0, __ATOMIC_RELEASE);
}
int two(int *p) { return __atomic_load_n(p, __ATOMIC_RELAXED) - __atomic_load_n(p + 1, __ATOMIC_RELAXED); }
wide whole(wide *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("triple", [X86, AARCH64])
def test_totals_prove_nothing(level: str, triple: str, tmp_path: Path) -> None:
    """On x86-64 the compare-exchange has two PCs, and the wide load, which becomes a call, none."""
    options = [f"--target={triple}", level, "-fno-unroll-loops", "-Wno-everything", "-x", "c", "-c"]
    options += ["-fexperimental-sanitize-metadata=atomics", "-emit-llvm", "-", "-o", "-"]
    bitcode = run(CLANG, *options, data=SOURCE.encode())
    module = bitcodec.loads(bitcode)
    after = run(LLC, level, "-filetype=obj", "-", "-o", "-", data=bitcode)

    found = audit(module, after)

    verdicts = {each.function: each for each in found if not each.wanted.of_function}
    assert verdicts.keys() == {"get", "exchange", "fill", "two", "whole"}
    assert sum(each.attached for each in verdicts.values()) == 6
    assert verdicts["exchange"].verdict is Verdict.COPIED
    assert all(each.verdict is Verdict.KEPT for each in found if each.wanted.of_function)
    if triple == X86:
        assert sum(each.found for each in verdicts.values()) == 6
        lost = verdicts["whole"]
        assert (lost.verdict, lost.reason) == (Verdict.LOST, "calls of __atomic_... functions have no nodes")
        assert [verdicts[name].verdict for name in ("get", "fill", "two")] == [Verdict.KEPT] * 3
    else:
        assert all(each.verdict in (Verdict.KEPT, Verdict.COPIED) for each in verdicts.values())

    (tmp_path / "m.o").write_bytes(after)
    run(LLD, "-shared", tmp_path / "m.o", "-o", tmp_path / "m.so", data=b"")
    linked = audit(module, (tmp_path / "m.so").read_bytes())
    assert linked.after == "linked file"
    assert told(linked) == told(found)
    assert told(linked, functions=True) == told(found, functions=True)


def test_linked_files_with_constants(tmp_path: Path) -> None:
    bitcode, module = assembled(INLINED)
    (tmp_path / "m.o").write_bytes(run(LLC, "-filetype=obj", "-", "-o", "-", data=bitcode))
    run(LLD, "-shared", tmp_path / "m.o", "-o", tmp_path / "m.so", data=b"")

    found = audit(module, (tmp_path / "m.so").read_bytes())

    assert [(each.function, str(each.wanted), each.verdict) for each in found] == [
        ("callee", "s1: i32 7", Verdict.KEPT),
        ("callee", "s0", Verdict.KEPT),
        ("caller", "s1: i32 7", Verdict.LOST),
    ]
    assert audit(module, (tmp_path / "m.o").read_bytes()).counts() == found.counts()
