"""What a file is, by its magic."""

from __future__ import annotations

import mmap
import tempfile

import pytest

from bitcodec.containers import FileKind, detect

from .builders import archive, coff, elf, macho, offload, pe, thin_archive, universal, wasm


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"BC\xc0\xde", FileKind.BITSTREAM),
        (b"BC\x12\x34", FileKind.BITSTREAM),
        (b"CPCH....", FileKind.BITSTREAM),
        (b"DIAG....", FileKind.BITSTREAM),
        (b"RMRK....", FileKind.BITSTREAM),
        (b"CTXP....", FileKind.BITSTREAM),
        (b"\xde\xc0\x17\x0b", FileKind.WRAPPER),
        (elf(), FileKind.ELF),
        (macho(), FileKind.MACHO),
        (macho(bits=32, order=">"), FileKind.MACHO),
        (universal(), FileKind.UNIVERSAL),
        (universal(wide=True), FileKind.UNIVERSAL),
        (coff(), FileKind.COFF),
        (coff(big=True), FileKind.COFF),
        (pe(), FileKind.COFF),
        (wasm(), FileKind.WASM),
        (offload(), FileKind.OFFLOAD),
        (archive(), FileKind.ARCHIVE),
        (thin_archive(), FileKind.THIN_ARCHIVE),
    ],
)
def test_magic(data: bytes, kind: FileKind) -> None:
    assert detect(data) is kind


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"BC\xc0",
        b"\x64\x86",
        b"MZ",
        b"MZ".ljust(0x40, b"\xff"),
        pytest.param(b"\xca\xfe\xba\xbe\0\0\0\x34", id="Java class file"),
        pytest.param(b"\0\0\xff\xff\0\0\x64\x86".ljust(60, b"\0"), id="import stub"),
        pytest.param(b"!<arch>", id="half an archive's magic"),
    ],
)
def test_unknown(data: bytes) -> None:
    assert detect(data) is FileKind.UNKNOWN


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
def test_takes_any_bytes(form: type) -> None:
    assert detect(form(b"RMRK")) is FileKind.BITSTREAM


def test_takes_a_mapped_file() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(elf())
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert detect(mapped) is FileKind.ELF


def test_every_kind_has_its_own_label() -> None:
    assert len({kind.label for kind in FileKind}) == len(FileKind)
