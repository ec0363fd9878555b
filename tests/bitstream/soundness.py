"""What has to hold of any stream, and the very bits of its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec import bitstream

if TYPE_CHECKING:
    from bitcodec.bitstream import Bitstream


def reread(data: bytes) -> Bitstream:
    """Return the stream, its block lengths proved right."""
    stream = bitstream.loads(data)
    blocks = stream.columns.blocks
    for body, end, words in zip(blocks.body, blocks.end, blocks.size_in_words, strict=True):
        assert body + words * 32 == end, "a block is as long as its header says"
    assert [block.end for block in stream.blocks] == [
        end for end, parent in zip(blocks.end, blocks.parent, strict=True) if parent < 0
    ]
    return stream


def record_bits(stream: Bitstream) -> list[str]:
    """Return the bits of each record, its abbreviation id included; of one with a blob, the padding is left out."""
    records, blobs = stream.columns.records, stream.columns.blobs
    with_blob = set(blobs.record)
    payload = bytes(stream.payload)
    found = []
    for row, (start, end) in enumerate(zip(records.start, records.end, strict=True)):
        first, last = start // 8, (end + 7) // 8
        bits = f"{int.from_bytes(payload[first:last], 'little') >> start % 8:b}".zfill(end - start)[-(end - start) :]
        found.append(bits if row not in with_blob else f"{records.code[row]} {_blob(stream, row)!r}")
    return found


def _blob(stream: Bitstream, row: int) -> bytes:
    start, size = stream.columns.blobs.of_record(row) or (0, 0)
    return bytes(stream.payload[start : start + size])
