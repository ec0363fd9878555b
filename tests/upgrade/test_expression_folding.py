"""Constants in expressions are computed ahead; llvm-dis 22 made the same of `llvm.dbg.addr` with each of these."""

from __future__ import annotations

import pytest

from bitcodec.upgrade.expression_folding import Operation, folded

DEREF, DIV, MINUS, MUL, PLUS, SHL, SHR = ((operator,) for operator in (0x06, 0x1B, 0x1C, 0x1E, 0x22, 0x24, 0x25))
ARG = (0x1005, 0)
LITERAL_0, LITERAL_3, STACK_VALUE = (0x30,), (0x33,), (0x9F,)
HIGH = 1 << 63


def constant(value: int) -> Operation:
    return 0x10, value


def plus(value: int) -> Operation:
    return 0x23, value


@pytest.mark.parametrize(
    ("operations", "result"),
    [
        ([], []),
        ([DEREF, plus(8)], [DEREF, plus(8)]),
        ([plus(0), DEREF], [DEREF]),
        ([constant(1), MUL, constant(1), DIV, constant(0), SHL], []),
        ([constant(8), PLUS], [plus(8)]),
        ([constant(0), MUL], [LITERAL_0, MUL]),
        ([LITERAL_3, MUL], [constant(3), MUL]),
        ([constant(8), constant(2), MINUS], [constant(6)]),
        ([constant(2), constant(8), MINUS], [constant(2), constant(8), MINUS]),
        ([constant(8), constant(3), DIV], [constant(2)]),
        ([constant(8), constant(0), DIV], [constant(8), LITERAL_0, DIV]),
        ([constant(8), constant(3), SHR], [constant(1)]),
        ([constant(8), constant(4), SHR], [constant(8), constant(4), SHR]),
        ([constant(1), constant(63), SHL], [constant(HIGH)]),
        ([constant(2), constant(63), SHL], [constant(2), constant(63), SHL]),
        ([constant(1), constant(1 << 40), SHL], [constant(1), constant(1 << 40), SHL]),
        ([constant(HIGH), constant(HIGH), PLUS], [constant(HIGH), plus(HIGH)]),
        ([plus(8), plus(2), DEREF], [plus(10), DEREF]),
        ([plus(HIGH), plus(HIGH)], [plus(HIGH), plus(HIGH)]),
        ([constant(2), MUL, constant(3), MUL], [constant(6), MUL]),
        ([constant(2), MUL, constant(3), PLUS], [constant(2), MUL, plus(3)]),
        ([constant(9), MINUS, constant(3), MINUS], [constant(9), MINUS, constant(3), MINUS]),
        ([plus(2), ARG, PLUS, plus(3), STACK_VALUE], [plus(5), ARG, PLUS, STACK_VALUE]),
        ([plus(2), DEREF, PLUS, plus(3)], [plus(2), DEREF, PLUS, plus(3)]),
        # What has become one constant is one for what stands around it as well.
        ([constant(5), plus(1), constant(2), MUL], [constant(12)]),
    ],
)
def test_folding(operations: list[Operation], result: list[Operation]) -> None:
    assert folded(operations) == result


def test_long_expressions_take_time_in_proportion() -> None:
    assert folded([constant(1), *[plus(1)] * 20_000]) == [constant(20_001)]
    assert len(folded([constant(2), DIV] * 20_000)) == 40_000
