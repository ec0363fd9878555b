"""Index from metadata ids to records, and the other records of metadata blocks.

Rules: docs/reference/records.md, 8.1 to 8.4 and 8.6.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands, unknown
from bitcodec.bitcode.reader.blocks import BlockPlace, Records, decoded_records
from bitcodec.bitcode.reader.debug_info import completed
from bitcodec.bitcode.reader.metadata_strings import MetadataStrings
from bitcodec.bitcode.reader.node_reader import RecordReader, append_numbers, find_code
from bitcodec.bitcode.reader.old_node_records import modern_record
from bitcodec.bitcode.schema.blocks import METADATA_CODES_WITHOUT_ID, MetadataCode
from bitcodec.bitcode.schema.metadata import DEBUG_INFO_CODES, RECORD_LENGTHS, layout_of
from bitcodec.bitcode.text import characters
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.errors import BitcodeError
    from bitcodec.sentences import Sentence

__all__ = [
    "HANDLED_METADATA_CODES",
    "KIND_MASK",
    "GlobalAttachment",
    "MetadataIndex",
    "NamedNode",
    "modern_operands",
    "read_kind",
]

_WITH_ID = DEBUG_INFO_CODES | {
    MetadataCode.STRING_OLD,
    MetadataCode.VALUE,
    MetadataCode.NODE,
    MetadataCode.DISTINCT_NODE,
    MetadataCode.OLD_NODE,
    MetadataCode.OLD_FN_NODE,
    MetadataCode.EXPRESSION,
    MetadataCode.ARG_LIST,
    MetadataCode.ASSIGN_ID,
}
"""Codes of the records that take one metadata id each."""

_NO_NODES = frozenset({0, MetadataCode.STRING_OLD, MetadataCode.VALUE, MetadataCode.ARG_LIST})
"""Codes of metadata other than nodes; 0 is the code of the strings of a STRINGS record."""

_WITHOUT_ID = METADATA_CODES_WITHOUT_ID - {MetadataCode.GLOBAL_DECL_ATTACHMENT}
"""A sequential reader has no use for the index."""

_STRINGS = int(MetadataCode.STRINGS)
_ATTACHMENT = int(MetadataCode.GLOBAL_DECL_ATTACHMENT)

HANDLED_METADATA_CODES = frozenset(_WITH_ID | _WITHOUT_ID | {_ATTACHMENT})
"""Codes of the records of metadata blocks that are understood; others are passed over, as LLVM does."""

KIND_MASK = 0xFFFF_FFFF
"""LLVM looks at that much of the number of a kind."""
_MAX_KIND = KIND_MASK - 2

_TAKES_ID = bytes(code in _WITH_ID for code in range(256))
_TAKE_ID = bytes(code for code in range(256) if code in _WITH_ID)
_TAKE_NO_ID = bytes(code for code in range(256) if code not in _WITH_ID)
"""Tables of codes with and without a metadata id, in the forms that `bytes.translate` takes."""

_KNOWN = bytes(range(max(MetadataCode) + 1))
_ROW_BITS = 32
_ROW = (1 << _ROW_BITS) - 1


class _Name(NamedTuple):
    """A NAME record: its row, and its text."""

    row: int
    text: str


class NamedNode(NamedTuple):
    """A NAMED_NODE record: its position, and the metadata ids in it."""

    records: Records
    row: int
    operands: list[int]


class GlobalAttachment(NamedTuple):
    """A GLOBAL_DECL_ATTACHMENT record: its position and its global; the numbers of kinds, and metadata ids."""

    records: Records
    row: int
    value_id: int
    pairs: Iterable[tuple[int, int]]


class MetadataIndex:
    """The metadata blocks of a module, or of a function.

    Args:
        blocks: the blocks, in order; of one that is not decoded yet only the operands are kept.

    Attributes:
        first_id: metadata id of the first of them.
        count: how many ids they take; upgrades may add records after those.
        codes: of the records, 0 for a string of a STRINGS record.
        entries: number of the block, in the upper half, and row of each record; the complement of its number for a
            string of a STRINGS record.
        columns: for each block, where the operands of each record begin and end, and operands.
        rewritten: code and operands of records that replace others, by id.
        named: named metadata, by name and in order.
        kinds: names of kinds, by the numbers that the file has for them.
    """

    __slots__ = (
        "_attachments",
        "_blocks",
        "_string_ids",
        "_strings",
        "codes",
        "columns",
        "count",
        "entries",
        "first_id",
        "kinds",
        "named",
        "rewritten",
    )

    def __init__(self, first_id: int, blocks: Sequence[BlockPlace | Records]) -> None:
        self.first_id = first_id
        self.named: dict[str, list[NamedNode]] = {}
        self.kinds: dict[int, str] = {}
        self._attachments: list[tuple[Records, range, bytes]] = []
        self._blocks = tuple(blocks)
        self.columns: list[tuple[memoryview, memoryview]] = []
        self.entries = array("q")
        self.codes = bytearray()
        self._strings: list[tuple[int, MetadataStrings]] = []
        self._string_ids: list[int] = []
        self.rewritten: dict[int, tuple[int, list[int]]] = {}
        for number, block in enumerate(blocks):
            records = decoded_records(block)
            # Rows count from the block: others may have been decoded with it.
            first = records.first_row
            self._read(records, (number << _ROW_BITS) - first)
            bounds = records.columns.records.first_operand[first : first + records.row_count + 1]
            columns = bounds, records.columns.operands
            self.columns.append(columns if records is block else (_copied(columns[0]), _copied(columns[1])))
        self.count = len(self.entries)

    def keep_places(self, places: Sequence[BlockPlace]) -> None:
        """Copy the operands of blocks that were passed decoded, and release their records.

        Args:
            places: the blocks.
        """
        for number, block in enumerate(self._blocks):
            if not isinstance(block, BlockPlace):
                bounds, operands = self.columns[number]
                first, end = bounds[0], bounds[-1]
                moved = memoryview(array("Q", [bound - first for bound in bounds]))
                self.columns[number] = moved, _copied(operands[first:end])
        self._blocks = tuple(places)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def end(self) -> int:
        """The first id after all of them, with those that upgrades have added."""
        return self.first_id + len(self.entries)

    def record(self, metadata_id: int) -> tuple[int, list[int]]:
        """Return code and operands of a record; for a string of a STRINGS record the code of that, and which it is.

        Raises:
            Malformed: the id is unknown.
        """
        index = metadata_id - self.first_id
        if not 0 <= index < len(self.entries):
            raise Malformed(Reason.NO_METADATA_ID(number=metadata_id, count=self.first_id + self.count))
        if metadata_id in self.rewritten:
            code, operands = self.rewritten[metadata_id]
            return code, operands.copy()
        entry = self.entries[index]
        if entry < 0:
            return _STRINGS, [~entry]
        bounds, operand_column = self.columns[entry >> _ROW_BITS]
        row = entry & _ROW
        return self.codes[index], operand_column[bounds[row] : bounds[row + 1]].tolist()

    @property
    def is_rewritten(self) -> bool:
        """Whether records replace others, which are of an old form."""
        return bool(self.rewritten)

    def place(self, metadata_id: int) -> tuple[int, int]:
        """Return in which block the record of a node is, and its row there."""
        entry = self.entries[metadata_id - self.first_id]
        return entry >> _ROW_BITS, entry & _ROW

    def texts(self) -> Iterator[tuple[int, str]]:
        """Yield id and text of each string of a STRINGS record."""
        for metadata_id, entry in enumerate(self.entries, self.first_id):
            if entry < 0:
                yield metadata_id, self.string(~entry)

    def all_texts(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the texts of each STRINGS record, and the id of the first of them.

        Raises:
            BitcodeError: a record is malformed.
        """
        for metadata_id, (first, strings) in zip(self._string_ids, self._strings, strict=True):
            try:
                texts = strings.texts()
            except Malformed as error:
                raise self._error_of_strings(first, error.reason) from None
            yield metadata_id, texts

    def text(self, metadata_id: int) -> str | None:
        """Return the text of a string of a STRINGS record; None if the id belongs to a record, or is unknown."""
        index = metadata_id - self.first_id
        if not 0 <= index < len(self.entries) or self.entries[index] >= 0:
            return None
        return self.string(~self.entries[index])

    def string(self, number: int) -> str:
        """Return the text of a string, counted in all STRINGS records.

        Raises:
            BitcodeError: the record is malformed.
        """
        first, strings = self._strings[0]
        if len(self._strings) > 1:
            first, strings = next(found for found in reversed(self._strings) if found[0] <= number)
        try:
            return strings[number - first]
        except Malformed as error:
            raise self._error_of_strings(first, error.reason) from None

    def without_bits(self, metadata_ids: list[int], bits: int) -> list[int]:
        """Return the ids of records whose first operand lacks all bits of a mask: enough to recognize an old form."""
        firsts = self.operands_at(metadata_ids, 0)
        return [metadata_id for metadata_id, first in zip(metadata_ids, firsts, strict=True) if not first & bits]

    def operands_at(self, metadata_ids: list[int], position: int) -> list[int]:
        """Return the operand at a position of the record of each id, 0 if the record is shorter."""
        return RecordReader(self).operands_at(metadata_ids, position)

    def find(self, metadata_id: int) -> tuple[int, list[int]]:
        """Return code and operands of a record; 0 and no operands without a record of that id."""
        index = metadata_id - self.first_id
        return self.record(metadata_id) if 0 <= index < len(self) and self.entries[index] >= 0 else (0, [])

    def modern(self, metadata_id: int) -> list[int]:
        """Return the operands of a record of debug information, all of them, in LLVM 22's order.

        Raises:
            BitcodeError: the record is malformed.
        """
        return self.modernized(metadata_id, *self.record(metadata_id))

    def modernized(self, metadata_id: int, code: int, operands: list[int]) -> list[int]:
        """Return the same, upgraded from the result of `record`; `operands` may be changed."""
        try:
            if metadata_id not in self.rewritten:
                return modern_operands(code, operands)
            return _whole(code, operands)
        except Malformed as error:
            raise self.error(metadata_id, error.reason) from None

    def by_code(self, codes: Iterable[int]) -> dict[int, list[int]]:
        """Return the ids of the records of some codes, in order; codes that no record has are left out."""
        found = {code: find_code(self.codes, code, self.first_id) for code in codes}
        return {code: ids for code, ids in found.items() if ids}

    def may_be_node(self, metadata_id: int) -> bool:
        """Return whether a record can be a node: not a string, a value or an argument list."""
        return self.codes[metadata_id - self.first_id] not in _NO_NODES

    def attachments(self) -> Iterator[GlobalAttachment]:
        """Yield the attachments of globals.

        Raises:
            BitcodeError: a record is malformed.
        """
        for records, rows, codes in self._attachments:
            for row in find_code(codes, _ATTACHMENT, rows.start):
                operands = records.operands(row)
                if len(operands) % 2 == 0:
                    raise records.error(row, Reason.NODELESS_KIND() if operands else Reason.TOO_FEW_OPERANDS())
                yield GlobalAttachment(records, row, operands[0], zip(operands[1::2], operands[2::2], strict=True))

    def rewrite(self, metadata_id: int, code: int, operands: list[int]) -> None:
        """Put another record, in LLVM 22's order, in the place of one."""
        self.rewritten[metadata_id] = code, operands

    def add(self, code: int, operands: list[int], like: int) -> int:
        """Add a record in LLVM 22's order after all others, with the place of another; return its id."""
        metadata_id = self.first_id + len(self.entries)
        self.entries.append(self.entries[like - self.first_id])
        self.codes.append(self.codes[like - self.first_id])
        self.rewritten[metadata_id] = code, operands
        return metadata_id

    def error(self, metadata_id: int, reason: Sentence) -> BitcodeError:
        """Return the error for a refused record, with reason and position."""
        entry = self.entries[metadata_id - self.first_id]
        if entry < 0:
            return self._error_of_strings(~entry, reason)
        records = decoded_records(self._blocks[entry >> _ROW_BITS])
        return records.error(records.first_row + (entry & _ROW), reason)

    def _error_of_strings(self, number: int, reason: Sentence) -> BitcodeError:
        """Return the error that refuses the STRINGS record of a string, counted in all of them."""
        places = [
            (records, row)
            for records in map(decoded_records, self._blocks)
            for row, code, _ in records
            if code == MetadataCode.STRINGS
        ]
        index = sum(first <= number for first, _ in self._strings) - 1
        records, row = places[index]
        return records.error(row, reason)

    def _read(self, records: Records, base: int) -> None:
        name: _Name | None = None
        for rows in records.ranges():
            codes = records.code_bytes(rows)
            if not codes.translate(None, delete=_TAKE_ID):
                # This is the case in functions.
                self._take_records(codes, base + rows[0])
                continue
            if _ATTACHMENT in codes:
                self._attachments.append((records, rows, codes))
            _check_known(records, rows, codes)
            first = 0
            for index in sorted([index for code in _WITHOUT_ID for index in find_code(codes, code)]):
                row = rows[index]
                if codes[index] == MetadataCode.STRINGS:
                    self._take_records(codes[first:index], base + rows[first])
                    first = index
                with records.placed(row):
                    name = self._read_other(records, row, codes[index], name)
            self._take_records(codes[first:], base + rows[first])
            _check_followed(records, rows, codes)

    def _take_records(self, codes: bytes, base: int) -> None:
        """Give ids to the records of some codes that take one; `base` is the entry of the first of all."""
        append_numbers(self.entries, codes.translate(_TAKES_ID), base, 1)
        self.codes += codes.translate(None, delete=_TAKE_NO_ID)

    def _read_other(self, records: Records, row: int, code: int, name: _Name | None) -> _Name | None:
        """Take a record that takes no id; return the name it gives to the next one, with its row."""
        if code == MetadataCode.NAME:
            return _Name(row, characters(records.operands(row)))
        if code == MetadataCode.NAMED_NODE:
            if name is not None and name.row == row - 1:  # LLVM ignores a node without a name
                self.named.setdefault(name.text, []).append(NamedNode(records, row, records.operands(row)))
        elif code == MetadataCode.STRINGS:
            self._take_strings(MetadataStrings(records.operands(row), records.blob(row)))
        elif code == MetadataCode.KIND:
            read_kind(records.operands(row), self.kinds)
        return None

    def _take_strings(self, strings: MetadataStrings) -> None:
        first = self._strings[-1][0] + len(self._strings[-1][1]) if self._strings else 0
        self._strings.append((first, strings))
        self._string_ids.append(self.end)
        append_numbers(self.entries, b"\1" * len(strings), ~first, -1)
        self.codes += bytes(len(strings))


