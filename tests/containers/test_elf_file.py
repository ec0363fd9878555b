"""ELF files whole: sections, their content, symbols and relocations."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from answers import ask
from bitcodec.containers.elf_file import ElfFile, SectionFlag
from bitcodec.containers.elf_headers import ElfHeader
from bitcodec.containers.elf_tables import RESERVED_SECTIONS, Strings, read_relocations, read_symbols
from bitcodec.errors import ContainerError

from .builders import TEXT, elf

MIPS, SPARCV9, X86_64 = 8, 43, 62
SYMTAB, STRTAB, RELA = 2, 3, 4


def header(bits: int = 64, order: str = "<", machine: int = X86_64) -> ElfHeader:
    data = bytearray(elf((".text", TEXT), bits=bits, order=order))
    data[18:20] = struct.pack(order + "H", machine)
    return ElfHeader.of(memoryview(data))


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("extended", [False, True])
def test_sections(bits: int, order: str, extended: bool) -> None:
    data = elf((".text", TEXT), (".data", b"more"), bits=bits, order=order, extended=extended, flags=3)
    file = ElfFile(data)
    assert [section.name for section in file.sections] == ["", "", ".text", ".data"]
    assert bytes(file.content(file.sections[3])) == b"more"
    assert (file.sections[3].type, file.sections[3].flags, file.sections[3].size) == (1, 3, 4)
    assert file.header.word_size == bits // 8
    assert file.header.byte_order == {"<": "little", ">": "big"}[order]


def test_content_is_a_view() -> None:
    data = elf((".text", TEXT))
    file = ElfFile(data)
    assert file.content(file.sections[2]).obj is data


@pytest.mark.parametrize(
    ("start", "change", "message"),
    [
        (0, b"\x7fELG", "no ELF file"),
        (4, b"\3", "ELF class 3"),
        (5, b"\0", "byte order 0"),
        (58, b"\x10\0", "section headers of 64 bytes, found 16"),
        (60, b"\xff\x7f", "ELF section table does not fit"),
        (62, b"\xf0\0", "header of the ELF section names"),
        (40, b"\xff\xff\xff\xff\xff\xff\xff\xff", "first ELF section header"),
    ],
)
def test_headers_that_lie(start: int, change: bytes, message: str) -> None:
    data = bytearray(elf((".text", TEXT)))
    data[start : start + len(change)] = change
    with pytest.raises(ContainerError, match=message):
        _ = ElfFile(data).sections


@pytest.mark.parametrize("size", range(0, 64, 7))
def test_cut_off(size: int) -> None:
    with pytest.raises(ContainerError, match="ELF"):
        ElfFile(elf((".text", TEXT))[:size])


def test_content_that_is_not_there() -> None:
    file = ElfFile(elf((".bss", b"x"), kind=8))
    with pytest.raises(ContainerError, match="no content in this file"):
        file.content(file.sections[2])


# Compression


def compressed(size: int, packed: bytes, *, kind: int = 1, bits: int = 64, order: str = "<") -> ElfFile:
    fields = struct.pack(order + ("I4xQQ" if bits == 64 else "III"), kind, size, 1)
    return ElfFile(elf((".debug", fields + packed), bits=bits, order=order, flags=SectionFlag.COMPRESSED))


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_zlib(bits: int, order: str) -> None:
    plain = b"many words " * 50
    file = compressed(len(plain), zlib.compress(plain), bits=bits, order=order)
    assert bytes(file.content(file.sections[2])) == plain


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (compressed(5, zlib.compress(b"abcd")), "expected 5 bytes of data, found fewer"),
        (compressed(3, zlib.compress(b"abcd")), "expected 3 bytes of data, found more"),
        (compressed(4, zlib.compress(b"abcd")[:-8]), "expected 4 bytes of data, found fewer"),
        (compressed(1 << 40, zlib.compress(b"abcd")), "cannot have 1099511627776 bytes"),
        (compressed(4, b"garbage here"), "not compressed as its header states"),
        (compressed(4, b"zstd", kind=2), "not compressed with zlib"),
    ],
)
def test_compression_that_lies(file: ElfFile, message: str) -> None:
    with pytest.raises(ContainerError, match=message):
        file.content(file.sections[2])


# Names


def test_names_that_share_their_ends_are_limited() -> None:
    strings = Strings(b"x" * 200_000)
    with pytest.raises(ContainerError, match="overlap too much"):
        sum(len(strings[offset]) for offset in range(200_000))


def test_names() -> None:
    strings = Strings(b"\0abc\0\xff\xfe\0tail")
    assert [strings[1], strings[2], strings[4], strings[8]] == ["abc", "bc", "", "tail"]
    assert strings[5].encode("utf-8", "surrogateescape") == b"\xff\xfe"
    with pytest.raises(ContainerError, match="byte 12 of an ELF string table"):
        assert strings[12]
    assert Strings(b"")[0] == ""


# Symbols


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_symbols(bits: int, order: str) -> None:
    rows = [(0, 0, 0, 0, 0, 0), (1, 0x12, 2, 3, 0x1000, 16), (5, 0x10, 0, 0xFFF1, 7, 0), (1, 2, 0, 0xFFFF, 4, 8)]
    table = b"".join(
        struct.pack(order + "IBBHQQ", name, info, other, section, value, size)
        if bits == 64
        else struct.pack(order + "IIIBBH", name, value, size, info, other, section)
        for name, info, other, section, value, size in rows
    )
    extended = struct.pack(order + "4I", 0, 0, 0, 0x12345)
    head = header(bits, order)
    symbols = read_symbols(memoryview(table), head, memoryview(extended), Strings(b"\0one\0\0two\0"))
    assert list(symbols.sections) == [0, 3, RESERVED_SECTIONS | 0xFFF1, 0x12345]
    assert list(symbols.values) == [0, 0x1000, 7, 4]
    assert list(symbols.sizes) == [0, 16, 0, 8]
    assert list(symbols.infos) == [0, 0x12, 0x10, 2]
    assert list(symbols.others) == [0, 2, 0, 0]
    assert [symbols.name(row) for row in range(4)] == ["", "one", "", "one"]
    with pytest.raises(ContainerError, match="in a table that has no such row"):
        read_symbols(memoryview(table), head, None, Strings(b""))
    with pytest.raises(ContainerError, match="expected a multiple of"):
        read_symbols(memoryview(table[:-1]), head, None, Strings(b""))


# Relocations


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("has_addends", [False, True])
def test_relocations(bits: int, order: str, has_addends: bool) -> None:
    word, signed = ("Q", "q") if bits == 64 else ("I", "i")
    shift = 32 if bits == 64 else 8
    rows = [(8, 5, 2, -4), (16, 70_000, 200, 1 << 20)]
    table = b"".join(
        struct.pack(order + word + word, offset, symbol << shift | kind)
        + (struct.pack(order + signed, addend) if has_addends else b"")
        for offset, symbol, kind, addend in rows
    )
    found = read_relocations(memoryview(table), header(bits, order), 9, has_addends=has_addends)
    assert list(found.offsets) == [8, 16]
    assert list(found.symbols) == [5, 70_000]
    assert list(found.types) == [2, 200]
    assert (list(found.addends) if found.addends is not None else None) == ([-4, 1 << 20] if has_addends else None)
    assert found.symbol_table == 9
    with pytest.raises(ContainerError, match="expected a multiple of"):
        read_relocations(memoryview(table[:-3]), header(bits, order), 9, has_addends=has_addends)


@pytest.mark.parametrize("order", ["<", ">"])
def test_three_types_of_mips64(order: str) -> None:
    # Symbol, a special symbol, then the third, second and first type, whatever the byte order.
    table = struct.pack(order + "QI", 24, 77) + bytes([0, 1, 18, 248]) + struct.pack(order + "q", -1)
    found = read_relocations(memoryview(table), header(64, order, MIPS), 0, has_addends=True)
    assert (found.symbols[0], found.types[0]) == (77, 248 | 18 << 8 | 1 << 16)


def test_types_of_sparc_have_data_above() -> None:
    table = struct.pack(">QQq", 0, 3 << 32 | 0xABCD << 8 | 46, 0)
    found = read_relocations(memoryview(table), header(64, ">", SPARCV9), 0, has_addends=True)
    assert (found.symbols[0], found.types[0]) == (3, 46)


@pytest.mark.live
def test_more_sections_than_16_bits_count(tmp_path: Path) -> None:
    count = 66_000
    source = "".join(f'.section s{number},"ax"\nf{number}: nop\n' for number in range(count))
    source += '.section last,"aw"\n.long f65999 - .\n'
    made = tmp_path / "a.o"
    ask(["llvm-mc-22", "--filetype=obj", "--triple=x86_64", "-o", made], input=source, check=True)
    file = ElfFile(made.read_bytes())
    assert len(file.sections) > count
    assert file.symbol_table is not None
    symbols = file.symbols(file.symbol_table)
    last = next(section for section in file.sections if section.name == "last")
    (table,) = file.relocations(last.index)
    section = file.sections[symbols.sections[table.symbols[0]]]
    assert section.name == f"s{count - 1}"
    assert section.is_executable


def test_compact_relocations_are_refused() -> None:
    file = ElfFile(elf((".crel.text", b"\0\0"), kind=0x4000_0014))
    with pytest.raises(ContainerError, match="without --crel"):
        file.relocations(0)


def test_what_is_no_symbol_table() -> None:
    file = ElfFile(elf((".text", TEXT)))
    assert file.symbol_table is None
    with pytest.raises(ContainerError, match="is not a symbol table"):
        file.symbols(2)
    with pytest.raises(ContainerError, match="of section 9, of 3 sections"):
        file.symbols(9)


def test_sections_over_the_same_bytes() -> None:
    data = bytearray(elf(*((f".s{number}", TEXT * 50) for number in range(9))))
    row = struct.Struct("<IIQQQQIIQQ")
    table = ElfFile(data).header.sections[0]
    for index in range(2, 11):
        fields = list(row.unpack_from(data, table + index * row.size))
        fields[4:6] = [0, len(data)]
        row.pack_into(data, table + index * row.size, *fields)
    file = ElfFile(data)
    with pytest.raises(ContainerError, match="overlap too much"):
        [file.content(section) for section in file.sections[2:]]
