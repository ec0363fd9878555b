"""The structural hash ignores names and numbers, and nothing else that its definition lists."""

from __future__ import annotations

import pytest

from bitcodec import corpus
from cli.running import llvm_process

TEXT = """
%pair = type { i32, i32 }
@table = global [4 x i32] zeroinitializer
declare i32 @callee(i32)
define i32 @first(i32 %a, ptr %p) {
entry:
  %sum = add i32 %a, 7
  %is_less = icmp slt i32 %sum, 10
  br i1 %is_less, label %yes, label %no
yes:
  %result = call i32 @callee(i32 %sum)
  br label %no
no:
  %joined = phi i32 [ %result, %yes ], [ 0, %entry ]
  store i32 %joined, ptr @table
  %value = load %pair, ptr %p
  ret i32 %joined
}
"""
SAME = {
    "names": [("%sum", "%total"), ("%yes", "%later"), ("yes:", "later:"), ("@first", "@other"), ("%pair", "%couple")],
    "numbers": [("%a, 7", "%a, 8"), (", 10", ", -1")],
    "callee": [("@callee", "@called")],
    "variable": [("@table", "@data")],
    "flags": [("add i32", "add nsw i32")],
    "attributes": [("(i32 %a, ptr %p) {", "(i32 noundef %a, ptr %p) nounwind {")],
    "alignment": [("ptr @table\n", "ptr @table, align 1\n")],
}
DIFFERENT = {
    "opcode": [("add i32", "sub i32")],
    "predicate": [("icmp slt", "icmp sgt")],
    "type": [("i32 %a, 7", "i32 %a, %a")],
    "operand": [("ret i32 %joined", "ret i32 %sum")],
    "blocks": [("label %yes, label %no", "label %no, label %yes")],
    "incoming blocks": [("[ %result, %yes ], [ 0, %entry ]", "[ 0, %entry ], [ %result, %yes ]")],
    "parameters": [("ptr %p) {", "ptr %p, i32 %q) {")],
    "struct": [("{ i32, i32 }", "{ i32, i32, i32 }")],
}


def hash_of(text: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("structure")
    (folder / "a.ll").write_text(text, "utf-8")
    done = llvm_process("llvm-as", folder / "a.ll", "-o", folder / "a.bc")
    assert done.returncode == 0, done.stderr
    (found,) = [row["structural_hash"] for row in corpus.functions(folder / "a.bc") if row["is_definition"]]
    assert len(found) == 32
    return str(found)


def changed(pairs: list[tuple[str, str]]) -> str:
    text = TEXT
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("change", SAME)
def test_equal(change: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert hash_of(changed(SAME[change]), tmp_path_factory) == hash_of(TEXT, tmp_path_factory)


@pytest.mark.parametrize("change", DIFFERENT)
def test_different(change: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert hash_of(changed(DIFFERENT[change]), tmp_path_factory) != hash_of(TEXT, tmp_path_factory)
