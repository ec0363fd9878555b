"""Machine basic blocks.  Names are LLVM's (`MachineBasicBlock`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitcodec.errors import MIRError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.mir.function import MachineFunction
    from bitcodec.mir.instruction import MachineInstr
    from bitcodec.mir.written import Written

__all__ = ["ALL_LANES", "BLOCK_ATTRIBUTES", "LiveIn", "MachineBasicBlock", "Successor"]

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
"""What may stand in parentheses behind a label, and the kinds of tokens that follow it."""

ALL_LANES = (1 << 64) - 1
"""The mask of a whole register."""


class Successor(NamedTuple):
    """A block that may run next.

    Attributes:
        number: of the block.
        probability: that it does, in units of 2**-31; nothing if it is not told.
    """

    number: int
    probability: int | None = None

    def __str__(self) -> str:
        return f"%bb.{self.number}" if self.probability is None else f"%bb.{self.number}(0x{self.probability:08x})"


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
        attributes: what stands in parentheses behind the label, such as `landing-pad` or `%ir-block.3`.

    Attributes:
        function: the function that it stands in, if it stands in one.
        successors: blocks that may run next; nothing if that is not told.
        liveins: registers that have values where it begins.
        instructions: what it consists of; to change it, use `insert` and `remove`.
        written: how its label and lists were written, if they were read.
    """

    __slots__ = ("attributes", "function", "instructions", "liveins", "name", "number", "successors", "written")

    def __init__(self, number: int, name: str = "", attributes: tuple[str, ...] = ()) -> None:
        self.number = number
        self.name = name
        self.attributes = attributes
        self.successors: tuple[Successor, ...] | None = None
        self.liveins: tuple[LiveIn, ...] = ()
        self.instructions: list[MachineInstr] = []
        self.function: MachineFunction | None = None
        self.written: Written | None = None

    @property
    def label(self) -> str:
        """What stands before the colon."""
        name = f"bb.{self.number}.{self.name}" if self.name else f"bb.{self.number}"
        return f"{name} ({', '.join(self.attributes)})" if self.attributes else name

    def index(self, instruction: MachineInstr) -> int:
        """Return where an instruction stands.

        Raises:
            MIRError: it does not stand in this block.
        """
        for index, each in enumerate(self.instructions):
            if each is instruction:
                return index
        raise MIRError(f"{instruction.opcode} does not stand in bb.{self.number}")

    def insert(self, index: int, instruction: MachineInstr) -> None:
        """Put an instruction before the one at `index`; at the end, if there is none.

        Raises:
            MIRError: it stands in a block already.
        """
        if instruction.block is not None:
            raise MIRError(f"{instruction.opcode} stands in bb.{instruction.block.number} already; insert a copy")
        instruction.block = self
        self.instructions.insert(index, instruction)

    def append(self, instruction: MachineInstr) -> None:
        """Put an instruction at the end."""
        self.insert(len(self.instructions), instruction)

    def remove(self, instruction: MachineInstr) -> int:
        """Take an instruction out; return where it stood.

        What was bundled with it alone stays bundled with what is left of the bundle.

        Raises:
            MIRError: it does not stand in this block.
        """
        index = self.index(instruction)
        del self.instructions[index]
        instruction.block = None
        if not instruction.is_inside_bundle and index < len(self.instructions):
            self.instructions[index].is_inside_bundle = False
        return index

    def __iter__(self) -> Iterator[MachineInstr]:
        return iter(self.instructions)

    def __len__(self) -> int:
        return len(self.instructions)

    def __repr__(self) -> str:
        return f"<MachineBasicBlock {self.label}, {len(self.instructions)} instructions>"

    def said(self) -> tuple[object, ...]:
        """Return all that its label and lists say."""
        return self.number, self.name, self.attributes, self.successors, self.liveins

    def is_opener(self, index: int) -> bool:
        """Tell whether a bundle begins with the instruction at `index`."""
        return not self.instructions[index].is_inside_bundle and self._is_inside(index + 1)

    def is_closer(self, index: int) -> bool:
        """Tell whether a bundle ends with the instruction at `index`."""
        return self.instructions[index].is_inside_bundle and not self._is_inside(index + 1)

    def _is_inside(self, index: int) -> bool:
        return index < len(self.instructions) and self.instructions[index].is_inside_bundle
