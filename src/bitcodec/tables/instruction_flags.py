"""Flags of instructions and inline assembly, one row each: word in text, bit in records, since when LLVM has it.

Reader, writer, printer, parser, downgrades and the analysis of older readers use these rows: a new flag is an
enumerator and a row.  Rules: docs/reference/records.md, 6.4; docs/reference/text.md, 9.1.
"""

from __future__ import annotations

from enum import IntFlag
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = [
    "FAST_MATH",
    "FAST_MATH_FLAGS",
    "FAST_MATH_OF",
    "FAST_MATH_TEXTS",
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
    "FastMath",
    "FastMathFlag",
    "FastMathFlags",
    "Flag",
    "GEPFlags",
    "IntegerFlags",
    "fast_math_by_number",
    "flag_numbers",
    "flag_texts",
    "flag_width",
    "flag_words",
    "flags_by_number",
    "flags_of_opcode",
    "has_newer_flags",
    "members_of",
    "newer_fast_math",
    "newer_flags",
    "number_with_fast_math",
    "older_fast_math",
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


class FastMathFlag(NamedTuple):
    """A fast-math flag.

    Attributes:
        word: in text.
        member: of the enumeration; its value is the bit in records.
        since: the first version of LLVM that has it, 0 for all versions.
    """

    word: str
    member: FastMathFlags
    since: int = 0


FAST_MATH_FLAGS = (
    FastMathFlag("reassoc", FastMathFlags.REASSOC, since=6),
    FastMathFlag("nnan", FastMathFlags.NNAN),
    FastMathFlag("ninf", FastMathFlags.NINF),
    FastMathFlag("nsz", FastMathFlags.NSZ),
    FastMathFlag("arcp", FastMathFlags.ARCP),
    FastMathFlag("contract", FastMathFlags.CONTRACT, since=5),
    FastMathFlag("afn", FastMathFlags.AFN, since=6),
)
"""In the order of text; `fast` is all of them."""
_WITH_REASSOC = 6
"""The first version without `UNSAFE_ALGEBRA`, the one bit that set all of them."""


class FastMath(NamedTuple):
    """Instructions that can have fast-math flags, all of them, in the attribute `fast_math`.

    Attributes:
        opcodes: of the instructions.
        since: the first version of LLVM whose instructions have them, 0 for all versions.
        shift: the number of bits before them in their operand, which belong to `FLAGS`.
    """

    opcodes: tuple[str, ...]
    since: int = 0
    shift: int = 0


FAST_MATH = (
    FastMath(("fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "fcmp", "call")),
    FastMath(("select",), since=9),
    FastMath(("phi",), since=10),
    FastMath(("fptrunc", "fpext"), since=20),
    FastMath(("sitofp",), since=23),
    FastMath(("uitofp",), since=23, shift=1),
)
FAST_MATH_OF = {opcode: row for row in FAST_MATH for opcode in row.opcodes}
"""By opcode."""


class _Computed(dict[int, Any]):
    """Results of a function of numbers; results are cached, except for large numbers, as a file can contain any."""

    def __init__(self, compute: Callable[[int], Any]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, number: int) -> Any:
        result = self._compute(number)
        if number < _REMEMBERED:
            self[number] = result
        return result


_REMEMBERED = 1024


@cache
def flags_of_opcode(opcode: str, field: str = "") -> tuple[Flag, ...]:
    """Return the flags of the instructions with an opcode; if a field is given, those that it holds in records."""
    return tuple(row for row in FLAGS if opcode in row.opcodes and field in ("", row.field))


def flag_width(*opcodes: str, version: int = MODEL) -> int:
    """Return the number of bits that the flags of instructions take in records of a version of LLVM."""
    rows = [row for opcode in opcodes for row in flags_of_opcode(opcode, "flags")]
    widths = [1 if row.is_whole else row.member.bit_length() for row in rows]
    math = [FAST_MATH_OF[opcode] for opcode in opcodes if opcode in FAST_MATH_OF]
    return max(widths + [row.shift + FastMathFlags.FAST.bit_length() for row in math if row.since <= version])


@cache
def flags_by_number(opcode: str, field: str = "flags") -> Mapping[int, Any]:
    """Return the flags that a field of the record of an instruction gives, by its number.

    Bits without a meaning are ignored.
    """
    rows = flags_of_opcode(opcode, field)

    def compute(number: int) -> IntFlag:
        flags = type(rows[0].member)(0)
        for row in rows:
            if number if row.is_whole else number & row.member:
                flags |= row.member | row.implies
        return flags

    return _Computed(compute)


@cache
def fast_math_by_number(opcode: str) -> Mapping[int, FastMathFlags]:
    """Return the fast-math flags that the number in the record of an instruction gives."""
    shift = FAST_MATH_OF[opcode].shift

    def compute(number: int) -> FastMathFlags:
        bits = number >> shift
        return FastMathFlags.FAST if bits & FastMathFlags.UNSAFE_ALGEBRA else FastMathFlags.FAST & bits

    return _Computed(compute)


@cache
def members_of(kind: type[_Flags]) -> Mapping[int, _Flags]:
    """Return the members of an enumeration of flags, and their combinations, by their bits.

    This is quicker than the constructor of the enumeration.
    """
    return _Computed(kind)


def _stated(rows: Sequence[Flag], flags: int) -> list[Flag]:
    """Return the rows of flags, without those that another one implies."""
    implied = 0
    for row in rows:
        if flags & row.member:
            implied |= row.implies
    return [row for row in rows if flags & row.member & ~implied]


def newer_flags(opcode: str, flags: int, version: int) -> list[Flag]:
    """Return the flags of an instruction that a version of LLVM lacks."""
    return [row for row in _stated(flags_of_opcode(opcode), flags) if row.since > version]


def newer_fast_math(flags: int, version: int) -> list[FastMathFlag]:
    """Return the fast-math flags that a version of LLVM lacks, empty if it has one bit for all of them."""
    is_known = version < _WITH_REASSOC and flags & FastMathFlags.FAST == FastMathFlags.FAST
    return [row for row in FAST_MATH_FLAGS if flags & row.member and row.since > version and not is_known]


def has_newer_flags(opcode: str, version: int, flags: int = -1, fast_math: int = -1) -> bool:
    """Return whether an instruction has flags that a version of LLVM lacks; by default, whether one can have some."""
    row = FAST_MATH_OF.get(opcode)
    is_newer = row is not None and fast_math != 0 and (row.since > version or newer_fast_math(fast_math, version))
    return bool(is_newer or newer_flags(opcode, flags, version))


def older_fast_math(flags: FastMathFlags, version: int) -> FastMathFlags:
    """Return the fast-math flags that are written for a version of LLVM."""
    if version < _WITH_REASSOC and flags & FastMathFlags.FAST == FastMathFlags.FAST:
        return FastMathFlags.UNSAFE_ALGEBRA
    for row in newer_fast_math(flags, version):
        flags &= ~row.member
    return flags


@cache
def flag_texts(opcode: str) -> Mapping[int, str]:
    """Return the words for the flags of an instruction, a space before each, by the flags."""
    rows = flags_of_opcode(opcode)
    return _Computed(lambda flags: "".join([f" {row.word}" for row in _stated(rows, flags)]))


def _fast_math_text(flags: int) -> str:
    if flags & FastMathFlags.FAST == FastMathFlags.FAST:
        return " fast"
    return "".join([f" {row.word}" for row in FAST_MATH_FLAGS if flags & row.member])


FAST_MATH_TEXTS: Mapping[int, str] = _Computed(_fast_math_text)
"""The words for fast-math flags, a space before each, by the flags."""


@cache
def flag_words(opcode: str) -> dict[bytes, int]:
    """Return the flags of an instruction by their words, in the order of text, each with the flags that it implies."""
    return {row.word.encode(): int(row.member | row.implies) for row in flags_of_opcode(opcode)}


def flag_numbers(opcode: str, field: str = "flags", version: int | None = None) -> Mapping[int, int]:
    """Return the numbers that a field of a record has for the flags of an instruction, by the flags.

    Args:
        opcode: of the instruction.
        field: of its record.
        version: of the LLVM that is to read the record, which ignores flags that are newer; None for the newest.
    """
    rows = [row for row in flags_of_opcode(opcode, field) if version is None or row.since <= version]

    return _Computed(lambda flags: sum(1 if row.is_whole else int(row.member) for row in rows if flags & row.member))


def number_with_fast_math(opcode: str, flags: int, fast_math: int) -> int:
    """Return the number that a record has for the flags and the fast-math flags of an instruction."""
    row = FAST_MATH_OF.get(opcode)
    if row is None or fast_math == 0:
        return flags
    return int(flags) | fast_math << row.shift if row.shift else fast_math
