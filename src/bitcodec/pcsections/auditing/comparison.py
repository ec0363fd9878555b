"""Fate of nodes: the nodes of a module compared with the nodes that are found later.

Numbers are compared: how often a function carries nodes with equal contents, before and after.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from bitcodec.ir.propagation import Outcome
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.auditing.carriers import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.pcsections.auditing.carriers import Carriers, Key, Wanted

__all__ = ["Comparer", "Finding", "Verdict"]

_MOST_FUNCTIONS = 8
"""Names of functions that a finding has."""


class Verdict(StrEnum):
    """Fate of a node of a function; words that are also outcomes of rewriting mean the same."""

    KEPT = Outcome.KEPT
    """It is carried as often as before."""
    COPIED = Outcome.COPIED
    """It is carried more often, or in one more function: instructions were copied, or each became several."""
    MERGED = Outcome.MERGED
    """It is carried less often: the nodes of some instructions are gone, for these became one with others or were
    deleted."""
    LOST = Outcome.LOST
    """It is no longer carried anywhere."""
    MOVED = "moved"
    """It is carried in another function, where the instructions were inlined."""
    FOREIGN = "foreign"
    """No function carried it: the later stage was not made from this module, or not from it alone."""


class Finding(NamedTuple):
    """Fate of a node of a function.

    Attributes:
        function: its name.
        wanted: the node.
        verdict: its fate.
        before: number of carriers before, by opcode.
        after: number of carriers now, by opcode; in an object the opcodes are unknown.
        elsewhere: other functions that it came from or went to, the first few.
        reason: reason why it may be gone, "" if unknown.
    """

    function: str
    wanted: Wanted
    verdict: Verdict
    before: Mapping[str, int]
    after: Mapping[str, int]
    elsewhere: tuple[str, ...] = ()
    reason: str = ""

    @property
    def attached(self) -> int:
        """Number of carriers before."""
        return sum(self.before.values())

    @property
    def found(self) -> int:
        """Number of carriers now."""
        return sum(self.after.values())


class Comparer:
    """Compares the carriers of nodes at two stages.

    Args:
        before: the carriers before.
        after: the carriers now.
    """

    __slots__ = ("_after", "_before", "_deficits", "_gains", "_newcomers", "_sources")

    def __init__(self, before: Carriers, after: Carriers) -> None:
        self._before = before
        self._after = after
        self._sources: dict[Wanted, list[str]] = {}
        self._gains: dict[Wanted, list[str]] = {}
        self._newcomers: dict[Wanted, list[str]] = {}
        self._deficits: dict[Wanted, list[str]] = {}
        for key in before.opcodes:
            _note(self._sources, key)
            if after.count(key) < before.count(key):
                _note(self._deficits, key)
        for key in after.opcodes:
            if after.count(key) > before.count(key):
                _note(self._gains, key)
                if key not in before.opcodes:
                    _note(self._newcomers, key)

    def findings(self, reason: Callable[[Key, Mapping[str, int], int], str]) -> Iterator[Finding]:
        """Yield the fate of every node, before or after.

        Args:
            reason: explains why so many nodes with carriers of some opcodes in a function may be gone.
        """
        for key in {**self._before.opcodes, **self._after.opcodes}:
            for before, after in self._parts(key):
                verdict, elsewhere = self._judged(key, before.total(), after.total())
                missing = before.total() - after.total()
                found_reason = reason(key, before, missing) if missing > 0 else ""
                yield Finding(*key, verdict, before, after, elsewhere, found_reason)

    def _parts(self, key: Key) -> Iterator[tuple[Counter[str], Counter[str]]]:
        """Yield pairs of counts before and after: for each opcode if opcodes did not change, otherwise one for all."""
        before, after = self._before.opcodes.get(key, Counter()), self._after.opcodes.get(key, Counter())
        if not before.keys() or UNKNOWN in after or not after.keys() <= before.keys():
            yield before, after
            return
        for opcode in before:
            yield Counter({opcode: before[opcode]}), Counter({opcode: after[opcode]} if after[opcode] else {})

    def _judged(self, key: Key, before: int, after: int) -> tuple[Verdict, tuple[str, ...]]:
        function, wanted = key
        if not before:
            if wanted in self._deficits:
                return Verdict.MOVED, tuple(self._deficits[wanted])
            sources = tuple(self._sources.get(wanted, ()))
            return Verdict.COPIED if sources else Verdict.FOREIGN, sources
        if after >= before:
            return Verdict.COPIED if after > before else Verdict.KEPT, ()
        # Code generation makes several of one, which may explain the gain of a function that carried it already.
        takers = self._newcomers if function in self._after.functions else self._gains
        if wanted in takers:
            return Verdict.MOVED, tuple(takers[wanted])
        return Verdict.MERGED if after else Verdict.LOST, ()


def _note(functions: dict[Wanted, list[str]], key: Key) -> None:
    """Record the function among the first few."""
    found = functions.setdefault(key[1], [])
    if len(found) < _MOST_FUNCTIONS:
        found.append(key[0])
