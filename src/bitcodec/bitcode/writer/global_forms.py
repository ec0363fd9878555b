"""How globals are written, by the table of their fields: operands that are attributes, and computed ones.

Rules: docs/reference/records.md, 3.2 to 3.6; docs/reference/writer.md, 11.4.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS, GLOBAL_RECORDS, VARIABLE_EXPLICIT_TYPE
from bitcodec.ir.attributes import AttributeList
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.global_rows import GlobalFieldKind
from bitcodec.tables.globals import fields_in
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from bitcodec.bitcode.writer.dialect import BitcodeDialect
    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.ir.globals import Comdat, GlobalValue
    from bitcodec.tables.global_rows import GlobalField

    _Compute: TypeAlias = Callable[[Any, "GlobalNumbers"], int]
    _Encode: TypeAlias = Callable[[Any, "GlobalNumbers"], int]

__all__ = ["SHORT_VARIABLE", "GlobalNumbers", "record_of", "type_number"]

SHORT_VARIABLE = GLOBAL_LAYOUTS[ModuleCode.GLOBALVAR]._fields.index("visibility")
"""How many fields a variable has that has nothing special about it."""
_ADDRESS_SPACE_SHIFT = 2


class GlobalNumbers(NamedTuple):
    """The numbers of everything that globals refer to."""

    numbers: Numbers
    dialect: BitcodeDialect
    comdats: dict[Comdat | None, int]


class _Form(NamedTuple):
    """How records of a code are written.

    Attributes:
        length: the number of operands behind the place of the name.
        required: the number of operands that records have at least.
        computed: place and function of the operands that are computed of the whole global.
        values: returns the attributes in `encoded` of a global.
        encoded: place, default value and function of the operands that are attributes.
        constants, texts: place and attribute of constants, and of texts in the string table.
    """

    length: int
    required: int
    computed: list[tuple[int, _Compute]]
    values: Callable[[GlobalValue], tuple[Any, ...]]
    encoded: list[tuple[int, object, _Encode]]
    constants: list[tuple[int, str]]
    texts: list[tuple[int, str]]


def record_of(code: int, value: GlobalValue, known: GlobalNumbers) -> list[int]:
    """Return the operands of a global behind the place of its name."""
    numbers, dialect, _ = known
    form = _form(code, max(dialect.version, MODEL))
    operands = [0] * form.length
    for at, compute in form.computed:
        operands[at] = compute(value, known)
    for (at, default, encode), given in zip(form.encoded, form.values(value), strict=True):
        if given != default:
            operands[at] |= encode(given, known)
    if form.constants and value.operands:  # most hold nothing
        for at, attribute in form.constants:
            held = getattr(value, attribute)
            operands[at] = 0 if held is None else numbers.values[dialect.held(value, held)] + 1
    is_long = code != ModuleCode.GLOBALVAR or any(operands[SHORT_VARIABLE:])
    for at, attribute in form.texts:
        text = getattr(value, attribute)
        if dialect.has_string_table and (text or (is_long and numbers.places_empty_names)):
            operands[at : at + 2] = numbers.strings.place(text)
    while len(operands) > form.required and not operands[-1]:
        del operands[-1]
    return operands


def type_number(value: GlobalValue, known: GlobalNumbers) -> int:
    """Return the number of the type of a global."""
    return known.numbers.types[known.dialect.value_type(value)]


def _initializer(variable: Any, known: GlobalNumbers) -> int:
    initializer = variable.initializer
    return 0 if initializer is None else known.numbers.values[known.dialect.held(variable, initializer)] + 1


def _aliasee(value: Any, known: GlobalNumbers) -> int:
    return known.numbers.values[known.dialect.held(value, value.operands[0])]


def _attributes(value: Any, known: GlobalNumbers) -> int:
    attributes = value.attributes
    if not isinstance(attributes, AttributeList):
        attributes = AttributeList(attributes)
    return known.numbers.attributes[attributes]


_COMPUTED: dict[str, _Compute] = {
    "type": type_number,
    "flags": lambda variable, _: VARIABLE_EXPLICIT_TYPE | variable.address_space << _ADDRESS_SPACE_SHIFT,
    "address_space": lambda value, _: value.address_space,
    "initializer": _initializer,
    "aliasee": _aliasee,
    "calling_convention": lambda function, _: function.calling_convention,
    "is_declaration": lambda function, _: function.is_declaration,
    "attributes": _attributes,
    "linkage": lambda value, known: known.dialect.linkage(value).code,
}
_ENCODERS: dict[GlobalFieldKind, _Encode] = {
    GlobalFieldKind.BOOLEAN: lambda _given, _known: 1,
    GlobalFieldKind.ALIGNMENT: lambda given, _: given.bit_length(),
    GlobalFieldKind.SECTION: lambda given, known: known.numbers.sections[given] + 1,
    GlobalFieldKind.COLLECTOR: lambda given, known: known.numbers.collectors[given] + 1,
    GlobalFieldKind.COMDAT: lambda given, known: known.comdats[given],
}


def _encoder(field: GlobalField) -> _Encode:
    """Return a function that returns the number for a value other than the default."""
    if field.members is not None:
        codes = {member: member.code for member in field.members}
        return lambda given, _: codes[given]
    if field.bit is not None:
        bit = 1 << field.bit[1]
        return lambda _given, _known: bit
    return _ENCODERS[field.kind]


@cache
def _form(code: int, version: int) -> _Form:
    """Return how a version of LLVM writes records of a code."""
    record, layout = GLOBAL_RECORDS[code], GLOBAL_LAYOUTS[code]._fields
    fields = [(getattr(field, record), field) for field in fields_in(record) if field.since <= version]
    encoded = [(at, field) for at, field in fields if field.kind in _ENCODERS or field.members is not None]
    length = max(at + (field.kind is GlobalFieldKind.TEXT) for at, field in fields) + 1
    return _Form(
        length,
        min((at for at, field in fields if field.is_optional), default=length),
        [(layout.index(name), compute) for name, compute in _COMPUTED.items() if name in layout],
        attrgetter(*[field.attribute for _, field in encoded]),
        [(at, field.initial, _encoder(field)) for at, field in encoded],
        [(at, field.attribute) for at, field in fields if field.kind is GlobalFieldKind.CONSTANT],
        [(at, field.attribute) for at, field in fields if field.kind is GlobalFieldKind.TEXT],
    )
