"""Images in LLVM's offload binaries: device code that clang packs into host objects.

A linker puts the binaries of all inputs one after another, each aligned to eight bytes, so a section or file holds a
row of them.  Version 1 (LLVM 15 to 22) has one image per binary, version 2 several, and values that carry their size.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from bitcodec.containers.parts import Part, readable
from bitcodec.containers.window import c_string, cut, rows, unpack
from bitcodec.errors import ContainerError

__all__ = ["offload_images"]

_MAGIC = b"\x10\xff\x10\xad"
_HEADER = Struct("<4sI3Q")  # magic, version, size, offset of the first entry, size of it (1) or count of entries (2)
_ENTRY = Struct("<2HI4Q")  # image kind, offload kind, flags, string table, count of strings, image offset and size
_STRINGS = {1: Struct("<2Q"), 2: Struct("<3Q")}  # by version: offsets of key and value (and size of the value)
_STRING_LIMIT = 256
_STEP = 4096


def offload_images(data: memoryview) -> Iterator[Part]:
    """Yield the images of all offload binaries in `data`, named for target triple and architecture."""
    start = 0
    while start < len(data):
        magic, version, size, entries, number = unpack(_HEADER, data, start, "offload binary header")
        if magic != _MAGIC:
            raise ContainerError(f"no offload binary at byte {start}, where the one before it ends")
        if version not in _STRINGS:
            raise ContainerError(f"offload binary at byte {start} has version {version}; 1 and 2 are known")
        if size < _HEADER.size:
            raise ContainerError(f"offload binary at byte {start} has {size} bytes, too few for its header")
        binary = cut(data, start, size, "offload binary")
        for name, offset, image_size in _entries(binary, version, entries, 1 if version == 1 else number):
            yield Part(name, start + offset, image_size)
        start = _after_padding(data, start + size)


def _entries(binary: memoryview, version: int, start: int, count: int) -> Iterator[tuple[str, int, int]]:
    """Yield name, offset and size of each image of one binary."""
    strings_layout = _STRINGS[version]
    strings_left = len(binary) // strings_layout.size
    for fields in rows(_ENTRY, binary, start, count, "offload entry table"):
        strings, strings_count, offset, size = fields[3:]
        # Tables that entries share would let a small file request much work.
        strings_left -= strings_count
        if strings_left < 0:
            raise ContainerError(f"offload entries name more strings than {len(binary)} bytes can hold")
        table = rows(strings_layout, binary, strings, strings_count, "offload string table")
        cut(binary, offset, size, "offload image")
        yield _image_name(binary, table), offset, size


def _image_name(binary: memoryview, table: Iterator[tuple[int, ...]]) -> str:
    values: dict[bytes, bytes] = {}
    for key_offset, value_offset, *value_size in table:
        key = c_string(binary, key_offset, _STRING_LIMIT, "offload key")
        limit = min(value_size[0], _STRING_LIMIT) if value_size else _STRING_LIMIT
        values[key] = c_string(binary, value_offset, limit, "offload value")
    known = [values[key] for key in (b"triple", b"arch") if values.get(key)]
    return readable(b"-".join(known)) or "image"


def _after_padding(data: memoryview, start: int) -> int:
    """Return the offset of the first byte at or after `start` that is not zero, or the size of `data`."""
    while start < len(data):
        step = bytes(data[start : start + _STEP])
        rest = step.lstrip(b"\0")
        start += len(step) - len(rest)
        if rest:
            break
    return start
