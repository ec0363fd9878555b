"""Orders of uses: said where a reader would find another than the module has.

Rules: bitcode record reference, section 9.4; the order in which LLVM's reader makes uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.creation_order import CreationOrder
from bitcodec.bitcode.schema.blocks import BlockId, UselistCode
from bitcodec.bitcode.writer.rows import BlockRows, Rows
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.construction import apply_use_orders, present_uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

__all__ = ["BodyUseLists", "UseLists"]

_WIDTH = 3


class _Orders:
    """What orders of uses are found with.

    Args:
        creation_order: has made what the uses belong to.
    """

    def __init__(self, creation_order: CreationOrder) -> None:
        self._creation_order = creation_order

    def _add_local(
        self, rows: Rows, function: Function, values: ObjectNumbers, blocks: Mapping[BasicBlock, int]
    ) -> None:
        """Add the orders of blocks, arguments and instructions."""
        block_orders, orders = self._creation_order.local_orders(function.arguments, blocks)
        for number, order in block_orders:
            rows.add(UselistCode.BB, [*order, number])
        for value, order in orders:
            rows.add(UselistCode.DEFAULT, [*order, values[value]])


class BodyUseLists(_Orders):
    """Orders of the uses of what belongs to one function, with those of globals and constants as the file has them.

    Args:
        creation_order: makes the users of its values; one serves for many functions.
        function: the function.
        kept: what the file orders at its end that is no function's own: the value, and the order.
    """

    def __init__(
        self, creation_order: CreationOrder, function: Function, kept: Iterable[tuple[Value, list[int]]]
    ) -> None:
        super().__init__(creation_order)
        creation_order.make_function(function)
        self._kept = kept

    def block(self, function: Function, values: ObjectNumbers, blocks: Mapping[BasicBlock, int]) -> BlockRows | None:
        """Return what stands at the end of the function; None if all is in order.

        Args:
            function: the function.
            values, blocks: numbers of values and of its blocks.
        """
        rows = Rows()
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
        super().__init__(_creation_order_of(module))
        self._shared: dict[Function | None, list[Value]] = {}
        creation_order = self._creation_order
        for value in creation_order.shared():
            if (
                len(present_uses(value)) > 1
                and not isinstance(value, BasicBlock)
                and creation_order.has_made_users(value)
            ):
                # Its order can be given where the last of its users is made that is no function's own.
                self._shared.setdefault(creation_order.last_function(value), []).append(value)

    def block(
        self, function: Function | None, values: ObjectNumbers, blocks: Mapping[BasicBlock, int]
    ) -> BlockRows | None:
        """Return what stands at the end of a function, or of the module's own tables; None if all is in order.

        Args:
            function: whose values are ordered, None for those that only globals use.
            values, blocks: their numbers.
        """
        rows = Rows()
        if function is not None:
            self._add_local(rows, function, values, blocks)
        shared = [value for value in self._shared.get(function, ()) if value in values]
        for value in sorted(shared, key=values.__getitem__):
            order = self._creation_order.order(value)
            if order:
                rows.add(UselistCode.DEFAULT, [*order, values[value]])
        return BlockRows(BlockId.USELIST_BLOCK, _WIDTH, [rows]) if rows else None


def _creation_order_of(module: Module) -> CreationOrder:
    """Put the uses of a module in order, and return in which order a reader of what is written now makes the users.

    Raises:
        BitcodecError: something in the module is malformed.
    """
    found = apply_use_orders(module)
    # Where a file gives personalities late, what is written from it does not.
    return found if isinstance(found, CreationOrder) and not found.late_holders else CreationOrder(module).make_all()
