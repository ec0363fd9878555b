"""What has grown between two builds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.report.shares import merged_shares

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.report.contents import FunctionReport, Report

__all__ = ["Comparison", "Growth", "compare"]


class Growth(NamedTuple):
    """Something that has a size in both builds, or in one of them.

    Attributes:
        name: its name.
        old_bits: its size in the old build, None if it is not there.
        new_bits: its size in the new build, None if it is not there.
    """

    name: str
    old_bits: int | None
    new_bits: int | None

    @property
    def bits(self) -> int:
        """By how many bits it has grown; negative if it has shrunk."""
        return (self.new_bits or 0) - (self.old_bits or 0)

    @property
    def percent(self) -> float | None:
        """By how many percent it has grown, None if there was nothing before."""
        return self.bits * 100 / self.old_bits if self.old_bits else None


class Comparison(NamedTuple):
    """What has changed between two builds; lists contain only what has another size, the largest change first.

    Attributes:
        total: all files.
        functions: functions by name; those of one name in several modules are one row.
        blocks: kinds of blocks and records, and what lies between blocks; their changes add up to that of `total`.
        sources: the functions of each source file.
    """

    total: Growth
    functions: list[Growth]
    blocks: list[Growth]
    sources: list[Growth]

    def exceeds(self, *, percent: float | None = None, size: int | None = None) -> bool:
        """Return whether the files have grown by more than so many percent, or so many bytes.

        Anything is more than any percentage of nothing.
        """
        grown = self.total.bits
        is_over_percent = percent is not None and grown * 100 > percent * (self.total.old_bits or 0)
        return is_over_percent or (size is not None and grown > size * 8)


def compare(old: Report, new: Report) -> Comparison:
    """Return what has grown from one report to another.

    >>> from bitcodec.report import collect, compare
    >>> old, new = collect(["examples/hello.bc"]), collect(["examples/queue.bc"])
    >>> found = compare(old, new)
    >>> found.total.bits == (new.size - old.size) * 8 == sum(row.bits for row in found.blocks)
    True
    >>> [row.name for row in found.functions if row.new_bits is None]
    ['main']
    """
    return Comparison(
        Growth("total", old.size * 8, new.size * 8),
        _changes(_by_name(old.functions), _by_name(new.functions)),
        _changes(_by_block(old), _by_block(new)),
        _changes(_by_source(old.functions), _by_source(new.functions)),
    )


def _changes(old: dict[str, int], new: dict[str, int]) -> list[Growth]:
    rows = [Growth(name, old.get(name), new.get(name)) for name in dict.fromkeys((*old, *new))]
    return sorted((row for row in rows if row.bits), key=lambda row: -abs(row.bits))


def _sums(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for name, bits in pairs:
        sums[name] = sums.get(name, 0) + bits
    return sums


def _by_name(functions: Iterable[FunctionReport]) -> dict[str, int]:
    return _sums((function.name, function.bits) for function in functions)


def _by_source(functions: Iterable[FunctionReport]) -> dict[str, int]:
    return _sums((function.source_file, function.bits) for function in functions if function.source_file)


def _by_block(report: Report) -> dict[str, int]:
    """Return sizes by the path of blocks inside a stream; names of files and members do not count."""
    return _sums((" > ".join(path), share.bits) for path, share in merged_shares(report).leaves())
