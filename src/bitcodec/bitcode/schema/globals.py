"""Layouts of the records of MODULE_BLOCK that define globals: a class for each, a field for each operand, in order.

String table offset and size, which come first in new files, are not counted.  A field that is missing has its default;
None where its absence says something.  What all globals can have but a record has no field for is a property.
Rules: docs/reference/records.md, 3.2 to 3.6.
"""

from __future__ import annotations

from typing import TypeAlias

from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.named_tuple import NamedTuple

__all__ = [
    "FIELD_BOUNDS",
    "GLOBAL_LAYOUTS",
    "MAX_ADDRESS_SPACE",
    "OLD_LINKAGES",
    "VARIABLE_EXPLICIT_TYPE",
    "AliasRecord",
    "Bound",
    "FunctionRecord",
    "GlobalRecord",
    "IFuncRecord",
    "OldAliasRecord",
    "VariableRecord",
]

VARIABLE_EXPLICIT_TYPE = 2
"""Bit of a variable's flags: its type is that of the variable, not that of a pointer to it."""


class VariableRecord(NamedTuple):
    """GLOBALVAR."""

    type: int
    flags: int
    initializer: int
    linkage: int
    alignment: int
    section: int
    visibility: int = 0
    thread_local: int = 0
    unnamed_addr: int = 0
    externally_initialized: int = 0
    dll_storage_class: int | None = None
    comdat: int | None = None
    attributes: int = 0
    dso_local: int = 0
    partition_offset: int = 0
    partition_size: int = 0
    sanitizer: int = 0
    code_model: int = 0


class FunctionRecord(NamedTuple):
    """FUNCTION."""

    type: int
    calling_convention: int
    is_declaration: int
    linkage: int
    attributes: int
    alignment: int
    section: int
    visibility: int
    gc: int = 0
    unnamed_addr: int = 0
    prologue: int = 0
    dll_storage_class: int | None = None
    comdat: int | None = None
    prefix: int = 0
    personality: int = 0
    dso_local: int = 0
    address_space: int | None = None
    partition_offset: int = 0
    partition_size: int = 0
    preferred_alignment: int = 0

    @property
    def thread_local(self) -> int:
        """Not there."""
        return 0


class OldAliasRecord(NamedTuple):
    """ALIAS_OLD, up to LLVM 3.7."""

    type: int
    aliasee: int
    linkage: int
    visibility: int = 0
    dll_storage_class: int | None = None
    thread_local: int = 0
    unnamed_addr: int = 0

    @property
    def dso_local(self) -> int:
        """Not there."""
        return 0

    @property
    def partition_offset(self) -> int:
        """Not there."""
        return 0

    @property
    def partition_size(self) -> int:
        """Not there."""
        return 0


class AliasRecord(NamedTuple):
    """ALIAS."""

    type: int
    address_space: int
    aliasee: int
    linkage: int
    visibility: int = 0
    dll_storage_class: int | None = None
    thread_local: int = 0
    unnamed_addr: int = 0
    dso_local: int = 0
    partition_offset: int = 0
    partition_size: int = 0


class IFuncRecord(NamedTuple):
    """IFUNC."""

    type: int
    address_space: int
    aliasee: int
    linkage: int
    visibility: int = 0
    dso_local: int = 0
    partition_offset: int = 0
    partition_size: int = 0

    @property
    def dll_storage_class(self) -> int:
        """Not there."""
        return 0

    @property
    def thread_local(self) -> int:
        """Not there."""
        return 0

    @property
    def unnamed_addr(self) -> int:
        """Not there."""
        return 0


GlobalRecord: TypeAlias = VariableRecord | FunctionRecord | OldAliasRecord | AliasRecord | IFuncRecord

GLOBAL_LAYOUTS: dict[int, type[GlobalRecord]] = {
    ModuleCode.GLOBALVAR: VariableRecord,
    ModuleCode.FUNCTION: FunctionRecord,
    ModuleCode.ALIAS_OLD: OldAliasRecord,
    ModuleCode.ALIAS: AliasRecord,
    ModuleCode.IFUNC: IFuncRecord,
}
"""By record code."""

MAX_ADDRESS_SPACE = (1 << 24) - 1
"""A type of LLVM keeps 24 bits of an address space."""

_WORD = (1 << 32) - 1


class Bound(NamedTuple):
    """Which numbers a field may hold.

    Attributes:
        most: the largest number that is accepted.
        mask: the bits that LLVM keeps of an operand before it looks at it.
    """

    most: int
    mask: int = _WORD


_EVERY_BIT = (1 << 64) - 1
_ENUMERATOR = Bound(_WORD)
"""LLVM keeps 32 bits; enumerators that it does not know become the default of their field."""
_NUMBER = Bound(_WORD, mask=_EVERY_BIT)
"""A number that is looked up, and refused if nothing has it."""

FIELD_BOUNDS: dict[str, Bound] = {
    "calling_convention": Bound(1023),
    "linkage": _ENUMERATOR,
    "alignment": Bound(33, mask=_EVERY_BIT),
    "preferred_alignment": Bound(33, mask=_EVERY_BIT),
    "section": _NUMBER,
    "gc": _NUMBER,
    "visibility": _ENUMERATOR,
    "thread_local": _ENUMERATOR,
    "unnamed_addr": _ENUMERATOR,
    "dll_storage_class": _ENUMERATOR,
    "comdat": _ENUMERATOR,
    "dso_local": _ENUMERATOR,
    "sanitizer": _ENUMERATOR,
    "code_model": _NUMBER,
    # LLVM truncates address spaces to 24 bits in types and to 32 elsewhere, and then prints either.
    "flags": Bound(MAX_ADDRESS_SPACE << 2 | 3, mask=_EVERY_BIT),
    "address_space": Bound(MAX_ADDRESS_SPACE, mask=_EVERY_BIT),
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
"""Linkages that are no longer written, and what they are today."""
