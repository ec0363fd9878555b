"""Lines of text for debug-info nodes, what they refer to left out: enough to compare with llvm-dis."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import DIAssignID, DIExpression, DINode
from bitcodec.ir.metadata import MDString, MDTuple, Metadata, ValueAsMetadata
from bitcodec.tables.debug_info_flags import DI_FLAG_FIELDS, DIFlag, DISPFlag, FixedPointKind
from bitcodec.tables.debug_info_rows import FieldKind, Printed
from bitcodec.tables.dwarf import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.tables.debug_info_rows import NodeField

_LINE = re.compile(r"^!\d+ = ((?:distinct )?!(?:DI|GenericDI)\w+\(.*)$", re.MULTILINE)
_TUPLE = re.compile(r"^!\d+ = ((?:distinct )?!\{.*\})$", re.MULTILINE)
_ELEMENT = re.compile(r'\s*((?:"[^"]*"|\([^)]*\)|<[^>]*>|[^,"(<])+)(?:,|$)')
_INTEGER = re.compile(r"i\d+ -?\d+")
_REFERENCE = re.compile(r"!\d+\b")
_VALUE = re.compile(r': ptr @("[^"]*"|[\w.$]+)')
_CONSTS = 0x11


def golden_lines(text: str) -> list[str]:
    """Return the debug-info nodes of a text of llvm-dis, references without their numbers."""
    return [_VALUE.sub(": VALUE", _REFERENCE.sub("!", line)) for line in _LINE.findall(text)]


def golden_tuples(text: str) -> list[str]:
    """Return the tuples of a text of llvm-dis, references and all values but integers left out."""
    return [_tuple(line.startswith("distinct"), _elements(line)) for line in _TUPLE.findall(text)]


def _elements(line: str) -> list[str]:
    return [_without_value(_REFERENCE.sub("!", part)) for part in _ELEMENT.findall(line[line.index("{") + 1 : -1])]


def _without_value(element: str) -> str:
    element = element.replace("i1 true", "i1 1").replace("i1 false", "i1 0")
    return element if element == "null" or element.startswith("!") or _INTEGER.fullmatch(element) else "VALUE"


def _tuple(is_distinct: bool, elements: list[str]) -> str:
    return f"{'distinct ' * is_distinct}!{{{', '.join(elements)}}}"


def tuple_line(node: MDTuple) -> str:
    """Return the text of a tuple."""
    return _tuple(node.is_distinct, [_reference(operand) for operand in node])


def line(node: Metadata) -> str:
    """Return the text of a node."""
    if isinstance(node, DIAssignID):
        return "distinct !DIAssignID()"
    assert isinstance(node, DINode)
    fields = [f"{field.name}: {_value(field, node)}" for field in node.layout.fields if _is_printed(field, node)]
    return f"{'distinct ' * node.is_distinct}!{node.layout.name}({', '.join(fields)})"


def _is_printed(field: NodeField, node: Any) -> bool:
    value = getattr(node, field.attribute)
    return bool(_RULES[field.printed](node, value, field))


def _has_pointer_auth(node: Any) -> bool:
    return any(getattr(node, name) for name in node.defaults if name.startswith("ptr_auth"))


def _is_filled(value: object) -> bool:
    return value not in (0, None, "", ())


_RULES: dict[Printed, Callable[[Any, Any, NodeField], object]] = {
    Printed.UNLESS_EMPTY: lambda _, value, __: _is_filled(value),
    Printed.UNLESS_MISSING: lambda _, value, __: value is not None,
    Printed.UNLESS_DEFAULT: lambda _, value, field: value != field.default,
    Printed.ALWAYS: lambda *_: True,
    Printed.NEVER: lambda *_: False,
    Printed.DERIVED: lambda *_: False,
    Printed.WITH_CHECKSUM: lambda node, *_: node.checksum_kind,
    Printed.WITH_POINTER_AUTH: lambda node, *_: _has_pointer_auth(node),
    Printed.WITH_POINTER_AUTH_UNLESS_EMPTY: lambda node, value, _: _has_pointer_auth(node) and _is_filled(value),
    Printed.WITH_LANGUAGE: lambda node, *_: not node.source_language_name,
    Printed.WITH_LANGUAGE_NAME: lambda node, *_: node.source_language_name,
    Printed.WITH_LANGUAGE_NAME_UNLESS_EMPTY: lambda node, value, _: node.source_language_name and _is_filled(value),
    Printed.IF_VIRTUAL: lambda node, value, _: value or node.sp_flags & 3,
    Printed.IF_RATIONAL: lambda node, *_: node.kind == FixedPointKind.Rational,
    Printed.UNLESS_RATIONAL_OR_EMPTY: lambda node, value, _: node.kind != FixedPointKind.Rational and value,
}


def _value(field: NodeField, node: Any) -> str:
    value = getattr(node, field.attribute)
    match field.kind:
        case FieldKind.STRING | FieldKind.STRING_OR_NONE:
            return _quoted(value)
        case FieldKind.BOOLEAN:
            return str(value).lower()
        case FieldKind.FLAGS:
            return _flags(field, value)
        case FieldKind.NODES:
            return "{" + ", ".join(map(_reference, value)) + "}"
    if isinstance(value, Metadata) or value is None:
        if field.kind in (FieldKind.INTEGER, FieldKind.SIGNED_INTEGER) and isinstance(value, ValueAsMetadata):
            return str(value.value.value) if isinstance(value.value, ConstantInt) else _reference(value)
        if (
            node.layout.name == "DIGenericSubrange"
            and isinstance(value, DIExpression)
            and value.elements[:1] == (_CONSTS,)
        ):
            return str(value.elements[1] - (value.elements[1] >> 63 << 64))
        return _reference(value)
    return field.names.spelling_of(value) if field.names else str(value)


def _quoted(text: str) -> str:
    data = text.encode("utf-8", "surrogateescape")
    return '"' + "".join(map(_character, data)) + '"'


def _character(byte: int) -> str:
    if byte == ord("\\"):
        return "\\\\"
    return chr(byte) if 32 <= byte < 127 and byte != ord('"') else f"\\{byte:02X}"


def _flags(field: NodeField, value: int) -> str:
    names = []
    if field.names is DIFlag:
        for mask in DI_FLAG_FIELDS[:2]:
            if value & mask:
                names.append(DIFlag.spelling_of(value & mask))
                value &= ~mask
        if value & DI_FLAG_FIELDS[2] == DI_FLAG_FIELDS[2]:
            names.append(DIFlag.spelling_of(DIFlag.IndirectVirtualBase))
            value &= ~DI_FLAG_FIELDS[2]
    flags = field.names or DISPFlag
    for flag, spelling in flags.spellings.items():
        if value & flag and flag.bit_count() == 1:
            names.append(spelling)
            value &= ~flag
    return " | ".join([*names, str(value)] if value or not names else names)


def _reference(metadata: Metadata | None) -> str:
    if metadata is None:
        return "null"
    if isinstance(metadata, MDString):
        return "!" + _quoted(metadata.text)
    if isinstance(metadata, DIExpression):
        return expression(metadata)
    if isinstance(metadata, ValueAsMetadata):
        value = metadata.value
        return f"{value.type} {value.value}" if isinstance(value, ConstantInt) else "VALUE"
    return "!"


def expression(node: DIExpression) -> str:
    """Return the text of a valid expression."""
    parts = []
    for operator, *arguments in node.operations:
        if operator not in OPERATORS:
            return f"!DIExpression({', '.join(map(str, node.elements))})"
        parts += [f"DW_OP_{OPERATORS[operator].name}", *map(str, arguments)]
    return f"!DIExpression({', '.join(parts)})"
