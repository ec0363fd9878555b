"""An expansion that is repeated is that of the builder, with the same names and the same order of uses."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.ir.module import Module
from bitcodec.transforms.atomic_expand import bodies
from bitcodec.transforms.atomic_expand.stamping import Stamp

from .generating import function_texts, module_text
from .targets import OTHERS, TRIED, Tried

TARGETS = [*TRIED[::3], *OTHERS[1::9]]
LONG = 200
"""Instructions of a block that is kept in runs once it is changed."""


def expanded(text: str, target: Tried, monkeypatch: pytest.MonkeyPatch, *, repeats: bool) -> Module:
    module = bitcodec.parse_assembly(text)
    with monkeypatch.context() as patch:
        if not repeats:
            patch.setattr(bodies._Stamps, "is_due", lambda _stamps, _shape: False)
        target.expand(module)
    assert bitcodec.verify(module) == []
    return module


def described(module: Module) -> tuple[str, list[list[str]]]:
    """Return the text of a module, and the users of everything that is used, in their order."""
    values = [
        value
        for function in module.functions
        for value in (*function.arguments, *function.blocks, *function.instructions)
    ]
    return bitcodec.print_assembly(module), [[str(user) for user in value.users] for value in values]


def is_alike(text: str, target: Tried, monkeypatch: pytest.MonkeyPatch) -> bool:
    once = described(expanded(text, target, monkeypatch, repeats=False))
    return described(expanded(text, target, monkeypatch, repeats=True)) == once


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_random_functions(target: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = dict(enumerate(function_texts(TARGETS.index(target), 60)))
    assert is_alike(module_text(texts, target.head), target, monkeypatch)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_long_block(target: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some are repeated, some are not: their operand is a cast, or what uses them decides."""
    lines = ["  %wide = zext i16 %b to i32"]
    for number in range(0, LONG, 4):
        lines += [
            f"  %r{number} = atomicrmw nand ptr %p, i8 %a seq_cst",
            f"  %r{number + 1} = atomicrmw max ptr %p, i32 %wide acquire",
            f"  %r{number + 2} = atomicrmw or ptr %p, i16 %b release",
            f"  %r{number + 3} = icmp eq i16 %r{number + 2}, %b",
        ]
    text = "\n".join(
        ["define void @f(ptr %p, i8 %a, i16 %b) {", "  br label %start", "start:", *lines, "  ret void", "}"]
    )
    assert is_alike(f"{target.head}\n{text}\n", target, monkeypatch)


def test_most_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of instructions that are alike all but two are stamped, whatever function they are in."""
    function = "define void @f{}(ptr %p, i32 %v) {{\n  %old = atomicrmw nand ptr %p, i32 %v seq_cst\n  ret void\n}}"
    text = "\n".join(function.format(number) for number in range(10))
    module = bitcodec.parse_assembly(f"{TRIED[0].head}\n{text}\n")
    applied = []

    class Counted:
        def __init__(self, stamp: Stamp) -> None:
            self.stamp = stamp

        def apply(self, *arguments: object) -> object:
            applied.append(self)
            return self.stamp.apply(*arguments)

    record = bodies.Recording.stamp
    monkeypatch.setattr(bodies.Recording, "stamp", lambda *arguments: Counted(record(*arguments)))
    assert TRIED[0].expand(module) == 10
    assert len(applied) == 8
