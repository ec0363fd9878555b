"""Containers in words: small builders, for tests only, that know the formats apart from the code under test."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate

BITSTREAM = b"BC\xc0\xde" + b"moduledata!!"
OTHER_BITSTREAM = b"BC\xc0\xde" + b"another module.."
TEXT = b"no bitstream at all"

Named = tuple[str, bytes]


def offsets(start: int, contents: Sequence[bytes]) -> list[int]:
    """Return where each of `contents` lies when they follow each other from byte `start`."""
    return list(accumulate((len(content) for content in contents), initial=start))[:-1]


# Archives


def member(field: bytes, content: bytes = b"", *, size: int | None = None, end: bytes = b"`\n") -> bytes:
    """Return a member header with the name field as it is stored, then the content and its padding."""
    stated = len(content) if size is None else size
    header = b"%-16s%-12d%-6d%-6d%-8s%-10d" % (field, 0, 0, 0, b"644", stated)
    return header + end + content + b"\n" * (len(content) % 2)


def archive(*members: bytes) -> bytes:
    return b"!<arch>\n" + b"".join(members)


def gnu_archive(*contents: Named) -> bytes:
    """Return an archive with all names in the table `//`."""
    names = [name.encode() + b"/\n" for name, _ in contents]
    fields = [b"/%d" % offset for offset in offsets(0, names)]
    members = [member(field, content) for field, (_, content) in zip(fields, contents, strict=True)]
    return archive(member(b"//", b"".join(names)), *members)


def bsd_member(name: str, content: bytes) -> bytes:
    return member(b"#1/%d" % len(name), name.encode() + content)


def thin_archive(*names: str) -> bytes:
    table = [name.encode() + b"/\n" for name in names]
    headers = [member(b"/%d" % offset, size=1000) for offset in offsets(0, table)]
    return b"!<thin>\n" + member(b"/", b"symbols.") + member(b"//", b"".join(table)) + b"".join(headers)


# Mach-O universal files

X86_64 = (0x0100_0007, 3)
ARM64 = (0x0100_000C, 0)
ARM64E = (0x0100_000C, 0x8000_0002)


def universal(*slices: tuple[tuple[int, int], bytes], wide: bool = False) -> bytes:
    layout = struct.Struct(">IIQQII" if wide else ">IIIII")
    contents = [content for _, content in slices]
    table = b""
    for (processor, content), offset in zip(slices, offsets(8 + layout.size * len(slices), contents), strict=True):
        fields = [*processor, offset, len(content), 0, 0]
        table += layout.pack(*(fields if wide else fields[:-1]))
    return struct.pack(">II", 0xCAFEBABF if wide else 0xCAFEBABE, len(slices)) + table + b"".join(contents)


# Objects


def elf(
    *sections: Named, bits: int = 64, order: str = "<", extended: bool = False, kind: int = 1, flags: int = 0
) -> bytes:
    """Return an ELF object; `extended` keeps the counts in the first section header, `kind` and `flags` are for all."""
    header, row = (
        (struct.Struct(order + "HHIQQQIHHHHHH"), struct.Struct(order + "IIQQQQIIQQ"))
        if bits == 64
        else (struct.Struct(order + "HHIIIIIHHHHHH"), struct.Struct(order + "IIIIIIIIII"))
    )
    names = [name.encode() + b"\0" for name, _ in sections]
    contents = [b"\0" + b"".join(names), *(content for _, content in sections)]
    count = len(contents) + 1
    table = 16 + header.size
    places = offsets(table + row.size * count, contents)
    first = row.pack(0, 0, 0, 0, 0, count if extended else 0, 1 if extended else 0, 0, 0, 0)
    rows = [first, row.pack(0, 3, 0, 0, places[0], len(contents[0]), 0, 0, 1, 0)]
    for name_at, place, content in zip(offsets(1, names), places[1:], contents[1:], strict=True):
        rows.append(row.pack(name_at, kind, flags, 0, place, len(content), 0, 0, 1, 0))
    identity = b"\x7fELF" + bytes([bits // 32, 1 if order == "<" else 2, 1]) + bytes(9)
    counts = (0, 0xFFFF) if extended else (count, 1)
    fields = header.pack(1, 62, 1, 0, 0, table, 0, 16 + header.size, 0, 0, row.size, *counts)
    return identity + fields + b"".join(rows) + b"".join(contents)


def macho(*sections: Named, bits: int = 64, order: str = "<", flags: int = 0) -> bytes:
    """Return a Mach-O object; sections are named `SEGMENT,SECTION`."""
    wide = bits == 64
    header = struct.Struct(order + ("IIIIIIII" if wide else "IIIIIII"))
    segment = struct.Struct(order + ("II16sQQQQIIII" if wide else "II16sIIIIIIII"))
    row = struct.Struct(order + ("16s16sQQIIIIIIII" if wide else "16s16sIIIIIIIII"))
    contents = [content for _, content in sections]
    commands = segment.size + row.size * len(sections)
    rows = b""
    for (name, content), place in zip(sections, offsets(header.size + commands, contents), strict=True):
        segment_name, _, section_name = name.partition(",")
        tail = [place, 0, 0, 0, flags, 0, 0, *([0] if wide else [])]
        rows += row.pack(section_name.encode(), segment_name.encode(), 0, len(content), *tail)
    magic = 0xFEEDFACF if wide else 0xFEEDFACE
    head = header.pack(magic, 7, 3, 1, 1, commands, *([0, 0] if wide else [0]))
    command = segment.pack(0x19 if wide else 0x01, commands, b"", 0, 0, 0, 0, 7, 7, len(sections), 0)
    return head + command + rows + b"".join(contents)


def coff(*sections: Named, big: bool = False, flags: int = 0, before: bytes = b"", base64: bool = False) -> bytes:
    """Return a COFF object without symbols; `before` are the DOS and PE headers of an image."""
    row = struct.Struct("<8sIIIIIIHHI")
    strings = b""
    fields = []
    for name, _ in sections:
        field = name.encode()
        if len(field) > 8:
            field = b"//" + _base64(4 + len(strings)) if base64 else b"/%d" % (4 + len(strings))
            strings += name.encode() + b"\0"
        fields.append(field)
    contents = [content for _, content in sections]
    header_size = len(before) + (56 if big else 20)
    places = offsets(header_size + row.size * len(sections), contents)
    symbols = header_size + row.size * len(sections) + sum(map(len, contents))
    if big:
        class_id = bytes.fromhex("c7a1bad1eebaa94baf20faf66aa4dcb8")
        header = struct.pack("<HHHHI16s16sIII", 0, 0xFFFF, 2, 0x8664, 0, class_id, b"", len(sections), symbols, 0)
    else:
        header = struct.pack("<HHIIIHH", 0x8664, len(sections), 0, symbols, 0, 0, 0)
    table = b""
    for field, place, content in zip(fields, places, contents, strict=True):
        table += row.pack(field, 0, 0, len(content), place, 0, 0, 0, 0, flags)
    return before + header + table + b"".join(contents) + struct.pack("<I", 4 + len(strings)) + strings


def pe(*sections: Named) -> bytes:
    dos = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40)
    return coff(*sections, before=dos + b"PE\0\0")


def _base64(number: int) -> bytes:
    digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return bytes(digits[(number >> shift) & 63] for shift in range(30, -1, -6))


# WebAssembly


def leb128(number: int) -> bytes:
    """Return an unsigned number in the fewest bytes."""
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + leb128(rest) if rest else bytes([low])


def wasm(*sections: bytes) -> bytes:
    return b"\0asm\x01\0\0\0" + b"".join(sections)


def wasm_section(number: int, content: bytes) -> bytes:
    return bytes([number]) + leb128(len(content)) + content


def wasm_string(content: bytes) -> bytes:
    return leb128(len(content)) + content


def custom(name: str, content: bytes) -> bytes:
    return wasm_section(0, wasm_string(name.encode()) + content)


def data_section(*segments: bytes) -> bytes:
    """Return a data section of segments made with `segment`."""
    return wasm_section(11, leb128(len(segments)) + b"".join(segments))


def segment(content: bytes, place: bytes = b"\0\x41\x80\x08\x0b") -> bytes:
    """Return a data segment; `place` is its flags and the expression for its address."""
    return place + wasm_string(content)


def linking(*names: str) -> bytes:
    """Return the custom section that names the data segments, after a table of another kind."""
    info = leb128(len(names)) + b"".join(wasm_string(name.encode()) + b"\0\0" for name in names)
    tables = [bytes([8]) + wasm_string(b"\0"), bytes([5]) + wasm_string(info)]
    return custom("linking", b"\x02" + b"".join(tables))


# Offload binaries

Image = tuple[dict[str, str], bytes]


def offload(*images: Image, version: int = 2) -> bytes:
    """Return an offload binary, of one image in version 1, padded to eight bytes."""
    entry, row = struct.Struct("<HHIQQQQ"), struct.Struct("<QQ" if version == 1 else "<QQQ")
    at = 32 + entry.size * len(images)
    entries, body = b"", b""
    for strings, image in images:
        table_at = at + len(body)
        words_at = table_at + row.size * len(strings)
        words = [word.encode() + b"\0" for pair in strings.items() for word in pair]
        places = offsets(words_at, words)
        for index, value in enumerate(strings.values()):
            fields = (places[2 * index], places[2 * index + 1], len(value))
            body += row.pack(*fields[: row.size // 8])
        body += b"".join(words)
        entries += entry.pack(2, 1, 0, table_at, len(strings), at + len(body), len(image))
        body += image
    size = at + len(body)
    padding = -size % 8
    last = entry.size if version == 1 else len(images)
    header = struct.pack("<4sIQQQ", b"\x10\xff\x10\xad", version, size + padding, 32, last)
    return header + entries + body + bytes(padding)
