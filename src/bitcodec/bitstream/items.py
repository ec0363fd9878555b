"""Items of a draft: records, definitions and blocks that can be changed, each with its origin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bitcodec.bitstream.abbreviations import FIRST_ABBREVIATION_ID, Abbreviation, AbbreviationId
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.blocks import Block, DefinedAbbreviation, Record, text_of
from bitcodec.errors import EncodingError
from bitcodec.frozen import Compared

__all__ = ["Definition", "DraftBlock", "DraftRecord", "Item", "first_block"]


class DraftRecord(Compared):
    """A record; assign to its fields to change it, and it is rewritten.

    Attributes:
        code: record code, 0..2**32-1.
        operands: values, 0..2**64-1 each.
        abbreviation_id: how it is written: 3 unabbreviated, otherwise by an abbreviation in force in its block.
        blob: the blob's bytes, if the abbreviation ends with one.
        source: the record of the stream that it was made from.
    """

    __match_args__ = ("code", "operands", "abbreviation_id", "blob", "source")
    __slots__ = ("abbreviation_id", "blob", "code", "operands", "source")

    def __init__(
        self,
        code: int,
        operands: Sequence[int] = (),
        abbreviation_id: int = AbbreviationId.UNABBREV_RECORD,
        blob: bytes | memoryview | None = None,
        source: Record | None = None,
    ) -> None:
        self.code = code
        self.operands = operands
        self.abbreviation_id = abbreviation_id
        self.blob = blob
        self.source = source

    @classmethod
    def of(cls, record: Record) -> DraftRecord:
        """Make a draft of a record of a stream."""
        return cls(record.code, record.operands, record.abbreviation_id, record.blob, record)

    @property
    def text(self) -> str:
        """The operands read as characters, the low byte of each.  Assign a `str` to set them, as UTF-8."""
        return text_of(self.operands)

    @text.setter
    def text(self, text: str) -> None:
        self.operands = tuple(text.encode())

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the record of the stream that it was made from."""
        source = self.source
        return source is None or (self.code, tuple(self.operands), self.abbreviation_id, self.blob) != (
            source.code,
            source.operands,
            source.abbreviation_id,
            source.blob,
        )


class Definition(Compared):
    """A DEFINE_ABBREV among the items of a block."""

    __match_args__ = ("abbreviation", "source")
    __slots__ = ("abbreviation", "source")

    def __init__(self, abbreviation: Abbreviation, source: DefinedAbbreviation | None = None) -> None:
        self.abbreviation = abbreviation
        self.source = source


class DraftBlock:
    """A block, and its items as a plain list: insert, remove and reorder at will.

    Args:
        id: block id.
        abbreviation_width: width of abbreviation ids inside, in bits.
        items: its items.
        shared: the abbreviations that BLOCKINFO gives such blocks; `Draft.new_block` knows them.

    Attributes:
        source: the block of the stream that it was made from.
    """

    __slots__ = ("_items", "_shared", "abbreviation_width", "id", "source")

    def __init__(
        self,
        id: int,
        *,
        abbreviation_width: int = 3,
        items: Iterable[Item] = (),
        shared: Sequence[Abbreviation] = (),
    ) -> None:
        self.id = id
        self.abbreviation_width = abbreviation_width
        self._items: list[Item] | None = list(items)
        self.source: Block | None = None
        self._shared = shared

    @classmethod
    def of(cls, block: Block) -> DraftBlock:
        """Make a draft of a block of a stream, its items left where they are."""
        draft = cls(block.id, abbreviation_width=block.abbreviation_width)
        draft._items = None
        draft.source = block
        return draft

    @property
    def is_opened(self) -> bool:
        """Whether the items have been requested."""
        return self._items is not None

    @property
    def items(self) -> list[Item]:
        """Records, blocks and definitions in order; the list itself, to be changed."""
        if self._items is None:
            self._items = list(items_of(self.source)) if self.source else []
        return self._items

    @property
    def records(self) -> list[DraftRecord]:
        """The records among the items, in a new list."""
        return [item for item in self.items if isinstance(item, DraftRecord)]

    @property
    def blocks(self) -> list[DraftBlock]:
        """The blocks among the items, in a new list."""
        return [item for item in self.items if isinstance(item, DraftBlock)]

    def record(self, code: int) -> DraftRecord:
        """Return the first record of this code.

        Raises:
            LookupError: the block has no such record.
        """
        for record in self.records:
            if record.code == code:
                return record
        raise LookupError(f"block {self.id} has no record of code {code}")

    def block(self, id: int) -> DraftBlock:
        """Return the first inner block of this id.

        Raises:
            LookupError: the block has no such block.
        """
        return first_block(self.blocks, id)

    def remove(self, item: Item) -> None:
        """Take an item out, found by identity, not by value.

        Raises:
            LookupError: it is not there.
        """
        for index, present in enumerate(self.items):
            if present is item:
                del self.items[index]
                return
        raise LookupError(f"the item is not in block {self.id}")

    def define(self, abbreviation: Abbreviation) -> int:
        """Add an abbreviation after the last one that this block defines, and return the id to write records by.

        Raises:
            EncodingError: this is a BLOCKINFO block: an abbreviation there has an id only in other blocks.
        """
        if self.id == BLOCKINFO_BLOCK_ID:
            raise EncodingError("put a Definition among the items of a BLOCKINFO block, after the SETBID it is for")
        own = [index for index, item in enumerate(self.items) if isinstance(item, Definition)]
        self.items.insert(own[-1] + 1 if own else 0, Definition(abbreviation))
        shared = self.source.shared_abbreviations if self.source else self._shared
        return FIRST_ABBREVIATION_ID + len(shared) + len(own)

    def __repr__(self) -> str:
        state = "as read" if self._items is None else f"{len(self._items)} items"
        return f"<DraftBlock {self.id}, {state}>"


Item = DraftRecord | DraftBlock | Definition


def first_block(blocks: Iterable[DraftBlock], id: int) -> DraftBlock:
    """Return the first of `blocks` that has this id.

    Raises:
        LookupError: no block has the id.
    """
    for block in blocks:
        if block.id == id:
            return block
    raise LookupError(f"no block {id} here")


def items_of(block: Block) -> list[Item]:
    """Return the items of a block of the stream, as drafts."""
    items: list[tuple[int, Item]] = [(made.start, Definition(made.abbreviation, made)) for made in block.definitions]
    items += [(item.start, DraftBlock.of(item) if isinstance(item, Block) else DraftRecord.of(item)) for item in block]
    return [item for _, item in sorted(items, key=lambda pair: pair[0])]
