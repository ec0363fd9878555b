"""Places in WebAssembly modules that correspond to sections of other formats.

LLVM puts `.llvmbc` and `__clangast` into custom sections, but `.llvm.lto` and `.llvm.offloading` into data segments,
whose names are in the custom section `linking`; linked modules have no names for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bitcodec.containers.parts import Part
from bitcodec.containers.sections import BITSTREAM_SECTIONS, section
from bitcodec.containers.window import cut
from bitcodec.errors import ContainerError

__all__ = ["wasm_sections"]

_MAGIC_SIZE = 8
_MODULE_VERSION = b"\x01\0\0\0"
_CUSTOM = 0
_DATA = 11

_LINKING = b"linking"
_SEGMENT_INFO = 5

_HAS_NO_PLACE = 0x01
_HAS_MEMORY_INDEX = 0x02
_END = 0x0B
_LEB128_OPERATORS = {0x23, 0x41, 0x42}
"""`global.get`, `i32.const`, `i64.const`: operations of the offset of a data segment, besides plain operators."""

_PLAIN_OPERATORS = {0x6A, 0x6B, 0x6C, 0x7C, 0x7D, 0x7E}
"""Addition, subtraction, multiplication of `i32` and `i64`."""

_MAX_LEB128_SIZE = 10


@dataclass(frozen=True, slots=True)
class _WasmSection:
    """Number, name (of custom sections), and offset and size of the content behind the name."""

    number: int
    name: bytes
    start: int
    size: int


class _Cursor:
    """Reads forward from byte `at` of a module to byte `end`."""

    __slots__ = ("_data", "at", "end")

    def __init__(self, data: memoryview, at: int, end: int) -> None:
        self._data = data[:end]
        self.at = at
        self.end = end

    def take(self, size: int, what: str) -> memoryview:
        """Return the next `size` bytes."""
        taken = cut(self._data, self.at, size, what)
        self.at += size
        return taken

    def number(self, what: str) -> int:
        """Return the next number, unsigned LEB128."""
        value = 0
        for place in range(_MAX_LEB128_SIZE):
            byte = self.take(1, what)[0]
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                return value
        raise ContainerError(f"{what} at byte {self.at - _MAX_LEB128_SIZE} is a number without an end")

    def name(self, what: str) -> bytes:
        """Return the next string, which its length precedes."""
        return bytes(self.take(self.number(what), what))

    def inner(self, size: int, what: str) -> _Cursor:
        """Return a cursor on the next `size` bytes, and step over them."""
        start = self.at
        self.take(size, what)
        return _Cursor(self._data, start, self.at)


def wasm_sections(data: memoryview) -> Iterator[Part]:
    """Yield the custom sections and data segments of a module that are there for a bitstream."""
    segment_names: list[bytes] = []
    data_section: _WasmSection | None = None
    for found in _sections(data):
        if found.number == _DATA:
            data_section = found
        elif found.name in BITSTREAM_SECTIONS:
            yield section(data, found.name, found.start, found.size)
        elif found.name == _LINKING:
            segment_names = _segment_names(data, found)
    if data_section and not BITSTREAM_SECTIONS.isdisjoint(segment_names):
        yield from _named_segments(data, data_section, segment_names)


def _sections(data: memoryview) -> Iterator[_WasmSection]:
    if cut(data, 4, 4, "WebAssembly version") != _MODULE_VERSION:
        return  # a component: made of modules, not of sections
    cursor = _Cursor(data, _MAGIC_SIZE, len(data))
    while cursor.at < cursor.end:
        number = cursor.take(1, "WebAssembly section")[0]
        what = f"WebAssembly section {number}"
        content = cursor.inner(cursor.number(what), what)
        name = content.name("name of a WebAssembly custom section") if number == _CUSTOM else b""
        yield _WasmSection(number, name, content.at, content.end - content.at)


def _segment_names(data: memoryview, linking: _WasmSection) -> list[bytes]:
    """Return the names of the data segments, in their order, from the section `linking`."""
    what = "WebAssembly linking table"
    cursor = _Cursor(data, linking.start, linking.start + linking.size)
    cursor.number(what)  # version
    while cursor.at < cursor.end:
        kind = cursor.take(1, what)[0]
        table = cursor.inner(cursor.number(what), what)
        if kind == _SEGMENT_INFO:
            return list(_segment_info(table))
    return []


def _segment_info(cursor: _Cursor) -> Iterator[bytes]:
    what = "WebAssembly segment info"
    for _ in range(cursor.number(what)):
        yield cursor.name(what)
        cursor.number(what)  # alignment
        cursor.number(what)  # flags


def _named_segments(data: memoryview, found: _WasmSection, names: list[bytes]) -> Iterator[Part]:
    what = "WebAssembly data segment"
    cursor = _Cursor(data, found.start, found.start + found.size)
    count = cursor.number(what)
    for name in names[:count]:
        _skip_place(cursor, what)
        content = cursor.inner(cursor.number(what), what)
        if name in BITSTREAM_SECTIONS:
            yield section(data, name, content.at, content.end - content.at)


def _skip_place(cursor: _Cursor, what: str) -> None:
    """Skip the flags of a data segment and the expression that gives its place in memory."""
    flags = cursor.number(what)
    if flags & _HAS_MEMORY_INDEX:
        cursor.number(what)
    if flags & _HAS_NO_PLACE:
        return
    while (operator := cursor.take(1, what)[0]) != _END:
        if operator in _LEB128_OPERATORS:
            cursor.number(what)
        elif operator not in _PLAIN_OPERATORS:
            raise ContainerError(f"{what} has the operator {operator:#x} at byte {cursor.at - 1}, not known there")
