"""Several lists of successors of a block: `llc` normalizes each, so that joining them changes probabilities."""

from __future__ import annotations

import re

import pytest

from bitcodec import mir

from .tools import LLC, run

CASES = [
    ("%bb.1", "%bb.1"),
    ("%bb.1 | %bb.2", "%bb.1(0x80000000), %bb.2"),
    (" | %bb.3(0x12345678) |  | %bb.2(16)", "%bb.3(0x80000000), %bb.2(0x00000010)"),
    ("%bb.2(0), %bb.6 | %bb.1", "%bb.2(0x40000000), %bb.6(0x40000000), %bb.1"),
    ("%bb.3, %bb.4(0xFFFFFFFF) | %bb.5", "%bb.3(0x00000000), %bb.4(0x80000000), %bb.5"),
    ("%bb.5(3), %bb.1(1) | %bb.6(0xFFFFFFFF)", "%bb.5(0x60000000), %bb.1(0x20000000), %bb.6(0xffffffff)"),
    (
        "%bb.1(0xFFFFFFFE), %bb.3(0xFFFFFFFF) | %bb.6(16) | %bb.2(0xFFFFFFFE)",
        "%bb.1(0x7ffffff0), %bb.3(0x00000000), %bb.6(0x00000010), %bb.2(0xfffffffe)",
    ),
]
"""Lists, `|` between, and the list that is printed for them."""


def text_of(lists: str) -> str:
    lines = "".join(f"    successors:{' ' * bool(each.strip())}{each.strip()}\n" for each in lists.split("|"))
    blocks = "".join(f"\n  bb.{number}:\n    RET64\n" for number in range(1, 7))
    return f"---\nname: f\nbody: |\n  bb.0:\n{lines}\n    RET64\n{blocks}...\n"


@pytest.mark.parametrize(("lists", "joined"), CASES)
def test_lists_are_normalized_before_they_are_joined(lists: str, joined: str) -> None:
    module = mir.loads(text_of(lists))
    assert ", ".join(map(str, module.function("f").blocks[0].successors or ())) == joined
    assert module.dumps() == text_of(lists)
    assert f"successors: {joined}\n" in module.dumps(reprint=True)


def test_llc_reads_the_same_from_one_list() -> None:
    for lists, _ in CASES:
        texts = (text_of(lists), mir.loads(text_of(lists)).dumps(reprint=True))
        options = ["-x", "mir", "-mtriple=x86_64", "-run-pass=none", "-o", "-", "-"]
        found = [run(LLC, *options, text=each) for each in texts]
        printed = [re.findall(r"successors: (.*)", each) for each in found]
        assert printed[0] == printed[1] != []
