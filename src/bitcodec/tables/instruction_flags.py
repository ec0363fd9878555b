"""Flags of instructions and inline assembly, one row each: word in text, bit in records, since when LLVM has it.

Reader, writer, printer, parser, downgrades and the analysis of older readers use these rows: a new flag is an
enumerator and a row.  Rules: docs/reference/records.md, 6.4; docs/reference/text.md, 9.1.
"""

from __future__ import annotations

from enum import IntFlag
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "FAST_MATH_CASTS",
    "FAST_MATH_CASTS_IN_TEXT",
    "FAST_MATH_WORDS",
    "FLAGS",
    "INLINE_ASSEMBLY",
    "NO_ACCESS_FLAGS",
    "NO_ALLOCA_FLAGS",
    "NO_ASM_FLAGS",
    "NO_CAST_FLAGS",
    "NO_CMP_FLAGS",
    "NO_FAST_MATH",
    "NO_GEP_FLAGS",
    "NO_INTEGER_FLAGS",
    "AccessFlags",
    "AllocaFlags",
    "AsmFlags",
    "CastFlags",
    "CmpFlags",
    "FastMathFlags",
    "Flag",
    "GEPFlags",
    "IntegerFlags",
    "flag_numbers",
    "flag_texts",
    "flag_width",
    "flag_words",
    "flags_by_number",
    "flags_of_opcode",
    "members_of",
    "newer_flags",
]


_Flags = TypeVar("_Flags", bound=IntFlag)


class IntegerFlags(IntFlag):
    """Promises of an integer operation; its opcode decides which bits have a meaning."""

    NUW = 1
    NSW = 2
    EXACT = 1
    DISJOINT = 1


class CastFlags(IntFlag):
    """Promises of a cast; its opcode decides which bits have a meaning."""

    NNEG = 1
    NUW = 1
    NSW = 2


class CmpFlags(IntFlag):
    """Promises of an integer comparison."""

    SAMESIGN = 1


class GEPFlags(IntFlag):
    """Promises of address arithmetic."""

    INBOUNDS = 1
    NUSW = 2
    NUW = 4


class AllocaFlags(IntFlag):
    """Properties of a stack slot; the other bits of their operand in a record hold the alignment."""

    INALLOCA = 1 << 5
    SWIFTERROR = 1 << 7


class AccessFlags(IntFlag):
    """Properties of an access to memory; only `cmpxchg` can be weak."""

    VOLATILE = 1
    WEAK = 2


class AsmFlags(IntFlag):
    """Properties of inline assembly."""

    SIDEEFFECT = 1
    ALIGNSTACK = 2
    INTELDIALECT = 4
    UNWIND = 8


class FastMathFlags(IntFlag):
    """Properties of floating-point values and operations that LLVM may rely on."""

    UNSAFE_ALGEBRA = 1
    NNAN = 2
    NINF = 4
    NSZ = 8
    ARCP = 16
    CONTRACT = 32
    AFN = 64
    REASSOC = 128
    FAST = 254


NO_INTEGER_FLAGS = IntegerFlags(0)
NO_CAST_FLAGS = CastFlags(0)
NO_CMP_FLAGS = CmpFlags(0)
NO_GEP_FLAGS = GEPFlags(0)
NO_ALLOCA_FLAGS = AllocaFlags(0)
NO_ACCESS_FLAGS = AccessFlags(0)
NO_ASM_FLAGS = AsmFlags(0)
NO_FAST_MATH = FastMathFlags(0)


class Flag(NamedTuple):
    """A flag of some instructions.

    Attributes:
        word: in text.
        opcodes: of the instructions that can have it, or `INLINE_ASSEMBLY`.
        member: of the enumeration of the attribute `flags`; its value is the bit in the record.
        since: the first version of LLVM that has it, 0 for all versions.
        field: of the record that holds it.
        is_whole: whether any number in the field but 0 sets it.
        implies: another flag that each instruction with this one has, and that text leaves out then.
        misread_as: the word of the flag for which older versions take it; "" if they ignore it, or refuse the record.
        is_needed: whether the program means something else without it.
    """

    word: str
    opcodes: tuple[str, ...]
    member: IntFlag
    since: int = 0
    field: str = "flags"
    is_whole: bool = False
    implies: int = 0
    misread_as: str = ""
    is_needed: bool = False


_WRAPPING = ("add", "sub", "mul", "shl")
INLINE_ASSEMBLY = "inline assembly"
_ACCESSES = ("load", "store", "cmpxchg", "atomicrmw")

FLAGS = (
    Flag("nuw", _WRAPPING, IntegerFlags.NUW),
    Flag("nsw", _WRAPPING, IntegerFlags.NSW),
    Flag("exact", ("udiv", "sdiv", "lshr", "ashr"), IntegerFlags.EXACT),
    Flag("disjoint", ("or",), IntegerFlags.DISJOINT, since=18),
    Flag("nneg", ("zext",), CastFlags.NNEG, since=18),
    Flag("nneg", ("uitofp",), CastFlags.NNEG, since=19),
    Flag("nuw", ("trunc",), CastFlags.NUW, since=19),
    Flag("nsw", ("trunc",), CastFlags.NSW, since=19),
    Flag("samesign", ("icmp",), CmpFlags.SAMESIGN, since=20),
    Flag("inbounds", ("getelementptr",), GEPFlags.INBOUNDS, implies=GEPFlags.NUSW),
    Flag("nusw", ("getelementptr",), GEPFlags.NUSW, since=19, misread_as="inbounds"),
    Flag("nuw", ("getelementptr",), GEPFlags.NUW, since=19, misread_as="inbounds"),
    Flag("inalloca", ("alloca",), AllocaFlags.INALLOCA),
    Flag("swifterror", ("alloca",), AllocaFlags.SWIFTERROR),
    Flag("weak", ("cmpxchg",), AccessFlags.WEAK, field="is_weak", is_whole=True),
    Flag("volatile", _ACCESSES, AccessFlags.VOLATILE, is_whole=True),
    Flag("sideeffect", (INLINE_ASSEMBLY,), AsmFlags.SIDEEFFECT),
    Flag("alignstack", (INLINE_ASSEMBLY,), AsmFlags.ALIGNSTACK),
    Flag("inteldialect", (INLINE_ASSEMBLY,), AsmFlags.INTELDIALECT),
    Flag("unwind", (INLINE_ASSEMBLY,), AsmFlags.UNWIND, since=13, is_needed=True),
)
"""In the order of text."""

