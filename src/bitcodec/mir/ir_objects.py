"""The objects of the IR part of a `.mir` file: what machine functions, blocks and operands refer to.

What has no name is referred to by the number that LLVM counts it by: arguments, blocks and instructions in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.asm.parser.module import parse_with_nodes
from bitcodec.errors import MIRError
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.types import VoidType
from bitcodec.mir.operands import BlockAddress, GlobalAddress, IRBlock, IRValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value
    from bitcodec.mir.names import Name
    from bitcodec.mir.operand import MachineOperand

__all__ = ["IRObjects"]

V = TypeVar("V", bound="Value")


class IRObjects:
    """The module that the IR part is the text of.

    Args:
        text: the IR part, as LLVM's assembler reads it.

    Attributes:
        module: the module.
        nodes: its metadata nodes by the numbers that the text has for them.

    Raises:
        AssemblyError: the text is malformed; line and column count from its first line.
    """

    __slots__ = ("_globals", "_locals", "module", "nodes")

    def __init__(self, text: str) -> None:
        self.module: Module
        self.nodes: Mapping[int, MDNode]
        self.module, self.nodes = parse_with_nodes(text)
        self._globals: dict[Name, GlobalValue] | None = None
        self._locals: dict[Function, dict[Name, Value]] = {}

    def function(self, name: str) -> Function:
        """Return the function of a name.

        Raises:
            MIRError: there is none.
        """
        found = self.module.functions.get(name)
        if found is None:
            raise MIRError(f"the IR part has no function {name!r}")
        return found

    def value(self, operand: MachineOperand, function: Function) -> Value:
        """Return what an operand of a machine function refers to: a global, or an object of the function.

        Raises:
            MIRError: there is no such object, or the operand refers to none.
        """
        if isinstance(operand, GlobalAddress):
            return self._global(operand.name)
        if isinstance(operand, BlockAddress):
            return self.block(operand.block.name, self.function(self._global(operand.function.name).name))
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
            MIRError: there is none.
        """
        found = self._local(name, function)
        if not isinstance(found, BasicBlock):
            raise MIRError(f"function {function.name!r} of the IR part has no block {name!r}")
        return found

    def _local(self, name: Name, function: Function) -> Value | None:
        """Return an argument, a block or an instruction by name or number."""
        known = self._locals.get(function)
        if known is None:
            known = self._locals[function] = dict(_named(_locals(function)))
        return known.get(name)

    def _global(self, name: Name) -> GlobalValue:
        if self._globals is None:
            module = self.module
            values = [*module.globals, *module.functions, *module.aliases, *module.ifuncs]
            self._globals = dict(_named(values))
        found = self._globals.get(name)
        if found is None:
            raise MIRError(f"the IR part has no global {name!r}")
        return found


def _named(values: Iterable[V]) -> Iterator[tuple[Name, V]]:
    """Yield values with their names, or with their numbers among those that have none."""
    number = 0
    for value in values:
        if value.name:
            yield value.name, value
        else:
            yield number, value
            number += 1


def _locals(function: Function) -> list[Value]:
    """Return what takes a name or a number in a function, in order."""
    found: list[Value] = [*function.arguments]
    for block in function.blocks:
        found.append(block)
        found += [instruction for instruction in block.instructions if not isinstance(instruction.type, VoidType)]
    return found
