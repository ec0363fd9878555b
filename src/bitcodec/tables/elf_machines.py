"""Processors in ELF, and their data relocations, as far as PC sections use them.

Rules: the processor supplements of the ELF specification; docs/reference/pc-sections.md, 2.4.
"""

from __future__ import annotations

from enum import Enum

from bitcodec.named_tuple import NamedTuple

__all__ = ["MACHINES", "DataRelocation", "Machine", "RelocationKind"]


class RelocationKind(Enum):
    """Calculation of a relocated field.

    S is the symbol, A the addend, P the place of the field, B the address that an image is loaded to.
    """

    PC_RELATIVE = "S + A - P"
    ABSOLUTE = "S + A"
    ADD = "field + S + A"
    SUBTRACT = "field - S - A"
    SET_ULEB128 = "S + A, as long as it was"
    ADD_ULEB128 = "field + S + A, as long as it was"
    SUBTRACT_ULEB128 = "field - S - A, as long as it was"
    RELATIVE = "B + A"


class DataRelocation(NamedTuple):
    """A relocation.

    Attributes:
        number: its type in the file.
        name: as tools print it.
        kind: its calculation.
        size: bytes of the field, 0 where it is a ULEB128, or an address of the image.
    """

    number: int
    name: str
    kind: RelocationKind
    size: int


class Machine(NamedTuple):
    """A processor.

    Attributes:
        number: `e_machine`.
        name: LLVM's name of the architecture, without width and byte order.
        relocations: by type; of two that do the same, the first is the one that compilers write.
    """

    number: int
    name: str
    relocations: dict[int, DataRelocation]

    def find(self, kind: RelocationKind, size: int) -> DataRelocation | None:
        """Return the relocation of a kind for a field of `size` bytes, None if the machine has none."""
        return next((row for row in self.relocations.values() if (row.kind, row.size) == (kind, size)), None)


_PC, _ABS = RelocationKind.PC_RELATIVE, RelocationKind.ABSOLUTE
_ADD, _SUB = RelocationKind.ADD, RelocationKind.SUBTRACT
_REL = RelocationKind.RELATIVE
_ULEB = _WORD = 0


def _machine(number: int, name: str, *rows: tuple[int, str, RelocationKind, int]) -> Machine:
    return Machine(number, name, {row[0]: DataRelocation(*row) for row in rows})


