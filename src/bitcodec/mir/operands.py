"""Kinds of operands.  Rules: LLVM's MIR language reference, "Machine Operands"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bitcodec.mir.names import Name, quoted, spelled
from bitcodec.mir.operand import MachineOperand, offset_text

__all__ = [
    "BlockAddressOperand",
    "BlockReference",
    "CFIInstruction",
    "CImmediate",
    "ConstantPoolIndex",
    "CustomRegisterMask",
    "DebugInstrRef",
    "ExternalSymbol",
    "FPImmediate",
    "FrameIndex",
    "GlobalAddress",
    "IRBlock",
    "IRValue",
    "Immediate",
    "ImmediateMnemonic",
    "InlineNode",
    "IntrinsicID",
    "JumpTableIndex",
    "LaneMask",
    "LiveOut",
    "MCSymbol",
    "NodeAddress",
    "NodeReference",
    "Predicate",
    "RegisterMask",
    "ShuffleMask",
    "SubRegisterIndex",
    "TargetIndex",
]


_BARE_SYMBOL = re.compile(r"[-A-Za-z0-9_$.]*\Z")


@dataclass(frozen=True, slots=True)
class Immediate(MachineOperand):
    """A number of 64 bits."""

    value: int

    def _text(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class ImmediateMnemonic(MachineOperand):
    """An immediate as a word of the target, such as `.id0_VALU_DEP_1` of AMDGPU's `S_DELAY_ALU`."""

    name: str

    def _text(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CImmediate(MachineOperand):
    """An integer constant of a type of LLVM IR, such as `i128 7`; `i1` is 0 or 1."""

    type: str
    value: int

    def _text(self) -> str:
        return f"{self.type} {('false', 'true')[self.value & 1] if self.type == 'i1' else self.value}"


@dataclass(frozen=True, slots=True)
class FPImmediate(MachineOperand):
    """A floating-point constant; `literal` is the number as LLVM IR writes it."""

    type: str
    literal: str

    def _text(self) -> str:
        return f"{self.type} {self.literal}"


@dataclass(frozen=True, slots=True)
class BlockReference(MachineOperand):
    """A basic block, by its number; old files give its name in LLVM IR, too."""

    number: int
    name: str = ""

    def _text(self) -> str:
        return f"%bb.{self.number}.{self.name}" if self.name else f"%bb.{self.number}"


@dataclass(frozen=True, slots=True)
class FrameIndex(MachineOperand):
    """An object on the stack, by its `id` among the function's."""

    number: int
    name: str = ""
    is_fixed: bool = False

    def _text(self) -> str:
        if self.is_fixed:
            return f"%fixed-stack.{self.number}"
        return f"%stack.{self.number}.{self.name}" if self.name else f"%stack.{self.number}"


@dataclass(frozen=True, slots=True)
class ConstantPoolIndex(MachineOperand):
    """A constant in memory, by its `id` among the function's."""

    number: int
    offset: int = 0

    def _text(self) -> str:
        return f"%const.{self.number}{offset_text(self.offset)}"


@dataclass(frozen=True, slots=True)
class JumpTableIndex(MachineOperand):
    """A jump table, by its `id` among the function's."""

    number: int

    def _text(self) -> str:
        return f"%jump-table.{self.number}"


@dataclass(frozen=True, slots=True)
class GlobalAddress(MachineOperand):
    """The address of a global of the IR part."""

    name: Name
    offset: int = 0

    def _text(self) -> str:
        return f"@{spelled(self.name)}{offset_text(self.offset)}"


@dataclass(frozen=True, slots=True)
class ExternalSymbol(MachineOperand):
    """A symbol that the IR part does not know; of inline assembly, its text."""

    name: str
    offset: int = 0

    def _text(self) -> str:
        return f"&{spelled(self.name)}{offset_text(self.offset)}"


@dataclass(frozen=True, slots=True)
class MCSymbol(MachineOperand):
    """A label that the back end made."""

    name: str

    def _text(self) -> str:
        return f"<mcsymbol {self.name if _BARE_SYMBOL.match(self.name) else quoted(self.name)}>"


@dataclass(frozen=True, slots=True)
class NodeReference(MachineOperand):
    """A metadata node of the IR part, or of the function's `machineMetadataNodes`."""

    number: int

    def _text(self) -> str:
        return f"!{self.number}"


@dataclass(frozen=True, slots=True)
class NodeAddress(MachineOperand):
    """A metadata node as LLVM prints it if nothing in the IR part refers to it: its address, which llc does not read.

    Attributes:
        address: where the node was in the memory of LLVM, such as `0x55d0c8a1`.
    """

    address: str

    def _text(self) -> str:
        return f"<{self.address}>"


@dataclass(frozen=True, slots=True)
class InlineNode(MachineOperand):
    """A node that is written where it is used, such as `!DIExpression(DW_OP_deref)`."""

    class_name: str
    fields: tuple[str, ...] = ()

    def _text(self) -> str:
        return f"!{self.class_name}({', '.join(self.fields)})"


@dataclass(frozen=True, slots=True)
class SubRegisterIndex(MachineOperand):
    """A part of registers, such as `sub_32`."""

    name: str

    def _text(self) -> str:
        return f"%subreg.{self.name}"


@dataclass(frozen=True, slots=True)
class RegisterMask(MachineOperand):
    """Registers that a call leaves alone: a list that the target has a name for, such as `csr_64`."""

    name: str

    def _text(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CustomRegisterMask(MachineOperand):
    """Registers that a call leaves alone, by their names."""

    registers: tuple[str, ...]

    def _text(self) -> str:
        return f"CustomRegMask({','.join(self.registers)})"


@dataclass(frozen=True, slots=True)
class LiveOut(MachineOperand):
    """Registers that are read after a patch point."""

    registers: tuple[str, ...]

    def _text(self) -> str:
        return f"liveout({', '.join(self.registers)})"


@dataclass(frozen=True, slots=True)
class IRBlock(MachineOperand):
    """A basic block of the IR part."""

    name: Name

    def _text(self) -> str:
        return f"%ir-block.{spelled(self.name)}"


@dataclass(frozen=True, slots=True)
class IRValue(MachineOperand):
    """A value of the function in the IR part; `text` of a constant, that is in backquotes."""

    name: Name = ""
    text: str = ""

    def _text(self) -> str:
        return f"`{self.text}`" if self.text else f"%ir.{spelled(self.name)}"


@dataclass(frozen=True, slots=True)
class BlockAddressOperand(MachineOperand):
    """The address of a basic block of the IR part."""

    function: GlobalAddress
    block: IRBlock
    offset: int = 0

    def _text(self) -> str:
        return f"blockaddress({self.function}, {self.block}){offset_text(self.offset)}"


@dataclass(frozen=True, slots=True)
class TargetIndex(MachineOperand):
    """An address that the target has a name for."""

    name: str
    offset: int = 0

    def _text(self) -> str:
        return f"target-index({self.name}){offset_text(self.offset)}"


@dataclass(frozen=True, slots=True)
class IntrinsicID(MachineOperand):
    """An intrinsic function."""

    name: Name

    def _text(self) -> str:
        return f"intrinsic(@{spelled(self.name)})"


@dataclass(frozen=True, slots=True)
class Predicate(MachineOperand):
    """A comparison, such as `slt` of integers or `oeq` of floating-point numbers."""

    name: str
    is_float: bool = False

    def _text(self) -> str:
        return f"{'float' if self.is_float else 'int'}pred({self.name})"


@dataclass(frozen=True, slots=True)
class ShuffleMask(MachineOperand):
    """Indices of the elements of two vectors, for each element of the result; -1 for an undefined element."""

    elements: tuple[int, ...]

    def _text(self) -> str:
        return f"shufflemask({', '.join('undef' if each == -1 else str(each) for each in self.elements)})"


@dataclass(frozen=True, slots=True)
class DebugInstrRef(MachineOperand):
    """A value, by the `debug-instr-number` of the instruction that defines it and the number of the operand."""

    instruction: int
    operand: int

    def _text(self) -> str:
        return f"dbg-instr-ref({self.instruction}, {self.operand})"


@dataclass(frozen=True, slots=True)
class LaneMask(MachineOperand):
    """Parts of a register, a bit for each."""

    mask: int

    def _text(self) -> str:
        return f"lanemask(0x{self.mask:016X})"


@dataclass(frozen=True, slots=True)
class CFIInstruction(MachineOperand):
    """A change of the frame information.

    Attributes:
        operation: such as `def_cfa_offset`.
        values: registers (`$rbp`) and numbers, as the operation has them; bytes of `escape`.
        label: label of its position, if given.
    """

    operation: str
    values: tuple[str | int, ...] = ()
    label: MCSymbol | None = None

    def _text(self) -> str:
        form = "0x{:02x}" if self.operation == "escape" else "{}"
        return f"{self.operation} {self.label or ''}{', '.join(form.format(value) for value in self.values)}"