FAST_MATH_WORDS = (
    (int(FastMathFlags.REASSOC), "reassoc"),
    (int(FastMathFlags.NNAN), "nnan"),
    (int(FastMathFlags.NINF), "ninf"),
    (int(FastMathFlags.NSZ), "nsz"),
    (int(FastMathFlags.ARCP), "arcp"),
    (int(FastMathFlags.CONTRACT), "contract"),
    (int(FastMathFlags.AFN), "afn"),
)
"""In the order of text; as plain integers, because operations on enumerators take longer."""

FAST_MATH_CASTS = frozenset({"fptrunc", "fpext", "uitofp", "sitofp"})
"""Casts whose records have fast-math flags, unless they have flags of the table."""

FAST_MATH_CASTS_IN_TEXT = frozenset({"fptrunc", "fpext"})
"""Casts that can have fast-math flags in text: LLVM 22 parses none in the others."""


@cache
def flags_of_opcode(opcode: str, field: str = "") -> tuple[Flag, ...]:
    """Return the flags of the instructions with an opcode; if a field is given, those that it holds in records."""
    return tuple(row for row in FLAGS if opcode in row.opcodes and field in ("", row.field))


def flag_width(opcode: str) -> int:
    """Return the number of bits that the flags of an instruction take in records."""
    return max(1 if row.is_whole else row.member.bit_length() for row in flags_of_opcode(opcode, "flags"))


class _FlagsByNumber(dict[int, Any]):
    """The flags that a field of a record gives, by its number; bits without a meaning are ignored.

    Args:
        rows: the flags of the field, at least one.
    """

    def __init__(self, rows: Sequence[Flag]) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, number: int) -> IntFlag:
        flags = type(self._rows[0].member)(0)
        for row in self._rows:
            if number if row.is_whole else number & row.member:
                flags |= row.member | row.implies
        if number < _REMEMBERED:
            self[number] = flags
        return flags


_REMEMBERED = 256
"""Larger numbers are computed each time: a file can have any."""


@cache
def flags_by_number(opcode: str, field: str = "flags") -> _FlagsByNumber:
    """Return the flags that a field of the record of an instruction gives, by its number."""
    return _FlagsByNumber(flags_of_opcode(opcode, field))


class _Members(dict[int, Any]):
    """The members of an enumeration of flags, and their combinations, by their bits: quicker than its constructor."""

    def __init__(self, kind: type[IntFlag]) -> None:
        super().__init__()
        self._kind = kind

    def __missing__(self, bits: int) -> IntFlag:
        self[bits] = flags = self._kind(bits)
        return flags


@cache
def members_of(kind: type[_Flags]) -> Mapping[int, _Flags]:
    """Return the members of an enumeration of flags, and their combinations, by their bits."""
    return _Members(kind)


def _stated(rows: Sequence[Flag], flags: int) -> list[Flag]:
    """Return the rows of flags, without those that another one implies."""
    implied = 0
    for row in rows:
        if flags & row.member:
            implied |= row.implies
    return [row for row in rows if flags & row.member & ~implied]


def newer_flags(opcode: str, flags: int, version: int) -> list[Flag]:
    """Return those flags of an instruction that a version of LLVM lacks."""
    return [row for row in _stated(flags_of_opcode(opcode), flags) if row.since > version]


class _FlagTexts(dict[int, str]):
    """The words for flags, a space in front of each, by the flags."""

    def __init__(self, rows: Sequence[Flag]) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, flags: int) -> str:
        self[flags] = text = "".join([f" {row.word}" for row in _stated(self._rows, flags)])
        return text


@cache
def flag_texts(opcode: str) -> Mapping[int, str]:
    """Return the words for the flags of an instruction, a space in front of each, by the flags."""
    return _FlagTexts(flags_of_opcode(opcode))


@cache
def flag_words(opcode: str) -> dict[bytes, int]:
    """Return the flags of an instruction by their words, in the order of text, each with the flags that it implies."""
    return {row.word.encode(): int(row.member | row.implies) for row in flags_of_opcode(opcode)}


class _FlagNumbers(dict[int, int]):
    """The numbers that records have for flags, by the flags."""

    def __init__(self, rows: Sequence[Flag]) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, flags: int) -> int:
        number = 0
        for row in self._rows:
            if flags & row.member:
                number |= 1 if row.is_whole else row.member
        self[flags] = number
        return number


def flag_numbers(opcode: str, field: str = "flags", version: int | None = None) -> Mapping[int, int]:
    """Return the numbers that a field of a record has for the flags of an instruction, by the flags.

    Args:
        opcode: of the instruction.
        field: of its record.
        version: of the LLVM that is to read the record, which ignores flags that are newer; None for the newest.
    """
    rows = flags_of_opcode(opcode, field)
    return _FlagNumbers([row for row in rows if version is None or row.since <= version])
