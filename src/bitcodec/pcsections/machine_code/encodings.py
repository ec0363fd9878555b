"""Encoding facts that give the length of a machine instruction, by processor.

Rules: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, "Instruction Format" and "Opcode Map";
Intel APX Architecture Specification; AMD64 Architecture Programmer's Manual, volume 3, "XOP"; RISC-V Instruction Set
Manual, "Expanded Instruction-Length Encoding"; z/Architecture Principles of Operation, "Instruction Formats"; Power ISA
3.1, "Prefixed Instructions".
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from bitcodec.tables.elf_machines import MACHINES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.containers.elf_headers import ElfHeader

__all__ = ["OPERANDS", "Coding", "Map", "Operands", "coding_of"]


class Coding(IntEnum):
    """How the length of an instruction is found."""

    UNKNOWN = 0
    """No rule is known."""
    HALFWORDS = 1
    """Instructions begin at even addresses; more is not known (Thumb, compressed MIPS)."""
    WORDS = 2
    """All have four bytes."""
    RISCV = 3
    """The lowest bits of the first halfword specify it."""
    SYSTEMZ = 4
    """The highest bits of the first byte specify it."""
    POWERPC = 5
    """Four bytes, or eight with a prefix."""
    X86 = 6
    """Prefixes, opcode, ModRM, displacement and immediate operand, in 32-bit mode."""
    X86_64 = 7
    """The same in 64-bit mode."""


_CODINGS = {
    "i386": Coding.X86,
    "x86_64": Coding.X86_64,
    **dict.fromkeys(("arm", "mips"), Coding.HALFWORDS),
    **dict.fromkeys(("powerpc", "powerpc64"), Coding.POWERPC),
    "s390x": Coding.SYSTEMZ,
    "riscv": Coding.RISCV,
    **dict.fromkeys(("sparc", "sparcv9", "aarch64", "hexagon", "loongarch"), Coding.WORDS),
}
"""By the name of the processor."""


def coding_of(header: ElfHeader) -> Coding:
    """Return how the code of an ELF file is to be read."""
    machine = MACHINES.get(header.machine)
    return Coding.UNKNOWN if machine is None else _CODINGS.get(machine.name, Coding.UNKNOWN)


class Map(IntEnum):
    """An opcode map of x86: which table an opcode is looked up in."""

    ONE_BYTE = 0
    TWO_BYTES = 1
    """After 0F."""
    VECTOR_TWO_BYTES = 2
    """Map 1 of VEX and EVEX."""
    PROMOTED = 3
    """Map 4 of EVEX: instructions of the first two maps."""
    ONE_BYTE_32 = 4
    """ONE_BYTE in 32-bit mode."""


class Operands(IntFlag):
    """Operands that follow an opcode of x86."""

    MODRM = 1
    BYTE = 2
    """An immediate operand of a byte."""
    WORD = 4
    """One of two bytes."""
    FULL = 8
    """One of two or four bytes, by the operand size."""
    WIDE = 16
    """One of two, four or eight bytes, by the operand size."""
    ADDRESS = 32
    """An address."""
    TEST = 64
    """As FULL, or BYTE if the opcode is even, but only if the `reg` field of ModRM is 0 or 1."""
    INVALID = 128


_M, _B, _W, _F = Operands.MODRM, Operands.BYTE, Operands.WORD, Operands.FULL
_V, _A, _T, _X = Operands.WIDE, Operands.ADDRESS, Operands.TEST, Operands.INVALID
_N = Operands(0)


def _table(default: Operands, rows: Iterable[tuple[int, int, Operands]]) -> bytes:
    """Return a table of 256 opcodes: each row has the operands of the opcodes from a first to a last one."""
    table = bytearray([default]) * 256
    for first, last, operands in rows:
        table[first : last + 1] = bytes([operands]) * (last + 1 - first)
    return bytes(table)


_ARITHMETIC = [
    row
    for first in range(0, 0x40, 8)
    for row in ((first, first + 3, _M), (first + 4, first + 4, _B), (first + 5, first + 5, _F))
]
_COMMON = [
    *_ARITHMETIC,
    (0x63, 0x63, _M), (0x68, 0x68, _F), (0x69, 0x69, _M | _F), (0x6A, 0x6A, _B), (0x6B, 0x6B, _M | _B),
    (0x70, 0x7F, _B), (0x80, 0x80, _M | _B), (0x81, 0x81, _M | _F), (0x83, 0x83, _M | _B), (0x84, 0x8F, _M),
    (0xA0, 0xA3, _A), (0xA8, 0xA8, _B), (0xA9, 0xA9, _F), (0xB0, 0xB7, _B), (0xB8, 0xBF, _V),
    (0xC0, 0xC1, _M | _B), (0xC2, 0xC2, _W), (0xC6, 0xC6, _M | _B), (0xC7, 0xC7, _M | _F), (0xC8, 0xC8, _W | _B),
    (0xCA, 0xCA, _W), (0xCD, 0xCD, _B), (0xD0, 0xD3, _M), (0xD8, 0xDF, _M), (0xE0, 0xE7, _B), (0xE8, 0xE9, _F),
    (0xEB, 0xEB, _B), (0xF6, 0xF7, _M | _T), (0xFE, 0xFF, _M),
]  # fmt: skip
_ONLY_64 = [
    *((code, code + 1, _X) for code in (0x06, 0x16, 0x1E)), (0x0E, 0x0E, _X), (0x17, 0x17, _X), (0x27, 0x27, _X),
    (0x2F, 0x2F, _X), (0x37, 0x37, _X), (0x3F, 0x3F, _X), (0x60, 0x61, _X), (0x82, 0x82, _X), (0x9A, 0x9A, _X),
    (0xCE, 0xCE, _X), (0xD4, 0xD4, _X), (0xD6, 0xD6, _X), (0xEA, 0xEA, _X),
]  # fmt: skip
_ONLY_32 = [
    (0x82, 0x82, _M | _B), (0x9A, 0x9A, _F | _W), (0xD4, 0xD5, _B), (0xEA, 0xEA, _F | _W),
    (0x62, 0x62, _M), (0xC4, 0xC5, _M),
]  # fmt: skip
_TWO_BYTES = [
    (0x04, 0x09, _N), (0x0A, 0x0A, _X), (0x0B, 0x0C, _N), (0x0E, 0x0E, _N), (0x0F, 0x0F, _M | _B), (0x24, 0x27, _X),
    (0x30, 0x37, _N), (0x70, 0x73, _M | _B), (0x77, 0x77, _N), (0x80, 0x8F, _F), (0xA0, 0xA2, _N),
    (0xA4, 0xA4, _M | _B), (0xA8, 0xAA, _N), (0xAC, 0xAC, _M | _B), (0xBA, 0xBA, _M | _B),
    (0xC2, 0xC2, _M | _B), (0xC4, 0xC6, _M | _B), (0xC8, 0xCF, _N),
]  # fmt: skip
_VECTOR = [(0x70, 0x73, _M | _B), (0x77, 0x77, _N), (0xC2, 0xC2, _M | _B), (0xC4, 0xC6, _M | _B)]
_PROMOTED = [
    (0x24, 0x24, _M | _B), (0x2C, 0x2C, _M | _B), (0x69, 0x69, _M | _F), (0x6B, 0x6B, _M | _B), (0x80, 0x80, _M | _B),
    (0x81, 0x81, _M | _F), (0x83, 0x83, _M | _B), (0xC0, 0xC1, _M | _B), (0xF6, 0xF7, _M | _T),
]  # fmt: skip

OPERANDS: bytes = b"".join(
    (
        _table(_N, [*_COMMON, *_ONLY_64]),
        _table(_M, _TWO_BYTES),
        _table(_M, _VECTOR),
        _table(_M, _PROMOTED),
        _table(_N, [*_COMMON, *_ONLY_32]),
    )
)
"""For each `Map`, 256 `Operands`."""
