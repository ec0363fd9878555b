"""Malformed files: what LLVM's analyzer refuses is refused here, with the place."""

from __future__ import annotations

import pytest

from bitcodec import bitstream
from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.errors import BitstreamError
from corpus import FOLDER, File, accepted_streams, needs_corpus, parameters, refused_streams

TAKEN_NEVERTHELESS = {
    "containers/trailing-zeros.bc": "four zero bytes after a module",
    "invalid/padding.bc": "four line feeds after a module",
    "invalid/padding-garbage.bc": "eight bytes of text after a module",
    "invalid/invalid-insertval-array-idx.bc": "four zero bytes after a module whose block states a word too much",
}
"""Refused by llvm-bcanalyzer for what follows the last block; LLVM's IR reader takes up to eight bytes there."""


def refused_here() -> list[File]:
    return [file for file in refused_streams() if file.path not in TAKEN_NEVERTHELESS]


def _read_all(data: bytes) -> None:
    stream = bitstream.loads(data)
    columns = stream.columns
    list(dump_chunks(stream.payload, columns, remarks=DumpRemarks(stream.payload, columns)))


@pytest.mark.parametrize("file", parameters(refused_here()))
def test_refused_with_the_place(file: File) -> None:
    data = file.data
    with pytest.raises(BitstreamError) as caught:
        _read_all(data)
    error = caught.value
    assert 0 <= error.bit_offset <= len(data) * 8
    assert isinstance(error.block_path, tuple)
    assert f"(bit {error.bit_offset}, " in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("file", parameters([file for file in accepted_streams() if file.kind == "invalid"]))
def test_sound_streams_are_taken_whatever_their_records_say(file: File) -> None:
    stream = bitstream.loads(file.data)
    assert len(stream.columns.blocks) > 0
    assert stream.columns.error is None


@needs_corpus
def test_bytes_after_the_last_block() -> None:
    files = {file.path: file for file in refused_streams()}
    tails = {}
    for path in TAKEN_NEVERTHELESS:
        stream = bitstream.loads(files[path].data)
        tails[path] = bytes(stream.payload[stream.columns.end // 8 :])
    assert list(tails.values()) == [bytes(4), b"\n\n\n\n", b"garbage\n", bytes(4)]


def _error(name: str) -> BitstreamError:
    with pytest.raises(BitstreamError) as caught:
        _read_all((FOLDER / "invalid" / name).read_bytes())
    return caught.value


@needs_corpus
@pytest.mark.parametrize(
    ("name", "reason", "path"),
    [
        ("invalid-empty.bc", "the file is empty", ()),
        ("invalid-code-len-width.bc", "abbreviation ids of 262143 bits", (8,)),
        ("invalid-array-op-not-2nd-to-last.bc", "an array that is not second to last", (8, 17)),
        ("invalid-array-operand-encoding.bc", "an array whose elements take no bits", (8, 17)),
        ("invalid-abbrev-fixed-size-too-big.bc", "a field of 56 bits, more than 32", (8, 0)),
        ("invalid-abbrev-vbr-size-too-big.bc", "a field of 56 bits, more than 32", (8, 0)),
        ("unterminated-blob.bc", "a blob of 805306286 bytes does not fit", (23,)),
        ("invalid-type-table-forward-ref.bc", "id 12 is not defined in this block; ids 4 to 9 are", (8, 17)),
        ("invalid-extractval-array-idx.bc", "the stream ends inside this block", (8,)),
        ("invalid-vector-element-type.bc", "expected a block or the end, found 276 more bytes", ()),
    ],
)
def test_reasons(name: str, reason: str, path: tuple[int, ...]) -> None:
    error = _error(name)
    assert reason in error.reason
    assert error.block_path == path
