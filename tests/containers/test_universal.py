"""Mach-O universal files."""

from __future__ import annotations

import pytest

from bitcodec.containers import find
from bitcodec.errors import ContainerError

from .builders import ARM64, ARM64E, BITSTREAM, OTHER_BITSTREAM, X86_64, archive, macho, member, universal


@pytest.mark.parametrize("wide", [False, True])
def test_slices_are_named_for_processors(wide: bool) -> None:
    data = universal((X86_64, BITSTREAM), (ARM64E, OTHER_BITSTREAM), ((99, 0), BITSTREAM), wide=wide)
    found = find(data)
    assert [part.path for part in found] == ["x86_64", "arm64e", "cpu-0x63"]
    assert [part.offset for part in found] == [
        data.index(BITSTREAM),
        data.index(OTHER_BITSTREAM),
        data.rindex(BITSTREAM),
    ]


def test_slices_may_be_objects_and_archives() -> None:
    data = universal(
        (X86_64, macho(("__LLVM,__bitcode", BITSTREAM))),
        (ARM64, archive(member(b"a.o/", macho(("__LLVM,__bitcode", OTHER_BITSTREAM))))),
    )
    found = find(data)
    assert [part.path for part in found] == ["x86_64:__LLVM,__bitcode", "arm64:a.o:__LLVM,__bitcode"]
    assert [bytes(part.data) for part in found] == [BITSTREAM, OTHER_BITSTREAM]


def test_slices_that_share_bytes_are_refused() -> None:
    data = bytearray(universal((X86_64, BITSTREAM), (ARM64, BITSTREAM)))
    data[8 + 20 + 8 : 8 + 20 + 12] = data[8 + 8 : 8 + 12]
    with pytest.raises(ContainerError, match="x86_64 and arm64 overlap at byte 48"):
        find(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (universal((X86_64, BITSTREAM))[:20], "universal slice table does not fit: 20 bytes at byte 8 of 20"),
        (universal((X86_64, BITSTREAM))[:-1], "slice x86_64 does not fit: 16 bytes at byte 28 of 43"),
        (b"\xca\xfe\xba\xbf\xff\xff\xff\xff", "universal slice table does not fit"),
        (b"\xca\xfe\xba\xbf", "universal header does not fit"),
    ],
)
def test_malformed(data: bytes, message: str) -> None:
    with pytest.raises(ContainerError, match=message):
        find(data)
