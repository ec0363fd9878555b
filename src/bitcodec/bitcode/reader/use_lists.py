"""Reads USELIST: puts the users of a value in the order in which the writer had them.

Rules: bitcode record reference, section 9.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.blocks import UselistCode
from bitcodec.ir.constants import ConstantData

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_USELIST_CODES", "order_uses"]

_SWAPPED = [1, 0]
"""The order of most, for most values whose uses are in an order of their own have two."""

HANDLED_USELIST_CODES = frozenset({UselistCode.DEFAULT, UselistCode.BB})


def order_uses(records: Records, values: Sequence[Value], blocks: Sequence[Value]) -> None:
    """Order the uses of values and blocks.

    Raises:
        BitcodeError: a record makes no sense.
    """
    ordered: dict[int, Sequence[Value]] = {UselistCode.DEFAULT: values, UselistCode.BB: blocks}
    with records.placed():
        for _, code, operands in records:
            listed = ordered.get(code)
            if listed is None:
                continue
            number = operands.pop()
            if len(operands) < 2:
                raise Malformed("an order of fewer than two uses")
            if number >= len(listed):
                raise Malformed(f"there is nothing of number {number} to order the uses of")
            _order(listed[number], operands)


def _order(value: Value, order: list[int]) -> None:
    """Sort the uses: LLVM lists the use made last first, and `order` says the place of each in that list."""
    uses = value._uses
    if isinstance(value, ConstantData) or len(uses) != len(order):
        return  # what was upgraded may be used elsewhere
    if order == _SWAPPED:
        uses.reverse()
        return
    places = sorted(range(len(order)), key=order.__getitem__)
    newest_first = uses[::-1]
    uses[:] = map(newest_first.__getitem__, reversed(places))
