"""The instructions of a block, in order: a change costs the same however many there are.

The list is divided into short runs. Each instruction knows its run, so its neighbours are found without a search.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, overload

from bitcodec.errors import MIRError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.mir.instruction import MachineInstr

__all__ = ["InstructionList", "Run"]

_MAX_RUN = 128
"""Instructions in a run; a longer one is split."""


class Run:
    """Instructions that follow one another.

    Attributes:
        owner: the list that it is part of.
        items: the instructions.
        number: which run of the list it is.
    """

    __slots__ = ("items", "number", "owner")

    def __init__(self, owner: InstructionList, items: list[MachineInstr], number: int) -> None:
        self.owner = owner
        self.items = items
        self.number = number
        for item in items:
            item.run = self


class InstructionList(Sequence["MachineInstr"]):
    """Instructions of one block; iteration goes through those that are there when it begins."""

    __slots__ = ("_known", "_length", "_runs", "_starts")

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._length = 0
        self._starts: list[int] = []
        self._known = 0

    # Reading

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[MachineInstr]:
        return iter([*chain.from_iterable([run.items for run in self._runs])])

    def __contains__(self, instruction: object) -> bool:
        run = getattr(instruction, "run", None)
        return isinstance(run, Run) and run.owner is self

    @overload
    def __getitem__(self, index: int) -> MachineInstr: ...
    @overload
    def __getitem__(self, index: slice) -> list[MachineInstr]: ...
    def __getitem__(self, index: int | slice) -> MachineInstr | list[MachineInstr]:
        """Return the instruction at an index, or those of a slice.

        Raises:
            IndexError: there is none at the index.
        """
        if isinstance(index, slice):
            return [*self][index]
        position = range(self._length)[index]
        run, start = self._find(position)
        return run.items[position - start]

    def index(self, instruction: object, start: int = 0, stop: int | None = None) -> int:
        """Return the index of an instruction.

        Raises:
            ValueError: it is not in the list, or not between the bounds.
        """
        run = getattr(instruction, "run", None)
        if isinstance(run, Run) and run.owner is self:
            found = self._start(run) + run.items.index(instruction)  # type: ignore[arg-type] # others have no run
            if found in range(self._length)[start:stop]:
                return found
        raise ValueError(f"{instruction!r} is not in the list")

    def following(self, instruction: MachineInstr) -> MachineInstr | None:
        """Return the instruction after another, None after the last one.

        Raises:
            MIRError: the other one is not in the list.
        """
        run = self._run_of(instruction)
        place = run.items.index(instruction) + 1
        if place < len(run.items):
            return run.items[place]
        return self._runs[run.number + 1].items[0] if run.number + 1 < len(self._runs) else None

    # Changing: instructions know their block from who calls these

    def insert(self, index: int, instruction: MachineInstr) -> None:
        """Put an instruction before the one at an index, which may be negative; at the end if there is none."""
        position = range(self._length)[index:].start
        if position == self._length:
            self._append(instruction)
        else:
            run, start = self._find(position)
            self._put(run, position - start, instruction)

    def insert_before(self, other: MachineInstr, instruction: MachineInstr) -> None:
        """Put an instruction right before another.

        Raises:
            MIRError: the other one is not in the list.
        """
        run = self._run_of(other)
        self._put(run, run.items.index(other), instruction)

    def insert_after(self, other: MachineInstr, instruction: MachineInstr) -> None:
        """Put an instruction right after another.

        Raises:
            MIRError: the other one is not in the list.
        """
        run = self._run_of(other)
        self._put(run, run.items.index(other) + 1, instruction)

    def remove(self, instruction: MachineInstr) -> None:
        """Take an instruction out.

        Raises:
            MIRError: it is not in the list.
        """
        run = self._run_of(instruction)
        run.items.remove(instruction)
        instruction.run = None
        self._length -= 1
        self._changed(run)
        if not run.items:
            del self._runs[run.number]
            self._renumber(run.number)

    def _append(self, instruction: MachineInstr) -> None:
        last = self._runs[-1] if self._runs else None
        if last is not None and len(last.items) < _MAX_RUN:
            self._put(last, len(last.items), instruction)
        else:
            self._runs.append(Run(self, [instruction], len(self._runs)))
            self._length += 1

    def _put(self, run: Run, place: int, instruction: MachineInstr) -> None:
        run.items.insert(place, instruction)
        instruction.run = run
        self._length += 1
        self._changed(run)
        if len(run.items) > _MAX_RUN:
            half = len(run.items) // 2
            rest, run.items[half:] = run.items[half:], []
            self._runs.insert(run.number + 1, Run(self, rest, run.number + 1))
            self._renumber(run.number + 2)

    def _renumber(self, number: int) -> None:
        for run in self._runs[number:]:
            run.number = number
            number += 1

    # Where runs begin: known of the first ones, as far as nothing before them has changed since

    def _changed(self, run: Run) -> None:
        self._known = min(self._known, run.number + 1)

    def _start(self, run: Run) -> int:
        while self._known <= run.number:
            self._learn()
        return self._starts[run.number]

    def _find(self, position: int) -> tuple[Run, int]:
        """Return the run that has the instruction at a position, and where the run begins."""
        while self._known < len(self._runs) and (not self._known or self._starts[self._known - 1] <= position):
            self._learn()
        number = bisect_right(self._starts, position, hi=self._known) - 1
        return self._runs[number], self._starts[number]

    def _learn(self) -> None:
        """Find where the next run begins."""
        number = self._known
        start = self._starts[number - 1] + len(self._runs[number - 1].items) if number else 0
        self._starts[number:] = [start]
        self._known += 1

    def _run_of(self, instruction: MachineInstr) -> Run:
        run = instruction.run
        if run is None or run.owner is not self:
            raise MIRError(f"{instruction.opcode} does not stand in this block")
        return run

    def __repr__(self) -> str:
        return f"<InstructionList of {self._length}>"
