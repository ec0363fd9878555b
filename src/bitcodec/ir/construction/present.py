"""Present parts of a module: these functions read nothing from a file and create nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attachments import Attachments
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.instructions import instruction as loops
from bitcodec.ir.lazy import Deferred

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.host.collection import ObjectGrowth
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.constant_expressions import NoCFIValue
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.debug_info import DILocation
    from bitcodec.ir.instruction_list import Instructions
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode, ValueAsMetadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.sources import LinkerSymbols, RawPart, Source
    from bitcodec.ir.uses import Uses
    from bitcodec.ir.values import Value

__all__ = [
    "assembly_records",
    "count_empty_blocks",
    "deferred_metadata",
    "every_name",
    "first_instruction",
    "growth_of",
    "has_unread_symbols",
    "instructions_between",
    "instructions_with_attachments",
    "instructions_with_extras",
    "instructions_with_records",
    "is_unread",
    "kept_numbers",
    "neighbours",
    "no_cfi_of",
    "present_attributes",
    "present_blocks",
    "present_instructions",
    "present_instructions_of",
    "present_location",
    "present_metadata",
    "present_uses",
    "present_wrapper",
    "raw_parts",
    "source_of",
    "symbol_changes",
    "unread_symbols",
]


def present_blocks(function: Function) -> Sequence[BasicBlock]:
    """Return the blocks of a function that have been read."""
    return function._blocks


def present_instructions(block: BasicBlock) -> Instructions[Instruction]:
    """Return the instructions of a block that have been read."""
    return block._instructions


def count_empty_blocks(blocks: Iterable[BasicBlock]) -> int:
    """Return how many blocks have no instructions, of those that have been read."""
    return len([block for block in blocks if not block._instructions])


def instructions_with_extras(function: Function) -> list[Instruction]:
    """Return the instructions that have been read and have, read or not, a location, attachments or debug records."""
    return loops.select_with_extras(function._blocks)


def instructions_with_attachments(function: Function, kinds: frozenset[str]) -> list[Instruction]:
    """Return the instructions that have been read and have attachments of some kinds, or attachments not yet read."""
    return loops.select_with_attachments(function._blocks, kinds)


def instructions_with_records(function: Function) -> list[Instruction]:
    """Return the instructions that have been read and have debug records, read or not."""
    return loops.select_with_records(function._blocks)


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


def present_instructions_of(function: Function, kinds: frozenset[type[Instruction]]) -> list[Instruction]:
    """Return the instructions of a function that have been read and are of some classes."""
    return loops.select_of_kinds(function._blocks, kinds)


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


def present_location(instruction: Instruction) -> DILocation | Deferred[DILocation | None] | None:
    """Return the debug location of an instruction, or its `Deferred`."""
    return instruction._location
