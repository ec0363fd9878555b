"""What a comparison comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.measure import Times

if TYPE_CHECKING:
    from benchmarks.inputs import Input

__all__ = ["Result", "ratio"]


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table.

    Attributes:
        value: what the bar is for: a ratio of medians, or a figure of its own; None if there is nothing to compare to.
        least: the same of the fastest runs.
        bar: what `value` may be at most; None if it is only to be known.
    """

    title: str
    input: str
    unit: str
    value: float | None
    least: float | None = None
    bar: float | None = None
    times: dict[str, Times] = field(default_factory=dict)

    @property
    def is_met(self) -> bool | None:
        """Whether the bar is met; None if there is none, or nothing to hold against it."""
        return None if self.bar is None or self.value is None else self.value <= self.bar


def ratio(
    title: str, source: Input, times: dict[str, Times], ours: str, theirs: str, *, bar: float | None = None
) -> Result:
    """Return what one thing took beside another."""
    both = {name: times[name] for name in (ours, theirs) if name in times}
    if theirs not in times:
        return Result(title, source.name, "x", None, None, bar, both)
    value, least = times[ours].median / times[theirs].median, times[ours].least / times[theirs].least
    return Result(title, source.name, "x", value, least, bar, both)
