"""Present parts of a module: but for the last two, these functions read nothing from a file and create nothing.

Compiled loops take those for single values from `present.pxd`: `present.operands_of(instruction)` costs no call there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.attachments import Attachments
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.instructions.instruction import (
    instructions_with_attachments,
    instructions_with_extras,
    instructions_with_records,
    present_instructions_of,
)
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import ValueAsMetadata

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.host.collection import ObjectGrowth
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.constant_expressions import NoCFIValue
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.debug_info import DILocation
    from bitcodec.ir.debug_records import DbgVariableRecord, DebugRecord
    from bitcodec.ir.instruction_list import Instructions
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.metadata import MDNode, Metadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.sources import LinkerSymbols, RawPart, Source
    from bitcodec.ir.uses import Uses
    from bitcodec.ir.values import User, Value

__all__ = [
    "argument_count",
    "assembly_records",
    "attached_to",
    "deferred_metadata",
    "every_name",
    "first_instruction",
    "growth_of",
    "has_attachments",
    "has_debug_records",
    "has_unread_symbols",
    "in_record",
    "instructions_between",
    "instructions_with_attachments",
    "instructions_with_extras",
    "instructions_with_records",
    "is_unread",
    "kept_numbers",
    "listed_instructions",
    "name_of",
    "neighbours",
    "no_cfi_of",
    "operands_of",
    "present_address",
    "present_attributes",
    "present_blocks",
    "present_content",
    "present_instructions",
    "present_instructions_of",
    "present_location",
    "present_metadata",
    "present_uses",
    "present_value",
    "present_wrapper",
    "raw_parts",
    "records_of",
    "source_of",
    "symbol_changes",
    "unread_symbols",
]


def operands_of(user: User) -> tuple[Value, ...] | list[Value]:
    """Return the operands of a user, a list as long as they are being changed: to look at, not to keep."""
    return user._operands


def argument_count(call: CallBase) -> int:
    """Return how many of the first operands of a call are its arguments."""
    return call._argument_count


def name_of(value: Value) -> str:
    """Return the name of a value, "" if absent."""
    return value._name


def present_blocks(function: Function) -> Sequence[BasicBlock]:
    """Return the blocks of a function that have been read."""
    return function._blocks


def present_instructions(block: BasicBlock) -> Instructions[Instruction]:
    """Return the instructions of a block that have been read."""
    return block._instructions


def listed_instructions(block: BasicBlock) -> tuple[Instruction, ...] | list[Instruction]:
    """Return the instructions of a block that have been read, in a form with indices."""
    instructions = block._instructions
    return instructions if isinstance(instructions, tuple | list) else block.instructions


def neighbours(instruction: Instruction) -> tuple[Instruction | None, Instruction | None]:
    """Return the instructions before and after an instruction in its block, in constant time; None at the ends."""
    assert instruction.parent is not None, "it is in a block"  # noqa: S101
    return instruction.parent._neighbours(instruction)


def first_instruction(block: BasicBlock) -> Instruction:
    """Return the first instruction of a block that has one, however long that is."""
    return block._first()


def instructions_between(block: BasicBlock, first: Instruction | None, last: Instruction | None) -> list[Instruction]:
    """Return the instructions of a block between two others; None means the start or the end of the block."""
    return block._between(first, last)


def no_cfi_of(constants: ConstantTable, value: Constant) -> NoCFIValue:
    """Return `no_cfi` of a function, or of a placeholder of one."""
    return constants._no_cfi(value)


def present_uses(value: Value) -> Uses:
    """Return the users of a value that have been read: one entry for each use."""
    return value._uses


def present_wrapper(value: Value) -> ValueAsMetadata | None:
    """Return the metadata that wraps a value, None if none was made."""
    return value._as_metadata


def present_attributes(function: Function) -> AttributeList | None:
    """Return the attributes of a function, None if they have not been read."""
    attributes = function._attributes
    return attributes if isinstance(attributes, AttributeList) else None


def present_metadata(value: GlobalObject) -> Attachments | None:
    """Return the metadata attached to a global, None if it has not been read or there is none."""
    metadata = value._metadata
    return metadata if isinstance(metadata, Attachments) else None


def deferred_metadata(function: Function) -> Deferred[list[tuple[str, MDNode]]] | None:
    """Return the metadata attached to a function in its body, None if it has been read or there is none."""
    return function._body_metadata


def source_of(module: Module) -> Source | None:
    """Return the source of the parts that have not been read yet, None if all have been read."""
    return module._source


def every_name(module: Module) -> list[str]:
    """Return the names of all globals, including intrinsics, without making globals.

    Raises:
        BitcodecError: a name is malformed.
    """
    return module._every_name()


def unread_symbols(module: Module) -> LinkerSymbols | None:
    """Return the symbols that linkers resolve, without creating globals; None if they have been created.

    Raises:
        BitcodecError: a symbol is malformed.
    """
    source = module._source
    if source is None or not module._has_unread_symbols:
        return None
    return module.context.lock.run(source.linker_symbols)


def assembly_records(module: Module) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the records that the module-level assembly was read from."""
    return module._assembly_records


def raw_parts(module: Module) -> tuple[RawPart, ...]:
    """Return the parts that are kept as the file has them: summaries, the symbol table for linkers.

    Raises:
        BitcodecError: one of them is malformed.
    """
    return module._read_raw_parts()


def growth_of(module: Module) -> ObjectGrowth:
    """Return the count of the objects that are made when a module is read."""
    return module._growth


def kept_numbers(module: Module) -> object:
    """Return the numbers that the printer keeps, None if there are none; it knows when they are out of date."""
    return module._kept_numbers


def symbol_changes(function: Function) -> int:
    """Return a number that changes with the names and numbers of the values of a function."""
    return function._symbol_changes


def has_unread_symbols(module: Module) -> bool:
    """Return whether the globals of a module have not been read yet."""
    return module._has_unread_symbols


def is_unread(node: MDNode) -> bool:
    """Return whether a node's content has been deferred, and not been read yet."""
    return isinstance(getattr(node, "_content", None), Deferred)


def present_content(node: MDNode) -> tuple[Any, ...] | Deferred[tuple[Any, ...]]:
    """Return the content of a node, or what reads it."""
    return node._content


def present_location(instruction: Instruction) -> DILocation | Deferred[DILocation | None] | None:
    """Return the debug location of an instruction, or its `Deferred`."""
    return instruction._location


def has_attachments(instruction: Instruction) -> bool:
    """Return whether metadata is attached to an instruction, read or not."""
    return bool(instruction._attachments)


def has_debug_records(instruction: Instruction) -> bool:
    """Return whether debug records, read or not, are in front of an instruction."""
    return bool(instruction._records)


def present_value(record: DbgVariableRecord) -> Metadata:
    """Return the metadata that a debug record was made with, the value of which may be gone."""
    return record._value


def present_address(record: DbgVariableRecord) -> Metadata | None:
    """Do the same for the address of the variable, of assignments alone."""
    return record._address


def in_record(metadata: Metadata | None) -> Metadata | None:
    """Return the metadata that a debug record refers to by the one that it was made with."""
    return metadata.in_record() if isinstance(metadata, ValueAsMetadata) else metadata


def attached_to(instruction: Instruction) -> dict[str, MDNode]:
    """Return the metadata attached to an instruction, which is read first if it has not been."""
    return instruction.metadata


def records_of(instruction: Instruction) -> list[DebugRecord]:
    """Return the debug records in front of an instruction, which are read first if they have not been."""
    return instruction.debug_records
