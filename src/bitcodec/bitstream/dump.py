"""A stream as text, block by block and record by record, in the format of `llvm-bcanalyzer --dump`."""

from __future__ import annotations

import itertools
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bitcodec.bitstream.abbreviations import Encoding
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.listing import GrowingText
from bitcodec.bitstream.names import NO_NAMES, Names, NameTable
from bitcodec.bitstream.scopes import Scopes
from bitcodec.bitstream.text import escaped, is_printable
from bitcodec.bitstream.walk import WalkEvent, WalkStep, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.bitstream.columns import Columns

__all__ = ["DumpOptions", "Remarks", "dump_chunks"]

_MAX_INDENT = 256
"""Maximum indented depth. Deeper blocks are indented no further: text stays proportional to the stream."""

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class DumpOptions:
    """Content of a dump, as the options of `llvm-bcanalyzer` choose it.

    Attributes:
        symbolic: show names only; otherwise names with ids and codes (`--non-symbolic`).
        blobs: show the bytes of every blob (`--show-binary-blobs`).
        block_info: show the content of BLOCKINFO blocks (`--dump-blockinfo`).
    """

    symbolic: bool = True
    blobs: bool = False
    block_info: bool = False


class Remarks(Protocol):
    """Remarks of an application on its records, requested in stream order, by row."""

    def after_operands(self, block_id: int) -> Mapping[int, Callable[[int], str]]:
        """Return, by record code, functions of a row that return the text after the operands."""

    def instead_of_blob(self, block_id: int) -> Mapping[int, Callable[[int, str], str]]:
        """Return, by record code, functions of a row and the line's indent that return the text of a blob."""


def dump_chunks(
    data: memoryview,
    columns: Columns,
    *,
    table: NameTable = NO_NAMES,
    remarks: Remarks | None = None,
    options: DumpOptions | None = None,
) -> Iterator[bytes]:
    """Yield the text of all of `columns`, in chunks of about a megabyte.

    Args:
        data: the bytes that were decoded; blobs are taken from there.
        columns: the decoded columns.
        table: the names of the application.
        remarks: remarks of the application.
        options: content of the dump.

    Raises:
        BitstreamError: the application finds one of its records malformed.
    """
    dumper = _Dumper(data, columns, table, remarks, options or DumpOptions())
    for step in walk(columns):
        dumper.write(step)
        if len(dumper.listing) >= _CHUNK:
            yield dumper.listing.take()
    yield dumper.listing.take()


class _Dumper:
    def __init__(
        self, data: memoryview, columns: Columns, table: NameTable, remarks: Remarks | None, options: DumpOptions
    ) -> None:
        self.listing = GrowingText(columns, _array_starts(columns))
        self._data = data
        self._columns = columns
        self._table = table
        self._remarks = remarks
        self._options = options
        self._scopes = Scopes(columns)
        self._block_infos = iter([entry.info for entry in columns.block_infos if entry.from_row])
        self._names = Names(table, self._scopes.block_info(0))
        self._open: list[str] = []
        self._record_names: dict[int, _RecordNames] = {}

    def write(self, step: WalkStep) -> None:
        """Append the text of one step."""
        block_id = self._columns.blocks.id[step.block]
        indent = "  " * min(step.depth, _MAX_INDENT)
        if block_id == BLOCKINFO_BLOCK_ID and step.event is WalkEvent.ENTER:
            # Its content applies from here on, also for the rest of the block around it.
            self._names = Names(self._table, next(self._block_infos, self._names.block_info))
            self._record_names.clear()
        if block_id == BLOCKINFO_BLOCK_ID and not self._options.block_info:
            if step.event is WalkEvent.ENTER:
                self.listing.write(f"{indent}<BLOCKINFO_BLOCK/>\n".encode())
        elif step.event is WalkEvent.ENTER:
            self._open.append(self._names.describe_block(block_id))
            self.listing.write(self._opening_tag(step.block, block_id, indent))
        elif step.event is WalkEvent.RECORDS:
            self._write_records(step, block_id, indent)
        else:
            name = self._open.pop()
            if self._columns.blocks.end[step.block]:
                self.listing.write(f"{indent}</{name}>\n".encode())

    def _opening_tag(self, block: int, block_id: int, indent: str) -> bytes:
        blocks = self._columns.blocks
        name = self._names.describe_block(block_id)
        number = f" BlockID={block_id}" if self._names.block(block_id) and not self._options.symbolic else ""
        size = f"NumWords={blocks.size_in_words[block]} BlockCodeSize={blocks.abbreviation_width[block]}"
        return f"{indent}<{name}{number} {size}>\n".encode()

    def _write_records(self, step: WalkStep, block_id: int, indent: str) -> None:
        names = self._record_names.get(block_id)
        if names is None:
            names = _RecordNames(self._names, block_id, symbolic=self._options.symbolic)
            self._record_names[block_id] = names
        self.listing.write_records(
            step.first,
            step.last,
            f"{indent}  <".encode(),
            names,
            self._scopes.shared(step.block),
            self._scopes.own(step.block),
            self._remarks_after_operands(block_id),
            lambda row: self._blob_text(row, block_id, indent),
        )

    def _remarks_after_operands(self, block_id: int) -> dict[int, Callable[[int], bytes]]:
        remarks = self._remarks.after_operands(block_id) if self._remarks else {}
        return {code: _encoding(remark) for code, remark in remarks.items()}

    def _blob_text(self, row: int, block_id: int, indent: str) -> bytes:
        remarks = self._remarks.instead_of_blob(block_id) if self._remarks else {}
        remark = remarks.get(self._columns.records.code[row])
        if remark is not None:
            return remark(row, indent).encode("latin-1")
        start, size = self._columns.blobs.of_record(row) or (0, 0)
        blob = bytes(self._data[start : start + size])
        if self._options.blobs:
            return f" blob data = '{escaped(blob)}'".encode()
        if is_printable(blob):
            return b" blob data = '%b'" % blob
        return b" blob data = unprintable, %d bytes." % size


class _RecordNames(dict[int, bytes]):
    """Record code -> the name in a record's line, made on first access."""

    def __init__(self, names: Names, block_id: int, *, symbolic: bool) -> None:
        super().__init__()
        self._names = names
        self._block_id = block_id
        self._symbolic = symbolic

    def __missing__(self, code: int) -> bytes:
        named = self._names.record(self._block_id, code) is not None
        number = f" codeid={code}" if named and not self._symbolic else ""
        self[code] = f"{self._names.describe_record(self._block_id, code)}{number}".encode()
        return self[code]


def _encoding(remark: Callable[[int], str]) -> Callable[[int], bytes]:
    return lambda row: remark(row).encode("latin-1")


def _array_starts(columns: Columns) -> array[int]:
    """Return for each abbreviation the index of the operand that begins its array, without the code; -1 without one."""
    encodings = bytes(columns.abbreviations.encodings)
    bounds = columns.abbreviations.first_operand.tolist()
    starts = array("q")
    for first, last in itertools.pairwise(bounds):
        index = encodings.find(Encoding.ARRAY, first, last)
        starts.append(index - first - 1 if index >= 0 else -1)
    return starts
