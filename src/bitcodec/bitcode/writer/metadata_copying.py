"""Copies a metadata block of a file with some of its records changed, and with them the index of where each begins.

Rules: bitcode record reference, section 8.4.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import METADATA_CODES_WITH_ID, MetadataCode
from bitcodec.bitcode.writer.abbreviations import METADATA_INDEX_OFFSET
from bitcodec.bitcode.writer.file_metadata import NeedsNewId
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.writer.metadata_changes import RecordChange
    from bitcodec.bitstream import Writer

__all__ = ["MetadataIndex", "copy_metadata"]

_WORD = 32
_LOW_WORD = 0xFFFF_FFFF


class MetadataIndex(NamedTuple):
    """The rows of INDEX_OFFSET and INDEX; -1 if there is no index."""

    offset_row: int = -1
    index_row: int = -1

    @classmethod
    def of(cls, records: Records) -> MetadataIndex:
        """Find the index of a block.

        Raises:
            NeedsNewId: it is not in the form in which LLVM writes it.
        """
        rows = [
            (row, code)
            for span in records.ranges()
            for row, code in zip(span, records.codes(span), strict=True)
            if code in (MetadataCode.INDEX_OFFSET, MetadataCode.INDEX)
        ]
        if not rows:
            return cls()
        if [code for _, code in rows] != [MetadataCode.INDEX_OFFSET, MetadataCode.INDEX]:
            raise NeedsNewId
        found = cls(rows[0][0], rows[1][0])
        if records.abbreviation(found.offset_row) != METADATA_INDEX_OFFSET:
            raise NeedsNewId
        return found


def copy_metadata(records: Records, changes: Mapping[int, RecordChange], writer: Writer) -> None:
    """Write a metadata block.

    Args:
        records: its records in the file.
        changes: code and operands of the records that are changed, by row.
        writer: writes it.

    Raises:
        NeedsNewId: it is not in the form in which LLVM writes it.
    """
    if records.blocks():
        raise NeedsNewId
    index = MetadataIndex.of(records)
    with writer.block(records.id, width=records.columns.blocks.abbreviation_width[records.row]):
        offset_end, distance = _copy_records(records, changes, index, writer)
    if offset_end:
        writer.patch(offset_end - 2 * _WORD, distance & _LOW_WORD)
        writer.patch(offset_end - _WORD, distance >> _WORD)


def _copy_records(
    records: Records, changes: Mapping[int, RecordChange], index: MetadataIndex, writer: Writer
) -> tuple[int, int]:
    """Write the records, and return the end of INDEX_OFFSET and the distance from there to INDEX, in bits."""
    columns, data = records.columns.records, records.data
    at = int(records.columns.blocks.body[records.row])
    places: list[int] = []
    distance = 0
    for row, code, _ in records:
        start, end = int(columns.start[row]), int(columns.end[row])
        place = start - at + writer.bit_offset
        if records.blob(row) is not None and (place - start) % _WORD:
            raise NeedsNewId
        change = changes.get(row)
        if row == index.index_row:
            distance = place - places[0]
            change = code, [after - before for before, after in pairwise(places)]
        if change is not None:
            writer.copy(data, at, start)
            writer.record(*change)
            at = end
        if row == index.offset_row:
            places = [place + end - start]
        elif places and not distance and code in METADATA_CODES_WITH_ID:
            places.append(place)
    writer.copy(data, at, max(at, int(columns.end[-1])))
    return (places[0], distance) if places else (0, 0)
