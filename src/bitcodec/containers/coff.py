"""Sections of COFF objects, of "big" ones (`/bigobj`) and of PE images."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct

from bitcodec.containers.parts import Part
from bitcodec.containers.sections import BITSTREAM_SECTIONS, NAME_LIMIT, hollow, section
from bitcodec.containers.window import c_string, cut, rows, unpack
from bitcodec.errors import ContainerError

__all__ = ["coff_sections"]

_HEADER = Struct("<2xH4x2IH2x")  # section count, symbol table, symbol count, size of the optional header
_BIG_HEADER = Struct("<44x3I")  # section count, symbol table, symbol count
_SECTION = Struct("<8s6I2HI")  # name, virtual size and address, raw size and offset, relocations, lines, counts, flags
_SYMBOL_SIZE = 18
_BIG_SYMBOL_SIZE = 20
_PE_OFFSET = Struct("<60xI")
_PE_MAGIC_SIZE = 4
_UNINITIALIZED = 0x80


@dataclass(frozen=True, slots=True)
class _Tables:
    """Start and end of the section table, and start of the string table (0: it is absent), in bytes."""

    sections: int
    count: int
    strings: int


def coff_sections(data: memoryview) -> Iterator[Part]:
    """Yield the sections of a COFF or PE file that are there for a bitstream."""
    tables = _tables(data)
    strings = _strings(data, tables.strings)
    for fields in rows(_SECTION, data, tables.sections, tables.count, "COFF section table"):
        name = _name(fields[0].rstrip(b"\0"), strings)
        if name not in BITSTREAM_SECTIONS:
            continue
        size, offset, flags = fields[3], fields[4], fields[9]
        if flags & _UNINITIALIZED:
            yield hollow(name, "has no content in this file")
        else:
            yield section(data, name, offset, size)


def _tables(data: memoryview) -> _Tables:
    if bytes(data[:4]) == b"\0\0\xff\xff":
        count, symbols, symbol_count = unpack(_BIG_HEADER, data, 0, "COFF header")
        return _Tables(_BIG_HEADER.size, count, symbols and symbols + symbol_count * _BIG_SYMBOL_SIZE)
    start = 0
    if bytes(data[:2]) == b"MZ":
        start = unpack(_PE_OFFSET, data, 0, "DOS header")[0] + _PE_MAGIC_SIZE
    count, symbols, symbol_count, optional_size = unpack(_HEADER, data, start, "COFF header")
    return _Tables(start + _HEADER.size + optional_size, count, symbols and symbols + symbol_count * _SYMBOL_SIZE)


def _strings(data: memoryview, start: int) -> memoryview:
    """Return the string table, whose size field includes its own four bytes."""
    if start == 0:
        return data[:0]
    (size,) = unpack(Struct("<I"), data, start, "COFF string table")
    return cut(data, start, size, "COFF string table")


def _name(name: bytes, strings: memoryview) -> bytes:
    """Resolve `/OFFSET` (decimal) and `//OFFSET` (base 64): names over eight bytes are in the string table."""
    if name[:1] != b"/":
        return name
    if name[:2] == b"//":
        offset = _base64_number(name[2:])
    elif name[1:].isdigit():
        offset = int(name[1:])
    else:
        return name
    return c_string(strings, offset, NAME_LIMIT, "name of a COFF section")


def _base64_number(digits: bytes) -> int:
    try:
        # Six digits carry 36 bits, most significant first; padding them to eight on the left makes whole bytes.
        return int.from_bytes(base64.b64decode(digits.rjust(8, b"A"), validate=True), "big")
    except binascii.Error as error:
        raise ContainerError(f"COFF section name //{digits!r} is not a number in base 64") from error
