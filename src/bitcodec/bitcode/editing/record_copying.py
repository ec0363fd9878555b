"""Copies the records of a block of a file, some of them changed, in the form in which the file has them.

Rules: docs/reference/records.md, 8.4 (metadata index) and 9.2 (FNENTRY).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import METADATA_CODES_WITH_ID, MetadataCode, ValueSymtabCode
from bitcodec.bitcode.writer.abbreviations import METADATA_INDEX_OFFSET
from bitcodec.bitstream.copying import BlockCopier

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.bitcode.editing.metadata_changes import RecordChange
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitstream import Writer

__all__ = ["can_copy_metadata", "copy_function_offsets", "copy_metadata"]

_WORD = 32
_LOW_WORD = 0xFFFF_FFFF


def can_copy_metadata(records: Records) -> bool:
    """Return whether a metadata block has no index of record places, or has one in the form in which LLVM writes it."""
    offsets, indexes = _index_rows(records)
    is_in_form = (
        len(offsets) == len(indexes) == 1
        and offsets < indexes
        and records.abbreviation(offsets[0]) == METADATA_INDEX_OFFSET
    )
    return (is_in_form or not (offsets or indexes)) and not records.blocks()


def copy_metadata(records: Records, changes: Mapping[int, RecordChange], writer: Writer) -> None:
    """Write a metadata block: changed records unabbreviated, the index of record places by its own abbreviation.

    Args:
        records: its records in the file, which `can_copy_metadata`.
        changes: code and operands of the records that are changed, by row.
        writer: writes it; knows which abbreviations BLOCKINFO gives.
    """
    offsets, indexes = _index_rows(records)
    end_of_offset = distance = 0
    with writer.block(records.id, width=records.columns.blocks.abbreviation_width[records.row]):
        copier = BlockCopier(records.data, records.columns, records.row, writer)
        for row in sorted({*changes, *indexes}):
            if row in changes:
                copier.replace(row, *changes[row])
                continue
            copier.copy_to(records.start_of(row))
            places = _indexed_places(records, offsets[0], row, copier)
            end_of_offset, distance = places[0], writer.bit_offset - places[0]
            copier.replace_operands(row, [after - before for before, after in pairwise(places)])
        copier.copy_rest()
    if indexes:
        writer.patch(end_of_offset - 2 * _WORD, distance & _LOW_WORD)
        writer.patch(end_of_offset - _WORD, distance >> _WORD)


def _index_rows(records: Records) -> tuple[list[int], list[int]]:
    """Return the rows of INDEX_OFFSET and of INDEX."""
    return [*records.rows_of(MetadataCode.INDEX_OFFSET)], [*records.rows_of(MetadataCode.INDEX)]


def _indexed_places(records: Records, offset: int, index: int, copier: BlockCopier) -> list[int]:
    """Return the new places between which the index contains the distances: INDEX_OFFSET's end, records with an id."""
    rows = range(offset + 1, index)
    size = int(records.columns.records.end[offset]) - records.start_of(offset)
    (start,) = copier.places(range(offset, offset + 1))
    numbered = zip(copier.places(rows), records.codes(rows), strict=True)
    return [start + size, *(place for place, code in numbered if code in METADATA_CODES_WITH_ID)]


def copy_function_offsets(records: Records, offsets: Mapping[int, int], writer: Writer) -> None:
    """Write the table of the offsets of bodies.

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
