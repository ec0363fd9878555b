"""Positions of the metadata operands in the content of nodes, by the rows of `tables.debug_info`."""

from __future__ import annotations

from bitcodec.ir import debug_info
from bitcodec.ir.debug_info import DIAssignID
from bitcodec.ir.metadata import MDTuple
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_rows import FieldKind, Node

__all__ = ["OPERAND_LISTS", "OPERAND_PLACES"]

_METADATA_KINDS = {FieldKind.NODE, FieldKind.NODE_ID, FieldKind.TYPE, FieldKind.INTEGER, FieldKind.SIGNED_INTEGER}


def _places(row: Node, kinds: set[FieldKind]) -> tuple[int, ...]:
    """Return the places of the operands of these kinds, the last operand first."""
    ranked = [(field.operand, place) for place, field in enumerate(row.fields) if field.kind in kinds]
    return tuple(place for rank, place in sorted(ranked, reverse=True) if rank is not None)


OPERAND_PLACES: dict[type, tuple[int, ...]] = {
    MDTuple: (),
    DIAssignID: (),
    **{getattr(debug_info, row.name): _places(row, _METADATA_KINDS) for row in NODES},
}
"""By class of a numbered node: the places of its metadata operands, the last operand first.

The content of an `MDTuple` consists of operands alone.
"""
OPERAND_LISTS: dict[type, int] = {
    getattr(debug_info, row.name): place for row in NODES for place in _places(row, {FieldKind.NODES})
}
"""By class: the place of a tuple of further operands, for the classes that have one."""
