"""Alignment, renaming and hunks by themselves, against `difflib` and `diff`."""

from __future__ import annotations

import difflib
import random
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec.diff.alignment import aligned, gaps
from bitcodec.diff.marks import local_mark, rendered, thing_mark
from bitcodec.diff.renaming import renamed
from bitcodec.diff.unified import unified_lines

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=40)


def patched(before: list[str], hunks: list[str]) -> list[str]:
    """Return what hunks make of lines."""
    result: list[str] = []
    at = 0
    for line in hunks:
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            first = int(start) - (count != "0")
            result += before[at:first]
            at = first
        elif line[0] == "+":
            result.append(line[1:])
        else:
            assert before[at] == line[1:]
            at += 1
            result += [line[1:]] * (line[0] == " ")
    return result + before[at:]


@given(LINES, LINES, st.integers(0, 4))
def test_a_diff_makes_one_text_of_the_other(before: list[str], after: list[str], context: int) -> None:
    assert patched(before, list(unified_lines(before, after, context))) == after


@given(LINES, LINES)
def test_pairs_are_equal_and_in_order(before: list[str], after: list[str]) -> None:
    pairs = aligned(before, after)
    assert all(before[index] == after[other] for index, other in pairs)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))


@given(st.lists(st.integers(0, 10**6), unique=True, max_size=60), st.randoms(use_true_random=False))
def test_lines_that_occur_once_are_as_difflib_has_them(before: list[int], chance: random.Random) -> None:
    after = [line for line in before if chance.random() < 0.8]
    hunks = list(unified_lines([*map(str, before)], [*map(str, after)], 3))
    theirs = list(difflib.unified_diff([*map(str, before)], [*map(str, after)], lineterm=""))[2:]
    assert hunks == theirs


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
def test_patch_takes_it(tmp_path: Path) -> None:
    before = [f"line {number % 7} {number // 3}" for number in range(300)]
    after = [*before[:50], "new", *before[60:200], *before[210:], "end"]
    (tmp_path / "a").write_text("\n".join(before) + "\n")
    (tmp_path / "d").write_text("\n".join(["--- a", "+++ a", *unified_lines(before, after, 3)]) + "\n")
    subprocess.run(["patch", "-s", "a", "d"], cwd=tmp_path, check=True)
    assert (tmp_path / "a").read_text() == "\n".join(after) + "\n"


def test_gaps_are_where_both_have_something() -> None:
    assert gaps([(1, 1), (2, 4), (5, 5)], (0, 7, 0, 7)) == [(0, 1, 0, 1), (6, 7, 6, 7)]


def test_long_texts_of_few_kinds_of_lines() -> None:
    before, after = ["a", "b"] * 60_000, ["b", "c", "a"] * 40_000
    pairs = aligned(before, after)
    assert all(before[index] == after[other] for index, other in pairs)


def test_lines_that_rise_one_by_one() -> None:
    before = [str(number) for number in range(100_000)]
    assert len(aligned(before, before[::-1])) == 1
    assert len(aligned(before, before[50_000:] + before[:50_000])) == 50_000


def value(number: int, text: str) -> str:
    return f"  %{local_mark(number)} = {text}"


def test_what_is_new_gets_a_number_that_is_new() -> None:
    before = ["define", value(0, "load ptr @a"), value(1, f"add %{local_mark(0)}"), f"  ret %{local_mark(1)}"]
    after = ["define", value(0, "load ptr @b"), value(1, "load ptr @a")]
    after += [value(2, f"add %{local_mark(1)}"), f"  ret %{local_mark(2)}"]
    shown = rendered(after, renamed(before, after))
    assert shown == ["define", "  %+0 = load ptr @b", "  %0 = load ptr @a", "  %1 = add %0", "  ret %1"]
    assert [shown[0], *shown[2:]] == rendered(before)


def test_parameters_are_the_same_ones() -> None:
    head, other = f"define i32 (i32 %{local_mark(0)})", f"define i64 (i64 %{local_mark(0)})"
    assert renamed([head], [other]) == {local_mark(0): "0"}
    assert renamed([head], [f"{other} #{thing_mark(0)}"]) == {local_mark(0): "+0", thing_mark(0): "+0"}


def test_equal_definitions_are_told_apart_by_their_uses() -> None:
    def text(*names: str) -> list[str]:
        values = [value(number, "alloca i32") for number in range(len(names))]
        return ["define", *values, *(f"  store @{name}, %{local_mark(number)}" for number, name in enumerate(names))]

    before, after = text("a", "b", "c"), text("new", "a", "b", "c")
    lines = list(unified_lines(rendered(before), rendered(after, renamed(before, after)), 0))
    assert [line for line in lines if line[0] in "+-"] == ["+  %+0 = alloca i32", "+  store @new, %+0"]


def test_things_and_locals_have_numbers_of_their_own() -> None:
    assert rendered([f"%{local_mark(3)}, !{thing_mark(3)}"]) == ["%3, !<3>"]
    before = ["x", f"y !{thing_mark(0)}"]
    assert renamed(before, [f"x %{local_mark(0)}", before[1]]) == {local_mark(0): "+0", thing_mark(0): "0"}
