"""LLVM offload binaries, both versions."""

from __future__ import annotations

import pytest

from bitcodec.containers import find
from bitcodec.errors import ContainerError

from .builders import BITSTREAM, OTHER_BITSTREAM, elf, offload

AMD = {"triple": "amdgcn-amd-amdhsa", "arch": "gfx906"}
NVIDIA = {"arch": "sm_70", "triple": "nvptx64-nvidia-cuda"}


def test_version_1() -> None:
    data = offload((AMD, BITSTREAM), version=1)
    (found,) = find(data)
    assert (found.path, bytes(found.data)) == ("amdgcn-amd-amdhsa-gfx906", BITSTREAM)
    assert found.offset == data.index(BITSTREAM)


def test_version_2_has_several_images() -> None:
    found = find(offload((AMD, BITSTREAM), (NVIDIA, OTHER_BITSTREAM)))
    assert [part.path for part in found] == ["amdgcn-amd-amdhsa-gfx906", "nvptx64-nvidia-cuda-sm_70"]
    assert [bytes(part.data) for part in found] == [BITSTREAM, OTHER_BITSTREAM]


@pytest.mark.parametrize("padding", [0, 8, 5000])
def test_binaries_in_a_row(padding: int) -> None:
    first = offload((AMD, BITSTREAM), version=1)
    data = first + bytes(padding) + offload((AMD, OTHER_BITSTREAM)) + bytes(padding)
    found = find(data)
    assert [part.path for part in found] == ["amdgcn-amd-amdhsa-gfx906", "amdgcn-amd-amdhsa-gfx906#2"]
    assert [part.offset for part in found] == [data.index(BITSTREAM), data.index(OTHER_BITSTREAM)]


def test_an_image_without_strings() -> None:
    assert [part.path for part in find(offload(({}, BITSTREAM)))] == ["image"]


def test_an_image_may_be_an_object_or_another_binary() -> None:
    data = offload((AMD, elf((".llvmbc", BITSTREAM))), ({}, offload(({}, OTHER_BITSTREAM))))
    assert [part.path for part in find(data)] == ["amdgcn-amd-amdhsa-gfx906:.llvmbc", "image:image"]


def changed(at: int, value: int, *, size: int = 8, version: int = 2) -> bytes:
    """Return a binary of two images (one in version 1) with one number overwritten."""
    images = [(AMD, BITSTREAM), (AMD, BITSTREAM)][:version]
    data = bytearray(offload(*images, version=version))
    data[at : at + size] = value.to_bytes(size, "little")
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (changed(4, 3, size=4), "offload binary at byte 0 has version 3; 1 and 2 are known"),
        (changed(8, 4), "offload binary at byte 0 has 4 bytes, too few"),
        (changed(8, 1 << 63), "offload binary does not fit"),
        (changed(16, 1 << 63), "offload entry table does not fit"),
        (changed(24, 1 << 63), "offload entry table does not fit"),
        (changed(40, 1 << 63), "offload string table does not fit"),
        (changed(48, 1 << 63), "offload entries name more strings than"),
        (changed(56, 1 << 63), "offload image does not fit"),
        (changed(64, 1 << 63), "offload image does not fit"),
        (changed(72, 1 << 63, version=1), "offload key does not fit"),
        (changed(80, 1 << 63, version=1), "offload value does not fit"),
        (offload() + b"garbage".ljust(32), "no offload binary at byte 32, where the one before it ends"),
        (offload() + b"short", "offload binary header does not fit"),
    ],
)
def test_malformed(data: bytes, message: str) -> None:
    with pytest.raises(ContainerError, match=message):
        find(data)


def test_entries_may_not_share_their_strings() -> None:
    data = bytearray(offload(*[({}, b"")] * 100, (dict.fromkeys("abcdefgh", ""), b"")))
    shared = data[32 + 40 * 100 + 8 : 32 + 40 * 100 + 24]
    for entry in range(100):
        data[32 + 40 * entry + 8 : 32 + 40 * entry + 24] = shared
    with pytest.raises(ContainerError, match="offload entries name more strings than"):
        find(data)
