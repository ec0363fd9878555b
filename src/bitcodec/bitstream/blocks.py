"""Blocks and records as objects: thin views on columns."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Protocol, overload

from bitcodec.bitstream.abbreviations import TOP_LEVEL_WIDTH, Abbreviation, AbbreviationId
from bitcodec.errors import BitstreamError
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitstream.blockinfo import BlockInfo
    from bitcodec.bitstream.columns import Columns
    from bitcodec.bitstream.scopes import Scopes

__all__ = ["Block", "DefinedAbbreviation", "OpenStream", "Record", "text_of"]


class OpenStream(Protocol):
    """Interface of the stream to its views."""

    @property
    def magic(self) -> bytes:
        """The first four bytes."""

    @property
    def payload(self) -> memoryview:
        """The stream's bytes."""

    @property
    def columns(self) -> Columns:
        """Everything, decoded."""

    @property
    def scopes(self) -> Scopes:
        """The abbreviations in force in each block."""


class DefinedAbbreviation(NamedTuple):
    """A DEFINE_ABBREV: its start and end, in bits from the start of the stream, and its abbreviation."""

    start: int
    end: int
    abbreviation: Abbreviation


def text_of(characters: Iterable[int]) -> str:
    """Return operands read as characters, the low byte of each."""
    return bytes(character & 0xFF for character in characters).decode("utf-8", "backslashreplace")


class _Row:
    """A row of the columns of a stream.  Two views of one place are equal."""

    __slots__ = ("_columns", "_row", "_stream")

    def __init__(self, stream: OpenStream, columns: Columns, row: int) -> None:
        self._stream = stream
        self._columns = columns
        self._row = row

    @property
    def start(self) -> int:
        """Its start, in bits from the start of the stream."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Row) or type(self) is not type(other):
            return NotImplemented
        return self._stream is other._stream and self.start == other.start

    def __hash__(self) -> int:
        return hash((id(self._stream), self.start))


class Block(_Row):
    """A block of a stream.  Its header is there at once; its content is decoded, with the whole stream, when requested.

    Two views of the same block are equal.
    """

    __match_args__ = ("id",)
    __slots__ = ()

    @property
    def id(self) -> int:
        """Block id."""
        return int(self._columns.blocks.id[self._row])

    @property
    def abbreviation_width(self) -> int:
        """Width of abbreviation ids inside, in bits."""
        return int(self._columns.blocks.abbreviation_width[self._row])

    @property
    def start(self) -> int:
        """Start of its ENTER_SUBBLOCK, in bits from the start of the stream."""
        return int(self._columns.blocks.start[self._row])

    @property
    def body(self) -> int:
        """Start of its content, in bits from the start of the stream; a multiple of 32."""
        return int(self._columns.blocks.body[self._row])

    @property
    def end(self) -> int:
        """Its end, in bits from the start of the stream; a multiple of 32."""
        return int(self._columns.blocks.end[self._row])

    @property
    def size_in_words(self) -> int:
        """The length its header states, in 32-bit words, the header not counted."""
        return int(self._columns.blocks.size_in_words[self._row])

    @property
    def stream(self) -> OpenStream:
        """The stream it is in."""
        return self._stream

    @property
    def parent(self) -> Block | None:
        """The block around it, None at the top level."""
        columns, row = self._content()
        parent = columns.blocks.parent[row]
        return None if parent < 0 else Block(self._stream, columns, parent)

    @property
    def blocks(self) -> list[Block]:
        """The blocks directly inside, in order."""
        return [item for item in self if isinstance(item, Block)]

    @property
    def records(self) -> list[Record]:
        """Its direct records, in order, without the records of inner blocks."""
        return [item for item in self if isinstance(item, Record)]

    @property
    def abbreviations(self) -> list[Abbreviation]:
        """The abbreviations in force at its end, BLOCKINFO's first; the first of them has the id 4."""
        columns, row = self._content()
        scopes = self._stream.scopes
        return [columns.abbreviations[number] for number in scopes.shared(row) + scopes.own(row)]

    @property
    def shared_abbreviations(self) -> list[Abbreviation]:
        """Abbreviations that it has from BLOCKINFO."""
        return self.block_info.abbreviations.get(self.id, [])

    @property
    def definitions(self) -> list[DefinedAbbreviation]:
        """The definitions directly inside, in order."""
        columns, row = self._content()
        table = columns.definitions
        return [
            DefinedAbbreviation(table.start[index], table.end[index], columns.abbreviations[table.number[index]])
            for index in self._stream.scopes.definitions(row)
        ]

    @property
    def block_info(self) -> BlockInfo:
        """The BLOCKINFO in force where it begins."""
        return self._stream.scopes.block_info(self._content()[1])

    @property
    def block_info_after(self) -> BlockInfo:
        """The BLOCKINFO in force after its end, which may be inside it."""
        columns, row = self._content()
        return self._stream.scopes.block_info(columns.blocks.last_block[row])

    @property
    def outer_width(self) -> int:
        """Width of abbreviation ids around it, in bits."""
        return self.parent.abbreviation_width if self.parent else TOP_LEVEL_WIDTH

    def __iter__(self) -> Iterator[Block | Record]:
        """Yield its records and blocks in stream order."""
        columns, row = self._content()
        blocks = columns.blocks
        record = blocks.first_record[row]
        for inner in blocks.inner_rows(row):
            for index in range(record, blocks.first_record[inner]):
                yield Record(self._stream, columns, index)
            yield Block(self._stream, columns, inner)
            record = blocks.last_record[inner]
        for index in range(record, blocks.last_record[row]):
            yield Record(self._stream, columns, index)

    def __repr__(self) -> str:
        return f"<Block {self.id} at bit {self.start}, {self.size_in_words} words>"

    def _content(self) -> tuple[Columns, int]:
        """Return the columns of the whole stream and this block's row there.

        Raises:
            BitstreamError: the length of a block before it lies, so that reading on from there does not lead here.
        """
        columns = self._stream.columns
        if self._columns is columns:
            return columns, self._row
        row = bisect_left(columns.blocks.start, self.start)
        if row == len(columns.blocks) or columns.blocks.start[row] != self.start:
            raise BitstreamError(Reason.MISLEADING_LENGTH(), self.start)
        return columns, row


