"""Writes a module with some parts changed: changed parts are encoded, everything else is copied bit for bit.

The table of symbols for linkers is made again if anything has changed.  Nodes of the module's metadata, records of
globals, and bodies may be changed, as long as no new value id or metadata id is needed outside a body: the ids of
bodies continue after the module's.
"""

from __future__ import annotations

from functools import cached_property, partial
from operator import itemgetter
from typing import TYPE_CHECKING

from bitcodec.bitcode.editing.file_numbers import file_strings
from bitcodec.bitcode.editing.record_copying import can_copy_metadata, copy_function_offsets, copy_metadata
from bitcodec.bitcode.module_hash import hash_of_module, hashed_names
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode, TypeCode, ValueSymtabCode
from bitcodec.bitcode.writer.abbreviations import SYMTAB_OFFSET, block_info
from bitcodec.bitcode.writer.function_table import function_table
from bitcodec.bitcode.writer.rows import write_items
from bitcodec.bitstream import Writer
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.copying import BlockCopier
from bitcodec.errors import EncodingError
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import CODE_MODEL

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from bitcodec.bitcode.editing.metadata_changes import RecordChange
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.bitcode.writer.rows import BlockRows, Rows
    from bitcodec.bitcode.writer.strings import StringTable
    from bitcodec.bitstream import Abbreviation

__all__ = ["PRODUCERS", "Changes", "CopiedBody", "ModuleCopy", "copy_with_metadata", "unread_bodies"]

PRODUCERS = "LLVM22", "bitcodec"
"""Producers of files in LLVM 22's format; files of others are upgraded."""
_WORD = 32
_MAGIC = b"BC\xc0\xde"


