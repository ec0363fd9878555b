"""Storage of the instructions of a block: a tuple, a list, or runs.

Callers see a tuple, so returning it copies nothing, and changes do not disturb iteration over it.
A block is built in a list.  A long block becomes runs when it is changed anywhere but at its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from bitcodec.ir.runs import MAX_RUN, Run, RunList

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["InstructionRuns", "Instructions", "changeable"]

Held = TypeVar("Held")
"""Instructions, which are above this."""


class InstructionRuns(RunList[Held]):
    """The instructions of a long block that is being changed."""

    __slots__ = ("_run_by_instruction", "_shown")

    def __init__(self, instructions: Iterable[Held]) -> None:
        self._run_by_instruction: dict[Held, Run[Held]] = {}
        self._shown: tuple[Held, ...] | None = None
        super().__init__(instructions)

    def __iter__(self) -> Iterator[Held]:
        return iter(self.shown())

    def __getitem__(self, places: slice) -> tuple[Held, ...]:
        return self.shown()[places]

    def shown(self) -> tuple[Held, ...]:
        """Return the instructions; they are copied if there was a change since the last call."""
        shown = self._shown
        if shown is None:
            shown = self._shown = tuple(self.listed())
        return shown

    def _run_of(self, item: Held) -> Run[Held]:
        return self._run_by_instruction[item]

    def _enter(self, items: Iterable[Held], run: Run[Held]) -> None:
        self._shown = None
        self._run_by_instruction.update(dict.fromkeys(items, run))

    def _enter_one(self, item: Held, run: Run[Held]) -> None:
        self._shown = None
        self._run_by_instruction[item] = run

    def _leave(self, item: Held) -> None:
        self._shown = None
        del self._run_by_instruction[item]


Instructions: TypeAlias = "tuple[Held, ...] | list[Held] | InstructionRuns[Held]"
"""Storage of the instructions of a block."""


def changeable(instructions: Instructions[Held]) -> list[Held] | InstructionRuns[Held]:
    """Return instructions in a form for changes at any place."""
    if isinstance(instructions, InstructionRuns):
        return instructions
    if len(instructions) > MAX_RUN:
        return InstructionRuns(instructions)
    return instructions if isinstance(instructions, list) else [*instructions]