def _check_known(records: Records, rows: range, codes: bytes) -> None:
    """Check that every code is known: an unknown record of a newer LLVM might take an id.

    Raises:
        BitcodeError: a code is unknown.
    """
    others = codes.translate(None, delete=_KNOWN)
    if others:
        row = rows[codes.index(others[0])]
        with records.placed(row):
            raise unknown("metadata", MetadataCode, others[0])


def _check_followed(records: Records, rows: range, codes: bytes) -> None:
    """Check that each name is followed by the record of its named node.

    Raises:
        BitcodeError: another record follows a name.
    """
    for index in find_code(codes, MetadataCode.NAME):
        if codes[index + 1 : index + 2] != bytes([MetadataCode.NAMED_NODE]):
            raise records.error(rows[index], Reason.NO_NAMED_NODE())


def _copied(column: memoryview) -> memoryview:
    """Return a copy that takes no more room than it must."""
    return memoryview(bytes(column)).cast("Q")


def read_kind(operands: list[int], kinds: dict[int, str]) -> None:
    """Take in a KIND record.

    Raises:
        Malformed: it has no name, or its number has one already, or is one that LLVM cannot keep.
    """
    require_operands(operands, 2)
    number = operands[0] & KIND_MASK
    if number in kinds:
        raise Malformed(Reason.KIND_NAMED_TWICE(number=number, name=repr(kinds[number])))
    if number > _MAX_KIND:
        raise Malformed(Reason.LARGE_KIND(number=number, maximum=_MAX_KIND))
    kinds[number] = characters(operands[1:])


def modern_operands(code: int, operands: list[int]) -> list[int]:
    """Return the operands of a record of debug information, all of them, in LLVM 22's order; they may be changed.

    Raises:
        Malformed: the record is malformed.
    """
    lengths = RECORD_LENGTHS.get(code)
    if lengths is not None and len(operands) not in lengths:
        raise Malformed(
            Reason.TOO_FEW_OPERANDS() if len(operands) < min(lengths) else Reason.OPERAND_COUNT(count=len(operands))
        )
    return _whole(code, modern_record(code, operands))


def _whole(code: int, operands: list[int]) -> list[int]:
    layout = layout_of(code)
    return operands if len(operands) >= len(layout.missing) else completed(layout, operands)