def copy_with_metadata(
    reader: ModuleReader, metadata: Mapping[tuple[int, int], RecordChange], keys: Collection[str]
) -> bytes | None:
    """Return the file of a module with some metadata records changed; None if the file is not in LLVM's form.

    Everything else keeps its bytes and its version, blocks around the module included; a hash is computed again.

    Args:
        reader: reads the module, the only one of its file.
        metadata: code and operands of the changed records of the module's metadata, by block and row.
        keys: of the flags that change.

    Raises:
        BitcodecError: a part that is read for this is malformed.
    """
    # Offsets count from the identification block on.
    follows_identification = reader.place.data[len(_MAGIC) : reader.place.start // 8] == reader.frame.identification
    if not (reader.tables.has_strtab and reader.bodies.has_correct_offsets and follows_identification):
        return None
    copy = _ModuleCopyInForm(reader, Changes(metadata, {}, {}, unread_bodies(reader)))
    copy.keeps_symbols = CODE_MODEL not in keys
    try:
        return copy.written()
    except EncodingError:
        return None


class CopiedBody(NamedTuple):
    """A body of a function.

    Attributes:
        value_id: of the function.
        row: of the block in the file, None if there it has no body.
        block: its replacement, None if it is copied.
    """

    value_id: int
    row: int | None
    block: BlockRows | None


class Changes(NamedTuple):
    """The changed parts.

    Attributes:
        metadata: code and operands of records of the module's metadata, by block and row.
        records: the same of records of MODULE_BLOCK, by row.
        added: records that are added to blocks.
        bodies: all bodies, in order.
        strings: the string table with the names that are new; None if it does not change.
    """

    metadata: Mapping[tuple[int, int], RecordChange]
    records: Mapping[int, RecordChange]
    added: Mapping[BlockId, Rows]
    bodies: Sequence[CopiedBody]
    strings: StringTable | None = None

    def __bool__(self) -> bool:
        """Whether there is any change."""
        return bool(self.metadata or self.records or self.added or any(body.block is not None for body in self.bodies))


def unread_bodies(reader: ModuleReader) -> list[CopiedBody]:
    """Return the bodies of a file, all of which are copied."""
    return [CopiedBody(*pair, None) for pair in reader.bodies.rows.items()]


class _Edit(NamedTuple):
    """A part that is not copied: its bits in the file, and the function that writes it."""

    start: int
    end: int
    write: Callable[[], None]


class _Run(NamedTuple):
    """Bodies that are written one after another.

    Attributes:
        bodies: the bodies, and the bit offsets in the file at which they start.
        start, end: their bits in the file, 0 for a body that is not there.
        is_copied: whether all of them are copied; if not, there is one body.
    """

    bodies: list[tuple[CopiedBody, int]]
    start: int
    end: int
    is_copied: bool


class ModuleCopy:
    """Writes a module with some parts of it changed.

    Args:
        reader: the reader of the module.
        changes: the parts that have changed.
    """

    def __init__(self, reader: ModuleReader, changes: Changes) -> None:
        self._reader = reader
        self._changes = changes
        self._data = reader.place.data
        self._records = reader.tables.records
        self._rows = self._records.columns.records
        self._blocks = self._records.columns.blocks
        self._inner = reader.tables.inner
        self._offsets: dict[int, int] = {}
        self._offset_place = 0
        self._writer = Writer(_MAGIC + bytes(reader.frame.identification))

    def written(self) -> bytes | None:
        """Return the module, with the blocks that belong to it; None if the file is not in the form that this takes.

        Raises:
            BitcodecError: a part that the table of symbols is made from is malformed.
        """
        blocks = self._blocks
        if not (self._has_form() if self._changes else self._is_consistent()):
            return None
        if self._changes:
            self._write_module()
        else:
            self._writer.copy(self._data, int(blocks.start[0]), int(blocks.end[0]))
        self._write_tables()
        return self._writer.getvalue()

    def _write_tables(self) -> None:
        """Write the tables after the module.  The symbol table is made again if anything has changed."""
        if not self._changes:
            for table in (self._reader.frame.symbols, self._reader.frame.strings):
                self._writer.copy(table, 0, len(table) * 8)
            return
        from bitcodec.bitcode.writer.irsymtab import symbols_block  # noqa: PLC0415 - a changed flag keeps the table

        strings = self._changes.strings or file_strings(self._reader.tables)
        symbols = symbols_block(self._reader.tables.module, strings)
        if symbols is not None:
            symbols.write(self._writer)
        strings.block().write(self._writer)

    def _changed_records(self) -> Iterator[RecordChange]:
        """Yield code and operands of the records of the module."""
        changes = self._changes.records
        for row, code, operands in self._records:
            yield changes.get(row, (code, operands))

    def _is_consistent(self) -> bool:
        """Return whether the length of the module and the offsets of bodies are correct; LLVM uses not all of them."""
        blocks = self._blocks
        ends_as_stated = blocks.end[0] == blocks.body[0] + blocks.size_in_words[0] * _WORD
        return bool(ends_as_stated and self._reader.bodies.has_correct_offsets)

    def _write_module(self) -> None:
        writer = self._writer
        writer.shared = self._abbreviations or {}
        edits = sorted(self._edits(), key=itemgetter(0, 1))
        with writer.block(BlockId.MODULE_BLOCK, width=self._blocks.abbreviation_width[0]):
            copier = BlockCopier(self._data, self._records.columns, 0, writer)
            for edit in edits:
                copier.copy_to(edit.start)
                edit.write()
                copier.skip_to(edit.end)
            copier.copy_rest()
            self._write_hash()

    def _has_form(self) -> bool:
        """Return whether everything that is overwritten or moved is in the form in which LLVM writes it."""
        return (
            self._abbreviations is not None
            and self._has_offset_form()
            and self._has_body_form()
            and all(map(can_copy_metadata, self._metadata_blocks.values()))
        )

    def _has_offset_form(self) -> bool:
        """Return whether the symbol table has offsets of bodies only, and follows its own offset and the bodies."""
        records = self._records
        tables = self._inner.get(BlockId.VALUE_SYMTAB_BLOCK, [])
        offsets = [*records.rows_of(ModuleCode.VSTOFFSET)]
        if [records.abbreviation(row) for row in offsets] != [SYMTAB_OFFSET] * len(tables) or len(tables) > 1:
            return False
        ends = [self._rows.end[row] for row in offsets]
        ends += [self._blocks.end[row] for row in self._inner.get(BlockId.FUNCTION_BLOCK, [])]
        for row in tables:
            table = records.inner(row).place().decode()
            if table.blocks() or any(code != ValueSymtabCode.FNENTRY for _, code, _ in table):
                return False
            if max(ends) > self._blocks.start[row]:
                return False
        return True

    def _has_body_form(self) -> bool:
        """Return whether there is a place for bodies, and each follows a block, so that its place is a whole word."""
        rows, ends = self._inner.get(BlockId.FUNCTION_BLOCK, []), {*self._blocks.end.tolist()}
        return all(self._blocks.start[row] in ends for row in rows) and bool(rows or not self._changes.bodies)

    @cached_property
    def _metadata_blocks(self) -> dict[int, Records]:
        """The metadata blocks with changed records, by number."""
        places = self._reader.tables.places(BlockId.METADATA_BLOCK)
        return {number: places[number].decode() for number, _ in self._changes.metadata}

    @cached_property
    def _abbreviations(self) -> dict[int, list[Abbreviation]] | None:
        """The abbreviations that blocks start with, None if they are not LLVM's."""
        standard = Writer(b"")
        with standard.block(BlockId.MODULE_BLOCK):
            start = standard.bit_offset
            block_info(len(self._reader.tables.file_types.types)).write(standard)
            end = standard.bit_offset
        rows = self._inner.get(BLOCKINFO_BLOCK_ID, [])
        found = [self._data[self._blocks.body[row] // 8 : self._blocks.end[row] // 8] for row in rows]
        return standard.shared if found == [standard.getvalue()[start // 8 + 8 : end // 8]] else None

    # Parts that are not copied

    def _edits(self) -> Iterator[_Edit]:
        changes = self._changes
        for row, change in changes.records.items():
            yield self._record_edit(row, partial(self._writer.record, *change))
        for number, row in enumerate(self._inner.get(BlockId.METADATA_BLOCK, [])):
            if number in self._metadata_blocks:
                yield self._block_edit(row, partial(self._write_metadata, number))
        for block_id, added in changes.added.items():
            row = self._inner[block_id][-1]
            yield self._block_edit(row, partial(self._write_table, row, added))
        yield from self._moved()
        yield from self._body_edits()

    def _record_edit(self, row: int, write: Callable[[], None]) -> _Edit:
        return _Edit(int(self._rows.start[row]), int(self._rows.end[row]), write)

    def _block_edit(self, row: int, write: Callable[[], None]) -> _Edit:
        return _Edit(int(self._blocks.start[row]), int(self._blocks.end[row]), write)

    def _moved(self) -> Iterator[_Edit]:
        """Yield the records that contain offsets, which have moved, and a hash, which is written after all records."""
        for row, code, _ in self._records:
            if code == ModuleCode.HASH:
                yield self._record_edit(row, _nothing)
            elif code == ModuleCode.VSTOFFSET:
                yield self._record_edit(row, partial(self._write_offset, row))
        for row in self._inner.get(BlockId.VALUE_SYMTAB_BLOCK, []):
            yield self._block_edit(row, self._move_table)

    def _write_hash(self) -> None:
        """Write the hash of the module written so far, if the file has one."""
        hashes = [operands for _, code, operands in self._records if code == ModuleCode.HASH]
        if hashes:
            strings = self._changes.strings
            data = self._reader.tables.strtab if strings is None else strings.data
            names = hashed_names(self._changed_records(), data)
            self._writer.record(ModuleCode.HASH, hash_of_module(hashes[0], names, self._writer.body_of_block()))

    def _write_offset(self, row: int) -> None:
        """Write the record of the offset of the symbol table, which is known later."""
        self._writer.copy(self._data, int(self._rows.start[row]), int(self._rows.end[row]))
        self._offset_place = self._writer.bit_offset - _WORD

    def _move_table(self) -> None:
        """Write the symbol table, and its offset; all bodies have been written."""
        self._writer.patch(self._offset_place, self._writer.bit_offset // _WORD)
        self._write_offsets()

    def _write_offsets(self) -> None:
        function_table(self._offsets).write(self._writer)

    # Bodies

    def _body_edits(self) -> Iterator[_Edit]:
        rows = self._inner.get(BlockId.FUNCTION_BLOCK, [])
        bodies = self._changes.bodies
        kept = {body.row for body in bodies}
        yield from (self._block_edit(row, _nothing) for row in rows if row not in kept)
        at = int(self._blocks.start[rows[0]]) if rows else 0
        for run in self._runs(bodies):
            if run.end:
                at = run.end
            yield _Edit(run.start if run.end else at, at, partial(self._write_run, run))

    def _runs(self, bodies: Iterable[CopiedBody]) -> Iterator[_Run]:
        """Yield the bodies in order; those that follow one another in the file and are copied are together."""
        starts, ends = self._blocks.start.tolist(), self._blocks.end.tolist()
        run: _Run | None = None
        for body in bodies:
            start, end = (0, 0) if body.row is None else (starts[body.row], ends[body.row])
            is_copied = body.row is not None and body.block is None
            if run is not None and is_copied and run.is_copied and run.end == start:
                run = run._replace(end=end)
                run.bodies.append((body, start))
            else:
                if run is not None:
                    yield run
                run = _Run([(body, start)], start, end, is_copied)
        if run is not None:
            yield run

    def _write_run(self, run: _Run) -> None:
        shift = self._writer.bit_offset - run.start
        for body, start in run.bodies:
            self._offsets[body.value_id] = start + shift
        if run.is_copied:
            self._writer.copy(self._data, run.start, run.end)
            return
        for body, _ in run.bodies:
            if body.block is not None:
                body.block.write(self._writer)

    # Blocks with changed records

    def _write_table(self, row: int, added: Rows) -> None:
        """Write a block with more records at its end; the table of types begins with their number."""
        records = self._records.inner(row).place().decode()
        with self._writer.block(records.id, width=records.columns.blocks.abbreviation_width[0]):
            copier = BlockCopier(self._data, records.columns, 0, self._writer)
            for record, code, operands in records:
                if records.id == BlockId.TYPE_BLOCK and code == TypeCode.NUMENTRY:
                    count = sum(code != TypeCode.STRUCT_NAME for code in added.all_codes())
                    copier.replace(record, code, [operands[0] + count])
            copier.copy_rest()
            write_items([added], self._writer)

    def _write_metadata(self, number: int) -> None:
        """Write a metadata block with some records changed."""
        changes = {row: change for (block, row), change in self._changes.metadata.items() if block == number}
        copy_metadata(self._metadata_blocks[number], changes, self._writer)


class _ModuleCopyInForm(ModuleCopy):
    """Writes a module with changed metadata records, and unchanged blocks around them.

    Attributes:
        keeps_symbols: whether the table of symbols for linkers is among them.
    """

    keeps_symbols = True

    def __init__(self, reader: ModuleReader, changes: Changes) -> None:
        super().__init__(reader, changes)
        self._behind = self._data[int(self._blocks.end[0]) // 8 :]

    def _write_tables(self) -> None:
        """Write the tables as the file has them.  That of symbols is left out or made again if the flags change it."""
        symbols = self._reader.frame.symbols
        if not self.keeps_symbols and self._reader.tables.module.producer.startswith(PRODUCERS):
            super()._write_tables()
            return
        if self.keeps_symbols or self._behind[: len(symbols)] != symbols:
            symbols = symbols[:0]
        self._writer.copy(self._behind, len(symbols) * 8, len(self._behind) * 8)

    @cached_property
    def _abbreviations(self) -> dict[int, list[Abbreviation]]:
        (place, *_) = self._reader.tables.places(BlockId.METADATA_BLOCK)
        return {} if place.block_info is None else place.block_info.abbreviations

    def _write_offsets(self) -> None:
        (place,) = self._reader.tables.places(BlockId.VALUE_SYMTAB_BLOCK)
        copy_function_offsets(place.decode(), self._offsets, self._writer)


def _nothing() -> None:
    """Write nothing: the part is omitted."""
