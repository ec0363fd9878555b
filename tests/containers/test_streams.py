"""Streams in a file are opened, those that follow one another apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec.bitstream import Wrapper, Writer
from bitcodec.containers import open_streams, split
from bitcodec.errors import BitstreamError, ContainerError

from .builders import gnu_archive

EXAMPLE = Path(__file__).parents[2] / "examples" / "hello.bc"


def stream(magic: bytes, *codes: int) -> bytes:
    writer = Writer(magic)
    with writer.block(8):
        for code in codes:
            writer.record(code, [code])
    return writer.getvalue()


def test_a_file_that_is_a_stream_is_opened_as_it_is() -> None:
    (found,) = open_streams(memoryview(EXAMPLE.read_bytes()))

    assert (found.path, found.offset) == ("", 0)
    assert found.stream.dumps() == EXAMPLE.read_bytes()


@pytest.mark.parametrize("padding", [0, 4, 12])
def test_streams_in_a_row_are_told_apart(padding: int) -> None:
    first, second = stream(b"BC\xc0\xde", 1, 2), stream(b"BC\xc0\xde", 3)

    pieces = list(split(memoryview(first + bytes(padding) + second)))

    assert [start for start, _ in pieces] == [0, len(first) + padding]
    assert [piece.dumps() for _, piece in pieces] == [first, second]


def test_a_magic_number_alone_is_not_followed_by_a_stream() -> None:
    data = b"BC\xc0\xde" + stream(b"BC\xc0\xde", 1)

    assert [start for start, _ in split(memoryview(data))] == [0]


def test_wrapped_streams_in_a_row_are_told_apart() -> None:
    payload = stream(b"BC\xc0\xde", 1)
    wrapped = Wrapper(len(payload)).encode() + payload

    pieces = [piece.dumps() for _, piece in split(memoryview(wrapped + bytes(4) + wrapped))]

    assert pieces == [wrapped, wrapped]


def test_padding_after_the_last_stream_stays_with_it() -> None:
    data = stream(b"DIAG", 1) + bytes(8)

    assert [piece.dumps() for _, piece in split(memoryview(data))] == [data]


def test_pieces_of_a_member_are_numbered() -> None:
    both = stream(b"BC\xc0\xde", 1) + stream(b"BC\xc0\xde", 2)

    found = open_streams(memoryview(gnu_archive(("two.bc", both))))

    assert [one.path for one in found] == ["two.bc[1]", "two.bc[2]"]
    assert found[1].offset == found[0].offset + len(both) // 2


def test_any_four_bytes_may_be_a_magic_number() -> None:
    (found,) = open_streams(memoryview(stream(b"MINE", 7)))

    assert [record.code for record in found.stream.blocks[0].records] == [7]


def test_too_few_bytes_are_no_stream() -> None:
    with pytest.raises(BitstreamError, match="3 bytes are too few for a magic number"):
        open_streams(memoryview(b"abc"))


def test_an_archive_without_bitcode_says_so() -> None:
    with pytest.raises(ContainerError, match="no bitstream"):
        open_streams(memoryview(gnu_archive(("readme", b"plain text"))))
