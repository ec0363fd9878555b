"""Copies the records of a block of a file, some of them changed, in the form in which the file has them.

Rules: docs/reference/records.md, 8.4 (metadata index) and 9.2 (FNENTRY).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.bitcode.editing.file_metadata import NeedsNewId
from bitcodec.bitcode.schema.blocks import METADATA_CODES_WITH_ID, MetadataCode, ValueSymtabCode
from bitcodec.bitcode.writer.abbreviations import METADATA_INDEX_OFFSET
from bitcodec.bitstream.copying import BlockCopier
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.bitcode.editing.metadata_changes import RecordChange
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitstream import Writer

__all__ = ["copy_function_offsets", "copy_metadata"]

_WORD = 32
_LOW_WORD = 0xFFFF_FFFF


def copy_metadata(records: Records, changes: Mapping[int, RecordChange], writer: Writer) -> None:
    """Write a metadata block: changed records unabbreviated, the index of record places by its own abbreviation.

    Args:
        records: its records in the file.
        changes: code and operands of the records that are changed, by row.
        writer: writes it; knows which abbreviations BLOCKINFO gives.

    Raises:
        NeedsNewId: the index is not in the form in which LLVM writes it.
        CannotCopyError: a blob would lose its alignment.
    """
    if records.blocks():
        raise NeedsNewId
    index = _MetadataIndex.of(records)
    if index.index_row in changes or index.offset_row in changes:
        raise NeedsNewId
    end_of_offset = distance = 0
    with writer.block(records.id, width=records.columns.blocks.abbreviation_width[records.row]):
        copier = BlockCopier(records.data, records.columns, records.row, writer)
        for row in sorted({*changes, *(row for row in index if row >= 0)}):
            if row in changes:
                copier.replace(row, *changes[row])
            elif row == index.index_row:
                copier.copy_to(records.start_of(row))
                places = _indexed_places(records, index, copier)
                end_of_offset, distance = places[0], writer.bit_offset - places[0]
                copier.replace_operands(row, [after - before for before, after in pairwise(places)])
        copier.copy_rest()
    if index.index_row >= 0:
        writer.patch(end_of_offset - 2 * _WORD, distance & _LOW_WORD)
        writer.patch(end_of_offset - _WORD, distance >> _WORD)


class _MetadataIndex(NamedTuple):
    """The rows of INDEX_OFFSET and INDEX; -1 if there is no index."""

    offset_row: int = -1
    index_row: int = -1

    @classmethod
    def of(cls, records: Records) -> _MetadataIndex:
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


def _indexed_places(records: Records, index: _MetadataIndex, copier: BlockCopier) -> list[int]:
    """Return the new places between which the index contains the distances: INDEX_OFFSET's end, records with an id."""
    offset, rows = index.offset_row, range(index.offset_row + 1, index.index_row)
    size = int(records.columns.records.end[offset]) - records.start_of(offset)
    (start,) = copier.places(range(offset, offset + 1))
    numbered = zip(copier.places(rows), records.codes(rows), strict=True)
    return [start + size, *(place for place, code in numbered if code in METADATA_CODES_WITH_ID)]


def copy_function_offsets(records: Records, offsets: Mapping[int, int], writer: Writer) -> None:
    """Write the table that says where bodies begin.

    Args:
        records: its records in the file.
        offsets: value id of each function, and the new place of its block, in bits.
        writer: writes it; knows which abbreviations BLOCKINFO gives.
    """
    with writer.block(records.id, width=records.columns.blocks.abbreviation_width[records.row]):
        copier = BlockCopier(records.data, records.columns, records.row, writer)
        for row, code, operands in records:
            if code == ValueSymtabCode.FNENTRY and len(operands) > 1 and operands[0] in offsets:
                # Counted in words, from the one in front of the identification block on.
                copier.replace_operands(row, [operands[0], offsets[operands[0]] // _WORD, *operands[2:]])
        copier.copy_rest()
