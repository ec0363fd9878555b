# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""The loop that makes an expansion of an instruction again, for another one that is like it.

The expansion is worked out for one instruction by a builder, and made for the others here, without one.  Names, uses
and blocks come in the same order as the builder makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.construction import copies
from bitcodec.ir.instruction_list import InstructionRuns
from bitcodec.ir.instructions.control_flow import Phi
from bitcodec.ir.uses import UNTRACKED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.values import Value

__all__ = ["Ending", "Stamp", "StampedStep"]


class Ending:
    """The end of a block, behind the instruction that is being expanded: it is not in the block until that is done.

    The instructions of a block are expanded from the last to the first, so each is moved once, however many there are.
    """

    __slots__ = ("_block", "_parts")

    def __init__(self, block: BasicBlock) -> None:
        self._block = block
        self._parts: list[list[Instruction]] = []

    def cut(self, instruction: Instruction) -> None:
        """Take an instruction out of the block, and move the rest of the block to this object."""
        instructions: Any = self._block._instructions
        if isinstance(instructions, InstructionRuns):
            self._parts.append(instructions.cut(instruction)[1:])
            return
        if isinstance(instructions, tuple):
            instructions = self._block._instructions = [*instructions]
        place = len(instructions) - 1
        while instructions[place] is not instruction:
            place -= 1
        self._parts.append(instructions[place + 1 :])
        del instructions[place:]

    def put(self, instructions: list[Instruction]) -> None:
        """Put instructions in front."""
        self._parts.append(instructions)

    def drop(self, count: int) -> None:
        """Leave out the first instructions."""
        part = self._parts[-1]
        del part[:count]

    def take(self) -> list[Instruction]:
        """Return all of it, which is not here any more."""
        found: list[Instruction] = []
        for part in reversed(self._parts):
            found += part
        self._parts = []
        return found

    def restore(self) -> None:
        """Put all of it back at the end of the block."""
        if self._parts:
            instructions: Any = self._block._instructions
            for instruction in self.take():
                instructions.append(instruction)


class StampedStep:
    """An instruction or a block that an expansion makes.

    Values are given by their places: see `Stamp`.

    Args:
        prototype: an instruction that is in no block and has no operands; or a block, which has only a name.
        operands: places of operands, -1 for one that is there later; or the operands themselves that are the same for
            all instructions of the shape.
        incoming: places of the blocks of a phi.
        attached: nodes by kind of metadata, None for the original's.
        has_location: whether it gets the debug location of the original.

    Attributes:
        additions: operands that instructions made before get after it: the place of each such user, the number of the
            operand, and its place.
    """

    __slots__ = ("additions", "attached", "has_location", "incoming", "operands", "prototype")

    def __init__(
        self,
        prototype: Instruction | BasicBlock,
        operands: Sequence[int | Value] = (),
        incoming: Sequence[int] = (),
        attached: Sequence[tuple[str, MDNode | None]] = (),
        *,
        has_location: bool = False,
    ) -> None:
        self.prototype = prototype
        self.operands = tuple(operands)
        self.incoming = tuple(incoming)
        self.attached = tuple(attached)
        self.has_location = has_location
        self.additions: list[tuple[int, int, int]] = []


