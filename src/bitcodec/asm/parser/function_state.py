# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
# ruff: noqa: SLF001
"""State of parsing a function body: its values and blocks by name and number, and forward references.

Rules: docs/reference/parsing.md, 2 and 3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from bitcodec.asm.parser.forward import ForwardValue
from bitcodec.asm.parser.named_types import described
from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.basic_blocks import BasicBlock, new_blocks
from bitcodec.ir.construction.deferring import complete_body
from bitcodec.ir.construction.replacing import replace_wrapped
from bitcodec.ir.construction.setting import begin_blocks, set_name
from bitcodec.ir.type_properties import is_operand
from bitcodec.ir.types import LabelType

if TYPE_CHECKING:
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.local_surroundings import LocalSurroundings
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.types import Type, VoidType
    from bitcodec.ir.values import Value

__all__ = ["ParsedFunction"]


class ParsedFunction:
    """The state of the parser inside a function.

    Args:
        lexer: the tokens.
        label, void: types.
        function: the function.
        surroundings: the function that the text is added to, None if it is a separate function.

    Attributes:
        function: the function.
        current: the block that instructions are appended to.
        unplaced: whether values to come have been requested since an instruction was placed.
    """

    __slots__ = (
        "_block_positions",
        "_blocks",
        "_forward",
        "_label",
        "_lexer",
        "_numbered",
        "_surroundings",
        "_values",
        "_void",
        "current",
        "function",
        "next_number",
        "unplaced",
    )

    def __init__(
        self,
        lexer: Lexer,
        label: LabelType,
        void: VoidType,
        function: Function,
        surroundings: LocalSurroundings | None = None,
    ) -> None:
        self._lexer = lexer
        self._surroundings = surroundings
        self._label = label
        self._void = void
        self.function = function
        self._blocks = begin_blocks(function)
        self.current: BasicBlock | None = None
        self.next_number = 0 if surroundings is None else surroundings.next_number
        self.unplaced = False
        self._numbered: list[Value] = []
        """By number, as long as no number is left out."""
        self._values: dict[bytes | int, Value] = {}
        self._forward: dict[bytes | int, ForwardValue | BasicBlock] = {}
        self._block_positions: dict[bytes | int, int] = {}

    def outer_function(self, key: bytes | int) -> Function | None:
        """Return the function that the text is added to, None without one, or if it has another name."""
        surroundings = self._surroundings
        if surroundings is None or isinstance(key, int) or surroundings.function.name != decoded(key):
            return None
        return surroundings.function

    # Values

    def known(self, key: bytes | int) -> Value | None:
        """Return the value or block of a name or number, None if it is not defined yet."""
        if isinstance(key, int) and key < len(self._numbered):
            return self._numbered[key]
        return self._values.get(key)

    def numbered(self, number: int, type: Type, position: int) -> Value:
        """Return a value by number, as `value` does."""
        if number < len(self._numbered):
            found = self._numbered[number]
            if found.type is type:
                return found
        return self.value(number, type, position)

    def value(self, key: bytes | int, type: Type, position: int) -> Value:
        """Return a value by name or number; one that comes later is stood for.

        Raises:
            AssemblyError: it has another type.
        """
        found = self.known(key)
        if found is None:
            if type is self._label:
                return self.block(key, position)
            found = self._forward.get(key)
            if found is None:
                if not is_operand(type):
                    self._lexer.refuse("invalid use of a non-first-class type", position)
                found = self._forward[key] = ForwardValue(type, position)
            self.unplaced = True
        if found.type is not type:
            self._refuse_type(key, found, type, position)
        return found

    def _refuse_type(self, key: bytes | int, found: Value, type: Type, position: int) -> NoReturn:
        name = f"'%{_name(key)}'"
        if isinstance(type, LabelType):
            self._lexer.refuse(f"{name} is not a basic block", position)
        self._lexer.refuse(
            f"{name} defined with type '{described(found.type)}' but expected '{described(type)}'", position
        )

    def block(self, key: bytes | int, position: int) -> BasicBlock:
        """Return a block by name or number; one that comes later is made.

        Raises:
            AssemblyError: the name belongs to another value.
        """
        found = self.known(key)
        if found is None:
            found = self._forward.get(key)
            if found is None and self._surroundings is not None:
                there = self._surroundings.find(key)
                found = there if isinstance(there, BasicBlock) else None
            if found is None:
                made = self._forward[key] = new_blocks(self._label, 1)[0]
                self._block_positions[key] = position
                return made
        if not isinstance(found, BasicBlock):
            self._refuse_type(key, found, self._label, position)
        return found

    # Definitions

    def define(self, value: Value, key: bytes | int, position: int) -> None:
        """Enter a value; its placeholder is replaced.

        Raises:
            AssemblyError: it has an unexpected type.
        """
        forward = self._forward.pop(key, None) if self._forward else None
        if forward is not None:
            if forward.type is not value.type:
                self._lexer.refuse(f"instruction forward referenced with type '{described(forward.type)}'", position)
            if isinstance(forward, ForwardValue):
                forward.become(value)
        self._keep(value, key)

    def _keep(self, value: Value, key: bytes | int) -> None:
        is_next = False
        if isinstance(key, int):
            self.next_number = key + 1
            is_next = key == len(self._numbered)
        if is_next:
            self._numbered.append(value)
        else:
            self._values[key] = value

    def check_number(self, what: str, prefix: str, number: int, position: int) -> None:
        """Check that a number is free.

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
        known = self.known(key)
        if known is None and self._surroundings is not None:
            known = self._surroundings.find(key)
            if known is not None:
                self._lexer.refuse(f"redefinition of '%{_name(key)}' of the function", position)
        if known is None:
            forward = self._forward.pop(key, None)
            if forward is None:
                block = new_blocks(self._label, 1)[0]
            elif isinstance(forward, BasicBlock):
                block = forward
            else:
                what = "numbered" if isinstance(key, int) else "named"
                self._lexer.refuse(f"unable to create block {what} '{_name(key)}'", position)
            self._blocks.append(block)
            block.parent = self.function
            self._keep(block, key)
            if not isinstance(key, int):
                self._enter(block, key)
        elif isinstance(known, BasicBlock):
            block = known
        else:
            self._lexer.refuse(f"unable to create block named '{_name(key)}'", position)
        self.current = block
        return block

    def start_part(self) -> None:
        """Begin with instructions for an existing block."""
        block = self.current = new_blocks(self._label, 1)[0]
        self._blocks.append(block)
        block.parent = self.function

    def place(self, instruction: Instruction) -> None:
        """Put an instruction at the end of the current block, and remember which operands are to come."""
        block: Any = self.current
        block._instructions.append(instruction)
        instruction.parent = block
        if self.unplaced:
            self.unplaced = False
            for index, operand in enumerate(instruction.operands):
                if operand.__class__ is ForwardValue:
                    operand.sites.append((instruction, index))

    def number_instruction(self, instruction: Instruction, number: int, position: int) -> None:
        """Give an instruction the number that the text has for it; -1 takes the next one.

        Raises:
            AssemblyError: it cannot have that one.
        """
        if instruction.type is self._void:
            if number >= 0:
                self._refuse_name(position)
            return
        if number < 0:
            number = self.next_number
        elif number < self.next_number:
            self.check_number("instruction", "%", number, position)
        if number == len(self._numbered) and (not self._forward or number not in self._forward):
            self._numbered.append(instruction)
            self.next_number = number + 1
        else:
            self.define(instruction, number, position)

    def name_instruction(self, instruction: Instruction, name: bytes, position: int) -> None:
        """Give an instruction the name that the text has for it.

        Raises:
            AssemblyError: it cannot have that one.
        """
        if instruction.type is self._void:
            self._refuse_name(position)
        if name in self._values or (self._surroundings is not None and self._surroundings.find(name) is not None):
            self._lexer.refuse(f"multiple definition of local value named '{_name(name)}'", position)
        self.define(instruction, name, position)
        self._enter(instruction, name)

    def _refuse_name(self, position: int) -> None:
        self._lexer.refuse("instructions returning void cannot have a name", position)

    def name_argument(self, argument: Value, key: bytes | int) -> None:
        """Enter an argument."""
        self._keep(argument, key)
        if not isinstance(key, int):
            self._enter(argument, key)

    def _enter(self, value: Value, name: bytes) -> None:
        set_name(value, decoded(name))
        self.function.symbols.enter(value)

    def finish(self) -> None:
        """End the body.

        Raises:
            AssemblyError: something that is used is not defined.
        """
        if self._surroundings is not None:
            self._find_outside(self._surroundings)
        if self._forward:
            names = [key for key in self._forward if isinstance(key, bytes)]
            key = min(names) if names else min(key for key in self._forward if isinstance(key, int))
            forward = self._forward[key]
            position = forward.position if isinstance(forward, ForwardValue) else self._block_positions[key]
            self._lexer.refuse(f"use of undefined value '%{_name(key)}'", position)
        complete_body(self.function)

    def _find_outside(self, surroundings: LocalSurroundings) -> None:
        """Let instructions use values of the function around the text where these are meant.

        Raises:
            AssemblyError: one has another type.
        """
        for key, forward in [*self._forward.items()]:
            found = surroundings.find(key)
            if found is None:
                continue
            if isinstance(forward, BasicBlock):
                self._refuse_type(key, found, forward.type, self._block_positions[key])
            if found.type is not forward.type:
                self._refuse_type(key, found, forward.type, forward.position)
            for instruction, index in forward.sites:
                instruction.set_operand(index, found)
            replace_wrapped(forward, found)
            del self._forward[key]


def _name(key: bytes | int) -> str:
    return str(key) if isinstance(key, int) else decoded(key)
