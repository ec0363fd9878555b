# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Basic blocks of functions."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, cast

from bitcodec.ir.constants import outside_user, remove_dead_constant_users
from bitcodec.ir.instruction_list import InstructionRuns, changeable
from bitcodec.ir.members import expose_members
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instruction_list import Instructions
    from bitcodec.ir.instructions.control_flow import Phi
    from bitcodec.ir.instructions.instruction import Instruction, Terminator
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.types import LabelType
    from bitcodec.ir.values import User

__all__ = ["BasicBlock", "complete_blocks", "new_blocks", "set_parents"]


class BasicBlock(Value):
    """A straight run of instructions, the last of them a terminator.

    Attributes:
        parent: the function, None while it is in none.
    """

    __match_args__ = ("name",)
    __slots__ = ("_instructions", "_trailing_records", "parent")

    type: LabelType

    def __init__(self, type: LabelType, name: str = "") -> None:
        self.type = type
        self._name = name
        self._uses = []
        self._as_metadata = None
        self._instructions: Instructions[Instruction] = []
        self._trailing_records: list[DebugRecord] = []
        self.parent: Function | None = None

    @property
    def instructions(self) -> tuple[Instruction, ...]:
        """Its instructions, in order: a snapshot, which later changes of the block do not affect."""
        instructions = self._instructions
        return instructions if isinstance(instructions, tuple) else self._shown()

    @property
    def phis(self) -> tuple[Phi, ...]:
        """The phis that it begins with."""
        return cast("tuple[Phi, ...]", tuple(takewhile(_is_phi, self._instructions)))

    @property
    def terminator(self) -> Terminator | None:
        """The instruction that ends it, None if it is missing."""
        last = self._last() if self._instructions else None
        return cast("Terminator", last) if last is not None and last.is_terminator else None

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        """Successors, one per edge; see `Terminator.successors`."""
        terminator = self.terminator
        return () if terminator is None else terminator.successors

    @property
    def predecessors(self) -> tuple[BasicBlock, ...]:
        """Predecessors, each block once."""
        found = dict.fromkeys(user.parent for user in self._terminators())
        return tuple(block for block in found if block is not None)

    @property
    def trailing_debug_records(self) -> list[DebugRecord]:
        """Debug records after the last instruction, while it has no terminator."""
        return self._trailing_records

    def append(self, instruction: Instruction) -> None:
        """Put an instruction at the end.

        Raises:
            ValueError: it is in a block already.
        """
        self._put(instruction, None, behind_records=True)

    def insert(self, index: int, instruction: Instruction) -> None:
        """Insert an instruction before the one at `index`, after its debug records; at 0 before everything.

        Raises:
            ValueError: it is in a block already.
        """
        index = range(len(self._instructions))[index:].start
        instructions = self._instructions
        following = None
        if index < len(instructions):
            following = instructions.at(index) if isinstance(instructions, InstructionRuns) else instructions[index]
        self._put(instruction, following, behind_records=index > 0)

    def insert_before(self, other: BasicBlock) -> None:
        """Insert this new block, with its instructions, directly before another block.

        Raises:
            ValueError: it is in a function already, or the other block is not in one.
        """
        function = other.parent
        if function is None:
            raise ValueError(f"{other!r} is in no function")
        function.insert_block(function._blocks.index(other), self)

    def remove_predecessor(self, block: BasicBlock) -> None:
        """Remove all edges from a block from the phis, because its successors have changed."""
        for phi in self.phis:
            if block in phi.incoming_blocks:
                phi.remove_incoming(block)

    def split(self, instruction: Instruction, name: str = "") -> BasicBlock:
        """Move an instruction, and all after it, to a new block directly after this one, which branches there.

        Phis that have edges from here have them from there.

        Returns:
            The new block.

        Raises:
            ValueError: the instruction is a phi, or in another block; the block lacks a terminator or a module.
        """
        from bitcodec.ir.instructions.control_flow import Branch  # noqa: PLC0415 - instructions know blocks

        rest = self.split_off(instruction, name)
        module = instruction.module
        assert module is not None, "only blocks of modules are split"  # noqa: S101
        branch = Branch(module.context.types.void, rest)
        branch._location = instruction._location
        self.append(branch)
        return rest

    def split_off(self, instruction: Instruction, name: str = "") -> BasicBlock:
        """Split the block as `split` does, but leave it without a terminator.

        The debug records of the instruction stay, as `trailing_debug_records`.

        Raises:
            ValueError: as `split` does.
        """
        function, module = self.parent, instruction.module
        if instruction.parent is not self or self.terminator is None or instruction.opcode == "phi":
            raise ValueError(f"{self!r} cannot be split at {instruction!r}")
        if function is None or module is None:
            raise ValueError(f"{self!r} is in no module")
        rest = BasicBlock(self.type, name)
        function.insert_block(function._blocks.index(self) + 1, rest)
        rest._instructions = self._cut(instruction)
        for moved in rest._instructions:
            moved.parent = rest
        for successor in dict.fromkeys(rest.successors):
            for phi in successor.phis:
                phi.replace_incoming_block(self, rest)
        if instruction._records is not None:
            self._trailing_records = instruction.debug_records
            instruction._records = None
        return rest

    def replace_all_uses_with(self, other: Value) -> None:
        """Let everything that uses this block use another: terminators, its address, phis that its terminator leads to.

        Raises:
            TypeError: the new value is not a block.
            ValueError: it is this block.
        """
        self._check_replacement(other)
        for successor in dict.fromkeys(self.successors):
            for phi in successor.phis:
                phi.replace_incoming_block(self, cast("BasicBlock", other))
        super().replace_all_uses_with(other)

    def remove_from_parent(self) -> None:
        """Take it out of its function; its instructions and all uses stay.

        Raises:
            ValueError: it is in none.
        """
        if self.parent is None:
            raise ValueError(f"{self!r} is in no function")
        self.parent.read_debug_records()
        self.parent._changeable_blocks().remove(self)
        for named in (self, *self._instructions):
            self.parent.symbols.remove(named)
        self.parent = None

    def erase_from_parent(self) -> None:
        """Take it out of its function for good, with its instructions; phis forget the edges from it.

        Raises:
            ValueError: something outside still uses it or an instruction of it.
            BitcodecError: debug records of its function are malformed.
        """
        values = (self, *self._instructions)
        user = outside_user(values, self._is_own)
        if user is not None:
            raise ValueError(f"{self!r} is still used by {user!r}")
        if self.parent is not None:
            self.parent.read_debug_records()
        for successor in dict.fromkeys(self.successors):
            if successor is not self:
                successor.remove_predecessor(self)
        self._drop_instructions()
        remove_dead_constant_users(values)
        if self.parent is not None:
            self.remove_from_parent()

    def _check_kind(self, other: Value) -> None:
        if not isinstance(other, BasicBlock):
            raise TypeError(f"{self!r} cannot be replaced by {other!r}: expected a basic block")
        super()._check_kind(other)

    def _put(self, instruction: Instruction, following: Instruction | None, *, behind_records: bool) -> None:
        """Insert an instruction right before another one of the block, at the end if that is None."""
        if instruction.parent is not None:
            raise ValueError(f"{instruction!r} is in a block already; move it instead")
        if following is None:
            if instruction.is_terminator or behind_records:
                instruction._take_records(self._trailing_records)
                self._trailing_records = []
        elif behind_records and instruction.opcode != "phi":
            records, following._records = following._records, None
            instruction._take_records(records)
        self._link(instruction, following)
        instruction.parent = self
        if self.parent is not None:
            self.parent.symbols.enter(instruction)

    # The list of instructions; it knows nothing of names, parents and debug records

    def _set_instructions(self, instructions: Iterable[Instruction]) -> None:
        """Let it have these instructions and no others."""
        self._instructions = tuple(instructions)

    def _shown(self) -> tuple[Instruction, ...]:
        """Return its instructions, and keep them as the tuple that is returned."""
        instructions = self._instructions
        if isinstance(instructions, InstructionRuns):
            return instructions.shown()
        module = None if self.parent is None else self.parent.parent
        # Outside of a module the body may be under construction, in another thread.
        return tuple(instructions) if module is None else module.context.lock.run_exclusively(self._freeze)

    def _freeze(self) -> tuple[Instruction, ...]:
        instructions = tuple(self._instructions)
        if instructions and isinstance(self._instructions, list):  # else the block may still have to be read
            self._instructions = instructions
        return instructions

    def _last(self) -> Instruction:
        """Return the last of its instructions, of which there are some."""
        instructions = self._instructions
        return instructions.last() if isinstance(instructions, InstructionRuns) else instructions[-1]

    def _following(self, instruction: Instruction) -> Instruction | None:
        """Return the instruction after another one of the block, None after the last one."""
        instructions = self._instructions
        if self._last() is instruction:
            return None
        instructions = self._instructions = changeable(instructions)
        if isinstance(instructions, InstructionRuns):
            return instructions.following(instruction)
        return instructions[instructions.index(instruction) + 1]

    def _first(self) -> Instruction:
        """Return the first instruction; there is one."""
        instructions = self._instructions
        return instructions.first() if isinstance(instructions, InstructionRuns) else instructions[0]

    def _neighbours(self, instruction: Instruction) -> tuple[Instruction | None, Instruction | None]:
        """Return the instructions before and after an instruction of the block, None at the ends."""
        instructions = self._instructions = changeable(self._instructions)
        if isinstance(instructions, InstructionRuns):
            return instructions.preceding(instruction), instructions.following(instruction)
        place = instructions.index(instruction)
        following = instructions[place + 1] if place + 1 < len(instructions) else None
        return instructions[place - 1] if place else None, following

    def _between(self, first: Instruction | None, last: Instruction | None) -> list[Instruction]:
        """Return the instructions between two others; None means the start or the end of the block."""
        instructions = self._instructions = changeable(self._instructions)
        if isinstance(instructions, InstructionRuns):
            return instructions.between(first, last)
        start = 0 if first is None else instructions.index(first) + 1
        return instructions[start : None if last is None else instructions.index(last, start)]

    def _link(self, instruction: Instruction, following: Instruction | None) -> None:
        """Add an instruction right before another one of the block, at the end if that is None."""
        instructions = self._instructions
        if following is None:
            if isinstance(instructions, tuple):
                instructions = self._instructions = [*instructions]
            instructions.append(instruction)
            return
        instructions = self._instructions = changeable(instructions)
        if isinstance(instructions, InstructionRuns):
            instructions.insert_before(following, instruction)
        else:
            instructions.insert(instructions.index(following), instruction)

    def _cut(self, instruction: Instruction) -> list[Instruction]:
        """Remove an instruction of the block and all after it; return them."""
        instructions = self._instructions = changeable(self._instructions)
        if isinstance(instructions, InstructionRuns):
            return instructions.cut(instruction)
        start = instructions.index(instruction)
        removed = instructions[start:]
        del instructions[start:]
        return removed

    def _unlink(self, instruction: Instruction) -> None:
        """Remove an instruction of the block."""
        instructions = self._instructions
        if isinstance(instructions, InstructionRuns) or instructions[-1] is not instruction:
            instructions = self._instructions = changeable(instructions)
            instructions.remove(instruction)
        elif isinstance(instructions, list):
            instructions.pop()
        else:
            self._instructions = [*instructions[:-1]]

    def _drop_instructions(self) -> None:
        """Remove its instructions, last first, because they are deleted."""
        for instruction in reversed(self.instructions):
            if self.parent is not None:
                self.parent.symbols.remove(instruction)
            instruction._let_go()
            instruction.parent = None
        self._instructions = []
        self._trailing_records.clear()

    def _read_users(self) -> None:
        if self.parent is not None and self.parent.parent is not None:
            self.parent.parent._materialize_uses()

    def _order_users(self) -> None:
        if self.parent is not None and self.parent.parent is not None:
            self.parent.parent._materialize_ordered_uses()

    def _is_own(self, user: User, value: Value) -> bool:
        """Return whether a use is deleted with the block."""
        from bitcodec.ir.instructions.instruction import Instruction  # noqa: PLC0415

        return isinstance(user, Instruction) and user._goes_with(self, value)

    def _terminators(self) -> Iterator[Instruction]:
        from bitcodec.ir.instructions.instruction import Instruction  # noqa: PLC0415

        for user in self._uses:
            if isinstance(user, Instruction):
                yield user

    def _symbol_table(self) -> SymbolTable | None:
        return None if self.parent is None else self.parent.symbols

    def __iter__(self) -> Iterator[Instruction]:
        return iter(self.instructions)

    def __len__(self) -> int:
        return len(self._instructions)

    def __getitem__(self, index: int) -> Instruction:
        return self.instructions[index]

    def __bool__(self) -> bool:
        return True  # a block without instructions is a block

    def __repr__(self) -> str:
        name = f" %{self._name}" if self._name else ""
        return f"<BasicBlock{name}, {len(self._instructions)} instructions>"


def new_blocks(type: LabelType, count: int) -> list[BasicBlock]:
    """Return blocks that are in no function."""
    made: list[BasicBlock] = []
    for _ in range(count):
        # As the constructor does it, but without its arguments.
        block = BasicBlock.__new__(BasicBlock)
        block.type = type
        block._name = ""
        block._uses = []
        block._as_metadata = None
        block._instructions = []
        block._trailing_records = []
        block.parent = None
        made.append(block)
    return made


def set_parents(blocks: tuple[BasicBlock, ...], function: Function) -> None:
    """Let blocks be in a function."""
    for block in blocks:
        block.parent = function


def complete_blocks(blocks: tuple[BasicBlock, ...]) -> None:
    """End the construction of blocks: their instructions become tuples."""
    for block in blocks:
        block._instructions = tuple(block._instructions)


def _is_phi(instruction: Instruction) -> bool:
    return instruction.opcode == "phi"


expose_members(BasicBlock)
