"""Finds the metadata of a module that its globals and instructions refer to, directly or indirectly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableRecord
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata import DIArgList, MDNode, ValueAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module import Module

__all__ = ["nodes_of", "wrappers_in_records"]


def nodes_of(module: Module) -> Iterator[MDNode]:
    """Yield the nodes of a module, each once.  It has been read to the end."""
    seen: set[Metadata] = set()
    for root in _roots(module):
        pending = [root]
        while pending:
            node = pending.pop()
            if isinstance(node, MDNode) and node not in seen:
                seen.add(node)
                yield node
                pending += (operand for operand in node.operands if isinstance(operand, MDNode))


def wrappers_in_records(instruction: Instruction) -> Iterator[ValueAsMetadata]:
    """Yield the wrappers of values in the debug records of an instruction."""
    for record in instruction.debug_records:
        if isinstance(record, DbgVariableRecord):
            for metadata in (record.value, record.address):
                yield from _wrappers(metadata)


def _wrappers(metadata: Metadata | None) -> tuple[ValueAsMetadata, ...]:
    if isinstance(metadata, DIArgList):
        return metadata.arguments
    return (metadata,) if isinstance(metadata, ValueAsMetadata) else ()


def _roots(module: Module) -> Iterator[Metadata | None]:
    """Yield metadata that something other than metadata refers to."""
    for named in module.named_metadata.values():
        yield from named.operands
    for value in module.globals:
        if isinstance(value, GlobalObject):
            yield from value.metadata.values()
    for function in module.functions:
        for instruction in function.instructions:
            yield from _roots_in(instruction)


def _roots_in(instruction: Instruction) -> Iterator[Metadata | None]:
    yield instruction.debug_location
    yield from instruction.metadata.values()
    for record in instruction.debug_records:
        yield from _roots_of(record)
    if isinstance(instruction, CallBase):
        yield from (argument.metadata for argument in instruction.arguments if isinstance(argument, MetadataAsValue))


def _roots_of(record: DebugRecord) -> Iterator[Metadata | None]:
    yield record.location
    if isinstance(record, DbgLabelRecord):
        yield record.label
    elif isinstance(record, DbgVariableRecord):
        yield from (record.value, record.variable, record.expression)
        yield from (record.assign_id, record.address, record.address_expression)
