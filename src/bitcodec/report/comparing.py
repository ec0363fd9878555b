"""Growth between two builds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.report.shares import merged_shares

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitcodec.report.contents import Report

__all__ = ["Comparison", "Growth", "Sizes", "compare"]


class Sizes(NamedTuple):
    """The sizes of a build that are compared, in bits.

    Attributes:
        total: of all files.
        functions: by name; functions of one name in several modules are added up.
        blocks: by kind of block and record.
        sources: of the functions of each source file.
    """

    total: int
    functions: Mapping[str, int]
    blocks: Mapping[str, int]
    sources: Mapping[str, int]

    @classmethod
    def of(cls, report: Report) -> Sizes:
        """Return the sizes in a report.

        >>> from bitcodec.report import Sizes, collect
        >>> Sizes.of(collect(["examples/hello.bc"])).functions
        {'main': 4192}
        """
        functions = report.functions
        return cls(
            report.size * 8,
            sums_by_name((function.name, function.bits) for function in functions),
            sums_by_name((block_name(path), share.bits) for path, share in merged_shares(report).leaves()),
            sums_by_name((function.source_file, function.bits) for function in functions if function.source_file),
        )


class Growth(NamedTuple):
    """The size of a part in both builds, or in one of them.

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
        """Growth in bits; negative if it has shrunk."""
        return (self.new_bits or 0) - (self.old_bits or 0)

    @property
    def percent(self) -> float | None:
        """Growth in percent, None if it was empty before."""
        return self.bits * 100 / self.old_bits if self.old_bits else None


class Comparison(NamedTuple):
    """Changes between two builds; lists contain only parts with a different size, the largest change first.

    Attributes:
        total: all files.
        functions: functions by name; functions of one name in several modules are one row.
        blocks: kinds of blocks and records, and data between blocks; their changes add up to the change of `total`.
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


def compare(old: Report | Sizes, new: Report) -> Comparison:
    """Return the growth from one build to another.

    Args:
        old: a report on the old build, or its sizes.
        new: a report on the new build.

    >>> from bitcodec.report import collect, compare
    >>> old, new = collect(["examples/hello.bc"]), collect(["examples/queue.bc"])
    >>> found = compare(old, new)
    >>> found.total.bits == (new.size - old.size) * 8 == sum(row.bits for row in found.blocks)
    True
    >>> [row.name for row in found.functions if row.new_bits is None]
    ['main']
    """
    before = old if isinstance(old, Sizes) else Sizes.of(old)
    after = Sizes.of(new)
    return Comparison(
        Growth("total", before.total, after.total),
        _changes(before.functions, after.functions),
        _changes(before.blocks, after.blocks),
        _changes(before.sources, after.sources),
    )


def added_up(sizes: Sequence[Sizes]) -> Sizes:
    """Return the sizes of several parts of a build together."""
    return Sizes(
        sum(each.total for each in sizes),
        *(
            sums_by_name(pair for each in sizes for pair in getattr(each, name).items())
            for name in ("functions", "blocks", "sources")
        ),
    )


def block_name(path: Iterable[str]) -> str:
    """Return the name of a share in a comparison, by its path."""
    return " > ".join(path)


def sums_by_name(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the sum of the numbers of each name."""
    sums: dict[str, int] = {}
    for name, bits in pairs:
        sums[name] = sums.get(name, 0) + bits
    return sums


def _changes(old: Mapping[str, int], new: Mapping[str, int]) -> list[Growth]:
    rows = [Growth(name, old.get(name), new.get(name)) for name in dict.fromkeys((*old, *new))]
    return sorted((row for row in rows if row.bits), key=lambda row: -abs(row.bits))
