"""The objects of the IR part of a `.mir` file to which machine functions, blocks and operands refer.

What has no name is referred to by the number that LLVM counts it by: arguments, blocks and instructions in order.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from bitcodec.asm.numbering import unnamed_globals
from bitcodec.asm.parser.module import parse_numbered
from bitcodec.errors import MIRError
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.functions import Function
from bitcodec.ir.types import VoidType
from bitcodec.mir.names import Renaming
from bitcodec.mir.operands import BlockAddressOperand, GlobalAddress, IRBlock, IRValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value
    from bitcodec.mir.names import Name
    from bitcodec.mir.operand import MachineOperand

__all__ = ["IRObjects"]

V = TypeVar("V", bound="Value")


class IRObjects:
    """The module of the IR part, and the names by which machine IR refers to its objects.

    Objects have the names that they had when they were parsed, or at the last call of `rename`; new objects have
    their own.

    Args:
        text: the IR part, as LLVM's assembler reads it.

    Attributes:
        part: the module with the numbers of the text.
        text: the text.

    Raises:
        AssemblyError: the text is malformed; line and column count from its first line.
    """

    __slots__ = ("_globals", "_locals", "part", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.part = parse_numbered(text)
        named = ((value.name, value) for value in self.module.globals if value.name)
        self._globals: dict[Name, GlobalValue] = dict(chain(self.part.globals.items(), named))
        self._locals = {function: dict(_named(_locals(function))) for function in self.module.functions}

    @property
    def module(self) -> Module:
        """The module."""
        return self.part.module

    @property
    def nodes(self) -> dict[int, MDNode]:
        """Its metadata nodes by the numbers that machine IR has for them."""
        return self.part.nodes

    def rename(self) -> Renaming | None:
        """Give objects their current names in the module; return the changes, None if there are none.

        Objects that were removed keep their names.
        """
        unnamed = unnamed_globals(self.module)
        names = {value: value.name or unnamed[value] for value in self.module.globals}
        changed = _changed(self._globals, names)
        by_function: dict[Name, dict[Name, Name]] = {}
        for old, value in self._globals.items():
            if isinstance(value, Function):
                known = self._locals.get(value, {})
                found = _changed(known, {local: name for name, local in _named(_locals(value))})
                if found:
                    by_function[old] = found
                    self._locals[value] = _renamed(known, found)
        if not changed and not by_function:
            return None
        self._globals = _renamed(self._globals, changed)
        return Renaming(changed, by_function)

    def function(self, name: str) -> Function:
        """Return the function of a name.

        Raises:
            MIRError: it does not exist.
        """
        found = self._globals.get(name) or self.module.get(name)
        if not isinstance(found, Function):
            raise MIRError(f"the IR part has no function {name!r}")
        return found

    def value(self, operand: MachineOperand, function: Function) -> Value:
        """Return the value that an operand of a machine function refers to: a global, or an object of the function.

        Raises:
            MIRError: the object does not exist, or the operand refers to none.
        """
        if isinstance(operand, GlobalAddress):
            return self._global(operand.name)
        if isinstance(operand, BlockAddressOperand):
            owner = self._global(operand.function.name)
            if not isinstance(owner, Function):
                raise MIRError(f"{owner!r} of the IR part is not a function")
            return self.block(operand.block.name, owner)
        if isinstance(operand, IRBlock):
            return self.block(operand.name, function)
        if isinstance(operand, IRValue) and not operand.text:
            found = self._local(operand.name, function)
            if found is None:
                raise MIRError(f"function {function.name!r} of the IR part has no value {operand.name!r}")
            return found
        raise MIRError(f"{operand} refers to no object of the IR part")

    def block(self, name: Name, function: Function) -> BasicBlock:
        """Return a block of a function by name or number.

        Raises:
            MIRError: it does not exist.
        """
        found = self._local(name, function)
        if not isinstance(found, BasicBlock):
            raise MIRError(f"function {function.name!r} of the IR part has no block {name!r}")
        return found

    def _local(self, name: Name, function: Function) -> Value | None:
        """Return an argument, a block or an instruction by name or number."""
        found = self._locals.get(function, {}).get(name)
        return function.symbols.get(name) if found is None and isinstance(name, str) else found

    def _global(self, name: Name) -> GlobalValue:
        found = self._globals.get(name)
        if found is None and isinstance(name, str):
            found = self.module.get(name)
        if found is None:
            raise MIRError(f"the IR part has no global {name!r}")
        return found


def _changed(known: Mapping[Name, V], names: Mapping[V, Name]) -> dict[Name, Name]:
    """Return the new names of objects, by their old ones; an object without a new one has been removed."""
    return {old: names[value] for old, value in known.items() if value in names and names[value] != old}


def _renamed(known: Mapping[Name, V], changed: Mapping[Name, Name]) -> dict[Name, V]:
    return {changed.get(old, old): value for old, value in known.items()}


def _named(values: Iterable[V]) -> Iterator[tuple[Name, V]]:
    """Yield values with their names, or with their numbers among the unnamed ones."""
    number = 0
    for value in values:
        if value.name:
            yield value.name, value
        else:
            yield number, value
            number += 1


def _locals(function: Function) -> list[Value]:
    """Return the objects of a function that take a name or a number, in order."""
    found: list[Value] = [*function.arguments]
    for block in function.blocks:
        found.append(block)
        found += [instruction for instruction in block.instructions if not isinstance(instruction.type, VoidType)]
    return found
