"""Objects that LLVM's back end made, read by pyelftools, and what they should be by the project's own encoding."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import NamedTuple

from elftools.elf.elffile import ELFFile

from bitcodec.ir.functions import Function
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.module import Module
from bitcodec.pcsections.encoding.encode import Address, EncodedSection, Entry, FunctionEntry, InstructionEntry, encode
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.tables.elf_machines import DataRelocation

LINK_ORDER = 0x80
ARM = 40
SPARC = (2, 43)
SPARC_ALIKE = {3: 23, 32: 54}

Place = tuple[str, int]
"""A section or an undefined symbol, and the offset in it."""


class Row(NamedTuple):
    """A relocation: `addend` is None where the field holds it."""

    offset: int
    types: tuple[int, ...]
    place: Place
    addend: int | None


class Section(NamedTuple):
    """A section of an object."""

    data: bytes
    rows: list[Row]
    flags: int
    linked: str


class Symbol(NamedTuple):
    """A symbol of an object."""

    section: str
    value: int
    size: int


class Code(NamedTuple):
    """Where a function is, in its section, and those of its loads that can be found."""

    section: str
    start: int
    size: int
    loads: list[int]


class Object(NamedTuple):
    """What is compared of an object."""

    machine: int
    sections: dict[str, Section]
    symbols: dict[str, Symbol]


def read(data: bytes) -> Object:
    """Read a relocatable object."""

    file = ELFFile(io.BytesIO(data))
    sections = list(file.iter_sections())
    table = next(section for section in sections if section["sh_type"] == "SHT_SYMTAB")
    symbols = list(table.iter_symbols())
    machine = int.from_bytes(data[18:20], "little" if file.little_endian else "big")
    rows: dict[int, list[Row]] = {}
    for section in sections:
        if section["sh_type"] in ("SHT_REL", "SHT_RELA"):
            rows[section["sh_info"]] = [
                Row(
                    entry["r_offset"],
                    _types(entry, file.elfclass, machine),
                    _place(symbols[entry["r_info_sym"]], sections),
                    entry["r_addend"] if "r_addend" in entry.entry else None,
                )
                for entry in section.iter_relocations()
            ]
    found = {
        section.name: Section(
            section.data(), rows.get(index, []), section["sh_flags"], sections[section["sh_link"]].name
        )
        for index, section in enumerate(sections)
        if section["sh_type"] == "SHT_PROGBITS"
    }
    named = {
        symbol.name: Symbol(
            sections[symbol["st_shndx"]].name, symbol["st_value"] & ~_is_thumb(machine, symbol), symbol["st_size"]
        )
        for symbol in symbols
        if isinstance(symbol["st_shndx"], int)
    }
    return Object(machine, found, named)


def _is_thumb(machine: int, symbol: object) -> int:
    """Return the bit that tells Thumb code, which is no part of an address."""
    return int(machine == ARM and symbol["st_info"]["type"] == "STT_FUNC")  # type: ignore[index]


def _types(entry: object, width: int, machine: int) -> tuple[int, ...]:
    parts = [entry["r_info_type"]]  # type: ignore[index]
    if width == 64 and "r_type2" in entry.entry:  # type: ignore[attr-defined]
        parts += [entry["r_type2"], entry["r_type3"]]  # type: ignore[index]
    # Which of two that do the same SPARC has depends on how the assembler cuts a section into pieces.
    alike = SPARC_ALIKE if machine in SPARC else {}
    return tuple(alike.get(part, part) for part in parts if part)


def operation_types(operation: DataRelocation) -> tuple[int, ...]:
    """Return the types that stand for an operation: of MIPS64 several, each in a byte, on what the one before gave."""
    return tuple(map(int, operation.number.to_bytes(2, "little"))) if "/" in operation.name else (operation.number,)


def _place(symbol: object, sections: list) -> Place:  # type: ignore[type-arg]
    index = symbol["st_shndx"]  # type: ignore[index]
    name = sections[index].name if isinstance(index, int) else symbol.name  # type: ignore[attr-defined]
    return name, symbol["st_value"]  # type: ignore[index]


def told(section: EncodedSection, symbols: Mapping[str, Symbol]) -> Section:
    """Return an encoded section as `read` returns those of an object."""
    has_addends = section.target.row.has_addends
    rows = []
    for offset, operation, (symbol, distance), addend in section.relocations:
        known = symbols.get(symbol)
        place = (symbol, distance) if known is None else (known.section, known.value + distance)
        rows.append(Row(offset, operation_types(operation), place, addend if has_addends else None))
    return Section(section.data, rows, 0, "")


def expected(module: Module, target: Target, found: Mapping[str, Code]) -> dict[str, EncodedSection]:
    """Encode a module of `recipes.module_of` whose functions are where `found` says."""
    entries: list[Entry] = []
    for function in module.functions:
        code = found[function.name]
        if function.pcsections is not None:
            entries.append(FunctionEntry(function.pcsections, Address(code.section, code.start), code.size))
        runs: dict[MDNode, list[Address]] = {}
        asked = {}
        for load, place in zip(next(iter(function.blocks)).instructions, code.loads, strict=False):
            if load.pcsections is not None:
                node = load.metadata["pcsections"]
                asked[node] = load.pcsections
                runs.setdefault(node, []).append(Address(code.section, place))
        entries += (InstructionEntry(asked[node], run) for node, run in runs.items())
    return encode(entries, target)


def codes(found: Object, module: Module, word: int) -> dict[str, Code]:
    """Return where functions are, and their loads, which take `word` bytes each, 0 to leave them out."""
    return {function.name: _code(found, function, word) for function in module.functions}


def _code(found: Object, function: Function, word: int) -> Code:
    symbol = found.symbols[function.name]
    # The last load and the return may be anywhere.
    count = len(next(iter(function.blocks)).instructions) - 2 if word else 0
    data = found.sections[symbol.section].data[symbol.value : symbol.value + symbol.size]
    for start in range(0, len(data), word if word >= 4 else 1):
        # The code has one word again and again, as often as it loads.
        if data[start : start + word] * count == data[start : start + word * count]:
            loads = [symbol.value + start + word * index for index in range(count)]
            return Code(symbol.section, symbol.value, symbol.size, loads)
    raise AssertionError(f"{data.hex()} has not {count} equal words of {word} bytes")


def differences(encoded: Mapping[str, EncodedSection], found: Object) -> list[str]:
    """Tell in which PC sections an object is not what was encoded: in bytes, relocations or their order."""
    theirs = {name: section for name, section in found.sections.items() if section.flags & LINK_ORDER}
    ours = {name: told(section, found.symbols) for name, section in encoded.items()}
    return [
        f"{name}: {ours.get(name)} is not {theirs.get(name)}"
        for name in sorted({*ours, *theirs})
        if name not in ours or name not in theirs or ours[name][:2] != theirs[name][:2]
    ]