MACHINES: dict[int, Machine] = {
    machine.number: machine
    for machine in (
        _machine(
            2,
            "sparc",
            (6, "R_SPARC_DISP32", _PC, 4),
            (23, "R_SPARC_UA32", _ABS, 4),
            (3, "R_SPARC_32", _ABS, 4),
            (22, "R_SPARC_RELATIVE", _REL, _WORD),
        ),
        _machine(3, "i386", (2, "R_386_PC32", _PC, 4), (1, "R_386_32", _ABS, 4)),
        _machine(4, "m68k", (4, "R_68K_PC32", _PC, 4), (1, "R_68K_32", _ABS, 4), (22, "R_68K_RELATIVE", _REL, _WORD)),
        _machine(
            8,
            "mips",
            (248, "R_MIPS_PC32", _PC, 4),
            (248 | 18 << 8, "R_MIPS_PC32/R_MIPS_64", _PC, 8),
            (2, "R_MIPS_32", _ABS, 4),
            (18, "R_MIPS_64", _ABS, 8),
        ),
        _machine(
            20,
            "powerpc",
            (26, "R_PPC_REL32", _PC, 4),
            (1, "R_PPC_ADDR32", _ABS, 4),
            (24, "R_PPC_UADDR32", _ABS, 4),
            (22, "R_PPC_RELATIVE", _REL, _WORD),
        ),
        _machine(
            21,
            "powerpc64",
            (26, "R_PPC64_REL32", _PC, 4),
            (44, "R_PPC64_REL64", _PC, 8),
            (1, "R_PPC64_ADDR32", _ABS, 4),
            (24, "R_PPC64_UADDR32", _ABS, 4),
            (38, "R_PPC64_ADDR64", _ABS, 8),
            (43, "R_PPC64_UADDR64", _ABS, 8),
            (22, "R_PPC64_RELATIVE", _REL, _WORD),
        ),
        _machine(
            22,
            "s390x",
            (5, "R_390_PC32", _PC, 4),
            (23, "R_390_PC64", _PC, 8),
            (4, "R_390_32", _ABS, 4),
            (22, "R_390_64", _ABS, 8),
            (12, "R_390_RELATIVE", _REL, _WORD),
        ),
        _machine(40, "arm", (3, "R_ARM_REL32", _PC, 4), (2, "R_ARM_ABS32", _ABS, 4)),
        _machine(
            43,
            "sparcv9",
            (6, "R_SPARC_DISP32", _PC, 4),
            (46, "R_SPARC_DISP64", _PC, 8),
            (23, "R_SPARC_UA32", _ABS, 4),
            (3, "R_SPARC_32", _ABS, 4),
            (54, "R_SPARC_UA64", _ABS, 8),
            (32, "R_SPARC_64", _ABS, 8),
            (22, "R_SPARC_RELATIVE", _REL, _WORD),
        ),
        _machine(
            62,
            "x86_64",
            (2, "R_X86_64_PC32", _PC, 4),
            (24, "R_X86_64_PC64", _PC, 8),
            (10, "R_X86_64_32", _ABS, 4),
            (11, "R_X86_64_32S", _ABS, 4),
            (1, "R_X86_64_64", _ABS, 8),
            (8, "R_X86_64_RELATIVE", _REL, _WORD),
        ),
        _machine(
            164,
            "hexagon",
            (31, "R_HEX_32_PCREL", _PC, 4),
            (6, "R_HEX_32", _ABS, 4),
            (35, "R_HEX_RELATIVE", _REL, _WORD),
        ),
        _machine(
            183,
            "aarch64",
            (261, "R_AARCH64_PREL32", _PC, 4),
            (260, "R_AARCH64_PREL64", _PC, 8),
            (258, "R_AARCH64_ABS32", _ABS, 4),
            (257, "R_AARCH64_ABS64", _ABS, 8),
            (3, "R_AARCH64_P32_PREL32", _PC, 4),
            (1, "R_AARCH64_P32_ABS32", _ABS, 4),
            (1027, "R_AARCH64_RELATIVE", _REL, _WORD),
        ),
        _machine(
            224,
            "amdgcn",
            (4, "R_AMDGPU_REL32", _PC, 4),
            (5, "R_AMDGPU_REL64", _PC, 8),
            (6, "R_AMDGPU_ABS32", _ABS, 4),
            (3, "R_AMDGPU_ABS64", _ABS, 8),
            (13, "R_AMDGPU_RELATIVE64", _REL, _WORD),
        ),
        _machine(
            243,
            "riscv",
            (33, "R_RISCV_ADD8", _ADD, 1),
            (37, "R_RISCV_SUB8", _SUB, 1),
            (34, "R_RISCV_ADD16", _ADD, 2),
            (38, "R_RISCV_SUB16", _SUB, 2),
            (35, "R_RISCV_ADD32", _ADD, 4),
            (39, "R_RISCV_SUB32", _SUB, 4),
            (36, "R_RISCV_ADD64", _ADD, 8),
            (40, "R_RISCV_SUB64", _SUB, 8),
            (57, "R_RISCV_32_PCREL", _PC, 4),
            (1, "R_RISCV_32", _ABS, 4),
            (2, "R_RISCV_64", _ABS, 8),
            (60, "R_RISCV_SET_ULEB128", RelocationKind.SET_ULEB128, _ULEB),
            (61, "R_RISCV_SUB_ULEB128", RelocationKind.SUBTRACT_ULEB128, _ULEB),
            (3, "R_RISCV_RELATIVE", _REL, _WORD),
        ),
        _machine(
            251,
            "ve",
            (3, "R_VE_SREL32", _PC, 4),
            (1, "R_VE_REFLONG", _ABS, 4),
            (2, "R_VE_REFQUAD", _ABS, 8),
            (17, "R_VE_RELATIVE", _REL, _WORD),
        ),
        _machine(
            258,
            "loongarch",
            (99, "R_LARCH_32_PCREL", _PC, 4),
            (109, "R_LARCH_64_PCREL", _PC, 8),
            (1, "R_LARCH_32", _ABS, 4),
            (2, "R_LARCH_64", _ABS, 8),
            (47, "R_LARCH_ADD8", _ADD, 1),
            (52, "R_LARCH_SUB8", _SUB, 1),
            (48, "R_LARCH_ADD16", _ADD, 2),
            (53, "R_LARCH_SUB16", _SUB, 2),
            (50, "R_LARCH_ADD32", _ADD, 4),
            (55, "R_LARCH_SUB32", _SUB, 4),
            (51, "R_LARCH_ADD64", _ADD, 8),
            (56, "R_LARCH_SUB64", _SUB, 8),
            (107, "R_LARCH_ADD_ULEB128", RelocationKind.ADD_ULEB128, _ULEB),
            (108, "R_LARCH_SUB_ULEB128", RelocationKind.SUBTRACT_ULEB128, _ULEB),
            (3, "R_LARCH_RELATIVE", _REL, _WORD),
        ),
    )
}
"""By `e_machine`.  Not here are those whose PC sections hold absolute addresses: BPF, AVR, MSP430, Lanai, Xtensa."""
