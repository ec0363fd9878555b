"""Relocations by number, beside the names that llvm-readobj has for them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bitcodec.tables.elf_machines import MACHINES, Machine

from .elf_building import run
from .readobj import READOBJ

YAML2OBJ = "yaml2obj-22"
ONLY_32_BITS = {2, 3, 4, 20, 40, 164}
BIG = {2, 4, 20, 21, 22, 43}
MIPS = 8
UNKNOWN_TO_LLVM = {"R_PPC64_UADDR32", "R_PPC64_UADDR64"}


@pytest.mark.parametrize("machine", MACHINES.values(), ids=lambda each: each.name)
def test_numbers_are_those_of_llvm(machine: Machine, tmp_path: Path) -> None:
    types = sorted(machine.relocations)
    rows = "".join(
        f"\n      - {{Offset: 0, Type: {each & 0xFF if machine.number == MIPS else each}"
        + (f", Type2: {each >> 8}" if each >> 8 and machine.number == MIPS else "")
        + "}"
        for each in types
    )
    bits = 32 if machine.number in ONLY_32_BITS else 64
    order = "MSB" if machine.number in BIG else "LSB"
    source, made = tmp_path / "a.yaml", tmp_path / "a.o"
    kind = f"Class: ELFCLASS{bits}, Data: ELFDATA2{order}, Type: ET_REL, Machine: {machine.number}"
    source.write_text(
        f"--- !ELF\nFileHeader: {{{kind}}}"
        "\nSections:\n  - {Name: .text, Type: SHT_PROGBITS, Size: 64}\n  - Name: .rela.text\n    Type: SHT_RELA"
        f"\n    Info: .text\n    Relocations:{rows}\n"
    )
    run(YAML2OBJ, source, "-o", made)
    found = [name.replace("/R_MIPS_NONE", "") for name in re.findall(r"0x0 (\S+)", run(READOBJ, "-r", made))]
    names = [machine.relocations[each].name for each in types]
    assert found == ["Unknown" if name in UNKNOWN_TO_LLVM else name for name in names]
