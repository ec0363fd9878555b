"""Text of debug-info nodes, by the rows of `tables.debug_info`.

For each class a function is written from its row when the first node of it is printed: a module has them by the
hundred thousand.  Rules: assembly text reference, section 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.names import escaped
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_expressions import is_signed_constant
from bitcodec.ir.debug_info import DIExpression, DIGenericSubrange, DINode
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode
from bitcodec.tables.debug_info_flags import DI_FLAG_FIELDS, DIFlag, DISPFlag, FixedPointKind
from bitcodec.tables.debug_info_rows import Kind, Printed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.metadata import Metadata
    from bitcodec.tables.debug_info_rows import Field
    from bitcodec.tables.names import Named

__all__ = ["NodePrinters"]


class NodePrinters(dict[type[MDNode], "Callable[[Any, Texts], str]"]):
    """By class of a debug-info node, what makes its text: whether it is distinct, its class and its fields."""

    def __missing__(self, node_class: type[MDNode]) -> Callable[[Any, Texts], str]:
        printer = self[node_class] = _written(node_class)
        return printer


# How a function gets at the text of a value `v`, by what the field holds.
_SHOWN = {
    Kind.NUMBER: "{v}",
    Kind.SIGNED: "{v}",
    Kind.WIDE: "{v}",
    Kind.BOOLEAN: "{'true' if v else 'false'}",
    Kind.NAMED: "{NAMES[v]}",
    Kind.FLAGS: "{NAMES[v]}",
    Kind.NUMBER_OR_NONE: "{v}",
    Kind.STRING: '"{escaped(v)}"',
    Kind.STRING_OR_NONE: '"{escaped(v)}"',
    Kind.NODE: "{refer[v]}",
    Kind.NODE_ID: "{refer[v]}",
    Kind.TYPE: "{refer[v]}",
    Kind.INTEGER: "{v if type(v) is int else refer[v]}",
    Kind.SIGNED_INTEGER: "{v if type(v) is int else refer[v]}",
    Kind.NODES: "{{{', '.join(map(refer.__getitem__, v))}}}",
}
_MAYBE_MISSING = {Kind.NODE, Kind.NODE_ID, Kind.TYPE}
"""Kinds whose values are empty if they are None, and only then."""
_CONVERTED = {Kind.INTEGER: "unsigned_number(v)", Kind.SIGNED_INTEGER: "signed_number(v)"}
"""What makes a number of what the field holds, if it is that of a constant."""

# When a function prints it.
_CONDITIONS = {
    Printed.UNLESS_EMPTY: "v",
    Printed.UNLESS_MISSING: "v is not None",
    Printed.UNLESS_DEFAULT: "v != {default}",
    Printed.ALWAYS: "",
    Printed.WITH_CHECKSUM: "node.checksum_kind",
    Printed.WITH_POINTER_AUTH: "signed",
    Printed.WITH_POINTER_AUTH_UNLESS_EMPTY: "signed and v",
    Printed.WITH_LANGUAGE: "not node.source_language_name",
    Printed.WITH_LANGUAGE_NAME: "node.source_language_name",
    Printed.WITH_LANGUAGE_NAME_UNLESS_EMPTY: "node.source_language_name and v",
    Printed.IF_VIRTUAL: "v or node.sp_flags & VIRTUAL",
    Printed.IF_RATIONAL: "node.kind == RATIONAL",
    Printed.UNLESS_RATIONAL_OR_EMPTY: "v and node.kind != RATIONAL",
}


def _written(node_class: type[MDNode]) -> Callable[[Any, Texts], str]:
    """Write the function that prints nodes of a class, one statement for each field."""
    assert issubclass(node_class, DINode), "a node that consists of fields"  # noqa: S101
    row = node_class.layout
    given: dict[str, Any] = {"escaped": escaped, "VIRTUAL": _VIRTUAL, "RATIONAL": FixedPointKind.Rational}
    given |= {"signed_number": _signed_number, "unsigned_number": _unsigned_number, "bound": _bound}
    lines = ["def printer(node, texts):", "    refer = texts.references"]
    signature = [
        field.attribute
        for field in row.fields
        if field.printed in {Printed.WITH_POINTER_AUTH, Printed.WITH_POINTER_AUTH_UNLESS_EMPTY}
    ]
    if signature:
        lines.append(f"    signed = {' or '.join(f'node.{name}' for name in signature)}")
    lines.append(f"    text = 'distinct !{row.name}(' if node.is_distinct else '!{row.name}('")
    # The comma in front of a field is wanted if any field stands before it; until one surely does, that is found out.
    comma = ""
    for number, field in enumerate(row.fields):
        if field.printed is not Printed.NEVER:
            lines += _statements(field, f"names{number}", comma, is_bound=node_class is DIGenericSubrange)
            given[f"names{number}"] = _Spellings(field)
            is_sure = field.printed is Printed.ALWAYS or comma == _COMMA
            comma = _COMMA if is_sure else "{'' if text[-1] == '(' else ', '}"
    lines.append("    return text + ')'")
    # All that the text is made of are rows of a table of our own.
    exec("\n".join(lines), given)  # noqa: S102
    printer: Callable[[Any, Texts], str] = given["printer"]
    return printer


_COMMA = ", "


def _statements(field: Field, names: str, comma: str, *, is_bound: bool) -> Iterator[str]:
    """Yield the lines that print a field, behind what makes the comma in front of it."""
    kind = field.kind
    yield f"    v = node.{field.attribute}"
    if kind in _CONVERTED:
        yield f"    if v.__class__ is not int: v = {_CONVERTED[kind]}"
    shown = _SHOWN[kind if field.names is None or kind is Kind.FLAGS else Kind.NAMED].replace("NAMES", names)
    if is_bound:
        shown = "{bound(v, refer)}"
    condition = _CONDITIONS[field.printed].format(default=_literal(field.default))
    if condition == "v" and kind in _MAYBE_MISSING:
        condition = "v is not None"
    indent = "    "
    if condition:
        yield f"    if {condition}:"
        indent += "    "
    yield f"{indent}text += f'''{comma}{field.name}: {shown}'''"


def _literal(default: object) -> str:
    """Return a default as code."""
    return repr(int(default) if isinstance(default, int) and not isinstance(default, bool) else default)


_VIRTUAL = DISPFlag.Virtual | DISPFlag.PureVirtual


class _Spellings(dict[int, str]):
    """The spellings of a field's numbers."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field

    def __missing__(self, number: int) -> str:
        names = self._field.names
        assert names is not None, "a field whose numbers have names"  # noqa: S101
        is_set = self._field.kind is Kind.FLAGS
        text = self[number] = " | ".join(_flags(number, names)) or "0" if is_set else names.spelling_of(number)
        return text


