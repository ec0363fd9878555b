"""What llvm-readobj says of PC sections in relocatable objects: fields, and what they are resolved to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from answers import ask, recall

READOBJ = "llvm-readobj-22"

PC_RELATIVE = re.compile(r"_(PC|PREL|REL|DISP|SREL)(32|64)\b|_(32|64)_PCREL")
ADDRESS = re.compile(r"_(ABS|ADDR|UA|UADDR|REFLONG|REFQUAD)?(32|64)?$")
PAIRED = re.compile(r"_(ADD|SUB|SET)(?:(32|64)|_ULEB128)$")
PC_SECTION_FLAGS = 0x83
_FUNCTION = 2

Row = list[Any]


def tables(path: Path) -> dict[str, Any]:
    """Return sections, symbols and relocations, as readobj has them."""
    command: list[str | Path] = [READOBJ, "--elf-output-style=JSON", "--sections", "--symbols", "--relocations", path]
    (found,) = json.loads(ask(command, check=True).stdout)
    return dict(found)


def functions(path: Path) -> list[Row]:
    """Return name, section, its name, value and size of the symbols of functions."""
    found: list[Row] = recall([READOBJ, "functions", path.read_bytes()], lambda: _functions(path))
    return found


def _functions(path: Path) -> list[Row]:
    symbols = [each["Symbol"] for each in tables(path)["Symbols"]]
    return [
        [each["Name"]["Name"], each["Section"]["Value"], each["Section"]["Name"], each["Value"], each["Size"]]
        for each in symbols
        if each["Type"]["Value"] == _FUNCTION
    ]


def pc_sections(path: Path) -> list[dict[str, Any]]:
    """Return name, PCs (offset, size, section, offset there), references and lengths of each PC section, in order."""
    found: list[dict[str, Any]] = recall([READOBJ, "PC sections", path.read_bytes()], lambda: _pc_sections(path))
    return found


def _pc_sections(path: Path) -> list[dict[str, Any]]:
    """Compute the result of `pc_sections`: relocations by their names, and without the code under test."""
    data, found = path.read_bytes(), tables(path)
    order = "little" if data[5] == 1 else "big"
    sections = [each["Section"] for each in found["Sections"]]
    symbols = [each["Symbol"] for each in found["Symbols"]]
    rows: dict[int, list[dict[str, Any]]] = {}
    for table in found["Relocations"]:
        target = sections[table["SectionIndex"]]["Info"]
        rows.setdefault(target, []).extend(each["Relocation"] for each in table["Relocs"])
    result = []
    for section in sections:
        flags, kind = section["Flags"]["Value"], section["Type"]["Value"]
        relocations = rows.get(section["Index"], [])
        if kind == 1 and flags & PC_SECTION_FLAGS == PC_SECTION_FLAGS and relocations:
            content = data[section["Offset"] : section["Offset"] + section["Size"]]
            resolved = resolve(section, content, relocations, symbols, order)
            result.append({"name": section["Name"]["Name"], "index": section["Index"], **resolved})
    return [each for each in result if each["pcs"]]


def resolve(section: Any, content: bytes, relocations: Any, symbols: Any, order: Any) -> dict[str, Any]:
    pcs: list[Row] = []
    references: list[Row] = []
    pairs: dict[int, dict[str, tuple[int, int, int]]] = {}
    for relocation in relocations:
        name, offset = relocation["Type"]["Name"].replace("/R_MIPS_NONE", ""), relocation["Offset"]
        symbol = symbols[relocation["Symbol"]["Value"]]
        paired = PAIRED.search(name)
        size = 8 if re.search("64|QUAD", re.sub(r"^R_(X86_64|AARCH64|PPC64)", "", name)) else 4
        addend = relocation.get("Addend")
        if addend is None:
            addend = int.from_bytes(content[offset : offset + size], order, signed=True)
        place, value = symbol["Section"]["Value"], symbol["Value"] + addend
        if paired:
            size = int(paired[2] or 0) // 8
            pairs.setdefault(offset, {})["-" if paired[1] == "SUB" else "+"] = (size, place, value)
        elif PC_RELATIVE.search(name):
            pcs.append([offset, size, place, value])
        else:
            assert ADDRESS.search(name), name
            references.append([offset, symbol["Name"]["Name"] or symbol["Section"]["Name"], addend, size])
    lengths = []
    for offset, pair in pairs.items():
        size, place, value = pair["+"]
        _, base_place, base = pair["-"]
        if base_place == section["Index"]:
            assert base == offset
            pcs.append([offset, size, place, value])
        else:
            assert place == base_place
            lengths.append([offset, value - base])
    return {"pcs": sorted(pcs), "references": sorted(references), "lengths": sorted(lengths)}
