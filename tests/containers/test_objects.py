"""Sections of ELF, Mach-O and COFF objects."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from bitcodec.containers import find, scan
from bitcodec.errors import ContainerError

from .builders import BITSTREAM, OTHER_BITSTREAM, TEXT, coff, elf, macho, offload, pe

WRAPPED = struct.pack("<5I", 0x0B17C0DE, 0, 20, len(BITSTREAM), 7) + BITSTREAM


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("extended", [False, True])
def test_elf(bits: int, order: str, extended: bool) -> None:
    data = elf((".text", TEXT), (".llvmbc", BITSTREAM), (".data", TEXT), bits=bits, order=order, extended=extended)
    (found,) = find(data)
    assert (found.path, bytes(found.data), found.offset) == (".llvmbc", BITSTREAM, data.index(BITSTREAM))


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_macho(bits: int, order: str) -> None:
    data = macho(("__TEXT,__text", TEXT), ("__LLVM,__bitcode", WRAPPED), bits=bits, order=order)
    (found,) = find(data)
    assert (found.path, bytes(found.data), found.offset) == ("__LLVM,__bitcode", WRAPPED, data.index(WRAPPED))


@pytest.mark.parametrize("build", [coff, lambda *sections: coff(*sections, big=True), pe])
def test_coff(build: Callable[..., bytes]) -> None:
    data = build((".text", TEXT), (".llvmbc", BITSTREAM))
    (found,) = find(data)
    assert (found.path, bytes(found.data), found.offset) == (".llvmbc", BITSTREAM, data.index(BITSTREAM))


@pytest.mark.parametrize("base64", [False, True])
def test_coff_names_of_more_than_eight_bytes(base64: bool) -> None:
    data = coff((".a_long_name", TEXT), (".llvm.lto", BITSTREAM), base64=base64)
    assert [part.path for part in find(data)] == [".llvm.lto"]


@pytest.mark.parametrize("name", [".llvmbc", ".llvm.lto", "__clangast", "clangast", "__remarks", ".remarks"])
@pytest.mark.parametrize("build", [elf, coff])
def test_section_names(build: Callable[..., bytes], name: str) -> None:
    assert [part.path for part in find(build((name, b"CPCH....")))] == [name]


@pytest.mark.parametrize("name", ["__LLVM,__bitcode", "__CLANG,__clangast", "__LLVM,__remarks"])
def test_macho_section_names(name: str) -> None:
    assert [part.path for part in find(macho((name, b"RMRK....")))] == [name]


@pytest.mark.parametrize("name", [".llvmbc2", ".llvm", "llvmbc", ".data"])
def test_other_sections_are_passed_over(name: str) -> None:
    assert scan(elf((name, BITSTREAM))).found == []


def test_several_sections_of_one_name() -> None:
    found = find(elf((".llvmbc", BITSTREAM), (".llvm.lto", BITSTREAM), (".llvmbc", OTHER_BITSTREAM)))
    assert [part.path for part in found] == [".llvmbc", ".llvm.lto", ".llvmbc#2"]


def test_offloading_sections_are_opened() -> None:
    image = offload(({"triple": "nvptx64-nvidia-cuda", "arch": "sm_70"}, BITSTREAM))
    data = elf((".llvm.offloading", image))
    (found,) = find(data)
    assert found.path == ".llvm.offloading:nvptx64-nvidia-cuda-sm_70"
    assert found.offset == data.index(BITSTREAM)


def test_remarks_header_is_stepped_over() -> None:
    header = b"REMARKS\0" + struct.pack("<QQ", 0, 5) + b"pass\0"
    data = elf((".remarks", header + b"RMRK...."))
    (found,) = find(data)
    assert (bytes(found.data), found.offset) == (b"RMRK....", data.index(b"RMRK"))


def test_an_elf_file_without_section_table() -> None:
    data = bytearray(elf((".llvmbc", BITSTREAM)))
    data[40:48] = bytes(8)
    assert find(data) == []


@pytest.mark.parametrize(
    ("data", "path", "reason"),
    [
        (elf((".llvmbc", b"")), ".llvmbc", "is only a marker"),
        (macho(("__LLVM,__bitcode", b"\0")), "__LLVM,__bitcode", "is only a marker"),
        (coff((".llvmbc", b"")), ".llvmbc", "is only a marker"),
        (elf((".llvm.lto", b"")), ".llvm.lto", "is empty"),
        (elf((".llvmbc", TEXT)), ".llvmbc", "begins with no bitstream magic, but with the bytes 6e 6f 20 62"),
        (elf((".llvm.lto", BITSTREAM), flags=0x800), ".llvm.lto", "--compress-sections=.llvm.lto=none"),
        (elf((".llvmbc", BITSTREAM), kind=8), ".llvmbc", "has no content in this file"),
        (macho(("__LLVM,__bitcode", BITSTREAM), flags=1), "__LLVM,__bitcode", "has no content in this file"),
        (coff((".llvmbc", BITSTREAM), flags=0x80), ".llvmbc", "has no content in this file"),
        (macho(("__LLVM,__bundle", b"xar!....")), "__LLVM,__bundle", "is a xar archive"),
        (elf((".remarks", b"REMARKS\0" + bytes(16) + b"--- !Missed")), ".remarks", "begins with no bitstream magic"),
    ],
)
def test_places_that_hold_no_bitstream(data: bytes, path: str, reason: str) -> None:
    findings = scan(data)
    assert findings.found == []
    assert [place.path for place in findings.hollow] == [path]
    assert reason in findings.hollow[0].reason


def patched(data: bytes, at: int, layout: str, value: int) -> bytes:
    """Return `data` with one field overwritten."""
    changed = bytearray(data)
    struct.pack_into(layout, changed, at, value)
    return bytes(changed)


ELF = elf((".llvmbc", BITSTREAM))
ELF_TABLE = 64
MACHO = macho(("__LLVM,__bitcode", BITSTREAM))
COFF = coff((".llvm.lto", BITSTREAM))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (ELF[:10], "ELF identification does not fit: 16 bytes at byte 0 of 10"),
        (ELF[:40], "ELF header does not fit: 64 bytes at byte 0 of 40"),
        (patched(ELF, 4, "<B", 3), "ELF class 3 and byte order 1 at byte 4"),
        (patched(ELF, 40, "<Q", 1 << 63), "first ELF section header does not fit"),
        (patched(ELF, 58, "<H", 63), "section headers of 64 bytes, found 63"),
        (patched(ELF, 60, "<H", 999), "ELF section table does not fit"),
        (patched(ELF, 62, "<H", 999), "header of the ELF section names does not fit"),
        (patched(ELF, ELF_TABLE + 64 + 32, "<Q", 1 << 40), "ELF section names does not fit"),
        (patched(ELF, ELF_TABLE + 128, "<I", 1 << 31), "name of an ELF section does not fit"),
        (patched(ELF, ELF_TABLE + 128 + 24, "<Q", 1 << 62), "section .llvmbc does not fit: 16 bytes at byte"),
        (patched(ELF, ELF_TABLE + 128 + 32, "<Q", 1 << 62), "section .llvmbc does not fit: 4611686018427387904 bytes"),
        (MACHO[:20], "Mach-O header does not fit"),
        (patched(MACHO, 20, "<I", 1 << 30), "Mach-O load commands does not fit"),
        (patched(MACHO, 16, "<I", 2), "Mach-O load command 1 of 2 does not fit"),
        (patched(MACHO, 36, "<I", 0), "Mach-O load command 0 of 1 at byte 32 has 0 bytes, too few"),
        (patched(MACHO, 32 + 64, "<I", 1000), "Mach-O section table of a segment does not fit"),
        (patched(MACHO, 32 + 72 + 48, "<I", 1 << 31), "section __LLVM,__bitcode does not fit"),
        (patched(COFF, 2, "<H", 60000), "COFF section table does not fit"),
        (patched(COFF, 8, "<I", 1 << 31), "COFF string table does not fit"),
        (COFF.replace(b"/4\0", b"/99"), "name of a COFF section does not fit"),
        (COFF.replace(b"/4\0\0", b"//?\0"), "is not a number in base 64"),
        (patched(COFF, 36, "<I", 1 << 31), "section .llvm.lto does not fit"),
        (elf((".remarks", b"REMARKS\0")), "header of section .remarks does not fit"),
        (elf((".remarks", b"REMARKS\0" + struct.pack("<QQ", 0, 1 << 63))), "its header and strings need 9223372036"),
    ],
)
def test_malformed(data: bytes, message: str) -> None:
    with pytest.raises(ContainerError, match=message):
        find(data)
