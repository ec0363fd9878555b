"""How the writer makes the older forms of debug-info nodes that `schema.node_versions` lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.node_versions import NODE_VERSIONS
from bitcodec.bitcode.writer.debug_info import NodeOperation, operand_program

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.tables.debug_info_rows import Node

__all__ = ["older_form"]

_Operand = tuple[int, int, Any]


def older_form(row: Node, version: int) -> tuple[_Operand, ...] | None:
    """Return the operands of the nodes of a class in the form of a version, None if that is the current form."""
    code = MetadataCode[row.record]
    versions = NODE_VERSIONS.get(code)
    form = next((form for form in versions.forms if version < form.until), None) if versions else None
    if form is None:
        return None
    places = {field.attribute: place for place, field in enumerate(row.fields)}
    bits = tuple((places[name], bit) for name, bit in form.flags)
    operands: list[_Operand] = [(NodeOperation.HEADER, 0, (form.header, bits))]
    for operand in form.operands:
        if isinstance(operand, int):
            operands.append((NodeOperation.ZERO, 0, None))
        elif isinstance(operand, str):
            operands.append(operand_program(code, row, places[operand]))
        else:
            name, make = operand
            operands.append((NodeOperation.COMPUTED, places[name], _made_by(make, places[name])))
    return tuple(operands)


def _made_by(make: Callable[[Any], int], place: int) -> Callable[[tuple[Any, ...]], int]:
    return lambda content: make(content[place])
