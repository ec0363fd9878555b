# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""How specialised nodes are read: a program for each class, made from its rows in `tables.debug_info`.

Rules: docs/reference/text.md, 17.10; messages match llvm-as 22.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bitcodec.ir import debug_info
from bitcodec.ir.debug_info import DINode
from bitcodec.tables.debug_info import NODES, OLD_SUBPROGRAM_FIELDS
from bitcodec.tables.debug_info_flags import ChecksumKind, DISPFlag
from bitcodec.tables.debug_info_rows import Bound, FieldKind, Printed
from bitcodec.tables.dwarf import OPERATORS, OTHER_OPERATORS, TypeEncoding

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.tables.debug_info_rows import Node, NodeField

__all__ = ["UNSET", "FieldStep", "NodeParseProgram", "ParseStep", "node_program", "operator_numbers"]

UNSET = object()
"""The value of a field that the text does not have."""

_MAX_64 = 0xFFFF_FFFF_FFFF_FFFF
_MAX_SIGNED_64 = 0x7FFF_FFFF_FFFF_FFFF
_MAX_32 = 0xFFFF_FFFF
_COLUMN_LIMIT = 0xFFFF


class ParseStep:
    """Kind of a field's value."""

    NODE = 0
    LIST = 1
    """Metadata in braces."""
    BOUND_EXPRESSION = 2
    """Metadata, or a signed number that represents an expression."""
    BOUND_CONSTANT = 3
    """Metadata, or a signed number that represents a constant."""
    INTEGER = 4
    """A number, or other metadata."""
    SIGNED_INTEGER = 5
    LAST_WITH_METADATA = 5
    NUMBER = 6
    STRING = 7
    NAMED = 8
    FLAGS = 9
    BOOLEAN = 10
    SIGNED = 11
    CHECKSUM_KIND = 12
    WIDE = 13


class FieldStep:
    """How a field is read.

    Attributes:
        place: its place in the content of the node.
        step: the kind of its value, one of `ParseStep`.
        name: its name, for messages.
        minimum, limit: the smallest and the largest number.
        mask: the bits that are kept of a number.
        may_be_empty: whether it may be `null` or an empty string.
        names: the names of its numbers.
    """

    __slots__ = ("limit", "mask", "may_be_empty", "minimum", "name", "names", "place", "step")

    def __init__(
        self,
        place: int,
        step: int,
        name: str,
        minimum: int,
        limit: int,
        mask: int,
        *,
        may_be_empty: bool = True,
        names: Any = None,
    ) -> None:
        self.place = place
        self.step = step
        self.name = name
        self.minimum = minimum
        self.limit = limit
        self.mask = mask
        self.may_be_empty = may_be_empty
        self.names: Any = names

    def with_step(self, step: int) -> FieldStep:
        """Return a field that holds something else."""
        return FieldStep(
            self.place,
            step,
            self.name,
            self.minimum,
            self.limit,
            self.mask,
            may_be_empty=self.may_be_empty,
            names=self.names,
        )


_STEPS = {
    FieldKind.NUMBER: ParseStep.NUMBER,
    FieldKind.COLUMN: ParseStep.NUMBER,
    FieldKind.NUMBER_OR_NONE: ParseStep.NUMBER,
    FieldKind.SIGNED: ParseStep.SIGNED,
    FieldKind.WIDE: ParseStep.WIDE,
    FieldKind.BOOLEAN: ParseStep.BOOLEAN,
    FieldKind.NAMED: ParseStep.NAMED,
    FieldKind.FLAGS: ParseStep.FLAGS,
    FieldKind.STRING: ParseStep.STRING,
    FieldKind.STRING_OR_NONE: ParseStep.STRING,
    FieldKind.NODE: ParseStep.NODE,
    FieldKind.NODE_ID: ParseStep.NODE,
    FieldKind.TYPE: ParseStep.NODE,
    FieldKind.INTEGER: ParseStep.INTEGER,
    FieldKind.SIGNED_INTEGER: ParseStep.SIGNED_INTEGER,
    FieldKind.NODES: ParseStep.LIST,
}
_BOUND_STEPS = {Bound.EXPRESSION: ParseStep.BOUND_EXPRESSION, Bound.CONSTANT: ParseStep.BOUND_CONSTANT}
_SIGNED_STEPS = (ParseStep.SIGNED_INTEGER, *_BOUND_STEPS.values())


