"""The wrapper: twenty bytes that say where in a file the stream lies."""

from __future__ import annotations

import pytest

from bitcodec import bitstream
from bitcodec.bitstream import Wrapper
from bitcodec.errors import BitstreamError, EncodingError
from bits import Bits, wrapped

STREAM = Bits().enter_block(8).unabbreviated(1, [2]).end_block().stream()


def parse(data: bytes) -> Wrapper | None:
    return Wrapper.parse(memoryview(data))


def test_fields() -> None:
    data = wrapped(STREAM, before=b"????", after=bytes(8), cpu_type=0x0100_000C)
    assert parse(data) == Wrapper(size=len(STREAM), offset=24, cpu_type=0x0100_000C, version=0)


@pytest.mark.parametrize("wrapper", [Wrapper(1 << 32), Wrapper(5, cpu_type=-1), Wrapper(5, offset=1 << 32)])
def test_fields_that_do_not_fit(wrapper: Wrapper) -> None:
    with pytest.raises(EncodingError, match="32 bits"):
        wrapper.encode()


def test_encoding() -> None:
    assert Wrapper(5, 20, 7).encode() == wrapped(b"", size=5, cpu_type=7)
    assert Wrapper(5).encode() == wrapped(b"", size=5, cpu_type=0xFFFF_FFFF)
    wrapper = Wrapper(size=1, offset=20, cpu_type=3, version=4)
    assert Wrapper.parse(memoryview(wrapper.encode() + b"x")) == wrapper


@pytest.mark.parametrize("data", [b"", b"BC\xc0\xde", b"\xde\xc0\x17", STREAM, b"\x0b\x17\xc0\xde" + bytes(16)])
def test_no_wrapper(data: bytes) -> None:
    assert parse(data) is None


@pytest.mark.parametrize("size", [4, 10, 19])
def test_a_header_cut_off(size: int) -> None:
    with pytest.raises(BitstreamError, match=f"cut off after {size} of 20 bytes"):
        parse(wrapped(STREAM)[:size])


@pytest.mark.parametrize(
    ("offset", "size"),
    [(20, len(STREAM) + 1), (21, len(STREAM)), (0xFFFF_FFFF, 0xFFFF_FFFF), (0xFFFF_FFFF, 0), (20, 0xFFFF_FFFF)],
)
def test_a_stream_outside_of_the_file(offset: int, size: int) -> None:
    with pytest.raises(BitstreamError, match="but the file ends at byte") as caught:
        bitstream.loads(wrapped(STREAM, offset=offset, size=size))
    assert caught.value.bit_offset == 0


def test_a_wrapper_around_nothing() -> None:
    with pytest.raises(BitstreamError, match=r"empty|magic"):
        bitstream.loads(wrapped(b""))


def test_the_stream_inside_counts_from_its_own_start() -> None:
    stream = bitstream.loads(wrapped(STREAM, before=bytes(12)))
    assert stream.payload == STREAM
    assert stream.blocks[0].start == 32
    assert stream.blocks[0].records[0].operands == (2,)


def test_as_llvm_shows_it() -> None:
    """Line by `llvm-bcanalyzer --dump` 22 of a file that clang wrote for Darwin on Arm."""
    wrapper = Wrapper(size=0x0A74, offset=0x14, cpu_type=0x0100_000C)
    assert str(wrapper) == (
        "<BITCODE_WRAPPER_HEADER Magic=0x0b17c0de Version=0x00000000 Offset=0x00000014 Size=0x00000a74"
        " CPUType=0x0100000c/>"
    )


WRAPPINGS = {
    "bare": wrapped(STREAM),
    "one zero": wrapped(STREAM, after=b"\0"),
    "aligned to 16": wrapped(STREAM, after=bytes(-(20 + len(STREAM)) % 16)),
    "text before": wrapped(STREAM, before=b"something"),
    "text after": wrapped(STREAM, after=b"not padding!"),
}


@pytest.mark.parametrize("data", WRAPPINGS.values(), ids=WRAPPINGS)
def test_an_untouched_draft(data: bytes) -> None:
    assert bitstream.loads(data).edit().dumps() == data


def changed(data: bytes) -> bytes:
    draft = bitstream.loads(data).edit()
    draft.block(8).record(1).operands = tuple(range(50))
    return draft.dumps()


LONGER = Bits().enter_block(8).unabbreviated(1, range(50)).end_block().stream()


@pytest.mark.parametrize(
    ("before", "after", "new_after"),
    [
        (b"", b"", b""),
        (b"something", b"", b""),
        (b"", b"not padding!", b"not padding!"),
        (b"", bytes(-(20 + len(STREAM)) % 16), bytes(-(20 + len(LONGER)) % 16)),
        (bytes(12), bytes(-(32 + len(STREAM)) % 16), bytes(-(32 + len(LONGER)) % 16)),
    ],
)
def test_a_changed_draft_has_the_size_in_its_header(before: bytes, after: bytes, new_after: bytes) -> None:
    data = changed(wrapped(STREAM, before=before, after=after, cpu_type=12))
    assert data == wrapped(LONGER, before=before, after=new_after, cpu_type=12)
    assert bitstream.loads(data).payload == LONGER


def test_an_untouched_draft_keeps_all_of_a_long_padding() -> None:
    data = wrapped(STREAM, after=bytes(-(20 + len(STREAM)) % 16 + 16))
    assert bitstream.loads(data).edit().dumps() == data


def test_a_stream_that_overlaps_the_header_is_refused() -> None:
    with pytest.raises(BitstreamError):
        bitstream.loads(wrapped(STREAM, offset=0, size=len(STREAM) + 20))
