"""Verbs for linkers: globals that go from one module to another of the same context.

They materialize nothing: what has not been read by then keeps referring to the old global.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constant_replacement import replace_constants
from bitcodec.ir.constants import remove_dead_constant_users
from bitcodec.ir.construction import complete_metadata, present_uses
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject, GlobalVariable
from bitcodec.ir.record_bodies import drop_records

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "change_operand",
    "discard_global",
    "fill_node",
    "materialize_metadata",
    "move_body",
    "move_global",
    "move_to_end",
    "place_before",
    "read_deferred_metadata",
    "read_for_moving",
    "replace_present_uses",
    "set_type",
    "share_operands",
]


def materialize_metadata(module: Module) -> None:
    """Read the metadata that is a module's own, and note what is attached to its globals."""
    module._materialize_attachments()
    if (unread := module._unread_metadata) is not None:
        unread.fill(module, "_unread_metadata")
    for named in module.named_metadata.values():
        _ = named.operands
    read_deferred_metadata(module)


def read_deferred_metadata(module: Module) -> None:
    """Read the content of metadata nodes that have been made without it."""
    if module._source is not None:
        module.context.lock.run(module._source.read_deferred_metadata)


def read_for_moving(value: GlobalValue) -> None:
    """Read everything that a global consists of, while it is in the module that it was read from."""
    value._complete()
    if isinstance(value, Function) and value.parent is not None and value.parent._source is not None:
        value.parent.context.lock.run(value.parent._source.read_whole, value)
    if isinstance(value, GlobalObject):
        complete_metadata(value)
    if isinstance(value, Function) and value.parent is not None:
        read_deferred_metadata(value.parent)


def move_global(value: GlobalValue, module: Module) -> None:
    """Move a global to the end of another module; its name gets a number if it is taken there."""
    if value.parent is not None:
        value.parent.remove(value)
    module.append(value)


def move_body(source: Function, target: Function) -> None:
    """Move arguments and blocks of a function to one that has none."""
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
    """Move a global of a module in front of another of the same kind."""
    if value.parent is not None:
        items = value.parent._lists[type(value)]._items
        del items[value]
        order = list(items)
        order.insert(order.index(other), value)
        items.clear()
        items.update(dict.fromkeys(order))


def move_to_end(value: GlobalValue) -> None:
    """Move a global of a module behind all others of its kind."""
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


def replace_present_uses(replacements: Mapping[Constant, Constant]) -> None:
    """Let everything that has been read use other constants instead of some, which may be of other types."""
    replace_constants(dict(replacements))


def change_operand(user: Instruction | GlobalValue, index: int, value: Value) -> None:
    """Give a user another operand, which may be of another type."""
    operands = list(user._operands)
    operands[index] = value
    user._set_operands(operands)


def set_type(value: Value, type_: Type) -> None:
    """Give a value another type."""
    value.type = type_


def fill_node(node: MDNode, content: tuple[Any, ...]) -> None:
    """Give a node other content; the table of nodes is unchanged."""
    node._fill(content)
