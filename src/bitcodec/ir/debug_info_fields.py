"""Fields of debug-info nodes: which values they accept, and how `repr` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.assignments import convert_boolean, refuse
from bitcodec.ir.metadata import Metadata
from bitcodec.tables.debug_info_flags import flag_names
from bitcodec.tables.debug_info_rows import FieldKind

if TYPE_CHECKING:
    from bitcodec.tables.debug_info_rows import NodeField
    from bitcodec.tables.names import Named

__all__ = ["convert_field", "field_text"]

_WORD = 1 << 64
_OPTIONAL = {FieldKind.NUMBER_OR_NONE, FieldKind.STRING_OR_NONE, FieldKind.NODE, FieldKind.NODE_ID, FieldKind.TYPE}
_OPTIONAL |= {FieldKind.INTEGER, FieldKind.SIGNED_INTEGER}
_UNSIGNED = {FieldKind.NUMBER, FieldKind.COLUMN, FieldKind.NUMBER_OR_NONE, FieldKind.NAMED, FieldKind.FLAGS}
_SIGNED = {FieldKind.SIGNED, FieldKind.WIDE, FieldKind.INTEGER, FieldKind.SIGNED_INTEGER}
_STRINGS = {FieldKind.STRING, FieldKind.STRING_OR_NONE, FieldKind.TYPE}
_NODES = {FieldKind.NODE, FieldKind.NODE_ID, FieldKind.TYPE, FieldKind.INTEGER, FieldKind.SIGNED_INTEGER}


def convert_field(field: NodeField, value: object) -> object:
    """Return the value to assign to a field: numbers may be given by their names.

    Raises:
        TypeError: the field does not hold values of this class.
        ValueError: the number is out of range, or has no such name.
    """
    kind, name = field.kind, field.attribute
    if value is None and kind in _OPTIONAL:
        return None
    if kind is FieldKind.BOOLEAN:
        return convert_boolean(name, value)
    if kind is FieldKind.NODES:
        if isinstance(value, tuple | list) and all(isinstance(node, Metadata | None) for node in value):
            return tuple(value)
        raise refuse(name, "a tuple of metadata", value)
    if isinstance(value, str) and field.names is not None:
        return _number(field, field.names, value)
    if (kind in _STRINGS and isinstance(value, str)) or (kind in _NODES and isinstance(value, Metadata)):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and kind in _UNSIGNED | _SIGNED:
        if kind in _UNSIGNED and not 0 <= value < _WORD:
            raise refuse(name, "a number from 0 to 2**64 - 1", value, is_known_kind=True)
        return value
    raise refuse(name, _wanted(field), value)


def field_text(field: NodeField, value: object) -> str:
    """Return how `repr` shows the value of a field: numbers that have names by their names."""
    if field.names is None or not isinstance(value, int):
        return repr(value)
    if field.kind is FieldKind.FLAGS:
        return " | ".join(flag_names(value, field.names)) or "0"
    return field.names.spelling_of(value)


def _number(field: NodeField, names: type[Named], text: str) -> int:
    """Return the number of a name, or of names joined by `|`; the prefix of names may be left out."""
    numbers = {spelling: number for number, spelling in names.spellings.items()}
    found = 0
    for word in text.split("|") if field.kind is FieldKind.FLAGS else [text]:
        number = numbers.get(word.strip(), numbers.get(names.prefix + word.strip()))
        if number is None:
            known = ", ".join(map(repr, numbers))
            raise refuse(field.attribute, f"a number, or one of {known}", text, is_known_kind=True)
        found |= number
    return found


def _wanted(field: NodeField) -> str:
    kind = field.kind
    kinds = [
        *["an integer"] * (kind in _UNSIGNED | _SIGNED),
        *["a name"] * (field.names is not None),
        *["a string"] * (kind in _STRINGS),
        *["metadata"] * (kind in _NODES),
        *["None"] * (kind in _OPTIONAL),
    ]
    return " or ".join(kinds)
