"""Orders of uses, as `llvm-dis --preserve-ll-uselistorder` prints them."""

from __future__ import annotations

import random
import re
from itertools import permutations
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from corpus import needs_corpus

from .test_goldens import BENCH, FILES, goldens_of
from .text import assembled, digest, digests_together, disassembled, printed

OPTION = "--preserve-ll-uselistorder"
DIFFERENT = {
    "legacy/upgrade-arc-runtime-calls.bc": "LLVM brings calls up to date callee by callee, we do in the order of calls"
}
"""Files whose text is another, with reasons; a test fails when one of them becomes the same."""
GROUPS = 24
SINGLE = [path for path in FILES if path.parent.name in ("modules", "legacy") and len(goldens_of(path)) == 1]


def ordered(path: Path) -> bytes:
    return printed(path.read_bytes(), path.name, preserve_use_list_order=True)


@needs_corpus
def test_most_files_have_orders_of_their_own() -> None:
    assert len(SINGLE) > 470
    assert all(any(str(path).endswith(name) for path in SINGLE) for name in DIFFERENT)


@needs_corpus
@pytest.mark.parametrize("group", range(GROUPS))
def test_orders_are_those_of_llvm(group: int) -> None:
    paths = (SINGLE + BENCH)[group::GROUPS]
    texts = zip(paths, digests_together(paths, OPTION), strict=True)
    names = {path: f"{path.parent.name}/{path.name}" for path in paths}
    different = {names[path] for path, theirs in texts if digest(ordered(path)) != theirs}
    assert different == DIFFERENT.keys() & set(names.values())


BODY = """
define i32 @f(i32 %x, ptr %p) personality ptr @f {
entry:
  br i1 true, label %loop, label %out
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ], [ %next, %again ]
  %s = add i32 %i, %i
  %next = add i32 %i, %x
  store ptr getelementptr (i8, ptr @g, i64 4), ptr getelementptr (i8, ptr @g, i64 8)
  switch i32 %next, label %out [ i32 1, label %loop
                                 i32 2, label %again ]
again:
  indirectbr ptr blockaddress(@f, %again), [label %loop, label %again, label %again]
out:
  %c = call i32 @f(i32 %x, ptr @g) [ "deopt"(ptr @g, ptr getelementptr (i8, ptr @g, i64 8)) ]
  %v = select i1 true, ptr @g, ptr getelementptr (i8, ptr @g, i64 16)
  call void asm "", "r,r"(ptr %v, ptr %v)
  call void asm "", "r,r"(ptr @g, ptr @g)
  ret i32 %x
"""
GLOBALS = """
@g = global [2 x ptr] [ptr @f, ptr getelementptr (i8, ptr @g, i64 4)]
@h = global { ptr, ptr } { ptr @g, ptr @g }
@a = alias ptr, getelementptr (i8, ptr @g, i64 8)
@b = alias ptr, ptr @f
"""


def reordered(text: str, seed: int) -> str:
    """Return text in which every value that has several uses has them in some order, said at the end."""
    some = random.Random(seed)
    uses = {"%x": 4, "%next": 3, "%i": 3, "%v": 2, "%again": 4, "%loop": 3, "%out": 2}
    kinds = {"%x": "i32", "%next": "i32", "%i": "i32", "%v": "ptr"}
    lines = []
    for value, count in uses.items():
        order = some.choice(list(permutations(range(count)))[1:])
        lines.append(f"uselistorder {kinds.get(value, 'label')} {value}, {{ {', '.join(map(str, order))} }}\n")
    return text + "".join(lines) + "}\n" + GLOBALS


@pytest.mark.parametrize("seed", range(12))
def test_any_order(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "a.bc"
    source = reordered(BODY, seed)
    ask(["llvm-as-22", OPTION, "-", "-o", path], input=source, check=True)
    theirs = disassembled(path, OPTION)
    assert len(re.findall(rb"uselistorder \w+ %", theirs)) > 4
    assert printed(path.read_bytes(), str(path), preserve_use_list_order=True) == theirs


def test_reading_in_another_order_changes_nothing(tmp_path: Path) -> None:
    text = "@g = global i32 0\n" + "".join(
        f"define void @f{n}() {{ store ptr getelementptr (i8, ptr @g, i64 {n % 3}), ptr @g\n ret void }}\n"
        for n in range(8)
    )
    path = assembled(text, tmp_path)
    module = bitcodec.open(path)
    for function in reversed(module.functions):
        function.materialize()
    assert bitcodec.print_assembly(module, preserve_use_list_order=True).encode() == disassembled(path, OPTION)
