"""Growth between builds: what is new, gone, larger; limits."""

from __future__ import annotations

import pytest

from bitcodec.report import Comparison, Growth, Report, collect, collect_file, compare

from .files import HELLO, QUEUE, bytes_of


def comparison_of(old: bytes, new: bytes) -> Comparison:
    return compare(Report([collect_file(old, "old")]), Report([collect_file(new, "new")]))


def test_the_same_has_not_grown() -> None:
    found = compare(collect([QUEUE]), collect([QUEUE]))

    assert found.total.bits == 0
    assert found.functions == found.blocks == found.sources == []
    assert not found.exceeds(percent=0, size=0)


def test_what_is_new_gone_and_larger() -> None:
    found = comparison_of(bytes_of("same", "gone"), bytes_of("same", "a", "b"))
    rows = {row.name: (row.old_bits is None, row.new_bits is None) for row in found.functions}

    assert rows == {"gone": (False, True), "a": (True, False), "b": (True, False)}
    assert [abs(row.bits) for row in found.functions] == sorted(
        (abs(row.bits) for row in found.functions), reverse=True
    )


def test_changes_of_blocks_add_up() -> None:
    for old, new in ((HELLO, QUEUE), (QUEUE, HELLO)):
        found = compare(collect([old]), collect([new]))
        assert sum(row.bits for row in found.blocks) == found.total.bits


@pytest.mark.parametrize(
    ("old", "new", "percent", "size", "exceeds"),
    [
        (1000, 1020, 2, None, False),
        (1000, 1021, 2, None, True),
        (1000, 1021, 2.1, None, False),
        (1000, 900, 0, None, False),
        (1000, 1001, 0, None, True),
        (0, 1, 1000, None, True),
        (0, 0, 0, None, False),
        (1000, 1100, None, 100, False),
        (1000, 1101, None, 100, True),
        (1000, 5000, None, None, False),
    ],
)
def test_limits(old: int, new: int, percent: float | None, size: int | None, exceeds: bool) -> None:
    found = Comparison(Growth("total", old * 8, new * 8), [], [], [])
    assert found.exceeds(percent=percent, size=size) is exceeds