class Stamp:
    """An expansion that is repeated.

    Its values have places, from 0: the operands of the original, its block, the original itself, then the values of the
    steps, in order.

    Args:
        steps: the steps, in order.
        layout: the places of instructions: first at the start of the function; then in the block of the
            original in front of its successors there, then in each new block; the successors of the original follow the
            last of them.
        blocks: places of the new blocks, in order.
        result: place of the value that takes over the uses of the original, -1 for none.
        halves: places of the values that take over the uses of the instructions that take halves of the original
            and are erased with it, in the order of its users; -1 for nothing.
        changes: attributes of the original and their new values; None if the original is erased.
        before: the number of steps after which the original gives up its name, if it is erased.
    """

    __slots__ = ("_before", "_blocks", "_changes", "_halves", "_layout", "_result", "_steps", "_top")

    def __init__(
        self,
        steps: Sequence[StampedStep],
        layout: Sequence[Sequence[int]],
        blocks: Sequence[int],
        result: int,
        halves: Sequence[int],
        changes: Sequence[tuple[str, object]] | None,
        before: int,
    ) -> None:
        self._steps = [*steps]
        self._top, *self._layout = [[*places] for places in layout]
        self._blocks = [*blocks]
        self._result = result
        self._halves = [*halves]
        self._before = before
        self._changes = None if changes is None else [*changes]

    def apply(self, original: Instruction, ending: Ending, table: SymbolTable) -> list[BasicBlock]:
        """Expand an instruction; return the new blocks, in order.

        Args:
            original: the instruction.
            ending: the end of its block.
            table: the names of its function.
        """
        table.changes += 1
        values: list[Any] = [*original._operands, original.parent, original]
        first = len(values)
        for number, step in enumerate(self._steps):
            if number == self._before:
                table.remove(original)
            values.append(self._made(step, original, values, table))
            if step.additions:
                _add_operands(step, values)
        for step in self._steps:
            if step.incoming:
                phi: Any = values[first]
                phi._incoming_blocks = [values[place] for place in step.incoming]
            first += 1
        if self._top:
            self._put_on_top(original, values)
        blocks = [values[place] for place in self._blocks]
        self._arrange(original, values, blocks, ending)
        if self._changes is None:
            self._replace(original, values, table)
        else:
            for name, value in self._changes:
                setattr(original, name, value)
        return blocks

    def _made(self, step: StampedStep, original: Instruction, values: list[Any], table: SymbolTable) -> Value:
        """Return the value that a step creates."""
        prototype = step.prototype
        if isinstance(prototype, BasicBlock):
            parent: Any = original.parent
            block = BasicBlock(prototype.type, prototype._name)
            block.parent = parent.parent
            table.enter(block)
            return block
        made: Any = copies.copy_of(prototype)
        operands: list[Any] = []
        for found in step.operands:
            if type(found) is int and found < 0:
                operands.append(None)
                continue
            value: Any = values[found] if type(found) is int else found
            operands.append(value)
            if value._uses is not UNTRACKED:
                value._uses.append(made)
        made._operands = operands
        if step.has_location:
            made._location = original._location
        if step.attached:
            own: Any = original.metadata
            made._attachments = {kind: own[kind] if node is None else node for kind, node in step.attached}
        if made._name:
            table.enter(made)
        return made

    def _put_on_top(self, original: Instruction, values: list[Any]) -> None:
        """Insert instructions at the start of the function, with the debug location of the first one there."""
        block: Any = original.parent
        first = block.parent._blocks[0]._first()
        for place in self._top:
            made: Any = values[place]
            made._location = first._location
            made.insert_before(first)

    def _arrange(self, original: Instruction, values: list[Any], blocks: list[BasicBlock], ending: Ending) -> None:
        """Put everything into the blocks."""
        head: Any = original.parent
        places = self._layout[0]
        if original._records is not None and places and values[places[0]] is not original:
            values[places[0]]._records, original._records = original._records, None
        if not blocks:
            if isinstance(head._instructions, InstructionRuns):  # a long block that was changed already
                head._instructions.replace(original, _placed(places, values, head))
            else:
                ending.cut(original)
                ending.put(_placed(places, values, head))
            return
        ending.cut(original)
        ending.drop(len(self._halves))
        for made in _placed(places, values, head):
            head._instructions.append(made)
        for number, block in enumerate(blocks):
            block._instructions = _placed(self._layout[number + 1], values, block)
        _move(ending.take(), head, blocks[-1])

    def _replace(self, original: Instruction, values: list[Any], table: SymbolTable) -> None:
        """Erase the original; its replacement gets its uses."""
        if self._result >= 0:
            original._hand_over_uses(values[self._result])
        if self._halves:
            self._replace_halves(original._uses, values, table)
        original._drop_operands()
        table.remove(original)
        original.parent = None

    def _replace_halves(self, users: list[Any], values: list[Any], table: SymbolTable) -> None:
        """Erase the users of halves of the original; the values of these halves get their uses."""
        for place, user in zip(self._halves, [*users], strict=True):
            if place >= 0:
                user._hand_over_uses(values[place])
            user._drop_operands()
            table.remove(user)
            user.parent = None


def _add_operands(step: StampedStep, values: list[Any]) -> None:
    """Give instructions the operands that they get after a step."""
    for user_place, number, place in step.additions:
        user: Any = values[user_place]
        value: Any = values[place]
        user._operands[number] = value
        value._uses.append(user)


def _placed(places: list[int], values: list[Any], block: BasicBlock) -> list[Instruction]:
    """Return instructions by their places; they are in a block from now on."""
    found = []
    for place in places:
        made: Any = values[place]
        made.parent = block
        found.append(made)
    return found


def _move(instructions: list[Instruction], source: BasicBlock, target: BasicBlock) -> None:
    """Move the end of a block to another block, which replaces it as the incoming block of phis."""
    target_instructions: Any = target._instructions
    for instruction in instructions:
        instruction.parent = target
        target_instructions.append(instruction)
    terminator: Any = instructions[len(instructions) - 1]
    for successor in dict.fromkeys(terminator.successors):
        for instruction in successor._instructions:
            if not isinstance(instruction, Phi):
                break
            instruction.replace_incoming_block(source, target)
