"""Operands within bounds are found wherever they are."""

from __future__ import annotations

from array import array

import pytest

from bitcodec.bitstream.tally import find_operands

LARGEST = (1 << 64) - 1


@pytest.mark.parametrize(
    ("operands", "least", "most", "expected"),
    [
        ([], 0, LARGEST, []),
        ([5, 6, 7, 5], 5, 6, [0, 1, 3]),
        ([5, 6, 7, 5], 8, 9, []),
        ([0, LARGEST, 1 << 63], 1 << 63, LARGEST, [1, 2]),
    ],
)
def test_indices_of_operands_within_bounds(operands, least, most, expected):
    assert find_operands(memoryview(array("Q", operands)), least, most) == expected
