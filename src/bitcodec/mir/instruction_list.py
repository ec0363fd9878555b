"""The instructions of a block, in order: a change costs about the same however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from bitcodec.errors import MIRError
from bitcodec.ir.runs import Run, RunList

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.mir.instruction import MachineInstr

__all__ = ["InstructionList"]


class InstructionList(RunList["MachineInstr"], Sequence["MachineInstr"]):
    """Instructions of one block; iteration visits the ones that exist when it begins."""

    __slots__ = ()

    # Reading

    def __iter__(self) -> Iterator[MachineInstr]:
        return iter(self.listed())

    def __contains__(self, instruction: object) -> bool:
        run = getattr(instruction, "run", None)
        return isinstance(run, Run) and run.owner is self

    @overload
    def __getitem__(self, index: int) -> MachineInstr: ...
    @overload
    def __getitem__(self, index: slice) -> list[MachineInstr]: ...
    def __getitem__(self, index: int | slice) -> MachineInstr | list[MachineInstr]:
        """Return the instruction at an index, or the instructions of a slice.

        Raises:
            IndexError: the index is out of range.
        """
        return self.listed()[index] if isinstance(index, slice) else self.at(range(len(self))[index])

    def index(self, instruction: object, start: int = 0, stop: int | None = None) -> int:
        """Return the index of an instruction.

        Raises:
            ValueError: it is not in the list, or not between the bounds.
        """
        if instruction in self:
            found = self.position(instruction)  # type: ignore[arg-type] # others have no run
            if found in range(len(self))[start:stop]:
                return found
        raise ValueError(f"{instruction!r} is not in the list")

    # Changing: instructions know their block from who calls these.  All but `insert` raise MIRError if the instruction
    # named is not in the list.

    def insert(self, index: int, instruction: MachineInstr) -> None:
        """Insert an instruction before the one at an index, which may be negative; at the end if it is too large."""
        self.insert_at(range(len(self))[index:].start, instruction)

    def _run_of(self, item: MachineInstr) -> Run[MachineInstr]:
        run = item.run
        if run is None or run.owner is not self:
            raise MIRError(f"{item.opcode} is not in this block")
        return run

    def _enter(self, items: Iterable[MachineInstr], run: Run[MachineInstr]) -> None:
        for item in items:
            item.run = run

    def _leave(self, item: MachineInstr) -> None:
        item.run = None

    def __repr__(self) -> str:
        return f"<InstructionList of {len(self)}>"
