"""Operands of nodes, as the numbers that a reader appends."""

from __future__ import annotations

from array import array

from bitcodec.bitcode.reader.node_reader import append_numbers


def test_numbers_are_appended_for_marks_alone():
    numbers = array("q", [7])
    append_numbers(numbers, b"\1\0\1", 1 << 40, 1)
    append_numbers(numbers, b"", 3, 1)
    append_numbers(numbers, b"\1\1", ~0, -1)
    assert numbers.tolist() == [7, 1 << 40, (1 << 40) + 2, -1, -2]
