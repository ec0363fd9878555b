"""Flags and small enumerations of debug-info nodes: numbers as bitcode has them, names as text has them.

Rules: docs/reference/text.md, 13.3, 13.4 and 20.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.names import Named

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "DI_FLAG_FIELDS",
    "ChecksumKind",
    "DIFlag",
    "DISPFlag",
    "EmissionKind",
    "FixedPointKind",
    "NameTableKind",
    "flag_names",
]


class DIFlag(Named, prefix="DIFlag", meaning="debug info flag", limit=0xFFFF_FFFF):
    """Flags of types, members, subprograms and variables."""

    Private = 1
    Protected = 2
    Public = 3
    FwdDecl = 1 << 2
    AppleBlock = 1 << 3
    ReservedBit4 = 1 << 4
    Virtual = 1 << 5
    Artificial = 1 << 6
    Explicit = 1 << 7
    Prototyped = 1 << 8
    ObjcClassComplete = 1 << 9
    ObjectPointer = 1 << 10
    Vector = 1 << 11
    StaticMember = 1 << 12
    LValueReference = 1 << 13
    RValueReference = 1 << 14
    ExportSymbols = 1 << 15
    SingleInheritance = 1 << 16
    MultipleInheritance = 2 << 16
    VirtualInheritance = 3 << 16
    IntroducedVirtual = 1 << 18
    BitField = 1 << 19
    NoReturn = 1 << 20
    TypePassByValue = 1 << 22
    TypePassByReference = 1 << 23
    EnumClass = 1 << 24
    Thunk = 1 << 25
    NonTrivial = 1 << 26
    BigEndian = 1 << 27
    LittleEndian = 1 << 28
    AllCallsDescribed = 1 << 29
    NameIsSimplified = 1 << 30
    IndirectVirtualBase = FwdDecl | Virtual


DI_FLAG_FIELDS = (3, 3 << 16, DIFlag.IndirectVirtualBase)
"""Bits that are named together, in the order in which text looks for them: two numbers, and a pair of flags."""


class DISPFlag(Named, prefix="DISPFlag", meaning="subprogram debug info flag", limit=0xFFFF_FFFF):
    """Flags of subprograms."""

    Virtual = 1 << 0
    PureVirtual = 1 << 1
    LocalToUnit = 1 << 2
    Definition = 1 << 3
    Optimized = 1 << 4
    Pure = 1 << 5
    Elemental = 1 << 6
    Recursive = 1 << 7
    MainSubprogram = 1 << 8
    Deleted = 1 << 9
    ObjCDirect = 1 << 11


class EmissionKind(Named, prefix="", meaning="emission kind", limit=3):
    """How much debug information a compile unit requests."""

    NoDebug = 0
    FullDebug = 1
    LineTablesOnly = 2
    DebugDirectivesOnly = 3


class NameTableKind(Named, prefix="", meaning="nameTable kind", limit=3):
    """Kind of the name index that a compile unit requests."""

    Default = 0
    GNU = 1
    None_ = 2
    Apple = 3


class ChecksumKind(Named, prefix="CSK_", meaning="checksum kind", limit=None):
    """How the checksum of a file was made."""

    MD5 = 1
    SHA1 = 2
    SHA256 = 3


class FixedPointKind(Named, prefix="", meaning="fixed-point kind", limit=2):
    """How a fixed-point type scales its integers."""

    Binary = 0
    Decimal = 1
    Rational = 2


_ENUMERATED = {field for field in DI_FLAG_FIELDS if field != DIFlag.IndirectVirtualBase}


def flag_names(flags: int, names: type[Named]) -> Iterator[str]:
    """Yield the names of bits, first of bits that are named together, and unnamed bits as a number."""
    # LLVM drops bits above the largest named one together with the first bit that it names.
    mask = (1 << max(names.spellings).bit_length()) - 1
    for field in DI_FLAG_FIELDS if names is DIFlag else ():
        found = flags & field
        # Two bits that have a name together only are distinguished from two that are a number.
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
