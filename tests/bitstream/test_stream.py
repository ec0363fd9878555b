"""Streams opened: from memory and from files, whole and in part."""

from __future__ import annotations

import mmap
from array import array
from pathlib import Path

import pytest

from bitcodec import bitstream
from bitcodec.bitstream import StreamKind
from bitcodec.bitstream.decoding import decode_block
from bitcodec.errors import BitstreamError
from bits import LLVM_IR, Bits, Field, wrapped

NAME: tuple[Field, ...] = (5, ("fixed", 8))


def example() -> bytes:
    bits = Bits().enter_block(0).unabbreviated(1, [12]).define(*NAME).end_block()
    bits.enter_block(8).unabbreviated(1, [1])
    for value in (10, 20):
        bits.enter_block(12).abbreviated(4, NAME, [5, value]).enter_block(11).unabbreviated(4, [value]).end_block()
        bits.end_block()
    return bits.end_block().enter_block(23).unabbreviated(9, []).end_block().stream()


@pytest.mark.parametrize(
    ("magic", "kind"),
    [
        (b"BC\xc0\xde", StreamKind.LLVM_IR),
        (b"CPCH", StreamKind.CLANG_AST),
        (b"DIAG", StreamKind.CLANG_DIAGNOSTICS),
        (b"RMRK", StreamKind.LLVM_REMARKS),
        (b"BC\xc0\xdf", StreamKind.UNKNOWN),
        (b"CTXP", StreamKind.UNKNOWN),
    ],
)
def test_kinds(magic: bytes, kind: StreamKind) -> None:
    stream = bitstream.loads(Bits(magic).enter_block(8).end_block().stream())
    assert (stream.magic, stream.kind) == (magic, kind)
    assert [block.id for block in stream.blocks] == [8]


@pytest.mark.parametrize("size", range(4))
def test_too_short_for_a_magic_number(size: int) -> None:
    with pytest.raises(BitstreamError, match=r"magic number|empty") as caught:
        bitstream.loads(LLVM_IR[:size])
    assert (caught.value.bit_offset, caught.value.block_path) == (0, ())


def test_a_magic_number_alone() -> None:
    stream = bitstream.loads(LLVM_IR)
    assert (stream.blocks, bytes(stream.trailing), len(stream.columns.records)) == ([], b"", 0)
    assert stream.edit().dumps() == LLVM_IR


def test_any_buffer_will_do_and_is_not_copied() -> None:
    data = bytearray(example())
    memory = mmap.mmap(-1, len(data))
    memory[:] = bytes(data)
    for buffer in (bytes(data), data, memoryview(data), array("I", bytes(data)), memory):
        stream = bitstream.loads(buffer)  # type: ignore[arg-type]
        assert stream.dumps() == data
        assert [block.id for block in stream.blocks] == [0, 8, 23]
    stream = bitstream.loads(data)
    data[0] = 0
    assert stream.magic[0] == 0


LOOKS_LIKE_A_BLOCK = b"abcd"
"""Its first two bits are those of ENTER_SUBBLOCK."""


@pytest.mark.parametrize("tail", [b"", b"\0", b"garbage\n", bytes(8), bytes(100), LOOKS_LIKE_A_BLOCK])
def test_bytes_that_llvm_leaves_alone(tail: bytes) -> None:
    data = example() + tail
    stream = bitstream.loads(data)
    assert bytes(stream.trailing) == tail
    assert [block.id for block in stream.blocks] == [0, 8, 23]
    assert len(stream.columns.blocks) == 7
    assert stream.dumps() == stream.edit().dumps() == data
    assert bitstream.encode(stream.payload, stream.columns) == data


@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        (b"garbage!\n", "expected a block or the end, found 9 more bytes"),
        (bytes(20) + b"\x02", "expected a block or the end, found 21 more bytes"),
        (example(), "another stream"),
    ],
)
def test_bytes_that_are_no_block(tail: bytes, reason: str) -> None:
    data = example()
    stream = bitstream.loads(data + tail)
    for read in (lambda: stream.blocks, lambda: stream.columns):
        with pytest.raises(BitstreamError, match=reason) as caught:
            read()
        assert (caught.value.bit_offset, caught.value.block_path) == (len(data) * 8, ())


