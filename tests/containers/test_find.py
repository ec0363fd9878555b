"""Looking through containers in containers, and saying why nothing was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec.containers import FileKind, find, require, scan
from bitcodec.errors import ContainerError

from .builders import BITSTREAM, TEXT, archive, coff, elf, macho, member, offload, thin_archive, wasm

MARKER = "is only a marker (-fembed-bitcode-marker): recompile with -fembed-bitcode"
NO_SECTION = "it has no section for one; compile with -emit-llvm, -fembed-bitcode or -flto -ffat-lto-objects"


def nested(depth: int) -> bytes:
    """Return a bitstream within so many archives."""
    data = BITSTREAM
    for _ in range(depth):
        data = archive(member(b"a/", data))
    return data


@pytest.mark.parametrize("data", [BITSTREAM, b"\xde\xc0\x17\x0b....", b"RMRK...."])
def test_a_bare_bitstream_is_found_whole(data: bytes) -> None:
    (found,) = find(data)
    assert (found.path, bytes(found.data), found.offset) == ("", data, 0)


def test_nothing_is_copied() -> None:
    data = archive(member(b"a.bc/", BITSTREAM))
    (found,) = find(data)
    assert found.data.obj is data
    assert found.data.readonly


def test_bytes_that_may_change_are_shown_as_they_are() -> None:
    data = bytearray(archive(member(b"a.bc/", BITSTREAM)))
    (found,) = find(data)
    data[-1] = 0xAA
    assert found.data[-1] == 0xAA


def test_eight_containers_deep() -> None:
    (found,) = find(nested(8))
    assert found.path == ":".join("a" * 8)
    assert found.offset == 8 * 68


def test_nine_containers_deep_are_refused() -> None:
    with pytest.raises(ContainerError, match=r"^a:a:a:a:a:a:a:a: containers are nested more than 8 deep$"):
        find(nested(9))


def test_an_error_says_in_which_part_it_is() -> None:
    broken = elf((".llvmbc", BITSTREAM))[:100]
    with pytest.raises(ContainerError, match=r"^in a\.o \(which begins at byte 68\): first ELF section header does"):
        find(archive(member(b"a.o/", broken)))


def test_parts_that_share_bytes_are_refused() -> None:
    data = bytearray(elf((".llvmbc", BITSTREAM), (".llvm.lto", BITSTREAM)))
    row = 64 + 64 * 2
    data[row + 64 + 24 : row + 64 + 32] = data[row + 24 : row + 32]
    with pytest.raises(ContainerError, match=r"\.llvmbc and \.llvm\.lto overlap at byte"):
        find(data)


def test_scan_tells_the_hollow_from_the_found() -> None:
    marked = elf((".llvmbc", b""))
    findings = scan(archive(member(b"a.o/", marked), member(b"b.bc/", BITSTREAM)))
    assert findings.kind is FileKind.ARCHIVE
    assert [part.path for part in findings.found] == ["b.bc"]
    assert [place.path for place in findings.hollow] == ["a.o:.llvmbc"]


def test_require_returns_what_find_does() -> None:
    data = archive(member(b"a.bc/", BITSTREAM))
    assert require(data) == find(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (TEXT, "neither a bitstream nor a file that could hold one: it begins with the bytes 6e 6f 20 62"),
        (
            elf((".llvmbc", b"")),
            f"no bitstream in this ELF object: .llvmbc {MARKER}",
        ),
        (
            archive(member(b"a.o/", elf((".llvmbc", b""))), member(b"b.o/", elf((".llvm.lto", b"")))),
            f"no bitstream in this archive: a.o:.llvmbc {MARKER} (and 1 more)",
        ),
        (
            elf((".text", TEXT)),
            f"no bitstream in this ELF object: {NO_SECTION}",
        ),
        (archive(member(b"a/", TEXT)), "no bitstream in this archive: no member is or contains one"),
    ],
)
def test_require_says_why_nothing_is_there(data: bytes, message: str) -> None:
    assert find(data) == []
    with pytest.raises(ContainerError) as caught:
        require(data)
    assert str(caught.value) == message


@pytest.mark.parametrize("data", [macho(), coff(), wasm(), offload(), thin_archive()])
def test_an_empty_container_holds_nothing(data: bytes, tmp_path: Path) -> None:
    assert find(data, path=tmp_path / "file") == []


def test_objects_with_code_of_gcc_are_explained() -> None:
    with pytest.raises(ContainerError, match=r"its LTO sections \(\.gnu\.lto_\*\) contain GCC's own intermediate code"):
        require(elf((".gnu.lto_.profile.b962e44b40389c52", b"\0" * 8)))


def test_bitcode_among_the_data_of_a_program_is_mentioned() -> None:
    with pytest.raises(ContainerError, match=r"bytes like the beginning of bitcode are at offset \d+, outside"):
        require(elf((".rodata", BITSTREAM)))
