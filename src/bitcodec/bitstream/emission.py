"""Writes the items of a draft: unchanged items are copied, the rest encoded.

A block that was not opened is copied whole; in one that was opened, every unchanged item is copied.  Items that
cannot be copied, because the abbreviations around them have changed, are encoded by an equal abbreviation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.copying import BlockSpan, Copier
from bitcodec.bitstream.items import Definition, DraftBlock, DraftRecord, Item
from bitcodec.bitstream.writer import Writer
from bitcodec.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitstream.blocks import OpenStream, Record

__all__ = ["emit"]


def emit(stream: OpenStream, blocks: Iterable[DraftBlock]) -> bytes:
    """Return a stream of the magic number of `stream` and of `blocks`.

    Raises:
        EncodingError: an abbreviation cannot express its record.
    """
    emitter = _Emitter(stream)
    emitter.emit(blocks)
    return emitter.writer.getvalue()


class _Emitter:
    def __init__(self, stream: OpenStream) -> None:
        self.writer = Writer(stream.magic)
        self._stream = stream
        self._copier = Copier(stream.payload, self.writer)

    def emit(self, blocks: Iterable[DraftBlock]) -> None:
        """Write blocks and all they hold.  The way down is kept in a list: a stream may nest as deep as it likes."""
        pending: list[Iterator[Item]] = [iter(list(blocks))]
        while pending:
            item = next(pending[-1], None)
            if item is None:
                pending.pop()
                if pending:
                    self.writer.end_block()
            elif isinstance(item, DraftRecord):
                self._emit_record(item)
            elif isinstance(item, Definition):
                self._emit_definition(item)
            elif not self._copy_block(item):
                self.writer.enter_block(item.id, width=item.abbreviation_width)
                pending.append(iter(item.items))

    def _copy_block(self, block: DraftBlock) -> bool:
        """Copy a block that was not opened, if the abbreviations it was written with are in force."""
        source = block.source
        if source is None or block.is_opened or source.stream is not self._stream:
            return False
        if (block.id, block.abbreviation_width) != (source.id, source.abbreviation_width):
            return False
        expected = source.block_info.abbreviations
        if self.writer.shared is not expected and self.writer.shared != expected:
            return False
        span = BlockSpan(source.id, source.abbreviation_width, source.start, source.body, source.end)
        self._copier_of(self._stream).copy_block(span, source.outer_width)
        self.writer.shared = source.block_info_after.abbreviations
        return True

    def _copier_of(self, stream: OpenStream) -> Copier:
        """Return a copier of the items of a stream: a draft may contain items of others."""
        return self._copier if stream is self._stream else Copier(stream.payload, self.writer)

    def _emit_definition(self, definition: Definition) -> None:
        if definition.source is None or definition.source.abbreviation != definition.abbreviation:
            self.writer.define(definition.abbreviation)
        else:
            # Unlike one that is requested, one that was there may be of no use to any record.
            self.writer.redefine(definition.abbreviation)

    def _emit_record(self, record: DraftRecord) -> None:
        source = record.source
        if source is not None and not record.is_changed:
            if not self._copy_record(source):
                abbreviation_id = self.writer.find(source.abbreviation)
                self.writer.record(source.code, source.operands, abbreviation_id=abbreviation_id, blob=source.blob)
            return
        try:
            self.writer.record(record.code, record.operands, abbreviation_id=record.abbreviation_id, blob=record.blob)
        except EncodingError as error:
            advice = ""
            if record.abbreviation_id != AbbreviationId.UNABBREV_RECORD:
                advice = "; set its abbreviation_id to 3 to write it unabbreviated"
            raise EncodingError(f"record {record.code}: {error}{advice}") from error

    def _copy_record(self, source: Record) -> bool:
        """Copy a record, if its abbreviation id still means the same, and a blob would stay aligned."""
        writer = self.writer
        if source.block.abbreviation_width != writer.width:
            return False
        copier = self._copier_of(source.stream)
        if source.blob is not None and not copier.is_aligned(source.start):
            return False
        if source.abbreviation != writer.abbreviation(source.abbreviation_id):
            return False
        copier.copy(source.start, source.end)
        writer.note_record(source.code, source.operands)
        return True
