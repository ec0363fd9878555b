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
from bitcodec.ir.decimals import decimal_text
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode
from bitcodec.tables.debug_info_flags import DI_FLAG_FIELDS, DIFlag, DISPFlag, FixedPointKind
from bitcodec.tables.debug_info_rows import Kind, Printed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bitcodec.asm.metadata import References
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


# What a function makes of the value `VALUE` of a field, by what the field holds.
_SHOWN = {
    Kind.NUMBER: "{VALUE}",
    Kind.COLUMN: "{VALUE}",
    Kind.SIGNED: "{VALUE}",
    Kind.WIDE: "{decimal(VALUE)}",
    Kind.BOOLEAN: "{BOOLEANS[VALUE]}",
    Kind.NUMBER_OR_NONE: "{VALUE}",
    Kind.STRING: '"{escaped(VALUE)}"',
    Kind.STRING_OR_NONE: '"{escaped(VALUE)}"',
    Kind.NODE: "{refer[VALUE]}",
    Kind.NODE_ID: "{refer[VALUE]}",
    Kind.TYPE: "{refer[VALUE]}",
    Kind.INTEGER: "{decimal(VALUE) if type(VALUE) is int else refer[VALUE]}",
    Kind.SIGNED_INTEGER: "{decimal(VALUE) if type(VALUE) is int else refer[VALUE]}",
    Kind.NODES: "{{{listed(VALUE, refer)}}}",
}
_NUMBERED = "{SPELLINGS[VALUE]}"
"""What it makes of a number that has a name, or of flags."""
_BOUND = "{bound(VALUE, refer)}"
_MAYBE_MISSING = {Kind.NODE, Kind.NODE_ID, Kind.TYPE}
"""Kinds whose values are empty if they are None, and only then."""
_CONVERTED = {Kind.INTEGER: "unsigned_number({})", Kind.SIGNED_INTEGER: "signed_number({})"}
"""What makes a number of what the field holds, if it is that of a constant."""

# When a function prints a field of the value `VALUE`.
_CONDITIONS = {
    Printed.UNLESS_EMPTY: "VALUE",
    Printed.UNLESS_MISSING: "VALUE is not None",
    Printed.UNLESS_DEFAULT: "VALUE != DEFAULT",
    Printed.ALWAYS: "",
    Printed.WITH_CHECKSUM: "f_checksum_kind",
    Printed.WITH_POINTER_AUTH: "signed",
    Printed.WITH_POINTER_AUTH_UNLESS_EMPTY: "signed and VALUE",
    Printed.WITH_LANGUAGE: "not f_source_language_name",
    Printed.WITH_LANGUAGE_NAME: "f_source_language_name",
    Printed.WITH_LANGUAGE_NAME_UNLESS_EMPTY: "f_source_language_name and VALUE",
    Printed.IF_VIRTUAL: "VALUE or f_sp_flags & VIRTUAL",
    Printed.IF_RATIONAL: "f_kind == RATIONAL",
    Printed.UNLESS_RATIONAL_OR_EMPTY: "VALUE and f_kind != RATIONAL",
}


def _written(node_class: type[MDNode]) -> Callable[[Any, Texts], str]:
    """Write the function that prints nodes of a class: one formatted string with a piece for each field.

    Fields of a `DILexicalBlockFile`, for instance, are
    `scope: {refer[f_scope]}{f', file: {refer[v]}' if (v := f_file) is not None else ''}, ...`.
    """
    assert issubclass(node_class, DINode), "a node that consists of fields"  # noqa: S101
    row = node_class.layout
    printed = [field for field in row.fields if field.printed is not Printed.NEVER]
    pieces = [
        _piece(field, f"SPELLINGS{n}", is_bound=node_class is DIGenericSubrange) for n, field in enumerate(printed)
    ]
    given = _GIVEN | {f"SPELLINGS{number}": _Spellings(field) for number, field in enumerate(printed)}
    variables = "".join(f"f_{field.attribute}, " for field in row.fields)
    lines = ["def printer(node, texts):", "    refer = texts.references", f"    ({variables}) = node.key()"]
    signature = [f"f_{field.attribute}" for field in printed if field.printed in _OF_SIGNATURE]
    if signature:
        lines.append(f"    signed = {' or '.join(signature)}")
    # The comma in front of the first field is one too many; the space keeps quotes of the last one from those around.
    lines += [f'    fields = f"""{"".join(pieces)} """[2:-1]', "    distinct = 'distinct ' if node.is_distinct else ''"]
    lines.append(f"    return f'{{distinct}}!{row.name}({{fields}})'")
    # All that the text is made of are rows of a table of our own.
    exec("\n".join(lines), given)  # noqa: S102
    printer: Callable[[Any, Texts], str] = given["printer"]
    return printer


