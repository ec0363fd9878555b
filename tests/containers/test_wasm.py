"""Custom sections and data segments of WebAssembly modules."""

from __future__ import annotations

import pytest

from bitcodec.containers import find, scan
from bitcodec.errors import ContainerError

from .builders import BITSTREAM, OTHER_BITSTREAM, TEXT, custom, data_section, linking, segment, wasm, wasm_section


def test_custom_sections() -> None:
    others = [wasm_section(1, TEXT), custom("name", TEXT)]
    data = wasm(*others, custom(".llvmbc", BITSTREAM), custom("__clangast", b"CPCH"))
    found = find(data)
    assert [part.path for part in found] == [".llvmbc", "__clangast"]
    assert [part.offset for part in found] == [data.index(BITSTREAM), data.index(b"CPCH")]


def test_data_segments_are_named_in_the_linking_section() -> None:
    segments = [segment(TEXT), segment(BITSTREAM), segment(OTHER_BITSTREAM)]
    data = wasm(data_section(*segments), linking(".rodata", ".llvm.lto", ".bss"))
    (found,) = find(data)
    assert (found.path, bytes(found.data), found.offset) == (".llvm.lto", BITSTREAM, data.index(BITSTREAM))


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(b"\x01", id="passive"),
        pytest.param(b"\x02\x00\x41\x00\x0b", id="with a memory index"),
        pytest.param(b"\x00\x23\x01\x0b", id="at a global"),
        pytest.param(b"\x00\x42\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x0b", id="at 64 bits"),
        pytest.param(b"\x00\x23\x01\x41\x08\x6a\x0b", id="at a sum"),
    ],
)
def test_places_of_data_segments(place: bytes) -> None:
    data = wasm(data_section(segment(TEXT, place), segment(BITSTREAM, place)), linking("a", ".llvm.lto"))
    assert [bytes(part.data) for part in find(data)] == [BITSTREAM]


def test_segments_without_a_wanted_name_are_not_looked_at() -> None:
    assert find(wasm(data_section(segment(BITSTREAM, b"\0\xee")), linking("a"))) == []


def test_fewer_segments_than_names() -> None:
    assert find(wasm(data_section(segment(TEXT)), linking("a", ".llvm.lto"))) == []


def test_marker() -> None:
    assert scan(wasm(custom(".llvmbc", b""))).hollow[0].reason.startswith("is only a marker")


def test_components_are_not_modules() -> None:
    assert find(b"\0asm\x0d\0\x01\0" + b"anything") == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (wasm()[:6], "WebAssembly version does not fit"),
        (wasm(b"\x01"), "WebAssembly section 1 does not fit: 1 bytes at byte 9 of 9"),
        (wasm(b"\x01\x05"), "WebAssembly section 1 does not fit: 5 bytes at byte 10 of 10"),
        (wasm(b"\x01" + b"\x80" * 11), "WebAssembly section 1 at byte 9 is a number without an end"),
        (wasm(b"\x00\x02\x05a" + bytes(9)), "name of a WebAssembly custom section does not fit"),
        (wasm(custom("linking", b"\x02\x05\xff\x01")), "WebAssembly linking table does not fit"),
        (wasm(custom("linking", b"\x02\x05\x01\x09")), "WebAssembly segment info does not fit"),
        (wasm(data_section(segment(BITSTREAM, b"\0\x44")), linking(".llvmbc")), "the operator 0x44 at byte 12"),
        (wasm(wasm_section(11, b"\x01"), linking(".llvmbc")), "WebAssembly data segment does not fit"),
    ],
)
def test_malformed(data: bytes, message: str) -> None:
    with pytest.raises(ContainerError, match=message):
        find(data)
