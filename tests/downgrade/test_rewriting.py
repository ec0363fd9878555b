"""What needs blocks or declarations of its own in an older version of LLVM, and statepoints without bundles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bitcodec
from bitcodec.tables.opcodes import AtomicRMWOperation

from .oracles import verify
from .running import code_of, compare

pytestmark = pytest.mark.same_in_both

INTEGERS = ("00000000", "00000001", "00000007", "7fffffff", "80000000", "ffffffff")
FLOATS = ("00000000", "80000000", "3f800000", "c0200000", "7f800000", "7fc00000")
"""Bits of `i32` and `float` in memory, and given to the operation."""
TYPES = {"i32": INTEGERS, "i8": INTEGERS, "float": FLOATS, "<2 x half>": ("3c00c000", "00003800", "7bff0001")}
VERSIONS = {4: 14, 8: 14, 14: 14, 16: 16, 19: 19}
"""Versions that are written for, and the versions of the code generator: one reads what older ones write."""

DRIVER = r"""
#include <stdio.h>
#include <string.h>
void run(const char *name, void (*call)(void *, void *, void *), unsigned memory, unsigned value) {
  unsigned old = 0;
  call(&memory, &old, &value);
  printf("%s %08x %08x\n", name, old, memory);
}
"""


def operations() -> list[tuple[str, str]]:
    """Return the operations that LLVM 4 lacks, with the types that they are for."""
    newer = [each.spelling for each in AtomicRMWOperation if 0 < each.since <= 22]
    floating = [(name, "float") for name in (*newer, "xchg") if name.startswith("f") or name == "xchg"]
    integers = [(name, type_) for name in newer if not name.startswith("f") for type_ in ("i32", "i8")]
    return [*floating, *integers, ("fadd", "<2 x half>"), ("fsub", "<2 x half>")]


def assembled(text: str) -> bitcodec.Module:
    return bitcodec.parse_assembly(text)


def written(module: bitcodec.Module, version: int) -> tuple[str, list[bitcodec.Loss]]:
    """Return the text of what is written for a version, and the losses."""
    losses: list[bitcodec.Loss] = []
    data = bitcodec.dumps(module, llvm_version=version, on_loss=losses.append)
    return bitcodec.print_assembly(bitcodec.loads(data)), losses


def test_atomic_operations_compute_the_same_as_loops() -> None:
    lines = []
    calls = []
    for name, type_ in operations():
        number = f"{name}_{'v2f16' if type_.startswith('<') else type_}"
        lines += [
            f"define void @{number}(ptr %p, ptr %old, ptr %value) {{",
            f"  %v = load {type_}, ptr %value",
            f"  %r = atomicrmw volatile {name} ptr %p, {type_} %v seq_cst, align {1 if type_ == 'i8' else 4}",
            f"  store {type_} %r, ptr %old",
            "  ret void",
            "}",
        ]
        pairs = [(memory, value) for memory in TYPES[type_] for value in TYPES[type_]]
        calls += [f'run("{number}", {number}, 0x{memory}u, 0x{value}u);' for memory, value in pairs]
    declared = "".join(
        f"void {name}(void *, void *, void *);" for name in re.findall(r"void @(\w+)\(", "\n".join(lines))
    )
    sources = {"main.c": f"{DRIVER}{declared}\nint main() {{ {' '.join(calls)} }}"}
    options = "-mtriple=x86_64-linux-gnu -mattr=+f16c"
    module = assembled("\n".join(lines))
    original = code_of(bitcodec.dumps(module), 22, options=options, sources=sources)
    for version, generating in VERSIONS.items():
        written = bitcodec.dumps(module, llvm_version=version)
        comparison = compare(original, code_of(written, generating, options=options, sources=sources))
        assert comparison == (len(calls), []), f"LLVM {version}"


def test_a_loop_takes_the_place_of_one_operation_and_leaves_the_module_as_it_was() -> None:
    module = assembled(
        """
        define i32 @f(ptr %p, i32 %v) {
          %kept = atomicrmw add ptr %p, i32 %v seq_cst, align 4
          %r = atomicrmw uinc_wrap ptr %p, i32 %v syncscope("singlethread") monotonic, align 4
          ret i32 %r
        }
        """
    )
    before = bitcodec.print_assembly(module)
    text, losses = written(module, 15)
    assert bitcodec.print_assembly(module) == before
    assert [(loss.construct, loss.action, loss.occurrences) for loss in losses] == [
        ("atomicrmw uinc_wrap", "lowered", 1)
    ]
    assert text.count("atomicrmw") - text.count("atomicrmw.") == 1
    assert 'cmpxchg ptr %p, i32 %loaded, i32 %new syncscope("singlethread") monotonic monotonic, align 4' in text
    assert "atomicrmw uinc_wrap" in written(module, 16)[0]


CALL = """
declare ptr @g()
declare ptr @llvm.objc.retainAutoreleasedReturnValue(ptr)
declare i32 @personality(...)
define ptr @called() {
  %r = call ptr @g() [ "clang.arc.attachedcall"(ptr @llvm.objc.retainAutoreleasedReturnValue) ]
  ret ptr %r
}
define ptr @invoked(ptr %x) personality ptr @personality {
  %r = invoke ptr @g() [ "clang.arc.attachedcall"(ptr @llvm.objc.retainAutoreleasedReturnValue) ]
    to label %next unwind label %bad
next:
  %phi = phi ptr [ %r, %0 ], [ %x, %next ]
  %c = icmp eq ptr %phi, %x
  br i1 %c, label %next, label %end
end:
  ret ptr %phi
bad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
"""


@pytest.mark.parametrize("version", [4, 12, 13])
def test_attached_calls_are_calls(version: int, tmp_path: Path) -> None:
    module = assembled(CALL)
    text, losses = written(module, version)
    assert "attachedcall" not in text
    assert text.count("call ptr @objc_retainAutoreleasedReturnValue(ptr %r)") == 2
    assert {(loss.place, loss.action) for loss in losses if "attachedcall" in loss.construct} == {
        ("called", "lowered"),
        ("invoked", "lowered"),
    }
    path = tmp_path / "older.bc"
    bitcodec.save(module, path, llvm_version=version)
    assert verify(version, path) == ""


def test_attached_calls_need_the_function_of_the_runtime() -> None:
    module = assembled(CALL + "@objc_retainAutoreleasedReturnValue = global i32 0\n")
    with pytest.raises(bitcodec.EncodingError, match="Objective-C runtime"):
        bitcodec.dumps(module, llvm_version=13)


STATEPOINT = """
declare i32 @callee(ptr addrspace(1))
declare i32 @personality(...)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i32 @llvm.experimental.gc.result.i32(token)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
define i32 @called(ptr addrspace(1) %o, ptr addrspace(1) %q) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0,
    ptr elementtype(i32 (ptr addrspace(1))) @callee, i32 1, i32 0, ptr addrspace(1) %o, i32 0, i32 0)
    [ "deopt"(i32 5, i32 6), "gc-live"(ptr addrspace(1) %o, ptr addrspace(1) %q) ]
  %r = call i32 @llvm.experimental.gc.result.i32(token %t)
  %n = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  ret i32 %r
}
define ptr addrspace(1) @invoked(ptr addrspace(1) %o) gc "statepoint-example" personality ptr @personality {
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0,
    ptr elementtype(i32 (ptr addrspace(1))) @callee, i32 1, i32 0, ptr addrspace(1) %o, i32 0, i32 0)
    [ "gc-live"(ptr addrspace(1) %o) ] to label %next unwind label %bad
