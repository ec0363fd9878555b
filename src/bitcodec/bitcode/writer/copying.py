"""Saves a module of which little was changed: that much is written anew, all else copied bit for bit.

A table of symbols for linkers is left out, as always: linkers make it anew.
What can be so is the module's own metadata, if every node keeps its id.  Metadata ids of functions count on from the
module's, value ids from its constants; what would need a new one of either moves all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode, ModuleCode, ValueSymtabCode
from bitcodec.bitcode.writer.changes import NeedsNewId, metadata_changes
from bitcodec.bitstream import Writer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.bitcode.reader.blocks import BlockPlace
    from bitcodec.bitcode.writer.changes import RecordChange
    from bitcodec.ir.module import Module

__all__ = ["copied"]

_WORD = 32
_HALF_WORDS = 0xFFFF_FFFF
_PRODUCERS = "LLVM22", "bitcodec"
"""Who writes what LLVM 22 writes; files of others are brought up to date."""
_MAGIC = b"BC\xc0\xde"


def copied(module: Module) -> bytes | None:
    """Return a module as bitcode, what was not changed copied from where it was read; None if that cannot be done.

    Raises:
        BitcodecError: something that is read for it is malformed.
    """
    reader = module.source
    if not isinstance(reader, ModuleReader) or not reader.is_untouched or not module.producer.startswith(_PRODUCERS):
        return None
    try:
        changes = {} if reader.metadata is None else metadata_changes(module, reader, reader.metadata)
        return _Copy(reader, changes).written()
    except NeedsNewId:
        return None


class _Copy:
    """Writes a module with some records of its metadata changed.

    Args:
        reader: where the module was read from.
        changes: code and operands of those records, by block and row.
    """

    def __init__(self, reader: ModuleReader, changes: Mapping[tuple[int, int], RecordChange]) -> None:
        self._reader = reader
        self._changes = changes
        self._data = reader.place.data
        self._records = reader.tables.records
        self._blocks = self._records.columns.blocks
        self._inner = self._records.inner_rows()
        before, self._behind = reader.frame
        self._writer = Writer(_MAGIC + bytes(before))

    def written(self) -> bytes:
        """Return the module, with the blocks that belong to it.

        Raises:
            NeedsNewId: its blocks do not stand in the order in which LLVM writes them.
        """
        if self._changes:
            self._write_module()
        else:
            self._writer.copy(self._data, int(self._blocks.start[0]), int(self._blocks.end[0]))
        return self._writer.getvalue() + bytes(self._behind)

    def _write_module(self) -> None:
        writer, blocks = self._writer, self._blocks
        rows = self._inner.get(BlockId.METADATA_BLOCK, [])
        if any(row < rows[-1] for row in self._inner.get(BlockId.FUNCTION_BLOCK, [])):
            raise NeedsNewId
        with writer.block(BlockId.MODULE_BLOCK, width=blocks.abbreviation_width[0]):
            at = int(blocks.body[0])
            base = writer.bit_offset - at
            for number, row in enumerate(rows):
                writer.copy(self._data, at, int(blocks.start[row]))
                at = int(blocks.end[row])
                self._write_metadata(number)
            moved = (writer.bit_offset - base - at) // _WORD
            for number, row in enumerate(self._inner.get(BlockId.VALUE_SYMTAB_BLOCK, []) if moved else ()):
                writer.copy(self._data, at, int(blocks.start[row]))
                at = int(blocks.end[row])
                self._write_symbols(self._places(BlockId.VALUE_SYMTAB_BLOCK)[number], moved)
            writer.copy(self._data, at, self._end())
        for row, code, operands in self._records:
            if code == ModuleCode.VSTOFFSET and operands[0]:
                place = int(self._records.columns.records.end[row]) + base - _WORD
                writer.patch(place, operands[0] + moved)

    def _places(self, block_id: BlockId) -> list[BlockPlace]:
        return self._reader.tables.places(block_id)

    def _end(self) -> int:
        """Return where the last item of the module ends, in bits."""
        ends = [int(self._blocks.end[row]) for rows in self._inner.values() for row in rows]
        return max(*ends, *(int(self._records.columns.records.end[row]) for row, _, _ in self._records))

    def _write_metadata(self, number: int) -> None:
        """Write a metadata block with some records changed, and with them the index of where each begins."""
        records = self._places(BlockId.METADATA_BLOCK)[number].decode()
        columns, writer = records.columns.records, self._writer
        changes = {row: change for (block, row), change in self._changes.items() if block == number}
        sizes: list[int] | None = None
        index_offset = 0
        with writer.block(BlockId.METADATA_BLOCK, width=records.columns.blocks.abbreviation_width[0]):
            at = int(records.columns.blocks.body[0])
            for row, code, _ in records:
                start, end = int(columns.start[row]), int(columns.end[row])
                change = changes.get(row)
                if code == MetadataCode.INDEX_OFFSET:
                    writer.copy(self._data, at, end)
                    at, index_offset, sizes = end, writer.bit_offset, []
                    continue
                if code == MetadataCode.INDEX and sizes is not None:
                    # Distances from record to record, the first from the one that says where the index is.
                    change = code, [0, *sizes[:-1]]
                    sizes = None
                if change is not None:
                    writer.copy(self._data, at, start)
                    before = writer.bit_offset
                    if code == MetadataCode.INDEX:
                        distance = before - index_offset
                    writer.record(*change)
                    at, size = end, writer.bit_offset - before
                else:
                    size = end - start
                if sizes is not None:
                    sizes.append(size)
            writer.copy(self._data, at, max(at, int(columns.end[-1])))
        if index_offset:
            writer.patch(index_offset - 2 * _WORD, distance & _HALF_WORDS)
            writer.patch(index_offset - _WORD, distance >> _WORD)

    def _write_symbols(self, place: BlockPlace, moved: int) -> None:
        """Write the table that says where functions begin, which have moved by so many words."""
        records = place.decode()
        with self._writer.block(BlockId.VALUE_SYMTAB_BLOCK, width=records.columns.blocks.abbreviation_width[0]):
            for _, code, operands in records:
                if code == ValueSymtabCode.FNENTRY:
                    operands[1] += moved
                self._writer.record(code, operands)