class NodeParseProgram:
    """How nodes of a class are read.

    Args:
        row: the class in the table.
        old_fields: fields that only old texts have, in places after all others.

    Attributes:
        kind: the class of the node.
        name: as text spells it.
        size: number of places, including old fields.
        fields: by label.
        required: place and name of the fields that text must have.
        defaults: the values of fields that the text does not have.
        must_be_distinct: whether such nodes are always distinct.
        width_places: the place of the width of each number of any size, by the place of the number.
        check: checks and completes the values; None if that is not needed.
    """

    __slots__ = ("check", "defaults", "fields", "kind", "must_be_distinct", "name", "required", "size", "width_places")

    def __init__(self, row: Node, old_fields: tuple[NodeField, ...] = ()) -> None:
        self.kind: type[DINode] = getattr(debug_info, row.name)
        self.name = row.name
        rows = row.fields + old_fields
        self.size = len(rows)
        self.fields = {
            field.name.encode(): _field_step(place, field)
            for place, field in enumerate(rows)
            if field.printed is not Printed.DERIVED
        }
        self.required = tuple((place, field.name) for place, field in enumerate(rows) if field.is_required)
        empty = {FieldKind.INTEGER: None}
        self.defaults = tuple(empty.get(field.kind, self.kind.defaults[field.attribute]) for field in row.fields)
        self.must_be_distinct = row.name == "DICompileUnit"
        places = {field.name: place for place, field in enumerate(rows)}
        self.width_places = {places[field.width_of]: places[field.name] for field in rows if field.width_of}
        self.check: Callable[[ModuleState, list[Any], int, bool], None] | None = None
        make_check = _CHECKS.get(row.name)
        if make_check is not None:
            self.check = make_check(places)


def _field_step(place: int, field: NodeField) -> FieldStep:
    step = _STEPS[field.kind]
    if field.bound is not None:
        step = _BOUND_STEPS[field.bound]
    elif field.names is ChecksumKind:
        step = ParseStep.CHECKSUM_KIND
    elif field.names is not None and step == ParseStep.NUMBER:
        step = ParseStep.NAMED
    bits = field.bits[1] if field.bits else field.width
    mask = (1 << bits) - 1
    minimum, limit = _bounds(step, bits)
    if field.kind is FieldKind.COLUMN:
        limit = _COLUMN_LIMIT
    if field.limit is not None:
        limit = field.limit
        if step == ParseStep.SIGNED:
            minimum = ~limit
    if field.minimum is not None:
        minimum = field.minimum
    return FieldStep(place, step, field.name, minimum, limit, mask, may_be_empty=field.may_be_empty, names=field.names)


def _bounds(step: int, bits: int) -> tuple[int, int]:
    """Return the smallest and the largest number of a field."""
    if step == ParseStep.SIGNED:
        return -1 << bits - 1, (1 << bits - 1) - 1
    if step in _SIGNED_STEPS:
        return ~_MAX_SIGNED_64, _MAX_SIGNED_64
    return 0, _MAX_64 if step == ParseStep.INTEGER else (1 << bits) - 1


# Checks


def _check_file(places: dict[str, int]) -> Callable[[ModuleState, list[Any], int, bool], None]:
    kind, checksum = places["checksumkind"], places["checksum"]

    def check(state: ModuleState, values: list[Any], _start: int, _is_distinct: bool) -> None:
        if (values[kind] is UNSET) != (values[checksum] is UNSET):
            state.lexer.refuse("'checksumkind' and 'checksum' must be provided together")

    return check


def _check_compile_unit(places: dict[str, int]) -> Callable[[ModuleState, list[Any], int, bool], None]:
    language, name, version = (places[field] for field in ("language", "sourceLanguageName", "sourceLanguageVersion"))

    def check(state: ModuleState, values: list[Any], start: int, _is_distinct: bool) -> None:
        if values[language] is UNSET and values[name] is UNSET:
            message = "missing one of 'language' or 'sourceLanguageName', required for !DICompileUnit"
        elif values[language] is not UNSET and values[name] is not UNSET:
            message = "can only specify one of 'language' and 'sourceLanguageName' on !DICompileUnit"
        elif values[version] is not UNSET and values[name] is UNSET:
            message = "'sourceLanguageVersion' requires an associated 'sourceLanguageName' on !DICompileUnit"
        else:
            return
        state.lexer.refuse(message, start)

    return check


