"""Machine instructions.  Names are LLVM's (`MachineInstr`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bitcodec.errors import MIRError
from bitcodec.mir.operand import MachineOperand
from bitcodec.mir.operands import InlineNode, NodeAddress, NodeReference
from bitcodec.mir.registers import Register

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.ir.pcsections import PCSections
    from bitcodec.ir.runs import Run
    from bitcodec.mir.blocks import MachineBasicBlock
    from bitcodec.mir.function import MachineFunction
    from bitcodec.mir.memory_operands import MachineMemOperand
    from bitcodec.mir.written import Written

__all__ = ["INSTRUCTION_FLAGS", "SUFFIXES", "MachineInstr", "Suffix"]

INSTRUCTION_FLAGS = (
    "frame-setup",
    "frame-destroy",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "contract",
    "afn",
    "reassoc",
    "nuw",
    "nsw",
    "exact",
    "nofpexcept",
    "nomerge",
    "unpredictable",
    "noconvergent",
    "nneg",
    "disjoint",
    "nusw",
    "samesign",
    "inbounds",
)
"""Words in front of the opcode, in the order in which LLVM prints them."""

SUFFIXES = {
    "pre-instr-symbol": "symbol",
    "post-instr-symbol": "symbol",
    "heap-alloc-marker": "node",
    "pcsections": "node",
    "mmra": "node",
    "cfi-type": "number",
    "deactivation-symbol": "value",
    "debug-instr-number": "number",
    "debug-location": "node",
}
"""Kinds of the values that may follow the operands, by keyword, in the order in which LLVM prints and reads them."""

Suffix: TypeAlias = MachineOperand | int

_NO_SUFFIXES: Mapping[str, Suffix] = {}


class MachineInstr:
    """A machine instruction.

    Args:
        opcode: its name, such as `MOV32rm` or `COPY`.
        operands: the registers that it writes come first, as in LLVM.
        flags: words of `INSTRUCTION_FLAGS`.
        suffixes: the values behind the operands, by keyword in `SUFFIXES`.
        memory_operands: its memory accesses.
        is_inside_bundle: whether it is bundled with the instruction before it.

    Attributes:
        block: its block, if it is in one.
        run: the part of the block's list that it is in, for that list.
        written: its original text, if it was read.
    """

    __match_args__ = ("opcode", "operands")
    __slots__ = (
        "_operands",
        "block",
        "flags",
        "is_inside_bundle",
        "memory_operands",
        "opcode",
        "run",
        "suffixes",
        "written",
    )

    def __init__(
        self,
        opcode: str,
        operands: Iterable[MachineOperand] = (),
        *,
        flags: Iterable[str] = (),
        suffixes: Mapping[str, Suffix] = _NO_SUFFIXES,
        memory_operands: Iterable[MachineMemOperand] = (),
        is_inside_bundle: bool = False,
    ) -> None:
        self.opcode = opcode
        self._operands = tuple(operands)
        self.flags = tuple(flags)
        self.suffixes = suffixes
        self.memory_operands = tuple(memory_operands)
        self.is_inside_bundle = is_inside_bundle
        self.block: MachineBasicBlock | None = None
        self.written: Written | None = None
        self.run: Run[MachineInstr] | None = None

    @property
    def operands(self) -> tuple[MachineOperand, ...]:
        """Its operands; registers that it writes come first."""
        return self._operands

    @operands.setter
    def operands(self, operands: Iterable[MachineOperand]) -> None:
        self._operands = tuple(operands)
        function = self.function
        if function is not None:
            function.note_registers(self._operands)

    @property
    def function(self) -> MachineFunction | None:
        """The function that it is in, if it is in one."""
        return None if self.block is None else self.block.function

    @property
    def defs(self) -> tuple[Register, ...]:
        """The registers in front of `=`."""
        return self._defs()

    @property
    def is_debug(self) -> bool:
        """Whether it makes no code and gives debuggers something."""
        return self.opcode.startswith("DBG_")

    # What it carries

    @property
    def debug_location(self) -> MachineOperand | None:
        """The node of its place in the source: a `NodeReference` or an `InlineNode`."""
        return self._node("debug-location")

    @debug_location.setter
    def debug_location(self, node: MachineOperand | None) -> None:
        self.set_suffix("debug-location", node)

    @property
    def pcsections_node(self) -> MachineOperand | None:
        """The node with the sections in which its program counter is requested."""
        return self._node("pcsections")

    @property
    def pcsections(self) -> PCSections | None:
        """The request for its program counter in sections, from the IR part.

        Raises:
            MIRError: the instruction is in no module, or the node is not in the IR part.
            PCSectionsError: the node is malformed.
        """
        node = self.pcsections_node
        return None if node is None else self._function().module.pcsections(node)

    def set_pcsections(self, asked: PCSections | NodeReference | int | None) -> None:
        """Request that the program counter is emitted into sections, or nowhere.

        Args:
            asked: the request; a node that the IR part lacks is added to it.  Or a node, by number.

        Raises:
            MIRError: the node is not in the IR part; or the file has no IR part to add one to.
            PCSectionsError: the request would be malformed.
        """
        if asked is None:
            self.set_suffix("pcsections", None)
            return
        module = self._function().module
        if isinstance(asked, int):
            asked = NodeReference(asked)
        if isinstance(asked, NodeReference):
            module.check_node(asked)
        else:
            asked = module.add_pcsections(asked)
        self.set_suffix("pcsections", asked)

    def set_suffix(self, keyword: str, value: Suffix | None) -> None:
        """Set or remove a value behind the operands.

        Raises:
            MIRError: the keyword is unknown.
        """
        if keyword not in SUFFIXES:
            raise MIRError(f"no suffix of instructions is called {keyword!r}")
        suffixes = {**self.suffixes}
        if value is None:
            suffixes.pop(keyword, None)
        else:
            suffixes[keyword] = value
        self.suffixes = suffixes

    def copy(self) -> MachineInstr:
        """Return a copy without a block.

        As in LLVM it has no number for debuggers, because the number identifies one instruction.
        """
        suffixes = {keyword: value for keyword, value in self.suffixes.items() if keyword != "debug-instr-number"}
        return MachineInstr(
            self.opcode, self.operands, flags=self.flags, suffixes=suffixes, memory_operands=self.memory_operands
        )

    # Text

    def __str__(self) -> str:
        defs = self._defs()
        words = [*self.flags, self.opcode]
        if defs:
            words.insert(0, f"{', '.join(register.defined() for register in defs)} =")
        rest = [str(operand) for operand in self.operands[len(defs) :]]
        if self.suffixes:
            rest += (f"{keyword} {self.suffixes[keyword]}" for keyword in SUFFIXES if keyword in self.suffixes)
        if rest:
            words.append(", ".join(rest))
        if self.memory_operands:
            words += ("::", ", ".join(map(str, self.memory_operands)))
        return " ".join(words)

    def __repr__(self) -> str:
        return f"<MachineInstr {self}>"

    def said(self) -> tuple[object, ...]:
        """Return its contents, to compare with later ones."""
        return self.opcode, self.operands, self.flags, self.suffixes, self.memory_operands

    def _defs(self) -> tuple[Register, ...]:
        found = []
        for operand in self.operands:
            if not isinstance(operand, Register) or not operand.is_def or operand.is_implicit:
                break
            found.append(operand)
        return tuple(found)

    def _node(self, keyword: str) -> MachineOperand | None:
        node = self.suffixes.get(keyword)
        return node if isinstance(node, (NodeReference, InlineNode, NodeAddress)) else None

    def _function(self) -> MachineFunction:
        function = self.function
        if function is None:
            raise MIRError(f"{self.opcode} is in no function")
        return function