next:
  ret ptr addrspace(1) %o
bad:
  %l = landingpad token cleanup
  %n = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %l, i32 0, i32 0)
  ret ptr addrspace(1) %n
}
"""


@pytest.mark.parametrize("version", [4, 10])
def test_statepoints_hold_everything_among_their_arguments(version: int, tmp_path: Path) -> None:
    module = assembled(STATEPOINT)
    text, losses = written(module, version)
    live = "ptr addrspace(1) %o, ptr addrspace(1) %q)"
    assert f"i32 1, i32 0, ptr addrspace(1) %o, i32 0, i32 2, i32 5, i32 6, {live}" in text
    assert re.findall(r"relocate.p1\(token %\w, (i32 \d+, i32 \d+)\)", text) == ["i32 10, i32 11", "i32 8, i32 8"]
    assert {loss.action for loss in losses if "gc" in loss.construct} == {"lowered"}
    assert '"gc-live"(' in written(module, 11)[0]
    path = tmp_path / "older.bc"
    bitcodec.save(module, path, llvm_version=version)
    assert verify(version, path) == ""


def test_alignments_of_atomic_accesses_before_llvm_13() -> None:
    text = "define void @f(ptr %p) {{\n  %r = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst, align {0}\n"
    text += "  %s = atomicrmw add ptr %p, i32 1 seq_cst, align {0}\n  ret void\n}}\n"
    natural, large, small = (assembled(text.format(alignment)) for alignment in (4, 16, 2))
    assert written(natural, 12)[1] == written(small, 13)[1] == []
    (loss,) = written(large, 12)[1]
    assert (loss.construct, loss.action, loss.occurrences) == (
        "alignment of atomicrmw and cmpxchg that exceeds the size",
        "dropped",
        2,
    )
    with pytest.raises(bitcodec.EncodingError, match="of less alignment than its size"):
        bitcodec.dumps(small, llvm_version=12)


def test_two_rules_for_one_operation() -> None:
    """Before LLVM 5 scopes are looked at, too, after `xchg` has become one of integers."""
    module = assembled(
        "define void @f(ptr %p) {\n  %r = atomicrmw xchg ptr %p, ptr %p seq_cst, align 8\n  ret void\n}\n"
    )
    assert "atomicrmw xchg ptr %1, i64 %2 seq_cst" in written(module, 4)[0]


def test_unsound_calls_do_not_break_the_writer() -> None:
    """Places out of range, and a call attached to one without a result, are for verifiers to refuse."""
    text = STATEPOINT.replace("i32 1, i32 0, ptr", "i32 -1, i32 0, ptr").replace(
        "%t, i32 0, i32 1", "%t, i32 -1, i32 1"
    )
    text += 'define void @g(ptr %p) {\n  call void %p() [ "clang.arc.attachedcall"(ptr @personality) ]\n  ret void\n}\n'
    module = assembled(text)
    for version in (4, 10, 13):
        assert bitcodec.dumps(module, llvm_version=version)
