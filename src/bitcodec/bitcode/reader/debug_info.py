"""Converts records of debug information to the content of nodes, by the layouts of `schema.metadata`."""

from __future__ import annotations

from array import array
from functools import cache
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import require_operands
from bitcodec.bitcode.reader.node_reader import DebugInfoForm, ReadStep
from bitcodec.bitcode.reader.old_node_records import upgrade_of
from bitcodec.bitcode.schema.metadata import RECORD_LENGTHS, layout_of
from bitcodec.ir.debug_info import DIGlobalVariableExpression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.schema.metadata import Layout

__all__ = ["completed", "form_of"]


def completed(layout: Layout, operands: list[int]) -> list[int]:
    """Return the operands of a record in LLVM 22's order with those added that it lacks.

    Raises:
        Malformed: it lacks some that it must have.
    """
    missing = layout.missing
    if len(operands) < len(missing):
        require_operands(operands, layout.shortest)
        operands += missing[len(operands) :]
    return operands


@cache
def form_of(code: int) -> DebugInfoForm:
    """Return how nodes are made from the records of a code, their operands in LLVM 22's order and complete.

    Raises:
        KeyError: it is not a code of debug information.
    """
    layout = layout_of(code)
    places = {name: place for place, name in enumerate(layout.node.__match_args__)}
    steps = sorted((places[name], step) for name, step in _steps(layout))
    return DebugInfoForm(
        layout.node,
        layout.distinct,
        len(layout.missing),
        RECORD_LENGTHS.get(code),
        upgrade_of(code),
        layout.references,
        tuple(position for _, position in layout.node_ids),
        layout.rest[0] if layout.rest else -1,
        array("Q", [cell for _, step in steps for cell in step]),
    )


_UNSIGNED = (1 << 64) - 1


def _steps(layout: Layout) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    """Yield the attribute of each field, and how it is made."""
    for step, fields in (
        (ReadStep.ANY, layout.wide_numbers),
        (ReadStep.COLUMN, layout.columns),
        (ReadStep.BOOLEAN, layout.booleans),
        (ReadStep.SIGNED, layout.signed),
        (ReadStep.NODE, layout.nodes),
        (ReadStep.ID, layout.node_ids),
        (ReadStep.STRING, layout.strings),
        (ReadStep.OPTIONAL_STRING, layout.optional_strings),
        (ReadStep.UNSIGNED_INTEGER, layout.unsigned_integers),
        (ReadStep.SIGNED_INTEGER, layout.signed_integers),
    ):
        for name, position in fields:
            is_expression = layout.node is DIGlobalVariableExpression and name == "expression"
            yield name, (ReadStep.EXPRESSION if is_expression else step, position, 0, 0)
    for name, position in layout.numbers:
        yield name, (ReadStep.NUMBER, position, (1 << layout.widths[name]) - 1, 0)
    for name, position, shift, mask, is_boolean in layout.bits:
        yield name, (ReadStep.FLAG if is_boolean else ReadStep.BITS, position, shift, mask)
    for name, position, absent, bias in layout.optional_numbers:
        yield name, (ReadStep.OPTIONAL_NUMBER, position, absent, bias & _UNSIGNED)
    if layout.rest:
        position, name = layout.rest
        yield name, (ReadStep.REST, position, 0, 0)
