"""Names of hints on loops, as up to LLVM 3.4.  Rules: docs/reference/upgrades.md, 10.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDString, MDTuple

if TYPE_CHECKING:
    from bitcodec.ir.metadata import MDNode, Metadata, MetadataTable

__all__ = ["is_old_loop_tag", "upgraded_loop"]

_PREFIX = "llvm.vectorizer."
_RENAMED = {"llvm.vectorizer.unroll": "llvm.loop.interleave.count"}


def is_old_loop_tag(text: str) -> bool:
    """Return whether a string names a hint in the old way."""
    return text.startswith(_PREFIX)


def upgraded_loop(loop: MDNode, table: MetadataTable) -> MDNode:
    """Return the upgraded node for an attached `llvm.loop`: itself, if no hint in it has an old name."""
    if not isinstance(loop, MDTuple) or not any(_is_old_hint(operand) for operand in loop):
        return loop
    # As in LLVM the new node is not distinct, and keeps the old one as its first element where that is itself.
    return table.tuple(_upgraded_hint(operand, table) for operand in loop)


def _is_old_hint(operand: Metadata | None) -> bool:
    return isinstance(operand, MDTuple) and len(operand) > 0 and _old_name(operand) is not None


def _old_name(hint: MDTuple) -> str | None:
    name = hint[0]
    return name.text if isinstance(name, MDString) and is_old_loop_tag(name.text) else None


def _upgraded_hint(operand: Metadata | None, table: MetadataTable) -> Metadata | None:
    if not isinstance(operand, MDTuple) or not len(operand):
        return operand
    name = _old_name(operand)
    if name is None:
        return operand
    new_name = _RENAMED.get(name, f"llvm.loop.vectorize.{name.removeprefix(_PREFIX)}")
    return table.tuple([table.string(new_name), *operand.operands[1:]])
