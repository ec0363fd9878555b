"""Names of blocks and records, and bytes as LLVM's tools print them."""

from __future__ import annotations

import pytest

from bitcodec.bitstream.blockinfo import BlockInfo
from bitcodec.bitstream.names import NO_NAMES, Names, NameTable
from bitcodec.bitstream.text import escaped, is_printable
from bitcodec.errors import BitstreamError, block_trail

TABLE = NameTable({8: "MODULE", 3: "never shown"}, {8: {1: "VERSION", 2: "TRIPLE"}, 3: {1: "never shown"}})
INFO = BlockInfo(
    block_names={8: "Mine", 9: "Nine", 10: "", 0: "never shown"},
    record_names={(8, 1): "Own", (9, 1): "One", (9, 2): "", (3, 1): "never shown"},
)


def test_a_stream_without_names_of_its_own() -> None:
    names = Names(TABLE)
    assert [names.block(block_id) for block_id in (0, 3, 8, 9)] == ["BLOCKINFO_BLOCK", None, "MODULE", None]
    assert [names.record(8, code) for code in (1, 2, 3)] == ["VERSION", "TRIPLE", None]
    assert [names.record(0, code) for code in (1, 2, 3, 4)] == ["SETBID", "BLOCKNAME", "SETRECORDNAME", None]
    assert names.record(3, 1) is None
    assert names.record(9, 1) is None


def test_its_own_names_come_first() -> None:
    names = Names(TABLE, INFO)
    assert [names.block(block_id) for block_id in (0, 8, 9, 10)] == ["BLOCKINFO_BLOCK", "Mine", "Nine", None]
    assert [names.record(8, code) for code in (1, 2)] == ["Own", "TRIPLE"]
    assert names.record(3, 1) is None, "standard blocks cannot be renamed"


def test_words_for_what_has_no_name() -> None:
    names = Names(NO_NAMES, INFO)
    assert names.describe_block(77) == "UnknownBlock77"
    assert names.describe_block(9) == "Nine"
    assert names.describe_record(9, 9) == "UnknownCode9"
    assert names.describe_record(9, 2) == "", "an empty name is one"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain text ~", "plain text ~"),
        (b"\\", "\\\\"),
        (b"\t\n", "\\t\\n"),
        (b'"', '\\"'),
        (b"'", "'"),
        (b"\0\r\x7f\x80\xff", "\\x00\\x0D\\x7F\\x80\\xFF"),
    ],
)
def test_escapes(data: bytes, text: str) -> None:
    assert escaped(data) == text


def test_printable() -> None:
    assert is_printable(b"")
    assert is_printable(bytes(range(0x20, 0x7F)))
    assert not any(is_printable(bytes([byte])) for byte in (*range(0x20), *range(0x7F, 0x100)))


def test_a_trail_of_blocks() -> None:
    assert block_trail([]) == "top level"
    assert block_trail(["A", "B"]) == "A > B"
    assert block_trail([str(number) for number in range(9)]) == "0 > 1 > 2 > 3 > 4 > 5 > 6 > 7 > 8"
    assert block_trail(["A"] * 100_000) == "A > A > A > A > ... 99992 more ... > A > A > A > A"


def test_an_error_in_one_line() -> None:
    error = BitstreamError("bad luck", 33, (8, 12))
    assert str(error) == "bad luck (bit 33, block 8 > block 12)"
    assert (error.reason, error.bit_offset, error.block_path) == ("bad luck", 33, (8, 12))
    assert str(BitstreamError("bad luck", 0)) == "bad luck (bit 0, top level)"
