"""Machine basic blocks.  Names are LLVM's (`MachineBasicBlock`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import MIRError
from bitcodec.mir.instruction_list import InstructionList
from bitcodec.mir.names import name_of
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.mir.function import MachineFunction
    from bitcodec.mir.instruction import MachineInstr
    from bitcodec.mir.written import Written

__all__ = ["ALL_LANES", "BLOCK_ATTRIBUTES", "LiveIn", "MachineBasicBlock", "Successor", "normalized"]

BLOCK_ATTRIBUTES = {
    "machine-block-address-taken": "",
    "ir-block-address-taken": "ir_block",
    "landing-pad": "",
    "inlineasm-br-indirect-target": "",
    "ehfunclet-entry": "",
    "ehscope-entry": "",
    "align": "integer",
    "bbsections": "word integer",
    "bb_id": "integer integer",
    "call-frame-size": "integer",
}
"""Attributes in parentheses behind a label, and the kinds of tokens that follow each."""

_NUMBERED = "%ir-block."

_CERTAIN = 1 << 31
"""The probability of an event that always happens."""

_UNKNOWN_PROBABILITY = (1 << 32) - 1

ALL_LANES = (1 << 64) - 1
"""The mask of a whole register."""


class Successor(NamedTuple):
    """A block that may run next.

    Attributes:
        number: of the block.
        probability: probability of that, in units of 2**-31; None if it is not given.
    """

    number: int
    probability: int | None = None

    def __str__(self) -> str:
        return f"%bb.{self.number}" if self.probability is None else f"%bb.{self.number}(0x{self.probability:08x})"


def normalized(successors: tuple[Successor, ...]) -> tuple[Successor, ...]:
    """Return successors with probabilities that sum up to 1, as `llc` makes them at the end of each list.

    A probability that is not given counts as 0; if all are 0, they become equal.
    """
    weights = [successor.probability or 0 for successor in successors]
    total = sum(weight for weight in weights if weight != _UNKNOWN_PROBABILITY)
    unknown = weights.count(_UNKNOWN_PROBABILITY)
    if unknown:
        rest = max(_CERTAIN - total, 0) // unknown
        weights = [rest if weight == _UNKNOWN_PROBABILITY else weight for weight in weights]
    if not unknown or total > _CERTAIN:
        weights = [_scaled(weight, total) if total else _scaled(1, len(weights)) for weight in weights]
    return tuple(Successor(each.number, weight) for each, weight in zip(successors, weights, strict=True))


def _scaled(weight: int, total: int) -> int:
    """Return the probability of a weight, rounded."""
    return (weight * _CERTAIN + total // 2) // total


class LiveIn(NamedTuple):
    """A register that has a value where the block begins.

    Attributes:
        register: its name, such as `$rdi`.
        lane_mask: parts of it, a bit for each.
    """

    register: str
    lane_mask: int = ALL_LANES

    def __str__(self) -> str:
        return self.register if self.lane_mask == ALL_LANES else f"{self.register}:0x{self.lane_mask:016X}"


class MachineBasicBlock:
    """Instructions that run one after another.

    Args:
        number: by which it is referred to.
        name: of its block in the IR part, if that has one.
        attributes: the attributes in parentheses behind the label, such as `landing-pad` or `%ir-block.3`.

    Attributes:
        function: the function that it is in, if it is in one.
        successors: blocks that may run next; nothing if that is not given.
        liveins: registers that have values where it begins.
        instructions: its instructions; to change it, use `insert`, `insert_before`, `insert_after` and `remove`.
        written: how its label and lists were written, if they were read.
    """

    __slots__ = ("attributes", "function", "instructions", "liveins", "name", "number", "successors", "written")

    def __init__(self, number: int, name: str = "", attributes: tuple[str, ...] = ()) -> None:
        self.number = number
        self.name = name
        self.attributes = attributes
        self.successors: tuple[Successor, ...] | None = None
        self.liveins: tuple[LiveIn, ...] = ()
        self.instructions = InstructionList()
        self.function: MachineFunction | None = None
        self.written: Written | None = None

    @property
    def label(self) -> str:
        """The label, without the colon."""
        name = f"bb.{self.number}.{self.name}" if self.name else f"bb.{self.number}"
        return f"{name} ({', '.join(self.attributes)})" if self.attributes else name

    @property
    def ir_block(self) -> BasicBlock | None:
        """The block of the IR part that it was generated from, None if unknown.

        Raises:
            MIRError: the block does not exist, or the file has no IR part.
            AssemblyError: the IR part is malformed.
        """
        numbered = [attribute for attribute in self.attributes if attribute.startswith(_NUMBERED)]
        if self.function is None or not (self.name or numbered):
            return None
        name = self.name or name_of(numbered[0][len(_NUMBERED) :])
        return self.function.module.objects.block(name, self.function.ir_function)

    def index(self, instruction: MachineInstr) -> int:
        """Return the index of an instruction.

        Raises:
            MIRError: it is not in this block.
        """
        self._check_stands_here(instruction)
        return self.instructions.index(instruction)

    def following(self, instruction: MachineInstr) -> MachineInstr | None:
        """Return the instruction after another, None after the last one.

        Raises:
            MIRError: the other one is not in this block.
        """
        self._check_stands_here(instruction)
        return self.instructions.following(instruction)

    def insert(self, index: int, instruction: MachineInstr) -> None:
        """Insert an instruction before the one at `index`; at the end if the index is too large.

        Raises:
            MIRError: it is in a block already.
        """
        self._take(instruction)
        self.instructions.insert(index, instruction)

    def insert_before(self, other: MachineInstr, instruction: MachineInstr) -> None:
        """Insert an instruction right before another.

        Raises:
            MIRError: it is in a block already, or the other one is not in this block.
        """
        self._check_stands_here(other)
        self._take(instruction)
        self.instructions.insert_before(other, instruction)

    def insert_after(self, other: MachineInstr, instruction: MachineInstr) -> None:
        """Insert an instruction right after another.

        Raises:
            MIRError: it is in a block already, or the other one is not in this block.
        """
        self._check_stands_here(other)
        self._take(instruction)
        self.instructions.insert_after(other, instruction)

    def append(self, instruction: MachineInstr) -> None:
        """Put an instruction at the end."""
        self.insert(len(self.instructions), instruction)

    def remove(self, instruction: MachineInstr) -> None:
        """Take an instruction out.

        An instruction that was bundled with it alone stays bundled with the rest of the bundle.

        Raises:
            MIRError: it is not in this block.
        """
        following = self.following(instruction)
        self.instructions.remove(instruction)
        instruction.block = None
        if not instruction.is_inside_bundle and following is not None:
            following.is_inside_bundle = False

    def __iter__(self) -> Iterator[MachineInstr]:
        return iter(self.instructions)

    def __len__(self) -> int:
        return len(self.instructions)

    def __repr__(self) -> str:
        return f"<MachineBasicBlock {self.label}, {len(self.instructions)} instructions>"

    def said(self) -> tuple[object, ...]:
        """Return the contents of its label and lists."""
        return self.number, self.name, self.attributes, self.successors, self.liveins

    def is_opener(self, instruction: MachineInstr) -> bool:
        """Return whether a bundle begins with an instruction.

        Raises:
            MIRError: it is not in this block.
        """
        following = self.following(instruction)
        return following is not None and following.is_inside_bundle and not instruction.is_inside_bundle

    def _take(self, instruction: MachineInstr) -> None:
        """Set this block as the parent of an instruction, which must not have one."""
        if instruction.block is not None:
            raise MIRError(f"{instruction.opcode} is in bb.{instruction.block.number} already; insert a copy")
        instruction.block = self
        if self.function is not None:
            self.function.note_registers(instruction.operands)

    def _check_stands_here(self, instruction: MachineInstr) -> None:
        if instruction.block is not self:
            raise MIRError(f"{instruction.opcode} is not in bb.{self.number}")
