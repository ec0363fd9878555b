"""A call of each old intrinsic that the tables know becomes what `llvm-dis` 22 makes of it."""

from __future__ import annotations

import pytest

import bitcodec
from amounts import some
from answers import ask
from bitcodec.ir import Module

from .old_calls import TARGETS, X86, OldCalls

pytestmark = pytest.mark.same_in_both

FIRST_LINE = "; ModuleID = '<stdin>'"
SEEDS = (1, 2)
EXPECTED = {
    "": {
        "experimental.vector.reduce.v2.fadd.v4i32": "its result is no element of the vector: LLVM keeps the call",
        "experimental.vector.reduce.v2.fmul.v4i32": "likewise",
    },
    "arm.": {
        "arm.mve.vldr.gather.base.wb.predicated.v2i64.v2i64.v4i1": (
            "it does not return the struct that LLVM declared: LLVM calls the new intrinsic anyway"
        ),
    },
}
"""Intrinsics that come out otherwise, and why: no LLVM has declared them with the generated types."""


@pytest.mark.parametrize("prefix", [*TARGETS, X86])
def test_calls_become_what_llvm_makes_of_them(prefix: str) -> None:
    different = set()
    for seed in SEEDS[:1] if prefix == X86 else some(SEEDS, 1):  # calls of x86 are not generated
        calls = OldCalls(prefix, seed)
        assert calls.modules
        assert calls.left_out == []
        if not all(is_same(module) for module in calls.modules):
            each = OldCalls(prefix, seed, is_alone=True)
            for module, (name,) in zip(each.modules, each.names, strict=True):
                if not is_same(module) and is_valid(module):
                    different.add(name)
    assert sorted(different) == sorted(EXPECTED.get(prefix, ()))


def is_same(module: Module) -> bool:
    data = bitcodec.dumps(module)
    ours = "\n".join([FIRST_LINE, *text(bitcodec.loads(data))]) + "\n"
    return bool(ask(["llvm-dis-22", "-o", "-"], input=data, keeps="digest").stdout == ours.encode())


def text(module: Module) -> list[str]:
    return str(module).splitlines()[1:]


def is_valid(module: Module) -> bool:
    """Return whether LLVM's verifier accepts what LLVM makes of a module."""
    command = ["opt-22", "-passes=verify", "-disable-output"]
    return ask(command, input=bitcodec.dumps(module)).returncode == 0