class Record(_Row):
    """A record of a stream."""

    __match_args__ = ("code", "operands")
    __slots__ = ()

    @property
    def code(self) -> int:
        """Record code."""
        return int(self._columns.records.code[self._row])

    @property
    def operands(self) -> tuple[int, ...]:
        """Its operands, 0..2**64-1 each; a blob's bytes are not among them."""
        return tuple(self._columns.operands_of(self._row))

    @property
    def blob(self) -> memoryview | None:
        """The bytes of its blob, None without one."""
        found = self._columns.blobs.of_record(self._row)
        if found is None:
            return None
        start, size = found
        return self._stream.payload[start : start + size]

    @property
    def text(self) -> str:
        """Its operands read as characters, the low byte of each."""
        return text_of(self.operands)

    @property
    def abbreviation_id(self) -> int:
        """Id of its abbreviation, 3 if it is unabbreviated."""
        return int(self._columns.records.abbreviation[self._row])

    @property
    def abbreviation(self) -> Abbreviation | None:
        """Its abbreviation, None if it is unabbreviated."""
        if self.abbreviation_id == AbbreviationId.UNABBREV_RECORD:
            return None
        number = self._stream.scopes.number(self._columns.records.block[self._row], self.abbreviation_id)
        return self._columns.abbreviations[number]

    @property
    def start(self) -> int:
        """Its start, including the abbreviation id, in bits from the start of the stream."""
        return int(self._columns.records.start[self._row])

    @property
    def end(self) -> int:
        """Its end, in bits from the start of the stream."""
        return int(self._columns.records.end[self._row])

    @property
    def stream(self) -> OpenStream:
        """The stream it is in."""
        return self._stream

    @property
    def block(self) -> Block:
        """The block it is in."""
        return Block(self._stream, self._columns, self._columns.records.block[self._row])

    def __bool__(self) -> bool:
        return True  # a record without operands is a record

    def __len__(self) -> int:
        return len(self._columns.operands_of(self._row))

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        return self.operands[index]

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.operands[:8]))
        more = ", ..." if len(self) > 8 else ""
        return f"<Record {self.code} at bit {self.start}: [{shown}{more}]>"
