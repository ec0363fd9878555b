# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Control flow: `phi`, and the terminators that neither call nor unwind."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.decimals import decimal_text
from bitcodec.ir.instructions.instruction import Instruction, Terminator
from bitcodec.ir.members import expose_members, slots
from bitcodec.ir.operand_property import OperandProperty
from bitcodec.ir.values import Value
from bitcodec.tables.instruction_flags import NO_FAST_MATH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.assignments import Checked
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.types import Type
    from bitcodec.tables.instruction_flags import FastMathFlags

__all__ = [
    "Branch",
    "IndirectBranch",
    "Phi",
    "Return",
    "Switch",
    "Unreachable",
    "make_branch",
    "make_phi",
    "make_return",
]


class Phi(Instruction):
    """The value of the block that control came from; the blocks are not operands.

    Edges come and go by `add_incoming` and `remove_incoming`.

    Attributes:
        fast_math: its fast-math flags.
    """

    __match_args__ = ("incoming",)
    __slots__ = slots("_incoming_blocks", "fast_math")

    opcode = "phi"

    fast_math: Checked[FastMathFlags, FastMathFlags | str]

    def __init__(
        self,
        type: Type,
        values: Sequence[Value],
        blocks: Sequence[BasicBlock],
        fast_math: FastMathFlags = NO_FAST_MATH,
    ) -> None:
        if len(values) != len(blocks):
            raise ValueError(f"a phi of {len(values)} values from {len(blocks)} blocks")
        self._begin(type, tuple(values))
        self._incoming_blocks = list(blocks)
        self.fast_math = fast_math

    @property
    def incoming_blocks(self) -> tuple[BasicBlock, ...]:
        """The block of each edge, in order."""
        return tuple(self._incoming_blocks)

    def incoming_block(self, index: int) -> BasicBlock:
        """Return the block of one of the edges.

        Raises:
            IndexError: the phi has no such edge.
        """
        return self._incoming_blocks[index]

    @property
    def incoming(self) -> tuple[tuple[Value, BasicBlock], ...]:
        """Value and block of each edge, in order."""
        return tuple(zip(self._operands, self._incoming_blocks, strict=True))

    def value_for(self, block: BasicBlock) -> Value:
        """Return the value of the edges from a block.

        Raises:
            ValueError: the phi has no value for the block.
        """
        return self._operands[self._incoming_blocks.index(block)]

    def add_incoming(self, value: Value, block: BasicBlock) -> None:
        """Add an edge.

        Raises:
            TypeError: the value has another type.
        """
        if value.type is not self.type:
            raise TypeError(f"a phi of {self.type.brief} cannot take a value of type {value.type.brief}")
        self._changeable_operands().append(value)
        value._uses.append(self)
        self._incoming_blocks.append(block)

    def remove_incoming(self, block: BasicBlock) -> None:
        """Remove all edges from a block.

        Raises:
            ValueError: the phi has no edge from the block.
        """
        if block not in self._incoming_blocks:
            raise ValueError(f"{self!r} has no edge from {block!r}")
        for index in reversed(range(len(self._incoming_blocks))):
            if self._incoming_blocks[index] is block:
                self._remove_operand(index)
                del self._incoming_blocks[index]

    def replace_incoming_block(self, old: BasicBlock, new: BasicBlock) -> None:
        """Let all edges from a block come from another."""
        self._incoming_blocks[:] = [new if block is old else block for block in self._incoming_blocks]

    def _goes_with(self, block: BasicBlock, value: Value) -> bool:
        if self.parent is None or self.parent is block:
            return self.parent is block
        comes_from_it = all(source is block for operand, source in self.incoming if operand is value)
        return comes_from_it and self.parent in block.successors and self in self.parent.phis


class Return(Terminator):
    """Goes back to the caller."""

    __match_args__ = ("value",)
    __slots__ = ()

    opcode = "ret"

    def __init__(self, void: Type, value: Value | None = None) -> None:
        self._begin(void, () if value is None else (value,))

    @property
    def value(self) -> Value | None:
        """The returned value, None if it returns void."""
        return self._operands[0] if self._operands else None

    @value.setter
    def value(self, value: Value | None) -> None:
        self._set_operands(() if value is None else (value,))


