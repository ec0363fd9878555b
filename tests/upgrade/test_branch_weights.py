"""Weights of ways stay only where they are as many as the ways; llvm-dis 22 was asked about each of these."""

from __future__ import annotations

import pytest

from bitcodec.ir.instructions import Branch, Freeze, IndirectBranch, Return, Select, Switch
from bitcodec.ir.metadata import MDTuple
from bitcodec.upgrade.branch_weights import are_misfits, ways_of

from .models import Body


@pytest.mark.parametrize(
    ("strings", "weights", "ways", "is_misfit"),
    [
        (["branch_weights"], 2, 2, False),
        (["branch_weights"], 3, 2, True),
        (["branch_weights"], 0, 1, True),
        (["branch_weights"], 7, None, False),
        (["branch_weights", "expected"], 2, 2, False),
        (["branch_weights", "expected"], 1, 2, True),
        # So short a node says nothing of where its weights are from.
        (["branch_weights", "expected"], 0, 1, False),
        (["VP"], 5, 1, False),
        ([], 2, 1, False),
    ],
)
def test_weights(strings: list[str], weights: int, ways: int | None, is_misfit: bool) -> None:
    body = Body()
    table = body.module.context.metadata
    numbers = [table.value(body.integer(32, weight)) for weight in range(weights)]
    assert are_misfits(MDTuple([*map(table.string, strings), *numbers]), ways) is is_misfit


def test_ways() -> None:
    body = Body()
    void, block, one = body.module.context.types.void, body.block, body.integer(1, 1)
    assert ways_of(Branch(void, block)) == 1
    assert ways_of(Branch(void, block, one, block)) == 2
    assert ways_of(Switch(void, one, block, [(one, block)])) == 2
    assert ways_of(IndirectBranch(void, one, [block] * 3)) == 3
    assert ways_of(Select(one, one, one)) == 2
    assert ways_of(Freeze(one)) is None
    assert ways_of(Return(void)) is None
