"""Verbs for linkers: globals that go from one module to another of the same context.

They materialize nothing: unread parts keep referring to the old global.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constant_replacement import replace_constants
from bitcodec.ir.constants import remove_dead_constant_users
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.construction.record_bodies import drop_records
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module

__all__ = [
    "discard_global",
    "move_body",
    "move_global",
    "move_to_end",
    "place_before",
    "replace_present_uses",
    "share_operands",
]


def replace_present_uses(replacements: Mapping[Constant, Constant]) -> None:
    """Let everything that has been read use other constants instead of some, which may be of other types."""
    replace_constants(dict(replacements))


def move_global(value: GlobalValue, module: Module) -> None:
    """Move a global to the end of another module; its name gets a number if it is taken there."""
    if value.parent is not None:
        value.parent.remove(value)
    module.append(value)


def move_body(source: Function, target: Function) -> None:
    """Move arguments and blocks of a function to one without a body."""
    source.materialize()
    _ = source.arguments
    target._arguments, source._arguments = source._arguments, None
    target._blocks, source._blocks = source._blocks, ()
    target._symbols, source._symbols = source._symbols, None
    for part in (*(target._arguments or ()), *target._blocks):
        part.parent = target
    _readdress(target)


def _readdress(function: Function) -> None:
    """Let addresses of the blocks of a function, which came from another one, be addresses in this one."""
    replaced: dict[Constant, Constant] = {
        address: address.table.block_address(function, block)
        for block in function.blocks
        for address in present_uses(block)
        if isinstance(address, BlockAddress)
    }
    replace_present_uses(replaced)
    remove_dead_constant_users(function.blocks)


def share_operands(source: GlobalValue, target: GlobalValue) -> None:
    """Give a global the constants that another of its kind holds; they may be of types that change later."""
    target._set_operands(source._operands)
    if isinstance(source, GlobalVariable) and isinstance(target, GlobalVariable):
        target._has_initializer = source._has_initializer
    elif isinstance(source, Function) and isinstance(target, Function):
        target._held = source._held


def place_before(value: GlobalValue, other: GlobalValue) -> None:
    """Move a global of a module before another of the same kind."""
    if value.parent is not None:
        items = value.parent._lists[type(value)]._items
        del items[value]
        order = list(items)
        order.insert(order.index(other), value)
        items.clear()
        items.update(dict.fromkeys(order))


def move_to_end(value: GlobalValue) -> None:
    """Move a global of a module after all others of its kind."""
    if value.parent is not None:
        items = value.parent._lists[type(value)]._items
        del items[value]
        items[value] = None


def discard_global(value: GlobalValue) -> None:
    """Take a global out of its module for good, with everything that it holds; uses of it have been replaced."""
    if isinstance(value, Function):
        drop_records(value)
    value._let_go()
    if value.parent is not None:
        value.parent.remove(value)