class Branch(Terminator):
    """Goes to a block, or to one of two; operands are the condition, the block if false, the block if true.

    `successors` has the block if true first.
    """

    __match_args__ = ("condition", "successors")
    __slots__ = ()

    opcode = "br"

    def __init__(
        self,
        void: Type,
        target: BasicBlock,
        condition: Value | None = None,
        otherwise: BasicBlock | None = None,
    ) -> None:
        if (condition is None) is not (otherwise is None):
            raise ValueError("a condition and a block if it is false come together")
        if condition is None or otherwise is None:
            self._begin(void, (target,))
        else:
            self._begin(void, (condition, otherwise, target))

    @property
    def is_conditional(self) -> bool:
        """Whether there is a choice."""
        return len(self._operands) == 3

    @property
    def condition(self) -> Value | None:
        """The branch condition, None if the branch is unconditional."""
        return self._operands[0] if self.is_conditional else None

    @condition.setter
    def condition(self, condition: Value) -> None:
        if not self.is_conditional:
            raise ValueError("a branch to one block has no condition")
        self.set_operand(0, condition)

    @property
    def _successor_indices(self) -> range:
        return range(2, 0, -1) if self.is_conditional else range(1)


class Switch(Terminator):
    """Goes to the block of a number; operands are the number, the default block, then the block of each case.

    `successors` has the default block first; cases come and go by `add_case` and `remove_case`.
    """

    __match_args__ = ("condition", "default", "cases")
    __slots__ = ("_case_values",)

    opcode = "switch"
    condition: OperandProperty[Value] = OperandProperty(0, "The number.")
    default: OperandProperty[BasicBlock] = OperandProperty(1, "The default destination.")

    def __init__(
        self, void: Type, condition: Value, default: BasicBlock, cases: Sequence[tuple[ConstantInt, BasicBlock]]
    ) -> None:
        self._begin(void, (condition, default, *(block for _, block in cases)))
        self._case_values = [number for number, _ in cases]

    @property
    def case_values(self) -> tuple[ConstantInt, ...]:
        """The number of each case, in order; as in LLVM 22 they are not operands."""
        return tuple(self._case_values)

    @property
    def cases(self) -> tuple[tuple[ConstantInt, BasicBlock], ...]:
        """Number and block of each case, in order."""
        blocks = cast("Sequence[BasicBlock]", self._operands[2:])
        return tuple(zip(self._case_values, blocks, strict=True))

    def add_case(self, value: ConstantInt, block: BasicBlock) -> None:
        """Add a case at the end.

        Raises:
            TypeError: the number is not of the condition's type.
            ValueError: it has a case already.
        """
        if value.type is not self.condition.type:
            raise TypeError(f"a switch by a {self.condition.type.brief} has no case {value!r}")
        if value in self._case_values:
            raise ValueError(f"there is a case {decimal_text(value.value)} already")
        self._case_values.append(value)
        self._changeable_operands().append(block)
        block._uses.append(self)

    def remove_case(self, value: ConstantInt) -> None:
        """Remove the case of a number; phis do not change.

        Raises:
            ValueError: no case has the number.
        """
        if value not in self._case_values:
            raise ValueError(f"the switch has no case {decimal_text(value.value)}")
        index = self._case_values.index(value)
        del self._case_values[index]
        self._remove_operand(index + 2)

    @property
    def _successor_indices(self) -> range:
        return range(1, len(self._operands))


class IndirectBranch(Terminator):
    """Goes to a block whose address it is given; operands are the address, then all blocks possible."""

    __match_args__ = ("address", "successors")
    __slots__ = ()

    opcode = "indirectbr"
    address: OperandProperty[Value] = OperandProperty(0, "The address.")

    def __init__(self, void: Type, address: Value, destinations: Sequence[BasicBlock]) -> None:
        self._begin(void, (address, *destinations))

    @property
    def _successor_indices(self) -> range:
        return range(1, len(self._operands))


class Unreachable(Terminator):
    """Control never comes here."""

    __slots__ = ()

    opcode = "unreachable"

    def __init__(self, void: Type) -> None:
        self._begin(void, ())


def make_phi(type: Type, values: tuple[Value, ...], blocks: list[BasicBlock], fast_math: FastMathFlags) -> Phi:
    """Return a `phi` that keeps the list of blocks, one for each value."""
    made = Phi.__new__(Phi)
    made._begin(type, values)
    made._incoming_blocks = blocks
    made.fast_math = fast_math
    return made


def make_branch(type: Type, operands: tuple[Value, ...]) -> Branch:
    """Return a branch to a block, or by a condition, to the last of two blocks if it holds."""
    made = Branch.__new__(Branch)
    made._begin(type, operands)
    return made


def make_return(type: Type, operands: tuple[Value, ...]) -> Return:
    """Return a `ret` of a value, or of none."""
    made = Return.__new__(Return)
    made._begin(type, operands)
    return made


expose_members(Phi, Return, Branch, Switch, IndirectBranch, Unreachable)
