"""Places of fields in the records of instructions, from the layouts by which the reader reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.fields import WordKind
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.bitcode.schema.blocks import FunctionCode

__all__ = ["after_value", "place_of"]

_FORWARD = 1 << 31
"""The least relative number, in 32 bits, of a value that is defined later; its type follows it."""

_ONE_OPERAND = {
    WordKind.TYPED_VALUE,
    WordKind.TYPE,
    WordKind.NUMBER,
    WordKind.ALIGNMENT,
    WordKind.ATTRIBUTES,
    WordKind.ORDERING,
    WordKind.SCOPE,
    WordKind.ABSOLUTE,
}


def after_value(operands: Sequence[int], place: int = 0) -> int:
    """Return the place behind a value, whose type follows it if the value is defined later."""
    if place >= len(operands):
        return len(operands)
    value = operands[place]
    return place + 2 if not value or value >= _FORWARD else place + 1


def place_of(code: FunctionCode, name: str) -> Callable[[Sequence[int]], int]:
    """Return a function that returns the place of a field among the operands of a record, which may end before it.

    Args:
        code: of the record.
        name: of a field behind others that are values or take one operand; a type that old files leave out is there.
    """
    values = others = 0
    for field in INSTRUCTION_LAYOUTS[code]:
        if field.name == name:
            break
        if field.kind is WordKind.VALUE and not others:
            values += 1
        elif field.kind in _ONE_OPERAND:
            others += 1
        else:
            raise AssertionError(f"the place of {name} in {code.name} depends on more than values")

    def place(operands: Sequence[int]) -> int:
        at = 0
        for _ in range(values):
            at = after_value(operands, at)
        return at + others

    return place
