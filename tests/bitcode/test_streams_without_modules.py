"""Streams that end before a module begins: bitcodec refuses those that llvm-dis 22 refuses."""

from __future__ import annotations

import pytest

import bitcodec
from bits import Bits

IDENTIFICATION, MODULE, STRTAB, SYMTAB = 13, 8, 23, 25
CUT_OFF = "; the file seems to be cut off"
NO_MODULE = "expected a module after the IDENTIFICATION block, found"


def stream_of(*block_ids: int, rest: bytes = b"") -> bytes:
    """Return a stream of empty blocks, and the bytes that follow them."""
    bits = Bits()
    for block_id in block_ids:
        bits.enter_block(block_id).end_block()
    return bits.stream() + rest


REFUSED = [
    (stream_of(rest=b"\0" * 6), f"expected a module, found 6 bytes without one{CUT_OFF} (bit 32, top level)"),
    (stream_of(rest=b"\0" * 12), f"expected a module, found 12 bytes without one{CUT_OFF} (bit 32, top level)"),
    (
        stream_of(STRTAB, rest=b"\0" * 12),
        f"expected a module, found 12 bytes without one{CUT_OFF} (bit 128, top level)",
    ),
    (stream_of(IDENTIFICATION), f"{NO_MODULE} the end of the data{CUT_OFF} (bit 128, top level)"),
    (stream_of(IDENTIFICATION, rest=b"\0" * 8), f"{NO_MODULE} the end of the data{CUT_OFF} (bit 128, top level)"),
    (stream_of(IDENTIFICATION, STRTAB), f"{NO_MODULE} block 23 (bit 128, top level)"),
    (stream_of(IDENTIFICATION, IDENTIFICATION, MODULE), f"{NO_MODULE} block 13 (bit 128, top level)"),
    (stream_of(MODULE, IDENTIFICATION), f"{NO_MODULE} the end of the data{CUT_OFF} (bit 224, top level)"),
]
"""llvm-dis 22 prints "Invalid bitcode signature" if the size is no multiple of 4 bytes, else "Malformed block"."""
LEGAL = [
    stream_of(),
    stream_of(rest=b"\0" * 4),
    stream_of(rest=b"\0" * 8),
    stream_of(STRTAB),
    stream_of(SYMTAB, STRTAB, rest=b"\0" * 8),
]
"""llvm-dis 22 prints nothing for them, and exits with status 0."""


@pytest.mark.parametrize(("data", "message"), REFUSED)
def test_a_module_is_required(data: bytes, message: str) -> None:
    with pytest.raises(bitcodec.BitcodeError) as caught:
        bitcodec.loads_all(data)
    assert str(caught.value) == message


@pytest.mark.parametrize("data", LEGAL)
def test_a_stream_may_contain_no_module(data: bytes) -> None:
    assert bitcodec.loads_all(data) == []
