"""Control flow: `phi`, and the terminators that neither call nor unwind."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.instructions.instruction import Instruction, Terminator
from bitcodec.ir.instructions.operand import Operand
from bitcodec.ir.values import Value
from bitcodec.tables.opcodes import NO_FAST_MATH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.types import Type
    from bitcodec.tables.opcodes import FastMathFlags

__all__ = ["Branch", "IndirectBranch", "Phi", "Return", "Switch", "Unreachable"]


class Phi(Instruction):
    """The value that belongs to the block control came from; those blocks are no operands.

    Attributes:
        incoming_blocks: one for each operand.
        fast_math: what it may take for granted.
    """

    __match_args__ = ("incoming",)
    __slots__ = ("fast_math", "incoming_blocks")

    opcode = "phi"

    def __init__(
        self,
        type: Type,
        values: Sequence[Value],
        blocks: Sequence[BasicBlock],
        fast_math: FastMathFlags = NO_FAST_MATH,
    ) -> None:
        super().__init__(type, list(values))
        self.incoming_blocks = list(blocks)
        self.fast_math = fast_math

    @property
    def incoming(self) -> tuple[tuple[Value, BasicBlock], ...]:
        """Value and block of each edge, in order."""
        return tuple(zip(self._operands, self.incoming_blocks, strict=True))

    def add_incoming(self, value: Value, block: BasicBlock) -> None:
        """Add an edge.

        Raises:
            TypeError: the value is of another type.
        """
        if value.type is not self.type:
            raise TypeError(f"a phi of {self.type.brief} cannot take a value of type {value.type.brief}")
        self._operands.append(value)
        value._uses.append(self)
        self.incoming_blocks.append(block)


class Return(Terminator):
    """Goes back to the caller."""

    __match_args__ = ("value",)
    __slots__ = ()

    opcode = "ret"

    def __init__(self, void: Type, value: Value | None = None) -> None:
        super().__init__(void, [] if value is None else [value])

    @property
    def value(self) -> Value | None:
        """What it gives the caller, None if nothing."""
        return self._operands[0] if self._operands else None


class Branch(Terminator):
    """Goes to a block, or to one of two; operands are the condition, the block if false, the block if true."""

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
        if condition is None or otherwise is None:
            super().__init__(void, [target])
        else:
            super().__init__(void, [condition, otherwise, target])

    @property
    def is_conditional(self) -> bool:
        """Whether there is a choice."""
        return len(self._operands) == 3

    @property
    def condition(self) -> Value | None:
        """What decides, None if nothing has to."""
        return self._operands[0] if self.is_conditional else None

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        """Where it may go: the block if true first."""
        return cast("tuple[BasicBlock, ...]", tuple(self._operands[:-3:-1] if self.is_conditional else self._operands))


class Switch(Terminator):
    """Goes to the block of a number; operands are the number, the default block, then the block of each case.

    Attributes:
        case_values: the number of each case; as in LLVM 22 they are no operands.
    """

    __match_args__ = ("condition", "default", "cases")
    __slots__ = ("case_values",)

    opcode = "switch"
    condition: Operand[Value] = Operand(0, "The number.")

    def __init__(
        self, void: Type, condition: Value, default: BasicBlock, cases: Sequence[tuple[ConstantInt, BasicBlock]]
    ) -> None:
        super().__init__(void, [condition, default, *(block for _, block in cases)])
        self.case_values = [number for number, _ in cases]

    @property
    def default(self) -> BasicBlock:
        """Where it goes if no case fits."""
        return cast("BasicBlock", self._operands[1])

    @property
    def cases(self) -> tuple[tuple[ConstantInt, BasicBlock], ...]:
        """Number and block of each case, in order."""
        blocks = cast("list[BasicBlock]", self._operands[2:])
        return tuple(zip(self.case_values, blocks, strict=True))

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        """The default block, then that of each case."""
        return cast("tuple[BasicBlock, ...]", tuple(self._operands[1:]))


class IndirectBranch(Terminator):
    """Goes to a block whose address it is given; operands are the address, then all blocks possible."""

    __match_args__ = ("address", "successors")
    __slots__ = ()

    opcode = "indirectbr"
    address: Operand[Value] = Operand(0, "The address.")

    def __init__(self, void: Type, address: Value, destinations: Sequence[BasicBlock]) -> None:
        super().__init__(void, [address, *destinations])

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        """All blocks possible."""
        return cast("tuple[BasicBlock, ...]", tuple(self._operands[1:]))


class Unreachable(Terminator):
    """Control never comes here."""

    __slots__ = ()

    opcode = "unreachable"

    def __init__(self, void: Type) -> None:
        super().__init__(void, [])
