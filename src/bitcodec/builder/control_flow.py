"""Control flow: `phi`, and the terminators that neither call nor unwind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.arithmetic import fast_math_for
from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import INTEGER, POINTER, VALUE, require, wrong
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.decimals import decimal_text
from bitcodec.ir.instructions import Branch, IndirectBranch, Phi, Return, Switch, Unreachable
from bitcodec.ir.types import VoidType
from bitcodec.tables.instruction_flags import NO_FAST_MATH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.builder.inserting import ValueLike
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.instruction_flags import FastMathFlags

__all__ = ["ControlFlowBuilder"]


class ControlFlowBuilder(Inserter):
    """Makes phis and terminators."""

    __slots__ = ()

    def phi(
        self,
        type: Type,
        incoming: Iterable[tuple[ValueLike, BasicBlock]] = (),
        *,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
        name: str = "",
    ) -> Phi:
        """Return the value that belongs to the block control came from; `Phi.add_incoming` adds edges later."""
        require(VALUE, type, "phi", "type")
        edges = [
            (self._value_of(type, value, "phi", "incoming value"), self._block(block, "phi", "incoming block"))
            for value, block in incoming
        ]
        flags = fast_math_for(type, fast_math, "phi")
        return self.insert(Phi(type, [value for value, _ in edges], [block for _, block in edges], flags), name)

    def ret(self, value: ValueLike | None = None) -> Return:
        """Return to the caller, with a value if the function returns one."""
        function = self.function
        what = f"ret in @{function.name}"
        if isinstance(function.return_type, VoidType):
            if value is not None:
                raise wrong("nothing", getattr(value, "type", value), what, "value")
            return self.insert(Return(self.types.void))
        if value is None:
            raise wrong(function.return_type, value, what, "value")
        return self.insert(Return(self.types.void, self._value_of(function.return_type, value, what, "value")))

    def br(self, target: BasicBlock) -> Branch:
        """Branch to a block."""
        return self.insert(Branch(self.types.void, self._block(target, "br", "target")))

    def cond_br(self, condition: ValueLike, true_target: BasicBlock, false_target: BasicBlock) -> Branch:
        """Branch to one of two blocks: `br` with a condition."""
        chosen = self._value_of(self.types.integer(1), condition, "br", "condition")
        target, otherwise = (self._block(block, "br", "target") for block in (true_target, false_target))
        return self.insert(Branch(self.types.void, target, chosen, otherwise))

    def switch(
        self, condition: Value, default: BasicBlock, cases: Iterable[tuple[ConstantInt | int, BasicBlock]] = ()
    ) -> Switch:
        """Branch to the block of a number; `Switch.add_case` adds cases later.

        Raises:
            ValueError: a number has two cases.
        """
        type_ = self._value(condition, "switch", "condition").type
        require(INTEGER, type_, "switch", "condition")
        found: dict[ConstantInt, BasicBlock] = {}
        for number, block in cases:
            value = self._value_of(type_, number, "switch", "case")
            if not isinstance(value, ConstantInt):
                raise wrong("a number", number, "switch", "case")
            if value in found:
                raise ValueError(f"switch has two cases {decimal_text(value.value)}")
            found[value] = self._block(block, "switch", "target")
        default = self._block(default, "switch", "default")
        return self.insert(Switch(self.types.void, condition, default, list(found.items())))

    def indirectbr(self, address: Value, destinations: Sequence[BasicBlock]) -> IndirectBranch:
        """Branch to one of several blocks, by its address."""
        require(POINTER, self._value(address, "indirectbr", "address").type, "indirectbr", "address")
        blocks = [self._block(block, "indirectbr", "destination") for block in destinations]
        return self.insert(IndirectBranch(self.types.void, address, blocks))

    def unreachable(self) -> Unreachable:
        """Mark the end of the block as unreachable."""
        return self.insert(Unreachable(self.types.void))