def test_decoding_to_a_depth() -> None:
    stream = bitstream.loads(example())
    ids = [list(stream.decode(max_depth=depth).blocks.id) for depth in range(4)]
    # BLOCKINFO is always read: blocks to come need it.
    assert ids == [[0, 8, 23], [0, 8, 12, 12, 23], [0, 8, 12, 11, 12, 11, 23], [0, 8, 12, 11, 12, 11, 23]]
    codes = [list(stream.decode(max_depth=depth).records.code) for depth in range(4)]
    assert codes == [[1], [1, 1, 9], [1, 1, 5, 5, 9], [1, 1, 5, 4, 5, 4, 9]]


def test_passing_over_blocks() -> None:
    stream = bitstream.loads(example())
    columns = stream.decode(skipped={12})
    assert list(columns.records.code) == [1, 1, 9]
    assert list(columns.blocks.id) == [0, 8, 12, 12, 23], "they are noted"
    whole = stream.columns
    assert set(columns.blocks.end) <= set(whole.blocks.end)
    assert list(stream.decode(skipped={0, 8}).blocks.id) == [0, 8, 23], "BLOCKINFO cannot be passed over"


def test_passing_over_more_than_there_is() -> None:
    bits = Bits().enter_block(8).end_block(words=2)
    error = bitstream.loads(bits.stream()).decode(max_depth=0).error
    assert error is not None
    assert error.reason == "block 8 is 2 words long, more than the rest of the data; the file seems to be cut off"
    assert error.bit_offset == 32


def test_one_block_alone() -> None:
    stream = bitstream.loads(example())
    function = stream.blocks[1].blocks[1]
    columns = decode_block(
        stream.payload, function.start, width=function.outer_width, size=8 * function.size_in_words,
        block_info=function.block_info,
    )  # fmt: skip
    assert columns.error is None
    assert list(columns.blocks.id) == [12, 11]
    assert list(columns.operands) == [20, 20]
    assert columns.end == function.end


def test_blocks_decoded_alone_do_not_share_what_they_define() -> None:
    bits = Bits().enter_block(0).unabbreviated(1, [12]).define(*NAME).end_block().enter_block(8)
    for own in ((6, ("fixed", 4)), (7, ("vbr", 6), ("fixed", 1))):
        bits.enter_block(12).define(*own).abbreviated(4, NAME, [5, 200])
        bits.abbreviated(5, own, [own[0], *[1] * (len(own) - 1)]).end_block()
    stream = bitstream.loads(bits.end_block().stream())
    blocks = [*stream.blocks[1].blocks] * 2
    decoded = [
        decode_block(stream.payload, block.start, width=block.outer_width, size=64, block_info=block.block_info)
        for block in blocks
    ]
    assert [columns.error for columns in decoded] == [None] * 4
    assert [list(columns.operands) for columns in decoded] == [[200, 1], [200, 1, 1]] * 2
    assert [list(columns.records.code) for columns in decoded] == [[5, 6], [5, 7]] * 2
    assert [len(columns.abbreviations) for columns in decoded] == [3] * 4


def test_no_block_where_one_is_sought() -> None:
    stream = bitstream.loads(example())
    error = decode_block(stream.payload, stream.blocks[1].body, width=3, size=100).error
    assert error is not None
    assert (error.reason, error.bit_offset) == ("no block begins here", stream.blocks[1].body)


def test_progress() -> None:
    # Four records of 14 bits are seven bytes; they are copied, as so many would take long to write.
    four = Bits(b"")
    for _ in range(4):
        four.fixed(3, 2).vbr(1, 6).vbr(0, 6)
    count = 600_000
    content = four.stream()[:7] * (count // 4) + bytes(4)
    data = Bits().enter_block(8, width=2).stream() + content
    seen: list[int] = []
    columns = bitstream.loads(data).decode(progress=seen.append)
    assert (columns.error, len(columns.records)) == (None, count)
    assert seen == sorted(set(seen))
    assert 1 <= len(seen) <= 10
    assert seen[-1] < len(data) * 8


def test_files(tmp_path: Path) -> None:
    for name, data in (("plain.bc", example()), ("wrapped.bc", wrapped(example(), after=bytes(12)))):
        path = tmp_path / name
        path.write_bytes(data)
        with bitstream.open(path) as stream:
            assert [block.id for block in stream.blocks] == [0, 8, 23]
            assert stream.dumps() == data
            stream.save(path)
        assert path.read_bytes() == data
        assert bitstream.open(str(path)).payload == example()


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "empty.bc").write_bytes(b"")
    with pytest.raises(BitstreamError, match="the file is empty"):
        bitstream.open(tmp_path / "empty.bc")
    with pytest.raises(FileNotFoundError):
        bitstream.open(tmp_path / "missing.bc")
    with pytest.raises(OSError, match="directory"):
        bitstream.open(tmp_path)
