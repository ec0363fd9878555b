"""Constant expressions that LLVM no longer has: instructions take their place where they are used.

They are operands until the body that uses them has been read.  Each use gets separate instructions, so that a
short file could require any number of them; a budget bounds them.  Rules: docs/reference/records.md, 6.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.construction.present import present_blocks, present_instructions
from bitcodec.ir.construction.replacing import move_debug_records
from bitcodec.ir.construction.setting import (
    keep_no_users,
    set_blocks,
    set_incoming_blocks,
    set_instructions,
    set_operands,
)
from bitcodec.ir.functions import BasicBlock
from bitcodec.ir.instructions import Branch, InsertElement, InsertValue, Phi
from bitcodec.ir.types import VectorType
from bitcodec.ir.values import Value
from bitcodec.malformed import Malformed
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type

__all__ = [
    "EDGE_NAME",
    "Budget",
    "Expandable",
    "SpareBlock",
    "Step",
    "expand",
    "expandable_aggregate",
    "removed_opcodes",
]

EDGE_NAME = "phi.constexpr"
"""Name of the blocks that contain the instructions of expressions that phis use."""
_FREE_INSTRUCTIONS = 1 << 16
_INSTRUCTIONS_PER_BYTE = 4


class Step(NamedTuple):
    """One instruction of an expansion, and its name."""

    instruction: Instruction
    name: str


class Expandable(Value):
    """A constant expression that must be replaced by instructions.

    Attributes:
        parts: its operands, which may be expandable themselves.
        make: makes its instructions of the values of its parts, the last of them being its value; with their names.
    """

    __slots__ = ("make", "parts")

    def __init__(
        self,
        type: Type,
        parts: Sequence[Value],
        make: Callable[[Sequence[Value]], list[Step]],
    ) -> None:
        super().__init__(type)
        keep_no_users(self)
        self.parts = tuple(parts)
        self.make = make


def expandable_aggregate(
    constants: ConstantTable,
    type: Type,
    elements: list[Value],
) -> Expandable:
    """Return an aggregate with elements that instructions must make."""

    def make(parts: Sequence[Value]) -> list[Step]:
        steps: list[Step] = []
        whole: Value = constants.poison(type)
        for index, part in enumerate(parts):
            step = _inserted(constants, whole, part, index)
            steps.append(Step(step, "constexpr.ins"))
            whole = step
        return steps

    return Expandable(type, elements, make)


def _inserted(constants: ConstantTable, whole: Value, part: Value, index: int) -> Instruction:
    if isinstance(whole.type, VectorType):
        return InsertElement(whole, part, constants.integer(constants.types.integer(32), index))
    return InsertValue(whole, part, (index,))


def removed_opcodes(value: Expandable) -> list[str]:
    """Return the opcodes that LLVM no longer has in constant expressions, inner expressions first."""
    found: dict[str, None] = {}
    seen: set[Value] = set()
    pending: list[tuple[Value, bool]] = [(value, False)]
    while pending:
        each, has_parts = pending.pop()
        if not isinstance(each, Expandable):
            continue
        if has_parts:
            found |= dict.fromkeys(_opcodes(each))
        elif each not in seen:
            seen.add(each)
            pending.append((each, True))
            pending += [(part, False) for part in reversed(each.parts)]
    return [opcode for opcode in found if opcode in REMOVED_EXPRESSIONS]


def _opcodes(value: Expandable) -> list[str]:
    instructions = [step.instruction for step in value.make(value.parts)]
    for instruction in reversed(instructions):
        instruction.drop_all_references()
    return [instruction.opcode for instruction in instructions]


class Budget:
    """How many instructions the expressions of a module may still become.

    Args:
        size: of the module, in bytes.
    """

    __slots__ = ("_left",)

    def __init__(self, size: int) -> None:
        self._left = _FREE_INSTRUCTIONS + _INSTRUCTIONS_PER_BYTE * size

    def take(self, count: int) -> None:
        """Take note of instructions.

        Raises:
            Malformed: there are too many.
        """
        self._left -= count
        if self._left < 0:
            raise Malformed(Reason.EXPANDED_TOO_MUCH())


def expand(function: Function, spare: SpareBlock, budget: Budget) -> None:
    """Put instructions where a function uses such expressions.

    Args:
        function: the function.
        spare: its spare block, which keeps its name until it is given up.
        budget: of the module.

    Raises:
        Malformed: they are too many.
    """
    blocks: list[BasicBlock] = []
    for block in present_blocks(function):
        expansion = _BlockExpansion(block, spare, budget)
        expansion.run()
        blocks += [*expansion.edges.values(), block]
    # Another list: what the file numbers are the blocks before.
    set_blocks(function, blocks)


class SpareBlock:
    """The block that the next edge to need one gets; as in LLVM it takes its name before it is known to be needed.

    LLVM's reader has such a block from the first phi with an incoming value until the body ends, names of the body
    included: a value that has the same name gets a number.
    """

    __slots__ = ("_block", "_function", "_types")

    def __init__(self, function: Function, types: TypeTable) -> None:
        self._function = function
        self._types = types
        self._block: BasicBlock | None = None

    def prepare_for_phis(self) -> None:
        """Make it if the function has a phi with an incoming value."""
        if any(_has_incoming(block) for block in present_blocks(self._function)):
            self.prepare()

    def prepare(self) -> BasicBlock:
        """Return it; create it at the first call."""
        block = self._block
        if block is None:
            block = self._block = BasicBlock(self._types.label, EDGE_NAME)
            block.parent = self._function
            self._function.symbols.enter(block)
        return block

    def take(self, target: BasicBlock) -> BasicBlock:
        """Return it as the one that leads to a block; the next one will be another."""
        block = self.prepare()
        self._block = None
        block.append(Branch(self._types.void, target))
        return block

    def give_up(self) -> None:
        """Discard it, as no more edges follow."""
        if self._block is not None:
            self._function.symbols.remove(self._block)
            self._block = None


def _has_incoming(block: BasicBlock) -> bool:
    return any(isinstance(each, Phi) and each.incoming_blocks for each in present_instructions(block))


class _BlockExpansion:
    """Expands the operands of the instructions in one block, in one pass.

    Attributes:
        edges: for each predecessor the new block on the edge from it, which receives the code for phis.
    """

    __slots__ = ("_block", "_budget", "_instructions", "_spare", "edges")

    def __init__(self, block: BasicBlock, spare: SpareBlock, budget: Budget) -> None:
        self._block = block
        self._spare = spare
        self._budget = budget
        self._instructions: list[Instruction] = []
        self.edges: dict[BasicBlock, BasicBlock] = {}

    def run(self) -> None:
        """Expand them.

        Raises:
            Malformed: they are too many.
        """
        for instruction in present_instructions(self._block):
            if isinstance(instruction, Phi):
                self._expand_phi(instruction)
            else:
                for index, operand in enumerate(instruction.operands):
                    if isinstance(operand, Expandable):
                        instruction.set_operand(index, self._in_front(instruction, operand))
            self._instructions.append(instruction)
        set_instructions(self._block, self._instructions)
        if self.edges:
            self._retarget()

    def _expand_phi(self, phi: Phi) -> None:
        """Expand the operands of a phi; several edges from one block become one where they go through a new block."""
        seen: dict[BasicBlock, Value] = {}
        kept: list[tuple[Value, BasicBlock]] = []
        for value, origin in phi.incoming:
            if origin not in seen:
                if origin not in self.edges:
                    self._spare.prepare()
                seen[origin] = self._on_edge(origin, value) if isinstance(value, Expandable) else value
            elif origin in self.edges:
                continue
            kept.append((seen[origin] if isinstance(value, Expandable) else value, origin))
        set_operands(phi, [value for value, _ in kept])
        set_incoming_blocks(phi, [origin for _, origin in kept])

    def _in_front(self, user: Instruction, expression: Expandable) -> Value:
        """Create instructions before their user, after its debug records."""
        first = len(self._instructions)
        value = self._expanded(expression, self._block, self._instructions)
        leader = self._instructions[first]
        move_debug_records(user, leader)
        return value

    def _on_edge(self, origin: BasicBlock, expression: Expandable) -> Value:
        """Make instructions on the way from a block."""
        edge = self.edges.get(origin)
        if edge is None:
            edge = self.edges[origin] = self._spare.take(self._block)
        instructions = cast("list[Instruction]", present_instructions(edge))
        branch = instructions.pop()
        value = self._expanded(expression, edge, instructions)
        instructions.append(branch)
        return value

    def _retarget(self) -> None:
        """Route the edges with new code through their new blocks."""
        block, edges = self._block, self.edges
        for origin, edge in edges.items():
            terminator = next(reversed(present_instructions(origin)), None)
            if terminator is not None:
                for index, operand in enumerate(terminator.operands):
                    if operand is block:
                        terminator.set_operand(index, edge)
        for phi in present_instructions(block):
            if not isinstance(phi, Phi):
                break
            set_incoming_blocks(phi, [edges.get(source, source) for source in phi.incoming_blocks])

    def _expanded(self, expression: Expandable, block: BasicBlock, instructions: list[Instruction]) -> Value:
        """Make the instructions of an expression, parts first; within it each part is made once."""
        values: dict[Value, Value] = {}
        pending: list[Value] = [expression]
        while pending:
            current = pending[-1]
            if current in values or not isinstance(current, Expandable):
                values.setdefault(current, current)
                pending.pop()
                continue
            missing = [part for part in current.parts if part not in values]
            if missing:
                pending += reversed(missing)
                continue
            steps = current.make([values[part] for part in current.parts])
            self._budget.take(len(steps))
            for step in steps:
                step.instruction.parent = block
                step.instruction.name = step.name
                instructions.append(step.instruction)
            values[current] = steps[-1].instruction
            pending.pop()
        return values[expression]