def _flags(flags: int, names: type[Named]) -> Iterator[str]:
    """Yield the names of bits, those first that are named together, and as a number what has no name."""
    for field in DI_FLAG_FIELDS if names is DIFlag else ():
        found = flags & field
        # Two bits that have a name together only are told apart from two that are a number.
        if found and (field in _ENUMERATED or found == field):
            yield names.spelling_of(found)
            flags &= ~found
    for bit in range(flags.bit_length()):
        flag = 1 << bit
        if flags & flag and flag in names.spellings:
            yield names.spelling_of(flag)
            flags &= ~flag
    if flags:
        yield str(flags)


_ENUMERATED = {field for field in DI_FLAG_FIELDS if field != DIFlag.IndirectVirtualBase}


def _bound(metadata: Metadata | None, references: Mapping[Any, str]) -> str:
    if isinstance(metadata, DIExpression) and is_signed_constant(metadata.elements):
        number = metadata.elements[1]
        return str(number - (1 << 64) if number >> 63 else number)
    return references[metadata]


def _unsigned_number(metadata: Metadata | None) -> Metadata | int | None:
    """Return the number of a constant, whatever its width."""
    constant = metadata.value if isinstance(metadata, ConstantAsMetadata) else None
    return constant.unsigned if isinstance(constant, ConstantInt) else metadata


def _signed_number(metadata: Metadata | None) -> Metadata | int | None:
    constant = metadata.value if isinstance(metadata, ConstantAsMetadata) else None
    return constant.signed if isinstance(constant, ConstantInt) else metadata
