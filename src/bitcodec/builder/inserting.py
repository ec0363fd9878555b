"""Insertion of instructions: place, checked operands, name, debug location."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bitcodec.builder.constants import constant, converted
from bitcodec.builder.kinds import different, require, wrong
from bitcodec.features import feature
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.construction.replacing import drop_all_operands
from bitcodec.ir.instruction_builder import InstructionBuilder
from bitcodec.ir.instructions.instruction import block_of
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from types import TracebackType

    from bitcodec.builder.constants import ConstantLike
    from bitcodec.builder.kinds import TypeKind
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.debug_info import DILocation
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instruction_builder import Made
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.types import Type

__all__ = ["Inserter", "Move", "ValueLike"]

ValueLike: TypeAlias = "Value | float"
"""A value, or a Python `bool`, `int` or `float` where something else gives its type."""

_FIRST_OPCODES = ("phi", "landingpad", "catchpad", "cleanuppad")
"""Instructions that precede everything else in a block."""


class Move:
    """A move of a builder; as a context manager it takes the builder back at its end, to its old debug location too."""

    __slots__ = ("_before", "_block", "_builder", "_location")

    def __init__(self, builder: Inserter) -> None:
        self._builder = builder
        self._block = builder.block
        self._before = builder.following
        self._location = builder.debug_location

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._builder.place(self._block, self._before)
        self._builder.debug_location = self._location


class Inserter(InstructionBuilder):
    """Inserts instructions into a block.

    Attributes:
        block: the block.
        following: the instruction to insert before, None for the end of the block.
        debug_location: location of each new instruction, None for none.
        module: the module around the block.
        types, constants: the tables of the module's context.
    """

    __slots__ = ("block", "debug_location", "following")

    block: BasicBlock
    following: Instruction | None

    def __init__(self, block: BasicBlock) -> None:
        self.debug_location: DILocation | None = None
        self.place(block, None)

    @property
    def function(self) -> Function:
        """The function around the block."""
        function = self.block.parent
        if function is None:
            raise ValueError(f"{self.block!r} is in no function")
        return function

    def at_end(self, block: BasicBlock) -> Move:
        """Move to the end of a block: for good, or as long as a `with` lasts.

        Raises:
            ValueError: the block is in no module.
        """
        move = Move(self)
        self.place(block, None)
        return move

    def at_start(self, block: BasicBlock) -> Move:
        """Move to the start of a block, behind its phis and pads: for good, or as long as a `with` lasts.

        Raises:
            ValueError: the block is in no module.
        """
        move = Move(self)
        self.place(block, next((found for found in block.instructions if found.opcode not in _FIRST_OPCODES), None))
        return move

    def before(self, instruction: Instruction) -> Move:
        """Move in front of an instruction: for good, or as long as a `with` lasts.

        Raises:
            ValueError: the instruction is in no module.
        """
        move = Move(self)
        self.place(block_of(instruction), instruction)
        return move

    def after(self, instruction: Instruction) -> Move:
        """Move right behind an instruction: for good, or as long as a `with` lasts.

        Raises:
            ValueError: the instruction is in no module.
        """
        move = Move(self)
        block = block_of(instruction)
        instructions = block.instructions
        index = instructions.index(instruction) + 1
        self.place(block, instructions[index] if index < len(instructions) else None)
        return move

    def place(self, block: BasicBlock, following: Instruction | None) -> None:
        """Move in front of an instruction of a block, or to the block's end; `at_end` and its like can move back.

        Raises:
            ValueError: the block is in no module.
        """
        module = None if block.parent is None else block.parent.parent
        if module is None:
            raise ValueError(f"{block!r} is in no module")
        self.block = block
        self.following = following
        self._build_for(module)

    def constant(self, type: Type, value: ConstantLike) -> Constant:
        """Return a constant of a type: see `build.constant`.

        Raises:
            TypeError: the value is not of the type.
            ValueError: a number is too wide for its type.
        """
        return constant(self.module, type, value)

    def insert(self, instruction: Made, name: str = "") -> Made:
        """Insert an instruction where the builder is, for instructions that no method makes, and return it.

        Raises:
            ValueError: it is not allowed there.
        """
        try:
            self._check_place(instruction)
        except ValueError:
            instruction.drop_all_references()
            raise
        if name:
            instruction.name = name
        instruction.debug_location = self.debug_location
        self._place(instruction)
        return instruction

    def parse(self, text: str | bytes, *, name: str = "") -> list[Instruction]:
        r"""Insert the instructions of a text in LLVM assembly where the builder is, and return them.

        >>> from bitcodec.builder import Builder
        >>> main = bitcodec.open("examples/hello.bc").functions["main"]
        >>> builder = Builder(main.entry_block)
        >>> _ = builder.before(main.entry_block.terminator)
        >>> product, total = builder.parse("%product = mul i32 %0, %0\n%total = add i32 %product, 1")
        >>> print(total)
        %total = add i32 %product, 1

        Names and numbers are as in `Function.parse_block`.  Instructions without `!dbg` get the debug location of
        the builder.

        Args:
            text: instructions, without labels.
            name: of the text, for errors. Default: none.

        Raises:
            AssemblyError: the text is malformed; the function is unchanged.
            BitcodecError: something in the module is malformed.
            ValueError: the instructions are not allowed there.
        """
        made: list[Instruction] = feature("parse_instructions_for")(self.function, text, name=name)
        try:
            for instruction in made[:1] + made[-1:]:
                self._check_place(instruction)
        except ValueError:
            drop_all_operands(made)
            raise
        for instruction in made:
            if instruction.debug_location is None:
                instruction.debug_location = self.debug_location
            self._place(instruction)
        return made

    def _place(self, instruction: Instruction) -> None:
        if self.following is None:
            self.block.append(instruction)
        else:
            instruction.insert_before(self.following)

    def _check_place(self, instruction: Instruction) -> None:
        following = self.following
        if following is not None:
            if following.parent is not self.block:
                raise ValueError(f"{following!r}, before which the builder inserts, was moved or removed")
            if instruction.is_terminator:
                raise ValueError(f"{instruction.opcode} ends a block: it cannot precede {following!r}")
            return
        terminator = self.block.terminator
        if terminator is not None:
            raise ValueError(f"{self.block!r} ends in {terminator.opcode} already: {instruction.opcode} cannot follow")

    # Operands

    def _value(self, given: ValueLike, what: str, role: str) -> Value:
        """Return an operand whose type must be its own."""
        if isinstance(given, Value):
            return given
        raise TypeError(f"{what} takes a value as its {role}, not {given!r}, whose type nothing specifies")

    def _value_of(self, type: Type, given: object, what: str, role: str) -> Value:
        """Return an operand of a known type: a value, or its equivalent in Python."""
        if isinstance(given, Value):
            if given.type is not type:
                raise wrong(type, given.type, what, role)
            return given
        found = None if given is None else converted(self.constants, type, given)
        if found is None:
            raise wrong(type, given, what, role)
        return found

    def _block(self, given: BasicBlock, what: str, role: str) -> BasicBlock:
        """Return a block that is an operand."""
        if isinstance(given, BasicBlock):
            return given
        raise wrong("a block", getattr(given, "type", given), what, role)

    def _number(self, given: ValueLike, bits: int, kind: TypeKind, what: str, role: str) -> Value:
        """Return an operand of a kind of type, of which a Python number is an integer of so many bits."""
        if not isinstance(given, Value):
            return self._value_of(self.types.integer(bits), given, what, role)
        require(kind, given.type, what, role)
        return given

    def _pair(self, one: ValueLike, other: ValueLike, what: str) -> tuple[Value, Value]:
        """Return two operands of one type, which either gives."""
        if isinstance(one, Value):
            if isinstance(other, Value):
                if one.type is not other.type:
                    raise different(what, one.type, other.type)
                return one, other
            return one, self._value_of(one.type, other, what, "second operand")
        if isinstance(other, Value):
            return self._value_of(other.type, one, what, "first operand"), other
        raise TypeError(f"{what} of {one!r} and {other!r}: one must be a value, which determines the type")
