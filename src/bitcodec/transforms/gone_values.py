"""Keeps metadata right that describes globals which are gone.  Rules: `ValueAsMetadata::handleDeletion` of LLVM 22."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitcodec.ir.instructions import CallBase
from bitcodec.ir.metadata import ValueAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.metadata_walk import nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module

__all__ = ["forgetting_gone_values"]


@contextmanager
def forgetting_gone_values(module: Module) -> Iterator[None]:
    """Set metadata right that describes globals which are erased meanwhile, and of constants made of them.

    Nodes refer to nothing where they were, and differ from all others from then on; calls take an empty node.
    """
    arguments: list[MetadataAsValue] = []
    for function in module.functions:
        for instruction in function.instructions:
            arguments += _arguments(instruction)
    yield
    for argument in arguments:
        if argument.is_gone:
            argument.metadata = module.context.metadata.tuple()
    _forget_in_nodes(module)


def _forget_in_nodes(module: Module) -> None:
    for node in nodes_of(module):
        for index, operand in enumerate(node.operands):
            if _is_gone(operand):
                node.set_operand(index, None)
                node.is_distinct = True


def _is_gone(metadata: object) -> bool:
    return isinstance(metadata, ValueAsMetadata) and metadata.value is None


def _arguments(instruction: Instruction) -> list[MetadataAsValue]:
    if not isinstance(instruction, CallBase):
        return []
    return [argument for argument in instruction.arguments if isinstance(argument, MetadataAsValue)]
