"""How debug-info nodes become text, by the rows of `tables.debug_info`; the loop that prints them is in `nodes`.

Rules: docs/reference/text.md, 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.names import escaped
from bitcodec.ir.debug_expressions import is_signed_constant
from bitcodec.ir.debug_info import DIExpression, DINode
from bitcodec.ir.decimals import decimal_text
from bitcodec.ir.metadata import constant_integer
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info_flags import DISPFlag, FixedPointKind, flag_names
from bitcodec.tables.debug_info_rows import Bound, FieldKind, Printed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.metadata import ReferenceTexts
    from bitcodec.ir.metadata import MDNode, Metadata
    from bitcodec.tables.debug_info_rows import Node, NodeField

__all__ = ["SEPARATOR", "NodePrintPrograms", "PrintWhen", "PrintedField", "ValueShape"]


class PrintWhen:
    """When a field of a node is printed."""

    UNLESS_EMPTY = 0
    """If its value is true."""
    UNLESS_MISSING = 1
    """If its value is not None."""
    ALWAYS = 2
    IF_FOUND = 3
    """If `PrintedField.detail` finds a value."""


class ValueShape:
    """Kind of the text of a field's value."""

    REFERENCE = 0
    """The reference to metadata."""
    NUMBER = 1
    STRING = 2
    """A string in quotes."""
    KNOWN = 3
    """An entry of `PrintedField.detail`, by the value."""
    MADE = 4
    """The result of `PrintedField.detail`, called with the value and the references."""


SEPARATOR = ", "
"""Between fields."""


class PrintedField(NamedTuple):
    """A step of a program: a field that is printed.

    Attributes:
        place: its place in the content of the node.
        label: the separator from the field before, its name, a colon and a space.
        when: a number of `PrintWhen`.
        shape: a number of `ValueShape`.
        detail: with `PrintWhen.IF_FOUND`, takes the content of a node and the references, and returns the text of the
            value, None if the field is not printed; else see `ValueShape`.
    """

    place: int
    label: str
    when: int
    shape: int
    detail: Any = None


class NodePrintPrograms(dict["type[MDNode]", "tuple[str, tuple[Any, ...]]"]):
    """By class of a debug-info node: the text before its fields, and the fields that are printed, in order."""

    def __missing__(self, node_class: type[MDNode]) -> tuple[str, tuple[Any, ...]]:
        assert issubclass(node_class, DINode), "a node that consists of fields"  # noqa: S101
        row = node_class.layout
        fields = [
            _printed(row, place)
            for place, field in enumerate(row.fields)
            if field.printed not in (Printed.NEVER, Printed.DERIVED)
        ]
        # Plain tuples are unpacked faster.
        program = self[node_class] = f"!{row.name}(", tuple(map(tuple, fields))
        return program


_MAYBE_MISSING = {FieldKind.NODE, FieldKind.NODE_ID, FieldKind.TYPE}
"""Kinds whose values are empty if they are None, and only then."""
_STRINGS = {FieldKind.STRING, FieldKind.STRING_OR_NONE}
_PLAIN_NUMBERS = {FieldKind.NUMBER, FieldKind.COLUMN, FieldKind.SIGNED, FieldKind.NUMBER_OR_NONE}
_BOOLEANS = {False: "false", True: "true"}


def _printed(row: Node, place: int) -> PrintedField:
    """Return how a field is printed."""
    field = row.fields[place]
    label = f"{SEPARATOR}{field.name}: "
    shape, detail = (ValueShape.MADE, _bound) if field.bound is Bound.EXPRESSION else _shape(field)
    if field.kind in _CONVERTED:
        find = _converted(place, _CONVERTED[field.kind], may_be_empty=field.printed is Printed.UNLESS_MISSING)
    elif field.printed in _FINDERS:
        find = _FINDERS[field.printed](row, place)
    else:
        return PrintedField(place, label, _when(field), shape, detail)
    return PrintedField(place, label, PrintWhen.IF_FOUND, ValueShape.MADE, _found(find, shape, detail))


def _shape(field: NodeField) -> tuple[int, Any]:
    """Return the shape of the text of a field's values, and its detail."""
    kind = field.kind
    if field.names is not None:
        return ValueShape.KNOWN, _Spellings(field)
    if kind is FieldKind.BOOLEAN:
        return ValueShape.KNOWN, _BOOLEANS
    if kind in _MAYBE_MISSING:
        return ValueShape.REFERENCE, None
    if kind in _PLAIN_NUMBERS:
        return ValueShape.NUMBER, None
    return (ValueShape.STRING, None) if kind in _STRINGS else (ValueShape.MADE, _MADE[kind])


def _when(field: NodeField) -> int:
    if field.printed is Printed.ALWAYS:
        return PrintWhen.ALWAYS
    is_missing_if_empty = field.printed is Printed.UNLESS_MISSING or field.kind in _MAYBE_MISSING
    return PrintWhen.UNLESS_MISSING if is_missing_if_empty else PrintWhen.UNLESS_EMPTY


def _found(find: Callable[[tuple[Any, ...]], Any], shape: int, detail: Any) -> Callable[[tuple[Any, ...], Any], Any]:
    """Return a function that makes the text of a value if it is found."""

    def made(content: tuple[Any, ...], references: ReferenceTexts) -> str | None:
        value = find(content)
        if value is None:
            return None
        match shape:
            case ValueShape.KNOWN:
                return str(detail[value])
            case ValueShape.MADE:
                return str(detail(value, references))
            case ValueShape.STRING:
                return f'"{escaped(value)}"'
            case ValueShape.REFERENCE:
                return references[value]
        return f"{value}"

    return made


