"""Constant expressions that LLVM no longer has: instructions take their place where they are used.

They stand as operands until the body that uses them has been read.  Rules: bitcode record reference, section 6.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitcodec.ir.constants import ConstantData
from bitcodec.ir.functions import BasicBlock
from bitcodec.ir.instructions import Branch, Phi
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type

__all__ = ["Expandable", "expand"]

_EDGE_NAME = "phi.constexpr"


class Step(NamedTuple):
    """One instruction of an expansion, and its name."""

    instruction: Instruction
    name: str


class Expandable(Value):
    """A constant expression that instructions must take the place of.

    Attributes:
        parts: what it is made of; may be expandable themselves.
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
        self._uses = ConstantData._UNTRACKED
        self.parts = tuple(parts)
        self.make = make


def expand(function: Function, types: TypeTable) -> None:
    """Put instructions where a function uses such expressions."""
    for block in function.blocks:
        edges: dict[BasicBlock, BasicBlock] = {}
        made: dict[tuple[BasicBlock, Expandable], Value] = {}
        for instruction in block.instructions:
            for index, operand in enumerate(instruction.operands):
                if not isinstance(operand, Expandable):
                    continue
                if isinstance(instruction, Phi):
                    _expand_edge(instruction, index, operand, edges, made, types)
                else:
                    instruction.set_operand(index, _expanded(operand, instruction))
        _retarget(block, edges)


def _expand_edge(
    phi: Phi,
    index: int,
    expression: Expandable,
    edges: dict[BasicBlock, BasicBlock],
    made: dict[tuple[BasicBlock, Expandable], Value],
    types: TypeTable,
) -> None:
    block = phi.parent
    assert block is not None  # noqa: S101 - it was just met in one
    origin = phi.incoming_blocks[index]
    edge = edges.get(origin)
    if edge is None:
        edge = edges[origin] = BasicBlock(block.type, _EDGE_NAME)
        function = block.parent
        assert function is not None  # noqa: S101
        function.insert_block(function.blocks.index(block), edge)
        edge.append(Branch(types.void, block))
    key = (origin, expression)
    if key not in made:
        made[key] = _expanded(expression, edge.instructions[-1])
    phi.set_operand(index, made[key])


def _retarget(block: BasicBlock, edges: dict[BasicBlock, BasicBlock]) -> None:
    """Let the edges that code was put on go through their new blocks."""
    for origin, edge in edges.items():
        terminator = origin.instructions[-1]
        for index, operand in enumerate(terminator.operands):
            if operand is block:
                terminator.set_operand(index, edge)
        for phi in block.instructions:
            if not isinstance(phi, Phi):
                break
            phi.incoming_blocks[:] = [edge if source is origin else source for source in phi.incoming_blocks]


def _expanded(expression: Expandable, user: Instruction) -> Value:
    """Make the instructions of an expression in front of its user, parts first; within it each part is made once."""
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
        for step in steps:
            step.instruction.insert_before(user)
            step.instruction.name = step.name
        values[current] = steps[-1].instruction
        pending.pop()
    return values[expression]
