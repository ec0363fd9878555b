"""Sections of Mach-O files for one processor: 32 and 64 bit, both byte orders."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from bitcodec.containers.parts import Part
from bitcodec.containers.sections import BITSTREAM_SECTIONS, hollow, section
from bitcodec.containers.window import cut, rows, unpack
from bitcodec.errors import ContainerError

__all__ = ["macho_sections"]

_FORMS = {
    b"\xfe\xed\xfa\xce": (">", 28),
    b"\xfe\xed\xfa\xcf": (">", 32),
    b"\xce\xfa\xed\xfe": ("<", 28),
    b"\xcf\xfa\xed\xfe": ("<", 32),
}
"""By magic: byte order, and bytes before the load commands."""

_SEGMENTS = {0x01: "8x16s4I2iII", 0x19: "8x16s4Q2iII"}
"""By load command: name, address, size, file offset, file size, two protections, section count, flags."""

_SECTIONS = {0x01: "16s16s2I7I", 0x19: "16s16s2Q8I"}
"""By load command: section and segment name, address, size, offset, alignment, relocations, their count, flags, ..."""

_ZERO_FILL_TYPES = {0x01, 0x0C, 0x12}


def macho_sections(data: memoryview) -> Iterator[Part]:
    """Yield the sections of a Mach-O file that are there for a bitstream."""
    for order, command, content in _load_commands(data):
        if command in _SEGMENTS:
            yield from _segment(data, order, command, content)


def _load_commands(data: memoryview) -> Iterator[tuple[str, int, memoryview]]:
    """Yield byte order, number and bytes of each load command."""
    order, start = _FORMS[bytes(data[:4])]
    count, size = unpack(Struct(order + "16x2I"), data, 0, "Mach-O header")
    commands = cut(data, start, size, "Mach-O load commands")
    head = Struct(order + "2I")
    at = 0
    for number in range(count):
        what = f"Mach-O load command {number} of {count}"
        command, command_size = unpack(head, commands, at, what)
        if command_size < head.size:
            raise ContainerError(f"{what} at byte {start + at} has {command_size} bytes, too few for its header")
        yield order, command, cut(commands, at, command_size, what)
        at += command_size


def _segment(data: memoryview, order: str, command: int, content: memoryview) -> Iterator[Part]:
    layout = Struct(order + _SEGMENTS[command])
    count = unpack(layout, content, 0, "Mach-O segment command")[-2]
    sections = Struct(order + _SECTIONS[command])
    for fields in rows(sections, content, layout.size, count, "Mach-O section table of a segment"):
        name = b",".join(field.rstrip(b"\0") for field in (fields[1], fields[0]))
        size, offset, flags = fields[3], fields[4], fields[8]
        if name not in BITSTREAM_SECTIONS:
            continue
        if flags & 0xFF in _ZERO_FILL_TYPES:
            yield hollow(name, "has no content in this file")
        else:
            yield section(data, name, offset, size)
