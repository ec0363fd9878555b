"""Propagation of attached metadata when instructions change: changes reported by rewriters, and listeners.

It applies to instructions of any level: of LLVM IR, or of a machine.

Rules: PC Sections Metadata, "Note for Code Generation".
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Annotated", "Event", "Listener", "Outcome", "Recorder"]


class Outcome(StrEnum):
    """Outcome for a node."""

    KEPT = "kept"
    """It is in its place, or on the replacement of its instruction."""
    COPIED = "copied"
    """It is on another instruction too."""
    MERGED = "merged"
    """It and the node of another instruction became one node, which may be either of them or a new one."""
    LOST = "lost"
    """It is on no instruction that took part."""


class Annotated(Protocol):
    """An instruction, as far as events describe it."""

    @property
    def opcode(self) -> str:
        """The opcode, as text spells it."""


class Event(NamedTuple):
    """Outcome for one node on one instruction.

    Attributes:
        outcome: the kind of outcome.
        kind: of metadata, as `pcsections`; `dbg` for debug locations.
        node: the attached node: an `MDNode`, or a reference to one in machine IR.
        source: the instruction that had it, which may be deleted.
        results: the instructions that have it now, or the node it was merged to; empty if it is lost.
        function: the name of the function around it, "" if it is unnamed.
    """

    outcome: Outcome
    kind: str
    node: object
    source: Annotated
    results: tuple[Annotated, ...] = ()
    function: str = ""


class Listener(Protocol):
    """Receives outcomes for metadata: anything that can be called with an event."""

    def __call__(self, event: Event, /) -> None:
        """Receive an event, after the change."""


class Recorder:
    """Keeps events in order.

    Args:
        kinds: the kinds to keep, all if None.

    Attributes:
        events: the recorded events.
    """

    __slots__ = ("_kinds", "events")

    def __init__(self, kinds: Iterable[str] | None = None) -> None:
        self.events: list[Event] = []
        self._kinds = None if kinds is None else frozenset(kinds)

    def __call__(self, event: Event, /) -> None:
        """Keep an event."""
        if self._kinds is None or event.kind in self._kinds:
            self.events.append(event)

    def counts(self) -> Counter[tuple[str, str, Outcome]]:
        """Return the number of nodes by kind, opcode and outcome: keys are `(kind, opcode, outcome)`."""
        return Counter((event.kind, event.source.opcode, event.outcome) for event in self.events)

    def of(self, outcome: Outcome) -> list[Event]:
        """Return the events of one outcome."""
        return [event for event in self.events if event.outcome is outcome]

    def report(self) -> str:
        """Return a line for each kind and opcode: how many nodes were kept, copied, merged, lost."""
        counts = self.counts()
        lines = []
        for kind, opcode in sorted({(kind, opcode) for kind, opcode, _ in counts}):
            numbers = [(counts[kind, opcode, outcome], outcome) for outcome in Outcome]
            text = ", ".join(f"{number} {outcome}" for number, outcome in numbers if number)
            lines.append(f"!{kind} on {opcode}: {text}\n")
        return "".join(lines)