def _piece(field: Field, spellings: str, *, is_bound: bool) -> str:
    """Return what stands for a field in the string: its text, or an expression that gives it or nothing."""
    kind = field.kind
    value = f"f_{field.attribute}"
    if kind in _CONVERTED:
        value = _CONVERTED[kind].format(value)
    shown = _SHOWN[kind] if field.names is None else _NUMBERED.replace("SPELLINGS", spellings)
    text = f", {field.name}: {_BOUND if is_bound else shown}"
    condition = _CONDITIONS[field.printed].replace("DEFAULT", _literal(field.default))
    if condition == "VALUE" and kind in _MAYBE_MISSING:
        condition = "VALUE is not None"
    if "VALUE" not in condition:
        text = text.replace("VALUE", value)
        return f"{{f'{text}' if {condition} else ''}}" if condition else text
    return f"{{f'{text.replace('VALUE', 'v')}' if {condition.replace('VALUE', f'(v := {value})', 1)} else ''}}"


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
    # LLVM drops bits above the largest named one together with the first bit that it names.
    mask = (1 << max(names.spellings).bit_length()) - 1
    for field in DI_FLAG_FIELDS if names is DIFlag else ():
        found = flags & field
        # Two bits that have a name together only are told apart from two that are a number.
        if found and (field in _ENUMERATED or found == field):
            yield names.spelling_of(found)
            flags &= mask & ~found
    for bit in range(flags.bit_length()):
        flag = 1 << bit
        if flags & flag and flag in names.spellings:
            yield names.spelling_of(flag)
            flags &= mask & ~flag
    if flags:
        yield str(flags)


_ENUMERATED = {field for field in DI_FLAG_FIELDS if field != DIFlag.IndirectVirtualBase}


def _bound(metadata: Metadata | None, references: Mapping[Any, str]) -> str:
    if isinstance(metadata, DIExpression) and is_signed_constant(metadata.elements):
        number = metadata.elements[1]
        return str(number - (1 << 64) if number >> 63 else number)
    return references[metadata]


def _listed(nodes: Iterable[Metadata | None], references: References) -> str:
    return references.texts.limit.join(references[node] for node in nodes)


def _unsigned_number(metadata: Metadata | None) -> Metadata | int | None:
    """Return the number of a constant, whatever its width."""
    constant = metadata.value if isinstance(metadata, ConstantAsMetadata) else None
    return constant.unsigned if isinstance(constant, ConstantInt) else metadata


def _signed_number(metadata: Metadata | None) -> Metadata | int | None:
    constant = metadata.value if isinstance(metadata, ConstantAsMetadata) else None
    return constant.signed if isinstance(constant, ConstantInt) else metadata


_OF_SIGNATURE = {Printed.WITH_POINTER_AUTH, Printed.WITH_POINTER_AUTH_UNLESS_EMPTY}
_GIVEN: dict[str, Any] = {
    "BOOLEANS": ("false", "true"),
    "RATIONAL": FixedPointKind.Rational,
    "VIRTUAL": _VIRTUAL,
    "bound": _bound,
    "decimal": decimal_text,
    "escaped": escaped,
    "listed": _listed,
    "signed_number": _signed_number,
    "unsigned_number": _unsigned_number,
}
"""What the functions use."""
