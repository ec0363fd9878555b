# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""What the parser knows of a function body: its values and blocks by name and number, and those still to come.

Rules: parsing reference, sections 2 and 3; messages are those of llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.forward import ForwardValue
from bitcodec.asm.parser.named_types import described
from bitcodec.asm.parser.phrases import decoded
from bitcodec.asm.parser.type_rules import is_first_class
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.construction import append_block, append_instruction, complete_body, set_name
from bitcodec.ir.types import LabelType, VoidType

if TYPE_CHECKING:
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["FunctionState"]


class FunctionState:
    """The state of the parser inside a function.

    Attributes:
        function: the function.
        current: the block that instructions are appended to.
        unplaced: whether values to come have been requested since an instruction was placed.
    """

    __slots__ = (
        "_block_positions",
        "_forward",
        "_label",
        "_lexer",
        "_values",
        "current",
        "function",
        "next_number",
        "unplaced",
    )

    def __init__(self, lexer: Lexer, label: LabelType, function: Function) -> None:
        self._lexer = lexer
        self._label = label
        self.function = function
        self.current: BasicBlock | None = None
        self.next_number = 0
        self.unplaced = False
        self._values: dict[bytes | int, Value] = {}
        self._forward: dict[bytes | int, ForwardValue | BasicBlock] = {}
        self._block_positions: dict[bytes | int, int] = {}

    # Values

    def known(self, key: bytes | int) -> Value | None:
        """Return the value or block of a name or number, None if it is not defined yet."""
        return self._values.get(key)

    def value(self, key: bytes | int, type: Type, position: int) -> Value:
        """Return a value by name or number; one that comes later is stood for.

        Raises:
            AssemblyError: it is of another type.
        """
        found: Value | None = self._values.get(key)
        if found is None:
            if isinstance(type, LabelType):
                return self.block(key, position)
            found = self._forward.get(key)
            if found is None:
                if not is_first_class(type):
                    self._lexer.refuse("invalid use of a non-first-class type", position)
                found = self._forward[key] = ForwardValue(type, position)
            self.unplaced = True
        if found.type is not type:
            self._refuse_type(key, found, type, position)
        return found

    def _refuse_type(self, key: bytes | int, found: Value, type: Type, position: int) -> None:
        name = f"'%{_name(key)}'"
        if isinstance(type, LabelType):
            self._lexer.refuse(f"{name} is not a basic block", position)
        self._lexer.refuse(
            f"{name} defined with type '{described(found.type)}' but expected '{described(type)}'", position
        )

    def block(self, key: bytes | int, position: int) -> BasicBlock:
        """Return a block by name or number; one that comes later is made.

        Raises:
            AssemblyError: the name is that of something else.
        """
        found: Value | None = self._values.get(key)
        if found is None:
            found = self._forward.get(key)
            if found is None:
                made = self._forward[key] = BasicBlock(self._label)
                self._block_positions[key] = position
                return made
        if not isinstance(found, BasicBlock):
            self._refuse_type(key, found, self._label, position)
        return found  # type: ignore[return-value]

    # Definitions

    def define(self, value: Value, key: bytes | int, position: int) -> None:
        """Enter a value; what stood for it is replaced.

        Raises:
            AssemblyError: it is of another type than was expected.
        """
        forward = self._forward.pop(key, None)
        if forward is not None:
            if forward.type is not value.type:
                self._lexer.refuse(f"instruction forward referenced with type '{described(forward.type)}'", position)
            if isinstance(forward, ForwardValue):
                forward.become(value)
        self._values[key] = value
        if isinstance(key, int):
            self.next_number = key + 1

    def check_number(self, what: str, prefix: str, number: int, position: int) -> None:
        """Check that a number is not taken.

        Raises:
            AssemblyError: it is less than the next free one.
        """
        if number < self.next_number:
            text = f"{what} expected to be numbered '{prefix}{self.next_number}' or greater"
            self._lexer.refuse(text, position)

    def start_block(self, key: bytes | int | None, position: int) -> BasicBlock:
        """Return the block that begins, by name or by number; None takes the next number.

        Raises:
            AssemblyError: the name or number is taken.
        """
        number = key if isinstance(key, int) else self.next_number
        if key is None or key == b"":
            key = number
        elif isinstance(key, int):
            self.check_number("label", "", key, position)
        known = self._values.get(key)
        if known is None:
            block = self._forward.pop(key, None)
            if block is None:
                block = BasicBlock(self._label)
            elif not isinstance(block, BasicBlock):
                what = "numbered" if isinstance(key, int) else "named"
                self._lexer.refuse(f"unable to create block {what} '{_name(key)}'", position)
            append_block(self.function, block)
            self._values[key] = block
            if isinstance(key, int):
                self.next_number = key + 1
            else:
                self._enter(block, key)
        elif isinstance(known, BasicBlock):
            block = known
        else:
            self._lexer.refuse(f"unable to create block named '{_name(key)}'", position)
        self.current = block
        return block

    def place(self, instruction: Instruction) -> None:
        """Put an instruction at the end of the current block, and remember which operands are to come."""
        append_instruction(self.current, instruction)  # type: ignore[arg-type]
        if self.unplaced:
            self.unplaced = False
            for index, operand in enumerate(instruction.operands):
                if operand.__class__ is ForwardValue:
                    operand.sites.append((instruction, index))

    def name_instruction(self, instruction: Instruction, key: bytes | int | None, position: int) -> None:
        """Give an instruction the name or number that the text has for it; None takes the next number.

        Raises:
            AssemblyError: it cannot have that one.
        """
        if isinstance(instruction.type, VoidType):
            if key is not None:
                self._lexer.refuse("instructions returning void cannot have a name", position)
            return
        if key is None or isinstance(key, int):
            number = self.next_number if key is None else key
            if number < self.next_number:
                self.check_number("instruction", "%", number, position)
            self.define(instruction, number, position)
            return
        if key in self._values:
            self._lexer.refuse(f"multiple definition of local value named '{_name(key)}'", position)
        self.define(instruction, key, position)
        self._enter(instruction, key)

    def name_argument(self, argument: Value, key: bytes | int) -> None:
        """Enter an argument."""
        self._values[key] = argument
        if isinstance(key, int):
            self.next_number = key + 1
        else:
            self._enter(argument, key)

    def _enter(self, value: Value, name: bytes) -> None:
        set_name(value, decoded(name))
        self.function.symbols.enter(value)

    def finish(self) -> None:
        """End the body.

        Raises:
            AssemblyError: something that is used is not defined.
        """
        if self._forward:
            names = [key for key in self._forward if isinstance(key, bytes)]
            key = min(names) if names else min(key for key in self._forward if isinstance(key, int))
            forward = self._forward[key]
            position = forward.position if isinstance(forward, ForwardValue) else self._block_positions[key]
            self._lexer.refuse(f"use of undefined value '%{_name(key)}'", position)
        complete_body(self.function)


def _name(key: bytes | int) -> str:
    return str(key) if isinstance(key, int) else decoded(key)
