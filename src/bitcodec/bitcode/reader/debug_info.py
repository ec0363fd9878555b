"""From records of debug information to nodes, by the layouts of `schema.metadata`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.upgrade.debug_info_records import Number
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.metadata import ConstantAsMetadata

if TYPE_CHECKING:
    from bitcodec.bitcode.schema.metadata import Layout
    from bitcodec.ir.debug_info import DINode
    from bitcodec.ir.metadata import Metadata

__all__ = ["Made", "completed", "fill", "references"]

_SIGN = 1 << 31


class Made(Protocol):
    """Where a record finds what it refers to."""

    def get(self, metadata_id: int, /) -> Metadata:
        """Return metadata that has been made already."""

    def string(self, metadata_id: int, /) -> str:
        """Return the text of a string."""


def completed(layout: Layout, operands: list[int]) -> list[int]:
    """Return the operands of a record in LLVM 22's order with those added that it lacks.

    Raises:
        Malformed: it lacks some that it must have.
    """
    missing = layout.missing
    if len(operands) < len(missing):
        if len(operands) < layout.shortest:
            raise Malformed("has too few operands")
        operands += missing[len(operands) :]
    return operands


def references(layout: Layout, operands: list[int]) -> list[int]:
    """Return the metadata ids that a record refers to, those of names left out."""
    found = [raw - 1 for position in layout.references if (raw := operands[position]) and type(raw) is int]
    found += [operands[position] for _, position in layout.node_ids]
    if layout.rest:
        found += [raw - 1 for raw in operands[layout.rest[0] :] if raw]
    return found


def fill(node: DINode, layout: Layout, operands: list[int], made: Made) -> None:
    """Set the fields of a node; all that its record refers to has been made."""
    get, string = made.get, made.string
    for name, position in layout.numbers:
        setattr(node, name, operands[position])
    for name, position in layout.nodes:
        raw = operands[position]
        setattr(node, name, get(raw - 1) if raw else None)
    for name, position in layout.strings:
        raw = operands[position]
        setattr(node, name, string(raw - 1) if raw else "")
    for name, position in layout.unsigned_integers:
        raw = operands[position]
        setattr(node, name, int(raw) if type(raw) is Number else get_integer(raw, made, is_signed=False))
    for name, position in layout.booleans:
        setattr(node, name, operands[position] != 0)
    _fill_rare(node, layout, operands, made)


def _fill_rare(node: DINode, layout: Layout, operands: list[int], made: Made) -> None:
    """Set the fields of kinds that few nodes have."""
    values: dict[str, Any] = {}
    for name, position, shift, mask, is_boolean in layout.bits:
        part = operands[position] >> shift & mask
        values[name] = part != 0 if is_boolean else part
    for name, position, absent, bias in layout.optional_numbers:
        values[name] = None if operands[position] == absent else operands[position] + bias
    for name, position in layout.node_ids:
        values[name] = made.get(operands[position])
    for name, position in layout.optional_strings:
        values[name] = made.string(operands[position] - 1) if operands[position] else None
    for name, position in layout.signed_integers:
        raw = operands[position]
        values[name] = int(raw) if type(raw) is Number else get_integer(raw, made, is_signed=True)
    for name, position in layout.signed:
        values[name] = ((operands[position] + _SIGN) & (2 * _SIGN - 1)) - _SIGN
    if layout.rest:
        position, name = layout.rest
        values[name] = tuple(made.get(raw - 1) if raw else None for raw in operands[position:])
    for name, value in values.items():
        setattr(node, name, value)


def get_integer(raw: int, made: Made, *, is_signed: bool) -> int | Metadata | None:
    """Return the number of a constant `i64`, other metadata as it is."""
    if not raw:
        return None
    metadata = made.get(raw - 1)
    if isinstance(metadata, ConstantAsMetadata):
        value = metadata.value
        if isinstance(value, ConstantInt) and value.type.bit_width == 64:
            return value.signed if is_signed else value.unsigned
    return metadata
