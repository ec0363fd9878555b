"""The lines of `listed.txt`, and the skips that they allow."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

__all__ = ["LISTED", "Line", "Skip", "parse_lines", "unlisted"]

LISTED = Path(__file__).with_name("listed.txt")


class Skip(NamedTuple):
    """A skipped test, or a skipped file."""

    test: str
    """Id of the test as pytest prints it, without `tests/` in front."""

    reason: str


class Line(NamedTuple):
    """A reason for which tests may skip in some runs."""

    runs: frozenset[str]
    """Names of runs: `*` for all, steps of CI, `user` for a run of your own, `no-shared` without the corpus."""

    tests: str
    """Pattern of test ids."""

    reason: str
    """Pattern of the reason that pytest prints."""

    cause: str
    """Explanation for a reader: why the test need not run there."""

    def holds_in(self, runs: Iterable[str]) -> bool:
        """Return whether the line allows skips in a run with any of these names."""
        return "*" in self.runs or not self.runs.isdisjoint(runs)

    def allows(self, skip: Skip) -> bool:
        """Return whether test and reason match the patterns."""
        return fnmatchcase(skip.test, self.tests) and fnmatchcase(skip.reason, self.reason)


def parse_lines(text: str) -> list[Line]:
    """Return the lines of a list.

    Raises ValueError for a line that has not four parts.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 4 or not all(parts):
            raise ValueError(f"{LISTED.name}:{number}: expected RUNS | TESTS | REASON | CAUSE, got {line!r}")
        runs, tests, reason, cause = parts
        found.append(Line(frozenset(runs.split()), tests, reason, cause))
    return found


def unlisted(skips: Iterable[Skip], lines: Iterable[Line], runs: Iterable[str]) -> list[Skip]:
    """Return the skips that no line allows in a run with these names."""
    names = frozenset(runs)
    holding = [line for line in lines if line.holds_in(names)]
    return [skip for skip in skips if not any(line.allows(skip) for line in holding)]