def _check_subprogram(places: dict[str, int]) -> Callable[[ModuleState, list[Any], int, bool], None]:
    flags = places["spFlags"]
    is_local, is_definition, is_optimized, virtuality = (places[field.name] for field in OLD_SUBPROGRAM_FIELDS)
    bits = ((is_local, DISPFlag.LocalToUnit), (is_optimized, DISPFlag.Optimized))

    def check(state: ModuleState, values: list[Any], start: int, is_distinct: bool) -> None:
        if values[flags] is UNSET:
            found = 0 if values[virtuality] is UNSET else values[virtuality]
            for place, bit in bits:
                if values[place] is True:
                    found |= bit
            if values[is_definition] is not False:
                found |= DISPFlag.Definition
            values[flags] = found
        if values[flags] & DISPFlag.Definition and not is_distinct:
            message = "missing 'distinct', required for !DISubprogram that is a Definition"
            state.dialect.accepts(state.lexer, message, start)
            state.lexer.refuse(message, start)

    return check


def _check_enumerator(places: dict[str, int]) -> Callable[[ModuleState, list[Any], int, bool], None]:
    value, is_unsigned, width = (places[field] for field in ("value", "isUnsigned", "bitWidth"))

    def check(state: ModuleState, values: list[Any], _start: int, _is_distinct: bool) -> None:
        number = values[value]
        if values[is_unsigned] is True and number < 0:
            state.lexer.refuse("unsigned enumerator with negative value")
        bits, is_unsigned_number = values[width]
        # A leading zero keeps an unsigned number from being taken for a negative one.
        values[width] = bits + (is_unsigned_number and number > 0 and values[is_unsigned] is not True)

    return check


def _check_fixed_point_type(places: dict[str, int]) -> Callable[[ModuleState, list[Any], int, bool], None]:
    numbers = [(places[name], places[f"{name}Width"]) for name in ("numerator", "denominator")]
    encoding = places["encoding"]

    def check(_state: ModuleState, values: list[Any], _start: int, _is_distinct: bool) -> None:
        for number, width in numbers:
            if values[number] is UNSET:
                values[width] = 1
                continue
            bits, _ = values[width]
            values[width] = bits
            # LLVM keeps the bits of the literal; the encoding decides whether the highest one is a sign.
            values[number] &= (1 << bits) - 1
            if values[encoding] == TypeEncoding.signed_fixed and values[number] >> bits - 1:
                values[number] -= 1 << bits

    return check


def _check_derived_type(places: dict[str, int]) -> Callable[[ModuleState, list[Any], int, bool], None]:
    key, address_space = places["ptrAuthKey"], places["dwarfAddressSpace"]
    signature = [place for name, place in places.items() if name.startswith("ptrAuth")]

    def check(_state: ModuleState, values: list[Any], _start: int, _is_distinct: bool) -> None:
        if values[key] is UNSET or values[key] == 0:
            for place in signature:
                values[place] = UNSET
        if values[address_space] == _MAX_32:
            values[address_space] = None

    return check


_CHECKS: dict[str, Callable[[dict[str, int]], Callable[[ModuleState, list[Any], int, bool], None]]] = {
    "DICompileUnit": _check_compile_unit,
    "DIDerivedType": _check_derived_type,
    "DIEnumerator": _check_enumerator,
    "DIFile": _check_file,
    "DIFixedPointType": _check_fixed_point_type,
    "DISubprogram": _check_subprogram,
}
"""By class: factories of a check, given the places of its fields."""

_ROWS = {row.name.encode(): row for row in NODES}


_PROGRAMS: dict[bytes, NodeParseProgram] = {}


def node_program(name: bytes) -> NodeParseProgram | None:
    """Return how nodes of a class are read, None for an unknown class."""
    found = _PROGRAMS.get(name)
    if found is None and name in _ROWS:
        row = _ROWS[name]
        found = NodeParseProgram(row, OLD_SUBPROGRAM_FIELDS if row.name == "DISubprogram" else ())
        _PROGRAMS[name] = found
    return found


@cache
def operator_numbers() -> dict[bytes, int]:
    """Return the numbers of the operators of location expressions, by how text spells these."""
    names = {number: operator.name for number, operator in OPERATORS.items()} | OTHER_OPERATORS
    return {f"DW_OP_{name}".encode(): number for number, name in names.items()}
