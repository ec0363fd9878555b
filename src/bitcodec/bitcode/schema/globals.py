"""Layouts of the records of MODULE_BLOCK that define globals, from the table of their fields.

String table offset and size, which come first in new files, are not counted.  A field that is missing has its default;
None where its absence has a meaning.  A field that a record has no place for is 0.
Rules: docs/reference/records.md, 3.2 to 3.6.
"""

from __future__ import annotations

from types import new_class
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.global_rows import GlobalFieldKind as K
from bitcodec.tables.globals import FIELDS, fields_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "DEFINES_GLOBAL",
    "FIELD_BOUNDS",
    "GLOBAL_LAYOUTS",
    "GLOBAL_RECORDS",
    "MAX_ADDRESS_SPACE",
    "NAME_SIZE",
    "OLD_LINKAGES",
    "VARIABLE_EXPLICIT_TYPE",
    "GlobalRecord",
    "NumberBound",
    "name_places",
]

VARIABLE_EXPLICIT_TYPE = 2
"""Bit of a variable's flags: its type is the variable's, not a pointer to it."""

GlobalRecord: TypeAlias = Any
"""A tuple with a field for each operand of a record, by the names of the table."""

GLOBAL_RECORDS: dict[int, str] = {
    ModuleCode.GLOBALVAR: "variable",
    ModuleCode.FUNCTION: "function",
    ModuleCode.ALIAS_OLD: "old_alias",
    ModuleCode.ALIAS: "alias",
    ModuleCode.IFUNC: "ifunc",
}
"""By record code, the name of the record in the table."""

_REQUIRED = {"variable": 6, "function": 8, "old_alias": 3, "alias": 4, "ifunc": 4}
"""The number of operands that every LLVM writes."""
_NONE_IF_MISSING = dict.fromkeys(("dll_storage_class", "comdat", "address_space"))


def _operand_names(record: str) -> list[str]:
    names: dict[int, str] = {}
    for field in fields_in(record):
        place = getattr(field, record)
        names[place] = field.bit[0] if field.bit else field.name
        if field.kind is K.TEXT:
            names[place], names[place + 1] = f"{field.name}_offset", f"{field.name}_size"
    return [names[place] for place in range(len(names))]


def _layout(record: str) -> type[GlobalRecord]:
    names = _operand_names(record)
    members: dict[str, Any] = {field.name: 0 for field in FIELDS if field.name not in names}
    members |= {name: _NONE_IF_MISSING.get(name, 0) for name in names[_REQUIRED[record] :]}
    members["__annotations__"] = dict.fromkeys(names)
    return new_class(record, (NamedTuple,), exec_body=lambda body: body.update(members))


GLOBAL_LAYOUTS: dict[int, type[GlobalRecord]] = {code: _layout(record) for code, record in GLOBAL_RECORDS.items()}
"""By record code."""

DEFINES_GLOBAL = bytes(code in GLOBAL_LAYOUTS for code in range(256))
"""Whether records of a code define a global, in the form that `bytes.translate` takes."""

NAME_SIZE = 2
"""The number of operands before the fields in files with a string table: offset and size of the name."""

_NAMES: dict[int, tuple[int, ...]] = {
    ModuleCode.COMDAT: (0,),
    **{
        code: (
            0,
            *(NAME_SIZE + getattr(field, record) for field in fields_in(record) if field.kind is K.TEXT),
        )
        for code, record in GLOBAL_RECORDS.items()
    },
}
"""Operands with which the name of a global or comdat and its texts begin, by code of the record."""


def name_places(code: int, operands: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield offset and size in the string table of each name in a record of MODULE_BLOCK, which may end before it."""
    for at in _NAMES.get(code, ()):
        if len(operands) >= at + 2:
            yield operands[at], operands[at + 1]


MAX_ADDRESS_SPACE = (1 << 24) - 1
"""A type of LLVM keeps 24 bits of an address space."""

_WORD = (1 << 32) - 1


class NumberBound(NamedTuple):
    """Numbers that a field may contain.

    Attributes:
        most: the largest number that is accepted.
        mask: the bits that LLVM keeps of an operand before it looks at it.
    """

    most: int
    mask: int = _WORD


_EVERY_BIT = (1 << 64) - 1
_ENUMERATOR = NumberBound(_WORD)
"""LLVM keeps 32 bits; enumerators that it does not know become the default of their field."""
_NUMBER = NumberBound(_WORD, mask=_EVERY_BIT)
"""A number that is looked up, and refused if nothing has it."""
_BOUNDS_OF_KINDS = {
    K.MEMBER: _ENUMERATOR,
    K.ALIGNMENT: NumberBound(33, mask=_EVERY_BIT),
    K.SECTION: _NUMBER,
    K.COLLECTOR: _NUMBER,
    K.COMDAT: _ENUMERATOR,
}

FIELD_BOUNDS: dict[str, NumberBound] = {
    **{field.name: _BOUNDS_OF_KINDS[field.kind] for field in FIELDS if field.kind in _BOUNDS_OF_KINDS},
    **{field.bit[0]: _ENUMERATOR for field in FIELDS if field.bit},
    "calling_convention": NumberBound(1023),
    "linkage": _ENUMERATOR,
    "dso_local": _ENUMERATOR,
    "code_model": _NUMBER,
    # LLVM truncates address spaces to 24 bits in types and to 32 elsewhere, and then prints either.
    "flags": NumberBound(MAX_ADDRESS_SPACE << 2 | 3, mask=_EVERY_BIT),
    "address_space": NumberBound(MAX_ADDRESS_SPACE, mask=_EVERY_BIT),
    # Of a COMDAT record
    "selection_kind": _ENUMERATOR,
}
"""By field, whatever the record; ids, and offsets in the string table, are looked up and refused there."""

OLD_LINKAGES: dict[int, str] = {
    1: "weak",
    4: "linkonce",
    5: "external",
    6: "external",
    10: "weak_odr",
    11: "linkonce_odr",
    13: "private",
    14: "private",
    15: "external",
}
"""Linkages that are no longer written, and their present equivalents."""
