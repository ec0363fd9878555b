"""Aliasing tags as before LLVM 3.3, which named a type alone.  Rules: docs/reference/upgrades.md, 10.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDNode, MDTuple

if TYPE_CHECKING:
    from bitcodec.ir.context import Context

__all__ = ["upgraded_tbaa"]


def upgraded_tbaa(tag: MDNode, context: Context) -> MDNode:
    """Return the upgraded node for an attached `tbaa`: itself, if it names base and access type already."""
    if not isinstance(tag, MDTuple):
        return tag
    operands = tag.operands
    if not operands or (isinstance(operands[0], MDNode) and len(operands) >= 3):
        return tag
    metadata = context.metadata
    zero = metadata.value(context.constants.integer(context.types.integer(64), 0))
    if len(operands) == 3:
        scalar = metadata.tuple(operands[:2])
        return metadata.tuple([scalar, scalar, zero, operands[2]])
    return metadata.tuple([tag, tag, zero])
