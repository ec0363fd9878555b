"""Parts of a module that are read at the first access, and their completion."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.basic_blocks import complete_blocks
from bitcodec.ir.construction.present import is_unread
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject, GlobalVariable
from bitcodec.ir.lazy import Deferred

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Content, MDNode
    from bitcodec.ir.module import Module

__all__ = [
    "apply_use_orders",
    "complete_body",
    "complete_metadata",
    "complete_operands",
    "defer_attachments",
    "defer_attributes",
    "defer_body",
    "defer_content",
    "defer_metadata",
    "defer_operands",
    "deferred_node",
    "discard_body",
    "expect_initializer",
    "ignore_debug_info",
    "materialize_globals",
    "materialize_metadata",
    "materialize_symbols",
    "read_content",
    "read_deferred_metadata",
    "read_for_moving",
]


def defer_body(function: Function, body: Deferred[None]) -> None:
    """Let the body of a function be read at first access."""
    function._unread_body = body


def defer_operands(value: GlobalValue, operands: Deferred[None]) -> None:
    """Let the constants that a global holds be read at first access."""
    value._unread_operands = operands


def complete_operands(value: GlobalValue) -> None:
    """Read the constants that a global holds, if they were not read yet."""
    value._complete()


def defer_attributes(function: Function, attributes: Deferred[AttributeList]) -> None:
    """Let the attributes of a function be read at first access."""
    function._attributes = attributes


def defer_metadata(function: Function, metadata: Deferred[list[tuple[str, MDNode]]]) -> None:
    """Let the metadata attached to a function in its body be read at first access."""
    function._body_metadata = metadata


def defer_attachments(value: GlobalObject, metadata: Deferred[list[tuple[str, MDNode]]]) -> None:
    """Let the metadata attached to a global be read at first access."""
    value._metadata = metadata


def expect_initializer(variable: GlobalVariable) -> None:
    """Make a definition of a variable, whose initializer will follow."""
    variable._has_initializer = True


def complete_metadata(value: GlobalObject) -> None:
    """Read the metadata attached to a global, if there is some that was not read yet."""
    if value.parent is not None:
        value.parent._materialize_attachments()
    if value._metadata is not None or (isinstance(value, Function) and value._body_metadata is not None):
        _ = value.metadata


def complete_body(function: Function) -> None:
    """End the construction of a body: its blocks and instructions become tuples."""
    blocks = function._blocks = tuple(function._blocks)
    complete_blocks(blocks)


def discard_body(function: Function, blocks: Iterable[BasicBlock], made: Iterable[Instruction]) -> None:
    """Remove the parts read of a malformed body from the function, and from the uses of other values.

    Args:
        function: the function.
        blocks: its blocks.
        made: the instructions that were created, in order; others may have been inserted into the blocks.
    """
    inserted = [instruction for block in blocks for instruction in block._instructions]
    for user in reversed(dict.fromkeys([*made, *inserted])):
        # An exception from outside may have come between an operand and its use, and must not be hidden here.
        with suppress(LookupError, ValueError):
            user._drop_operands()
    for block in blocks:
        block._instructions = []
        block.parent = None
    # Else a second reading would find its names taken.
    function._symbols = None
    for argument in function._arguments or ():
        argument._name = ""
    function._blocks = ()
    function._body_metadata = None
    function._unread_records = ()


def materialize_symbols(module: Module) -> None:
    """Read the globals of a module, without their operands."""
    module._materialize_symbols()


def materialize_globals(module: Module) -> None:
    """Read the globals of a module, and their operands."""
    module._materialize_globals()


def apply_use_orders(module: Module, *, is_lazy: bool = False) -> object:
    """Call `Module.order_uses`, and return the result of `UseOrders.apply`; None if the uses were in order.

    Args:
        module: the module.
        is_lazy: whether to order them as programs of LLVM that open a file lazily, such as `llvm-dis`, find them.
    """
    return module._order_uses(is_lazy=is_lazy)


def ignore_debug_info(module: Module, version: int | None) -> None:
    """Note that debug information of another version was dropped from a module, None if it was not."""
    module._ignored_debug_info_version = version


def deferred_node(kind: type[MDNode], content: Deferred[Content]) -> MDNode:
    """Return a distinct node of a class, with deferred content; errors are raised at its first access."""
    node = kind.__new__(kind)
    node.is_distinct = True
    node._content = content
    return node


def defer_content(node: MDNode, content: Deferred[Content]) -> None:
    """Give a distinct node other content, to be read."""
    node._content = content


def read_content(node: MDNode) -> None:
    """Give a node its content, if it has been deferred.  Other threads wait until all of it is there.

    Raises:
        BitcodecError: it is malformed; the node is unchanged, and may be read again.
    """
    if is_unread(node):
        node._read_content()


def materialize_metadata(module: Module) -> None:
    """Read the module-level metadata, and record the attachments of globals."""
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
