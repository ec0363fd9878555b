"""Making machine instructions that carry debug location and metadata along, as LLVM's `BuildMI` and `MIMetadata` do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import MIRError
from bitcodec.mir.instruction import MachineInstr
from bitcodec.mir.operands import Immediate
from bitcodec.mir.registers import Register, RegisterFlag
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.mir.blocks import MachineBasicBlock
    from bitcodec.mir.instruction import Suffix
    from bitcodec.mir.memory_operands import MachineMemOperand
    from bitcodec.mir.operand import MachineOperand

__all__ = ["MIBuilder", "MIMetadata", "as_operand"]


class MIMetadata(NamedTuple):
    """Metadata that instructions share if one comes from the other: nodes, or nothing.

    Attributes:
        debug_location: the place in the source.
        pcsections: the node with the sections in which the program counter is requested.
        mmra: annotations for the memory model.
    """

    debug_location: MachineOperand | None = None
    pcsections: MachineOperand | None = None
    mmra: MachineOperand | None = None

    @classmethod
    def of(cls, instruction: MachineInstr) -> MIMetadata:
        """Return the metadata of an instruction."""
        mmra = instruction.suffixes.get("mmra")
        return cls(instruction.debug_location, instruction.pcsections_node, None if isinstance(mmra, int) else mmra)

    def suffixes(self) -> dict[str, Suffix]:
        """Return it as suffixes of an instruction."""
        found = {"debug-location": self.debug_location, "pcsections": self.pcsections, "mmra": self.mmra}
        return {keyword: node for keyword, node in found.items() if node is not None}


class MIBuilder:
    """Inserts instructions into a block, one behind the other; all have the same debug location and metadata.

    Args:
        block: the block.
        index: index of the instruction to insert before. Default: at the end.
        metadata: their metadata.
    """

    def __init__(self, block: MachineBasicBlock, index: int | None = None, metadata: MIMetadata | None = None) -> None:
        self.block = block
        self.index = len(block) if index is None else index
        self.metadata = MIMetadata() if metadata is None else metadata

    @classmethod
    def before(cls, instruction: MachineInstr) -> MIBuilder:
        """Return a builder in front of an instruction, for instructions with its metadata.

        Raises:
            MIRError: the instruction is in no block.
        """
        if instruction.block is None:
            raise MIRError(f"{instruction.opcode} is in no block")
        return cls(instruction.block, instruction.block.index(instruction), MIMetadata.of(instruction))

    def build(
        self,
        opcode: str,
        *operands: MachineOperand | str | int,
        defs: Iterable[Register | str] = (),
        flags: Iterable[str] = (),
        memory_operands: Iterable[MachineMemOperand] = (),
    ) -> MachineInstr:
        """Insert an instruction into the block, and return it.

        Args:
            opcode: its name.
            operands: registers may be given by name (`"$rax"`, `"%3"`), immediates as numbers.
            defs: registers that it writes.
            flags: words in front of the opcode.
            memory_operands: its memory accesses.
        """
        written = [_register(each).with_flags(RegisterFlag.DEFINE) for each in defs]
        instruction = MachineInstr(
            opcode,
            (*written, *map(as_operand, operands)),
            flags=flags,
            suffixes=self.metadata.suffixes(),
            memory_operands=memory_operands,
        )
        self.block.insert(self.index, instruction)
        self.index += 1
        return instruction


def as_operand(value: MachineOperand | str | int) -> MachineOperand:
    """Return a register for its name, an immediate for a number, and an operand unchanged."""
    if isinstance(value, int):
        return Immediate(int(value))
    return _register(value) if isinstance(value, str) else value


def _register(value: Register | str) -> Register:
    return Register(value) if isinstance(value, str) else value
