"""Machine functions.  Names are LLVM's (`MachineFunction`), names of values the keys of the file."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bitcodec.errors import MIRError
from bitcodec.mir.blocks import LiveIn, MachineBasicBlock, Successor
from bitcodec.mir.body_parser import ParsedBody, parse_body
from bitcodec.mir.body_printer import BodyPrinter
from bitcodec.mir.call_sites import CallSites
from bitcodec.mir.registers import MAX_REGISTER, Register, RegisterFlag
from bitcodec.mir.yaml_nodes import YamlMapping, YamlScalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.functions import Function
    from bitcodec.ir.pcsections import PCSections
    from bitcodec.ir.values import Value
    from bitcodec.mir.instruction import MachineInstr
    from bitcodec.mir.module import MachineModule
    from bitcodec.mir.operand import MachineOperand
    from bitcodec.mir.source import Edits, SourceText

__all__ = ["MachineFunction"]


class MachineFunction:
    """A machine function, as a document of the file describes it.

    Args:
        module: its file.
        source: the text of the file.
        attributes: the document.

    Attributes:
        module: its file.
        attributes: the entries of the document except the body, by key: `alignment`, `registers`, `frameInfo`, ...;
            each knows its `value`, and scalars can be `set`.
    """

    __slots__ = ("_body", "_call_sites", "_last_register", "_source", "attributes", "module")

    def __init__(self, module: MachineModule, source: SourceText, attributes: YamlMapping) -> None:
        self.module = module
        self.attributes = attributes
        self._source = source
        self._body: ParsedBody | None = None
        self._call_sites: CallSites | None = None
        self._last_register: int | None = None

    @property
    def name(self) -> str:
        """The name of the function in the IR part."""
        node = self.attributes.get("name")
        return node.text if isinstance(node, YamlScalar) else ""

    @property
    def ir_function(self) -> Function:
        """The function of the IR part that it was made of.

        Raises:
            MIRError: the file has no IR part, or that has no such function.
            AssemblyError: the IR part is malformed.
        """
        return self.module.objects.function(self.name)

    def ir_value(self, operand: MachineOperand) -> Value:
        """Return the value of the IR part that an operand refers to: a value or a block of its function, or a global.

        Args:
            operand: of an instruction, or the address of a memory operand.

        Raises:
            MIRError: it refers to nothing there.
            AssemblyError: the IR part is malformed.
        """
        return self.module.objects.value(operand, self.ir_function)

    @property
    def pcsections(self) -> PCSections | None:
        """The request for the function's own program counter in sections, from the IR part.

        Raises:
            PCSectionsError: the node is malformed.
        """
        part = self.module.ir
        nodes = [] if part is None else part.function_nodes(self.name)
        return self.module.pcsections(nodes[0]) if nodes else None

    @property
    def blocks(self) -> list[MachineBasicBlock]:
        """Its basic blocks, in order; read when they are requested first.

        Raises:
            MIRError: the body is malformed.
        """
        return self._read().blocks

    @property
    def instructions(self) -> Iterator[MachineInstr]:
        """The instructions of all blocks."""
        return (instruction for block in self.blocks for instruction in block.instructions)

    def block(self, number: int) -> MachineBasicBlock:
        """Return the block of a number.

        Raises:
            MIRError: it does not exist.
        """
        for block in self.blocks:
            if block.number == number:
                return block
        raise MIRError(f"{self.name} has no block bb.{number}")

    def add_block(
        self,
        name: str = "",
        *,
        after: MachineBasicBlock | None = None,
        successors: Iterable[Successor | MachineBasicBlock] | None = None,
        liveins: Iterable[LiveIn | str] = (),
    ) -> MachineBasicBlock:
        """Return a new block, which has the number after the greatest one.

        Args:
            name: name of its block in the IR part. Default: none.
            after: the block that it follows. Default: the last one.
            successors: blocks that may run next. Default: omitted, for blocks whose terminators define them.
            liveins: registers that are live where it begins, or their names.

        Raises:
            MIRError: the body is malformed or the document has none; or `after` is not in this function.
        """
        blocks = self.blocks
        if self._body_span() is None:
            raise MIRError(f"{self.name} has no body; the document needs 'body: |'")
        if after is not None and after not in blocks:
            raise MIRError(f"bb.{after.number} is not in {self.name}")
        block = MachineBasicBlock(max((each.number for each in blocks), default=-1) + 1, name)
        block.function = self
        block.liveins = tuple(LiveIn(each) if isinstance(each, str) else each for each in liveins)
        if successors is not None:
            block.successors = tuple(
                Successor(each.number) if isinstance(each, MachineBasicBlock) else each for each in successors
            )
        blocks.insert(len(blocks) if after is None else blocks.index(after) + 1, block)
        return block

    def new_virtual_register(self, register_class: str, type: str = "") -> Register:
        """Return a register that nothing uses yet, in the form of its definition: with class or bank, and type.

        Its number is the next one after the numbers in the body, in `registers` and of registers returned before.

        Raises:
            MIRError: the body is malformed, or its registers have the greatest number already.
        """
        if self._last_register is None:
            names = (name for instruction in self.instructions for name in _virtual_registers(instruction.operands))
            listed = (f"%{item.get('id')}" for item in self._listed("registers") if isinstance(item, dict))
            self._last_register = max(map(_number, chain(names, listed)), default=-1)
        if self._last_register == MAX_REGISTER:
            raise MIRError(f"{self.name} has a virtual register %{MAX_REGISTER}: no number is left after it")
        self._last_register += 1
        name = f"%{self._last_register}"
        return Register(name, RegisterFlag.DEFINE, register_class=register_class, type=type)

    def note_registers(self, operands: Iterable[MachineOperand]) -> None:
        """Take notice of registers that instructions of it have from now on."""
        if self._last_register is not None:
            self._last_register = max(self._last_register, *map(_number, _virtual_registers(operands)), -1)

    def __repr__(self) -> str:
        return f"<MachineFunction {self.name}>"

    def write_body(self, edits: Edits, *, keeps: bool) -> None:
        """Add the replacement of the body to the edits, if it was read.

        Args:
            edits: receives it.
            keeps: whether unchanged parts keep their text; if not, everything is read and rewritten.
        """
        if self._body is None and keeps:
            return
        span = self._body_span()
        if span is None:
            return
        body = self._read()
        self._call_sites_read().update(edits, self.blocks)
        edits.replace(*span, BodyPrinter(self._source.indentation(*span), self._source.newline, keeps=keeps).text(body))

    def moved_call(self, old: MachineInstr, new: MachineInstr | None) -> None:
        """Move the entries of the document about a call to another one, or remove them."""
        self._call_sites_read().move(old, new)

    def _listed(self, key: str) -> list[object]:
        node = self.attributes.get(key)
        value = None if node is None else node.value
        return value if isinstance(value, list) else []

    def _read(self) -> ParsedBody:
        if self._body is None:
            span = self._body_span()
            body = ParsedBody([], "") if span is None else parse_body(self._source, *span)
            for block in body.blocks:
                block.function = self
            self._call_sites = CallSites(self.attributes, self._source, body.blocks)
            self._body = body
        return self._body

    def _call_sites_read(self) -> CallSites:
        self._read()
        assert self._call_sites is not None  # noqa: S101 - it is read with the body
        return self._call_sites

    def _body_span(self) -> tuple[int, int] | None:
        """Return start and end of the lines of the body."""
        node = self.attributes.get("body")
        if node is None:
            return None
        if not isinstance(node, YamlScalar) or node.style != "|":
            raise self._source.error("a body expected: 'body: |' and lines that are indented", node.start)
        start = self._source.next_line(node.start)
        return start, max(start, node.end)


_MAX_DIGITS = len(str(MAX_REGISTER))


def _virtual_registers(operands: Iterable[MachineOperand]) -> Iterator[str]:
    return (each.name for each in operands if isinstance(each, Register) and each.is_virtual)


def _number(name: str) -> int:
    """Return the number of a virtual register, -1 if it has a name, or a number that none can have."""
    digits = name[1:]
    number = int(digits) if digits.isdecimal() and len(digits) <= _MAX_DIGITS else -1
    return number if number <= MAX_REGISTER else -1
