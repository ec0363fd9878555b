"""Orders of uses: said where a reader would find another than the module has.

Rules: bitcode record reference, section 9.4; the order in which LLVM's reader makes uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.use_lists import made_in_order
from bitcodec.bitcode.schema.blocks import BlockId, UselistCode
from bitcodec.bitcode.writer.rows import BlockRows, Rows
from bitcodec.ir.basic_blocks import BasicBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.bitcode.reader.making import Making
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["BodyUseLists", "UseLists"]

_WIDTH = 3


class _Orders:
    """What orders of uses are found with.

    Args:
        making: has made what the uses belong to.
    """

    def __init__(self, making: Making) -> None:
        self._making = making

    def _add_blocks(self, rows: Rows, blocks: Mapping[BasicBlock, int]) -> None:
        for block, number in blocks.items():
            order = self._making.order(block) if len(block._uses) > 1 else ()
            if order:
                rows.add(UselistCode.BB, [*order, number])

    def _add_local(
        self, rows: Rows, function: Function, values: Mapping[Value, int], blocks: Mapping[BasicBlock, int]
    ) -> None:
        """Add the orders of arguments and instructions."""
        making = self._making
        for argument in function.arguments:
            self._add_default(rows, argument, values)
        for block in blocks:
            for instruction in block._instructions:
                # Most are used once, if at all.
                if len(instruction._uses) > 1:
                    self._add_default(rows, instruction, values, making[instruction])

    def _add_default(self, rows: Rows, value: Value, values: Mapping[Value, int], after: int = -1) -> None:
        order = self._making.order(value, after)
        if order:
            rows.add(UselistCode.DEFAULT, [*order, values[value]])


class BodyUseLists(_Orders):
    """Orders of the uses of what belongs to one function, with those of globals and constants as the file has them.

    Args:
        making: makes the users of its values; one serves for many functions.
        function: the function.
        kept: what the file orders at its end that is no function's own: the value, and the order.
    """

    def __init__(self, making: Making, function: Function, kept: Iterable[tuple[Value, list[int]]]) -> None:
        super().__init__(making)
        making.make_function(function)
        self._kept = kept

    def block(
        self, function: Function, values: Mapping[Value, int], blocks: Mapping[BasicBlock, int]
    ) -> BlockRows | None:
        """Return what stands at the end of the function; None if all is in order.

        Args:
            function: the function.
            values, blocks: numbers of values and of its blocks.
        """
        rows = Rows()
        self._add_blocks(rows, blocks)
        self._add_local(rows, function, values, blocks)
        for value, order in self._kept:
            if value in values:
                rows.add(UselistCode.DEFAULT, [*order, values[value]])
        return BlockRows(BlockId.USELIST_BLOCK, _WIDTH, [rows]) if rows else None


class UseLists(_Orders):
    """Orders of a module's uses.

    Args:
        module: which is read to the end.

    Raises:
        BitcodecError: something in the module is malformed.
    """

    def __init__(self, module: Module) -> None:
        super().__init__(made_in_order(module))
        self._shared: dict[Function | None, list[Value]] = {}
        for value in self._making.shared():
            if len(value._uses) > 1 and not isinstance(value, BasicBlock):
                self._place(value)

    def _place(self, value: Value) -> None:
        """Find where the last user of a value is made that is no function's own: there its order can be told."""
        making = self._making
        made = [user for user in value._uses if user in making]
        if made:
            self._shared.setdefault(making.function_of(max(made, key=making.__getitem__)), []).append(value)

    def block(
        self, function: Function | None, values: Mapping[Value, int], blocks: Mapping[BasicBlock, int]
    ) -> BlockRows | None:
        """Return what stands at the end of a function, or of the module's own tables; None if all is in order.

        Args:
            function: whose values are ordered, None for those that only globals use.
            values, blocks: their numbers.
        """
        rows = Rows()
        self._add_blocks(rows, blocks)
        if function is not None:
            self._add_local(rows, function, values, blocks)
        shared = [value for value in self._shared.get(function, ()) if value in values]
        for value in sorted(shared, key=values.__getitem__):
            self._add_default(rows, value, values)
        return BlockRows(BlockId.USELIST_BLOCK, _WIDTH, [rows]) if rows else None
