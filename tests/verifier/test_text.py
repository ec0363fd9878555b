"""Rules that only text can break: LLVM's reader of bitcode refuses such records."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import bitcodec
from bitcodec.transforms import strip_debug_info
from bitcodec.verifier import verify
from cli.running import llvm_process

FIRST = "Intrinsic requires elementtype attribute on first argument."
SECOND = "Intrinsic requires elementtype attribute on second argument."
CALLS = [
    (FIRST, "i32 @llvm.arm.ldrex.p0(ptr {})"),
    (FIRST, "i32 @llvm.arm.ldaex.p0(ptr {})"),
    (FIRST, "i64 @llvm.aarch64.ldxr.p0(ptr {})"),
    (FIRST, "i64 @llvm.aarch64.ldaxr.p0(ptr {})"),
    (FIRST, "ptr @llvm.preserve.array.access.index.p0.p0(ptr {}, i32 0, i32 1)"),
    (FIRST, "ptr @llvm.preserve.struct.access.index.p0.p0(ptr {}, i32 0, i32 1)"),
    (SECOND, "i32 @llvm.arm.strex.p0(i32 0, ptr {})"),
    (SECOND, "i32 @llvm.arm.stlex.p0(i32 0, ptr {})"),
    (SECOND, "i32 @llvm.aarch64.stxr.p0(i64 0, ptr {})"),
    (SECOND, "i32 @llvm.aarch64.stlxr.p0(i64 0, ptr {})"),
]


def messages_of(text: str) -> list[str]:
    """Return what the verifier reports for a text of today."""
    return [finding.message for finding in verify(bitcodec.parse_assembly(text, dialect=22))]


@pytest.mark.parametrize(("message", "call"), CALLS)
def test_pointers_of_some_intrinsics_have_element_types(message: str, call: str, tmp_path: Path) -> None:
    text = f"define void @f(ptr %p) {{\n  %a = call {call.format('%p')}\n  ret void\n}}\n"
    assert messages_of(text) == [message]
    path = tmp_path / "a.ll"
    path.write_text(text)
    assert message in llvm_process("llvm-as", path, "-o", os.devnull).stderr.decode().splitlines()
    sound = f"define void @f(ptr %p) {{\n  %a = call {call.format('elementtype(i32) %p')}\n  ret void\n}}\n"
    assert messages_of(sound) == []


DEBUG_INFO = '!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n'


def test_a_location_that_is_none_is_kept_and_reported_until_debug_info_is_stripped() -> None:
    text = f"define void @f() {{\n  ret void, !dbg !1\n}}\n{DEBUG_INFO}!1 = !{{i32 1}}\n"
    module = bitcodec.parse_assembly(text, dialect=22)
    assert "ret void, !dbg !" in str(module)
    assert [finding.message for finding in verify(module)] == ["invalid !dbg metadata attachment"]
    strip_debug_info(module)
    assert verify(module) == []


def test_arguments_of_names_that_llvm_does_not_know_have_no_rules() -> None:
    node = '!DISubprogram(name: "f", line: 1, spFlags: 0)'
    call = f"define void @f() {{\n  call void @NAME(metadata {node})\n  ret void\n}}\ndeclare void @NAME(metadata)\n"
    unknown, known = "llvm.dbg.region.end", "llvm.experimental.noalias.scope.decl"
    assert messages_of(call.replace("NAME", unknown) + DEBUG_INFO) == []
    assert "line specified with no file" in messages_of(call.replace("NAME", known) + DEBUG_INFO)