def _converted(
    place: int, convert: Callable[[Metadata | None], Any], *, may_be_empty: bool
) -> Callable[[tuple[Any, ...]], Any]:
    """Return a function that finds the number of a constant, unless it is zero, or else metadata."""

    def find(content: tuple[Any, ...]) -> Any:
        value = content[place]
        if type(value) is not int:
            value = convert(value)
        return value if may_be_empty or value else None

    return find


def _unless_default(row: Node, place: int) -> Callable[[tuple[Any, ...]], Any]:
    default = row.fields[place].default
    return lambda content: content[place] if content[place] != default else None


def _with_any(row: Node, place: int, kinds: set[Printed]) -> Callable[[tuple[Any, ...]], Any]:
    """Return a function that finds a value if one of the fields of these kinds is not empty."""
    others = [other for other, field in enumerate(row.fields) if field.printed in kinds]
    return lambda content: content[place] if any(content[other] for other in others) else None


def _with_signature(row: Node, place: int) -> Callable[[tuple[Any, ...]], Any]:
    return _with_any(row, place, {Printed.WITH_POINTER_AUTH, Printed.WITH_POINTER_AUTH_UNLESS_EMPTY})


def _if_other(
    name: str, holds: Callable[[Any, Any], object]
) -> Callable[[Node, int], Callable[[tuple[Any, ...]], Any]]:
    """Return a factory of finders: of a value, if a condition holds for it and for the field of a name."""

    def finder(row: Node, place: int) -> Callable[[tuple[Any, ...]], Any]:
        other = [field.attribute for field in row.fields].index(name)
        return lambda content: content[place] if holds(content[place], content[other]) else None

    return finder


_VIRTUAL = DISPFlag.Virtual | DISPFlag.PureVirtual
_FINDERS: dict[Printed, Callable[[Node, int], Callable[[tuple[Any, ...]], Any]]] = {
    Printed.UNLESS_DEFAULT: _unless_default,
    Printed.WITH_CHECKSUM: _if_other("checksum_kind", lambda _, checksum: checksum),
    Printed.WITH_POINTER_AUTH: _with_signature,
    Printed.WITH_LANGUAGE: _if_other("source_language_name", lambda _, language: language is None),
    Printed.WITH_LANGUAGE_NAME: _if_other("source_language_name", lambda _, language: language is not None),
    Printed.WITH_LANGUAGE_NAME_UNLESS_EMPTY: _if_other(
        "source_language_name", lambda version, language: version and language is not None
    ),
    Printed.IF_VIRTUAL: _if_other("sp_flags", lambda index, flags: index or flags & _VIRTUAL),
    Printed.IF_RATIONAL: _if_other("kind", lambda _, kind: kind == FixedPointKind.Rational),
    Printed.UNLESS_RATIONAL_OR_EMPTY: _if_other("kind", lambda value, kind: value and kind != FixedPointKind.Rational),
}
"""Finders of the value of a field that is printed under a condition."""


class _Spellings(dict[int, str]):
    """The spellings of a field's numbers."""

    def __init__(self, field: NodeField) -> None:
        super().__init__()
        self._field = field

    def __missing__(self, number: int) -> str:
        names = self._field.names
        assert names is not None, "a field whose numbers have names"  # noqa: S101
        is_set = self._field.kind is FieldKind.FLAGS
        text = self[number] = " | ".join(flag_names(number, names)) or "0" if is_set else names.spelling_of(number)
        return text


def _bound(metadata: Metadata | None, references: ReferenceTexts) -> str:
    if isinstance(metadata, DIExpression) and is_signed_constant(metadata.elements):
        number = metadata.elements[1]
        return str(number - (1 << 64) if number >> 63 else number)
    return references[metadata]


def _number_or_reference(value: Metadata | int | None, references: ReferenceTexts) -> str:
    return decimal_text(value) if isinstance(value, int) else references[value]


def _listed(nodes: tuple[Metadata | None, ...], references: ReferenceTexts) -> str:
    return f"{{{references.texts.limit.join(references[node] for node in nodes)}}}"


def _wide(number: int, _references: ReferenceTexts) -> str:
    return decimal_text(number)


_MADE: dict[FieldKind, Callable[[Any, ReferenceTexts], str]] = {
    FieldKind.WIDE: _wide,
    FieldKind.INTEGER: _number_or_reference,
    FieldKind.SIGNED_INTEGER: _number_or_reference,
    FieldKind.NODES: _listed,
}
"""By kind of a field: makers of its text, if that takes more than one step."""


def _unsigned_number(metadata: Metadata | None) -> Metadata | int | None:
    """Return the number of a constant, whatever its width."""
    constant = constant_integer(metadata)
    return metadata if constant is None else constant.unsigned


def _signed_number(metadata: Metadata | None) -> Metadata | int | None:
    constant = constant_integer(metadata)
    return metadata if constant is None else constant.signed


_CONVERTED: dict[FieldKind, Callable[[Metadata | None], Any]] = {
    FieldKind.INTEGER: _unsigned_number,
    FieldKind.SIGNED_INTEGER: _signed_number,
}
"""Functions that convert the metadata of a field to the number of a constant, if it is one."""
