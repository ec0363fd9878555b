"""Parts of a module that are set as a whole: blocks, instructions, operands, users, content of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.basic_blocks import set_parents
from bitcodec.ir.constants import ConstantData
from bitcodec.ir.functions import Function
from bitcodec.ir.uses import listed_uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import Instruction, Phi
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.sources import Source
    from bitcodec.ir.summary import ModuleSummaryIndex
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import User, Value

__all__ = [
    "adopt_blocks",
    "attach_source",
    "begin_blocks",
    "change_operand",
    "fill_node",
    "keep_no_users",
    "keep_numbers",
    "set_assembly",
    "set_blocks",
    "set_incoming_blocks",
    "set_instructions",
    "set_metadata_kinds",
    "set_name",
    "set_operands",
    "set_summary",
    "set_type",
    "set_users",
    "set_uses",
]


def adopt_blocks(function: Function, blocks: Iterable[BasicBlock]) -> None:
    """Give a function without blocks these, which are in no function yet."""
    adopted = function._blocks = tuple(blocks)
    set_parents(adopted, function)


def begin_blocks(function: Function) -> list[BasicBlock]:
    """Return the list of blocks of a body that is being made; `complete_body` ends that."""
    blocks = function._blocks = [*function._blocks]
    return blocks


def set_blocks(function: Function, blocks: Iterable[BasicBlock]) -> None:
    """Replace the blocks of a function, whose body has been read or is being read."""
    function._blocks = tuple(blocks)


def set_instructions(block: BasicBlock, instructions: Iterable[Instruction]) -> None:
    """Replace the instructions of a block; their parents do not change."""
    block._set_instructions(instructions)


def set_operands(user: User, operands: Sequence[Value]) -> None:
    """Replace the operands of a user."""
    user._set_operands(operands)


def set_incoming_blocks(phi: Phi, blocks: Iterable[BasicBlock]) -> None:
    """Replace the blocks that a phi has values for."""
    phi._incoming_blocks[:] = blocks


def set_name(value: Value, name: str) -> None:
    """Set the name of a value that is in no symbol table yet."""
    value._name = name


def set_assembly(module: Module, text: str, records: Iterable[tuple[int, tuple[int, ...]]]) -> None:
    """Set the module-level assembly, and keep the records that it was read from."""
    module.module_asm = text
    module._assembly_records = tuple(records)


def set_metadata_kinds(module: Module, kinds: Iterable[str]) -> None:
    """Set the kinds of attached metadata that a module registers."""
    module._metadata_kinds = tuple(kinds)


def set_summary(module: Module, summary: ModuleSummaryIndex) -> None:
    """Give a module its summary."""
    module._summary = summary


def keep_numbers(module: Module, numbers: object) -> None:
    """Keep numbers for the printer."""
    module._kept_numbers = numbers


def attach_source(module: Module, source: Source) -> None:
    """Let a module read its parts from a source."""
    module._attach_source(source)


def set_uses(value: Value, uses: Iterable[tuple[User, int]]) -> None:
    """Replace the list of uses of a value by these in this order: each user, and which of its operands the value is."""
    value._uses = listed_uses(uses)


def set_users(value: Value, users: Sequence[User]) -> None:
    """Replace the list of uses of a value by one use by each of these users in this order; no user occurs twice."""
    value._uses = [*users]


def keep_no_users(value: Value) -> None:
    """Let a value, which has no users yet, keep no list of them: a placeholder."""
    value._uses = ConstantData._UNTRACKED


def set_type(value: Value, type_: Type) -> None:
    """Give a value another type."""
    value.type = type_


def fill_node(node: MDNode, content: tuple[Any, ...]) -> None:
    """Give a node other content; the table of nodes is unchanged."""
    node._fill(content)


def change_operand(user: Instruction | GlobalValue, index: int, value: Value) -> None:
    """Give a user another operand, which may be of another type."""
    operands = list(user._operands)
    operands[index] = value
    user._set_operands(operands)
