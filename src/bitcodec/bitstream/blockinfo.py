"""BLOCKINFO: abbreviations and names that one block gives to others.

Rules: LLVM Bitcode File Format, "#0 - BLOCKINFO Block".  Like LLVM's analyzer, a reader knows one BLOCKINFO at a time:
a second one replaces the first whole.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from bitcodec.errors import BitstreamError
from bitcodec.frozen import Frozen
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.bitstream.abbreviations import Abbreviation

__all__ = ["BLOCKINFO_BLOCK_ID", "BlockInfo", "BlockInfoCode", "InForce"]

BLOCKINFO_BLOCK_ID = 0


class BlockInfoCode(IntEnum):
    """Record codes of a BLOCKINFO block."""

    SETBID = 1
    BLOCKNAME = 2
    SETRECORDNAME = 3


class BlockInfo(Frozen):
    """The content of a BLOCKINFO block.

    Attributes:
        abbreviations: block id -> the abbreviations such a block starts with, in order.
        block_names: block id -> name.
        record_names: (block id, record code) -> name.
        template: a reader that has adopted these abbreviations, kept by `decoding`.
    """

    __match_args__ = ("abbreviations", "block_names", "record_names")
    __slots__ = (*__match_args__, "template")

    abbreviations: dict[int, list[Abbreviation]]
    block_names: dict[int, str]
    record_names: dict[tuple[int, int], str]
    template: object

    def __init__(
        self,
        abbreviations: dict[int, list[Abbreviation]] | None = None,
        block_names: dict[int, str] | None = None,
        record_names: dict[tuple[int, int], str] | None = None,
    ) -> None:
        object.__setattr__(self, "abbreviations", {} if abbreviations is None else abbreviations)
        object.__setattr__(self, "block_names", {} if block_names is None else block_names)
        object.__setattr__(self, "record_names", {} if record_names is None else record_names)
        object.__setattr__(self, "template", None)


class InForce(NamedTuple):
    """A `BlockInfo` and the blocks it holds for.

    Attributes:
        from_row: row of the first block, in `BlockColumns`; it holds until the next one's.
        info: its content.
        first_number: row of its first abbreviation in `AbbreviationColumns`; the others follow, block id by block id.
    """

    from_row: int
    info: BlockInfo
    first_number: int


class BlockInfoEntry(NamedTuple):
    """A definition or a record of a BLOCKINFO block, at bit `start`."""

    start: int
    abbreviation: Abbreviation | None = None
    code: int = 0
    operands: Sequence[int] = ()


def read_block_info(entries: Iterable[BlockInfoEntry]) -> BlockInfo:
    """Interpret the entries of one BLOCKINFO block, in stream order.

    Raises:
        BitstreamError: an entry that needs one has no SETBID before it, or a record lacks its first operand.
    """
    info = BlockInfo()
    block_id: int | None = None
    for entry in entries:
        if entry.abbreviation is None and entry.code == BlockInfoCode.SETBID:
            block_id = _first_operand(entry)
        elif entry.abbreviation is not None:
            info.abbreviations.setdefault(_known(block_id, entry), []).append(entry.abbreviation)
        elif entry.code == BlockInfoCode.BLOCKNAME:
            info.block_names[_known(block_id, entry)] = _text(entry.operands)
        elif entry.code == BlockInfoCode.SETRECORDNAME:
            key = (_known(block_id, entry), _first_operand(entry))
            info.record_names.setdefault(key, _text(entry.operands[1:]))
    return info


def _known(block_id: int | None, entry: BlockInfoEntry) -> int:
    if block_id is None:
        raise BitstreamError(Reason.NO_SETBID(), entry.start)
    return block_id


def _first_operand(entry: BlockInfoEntry) -> int:
    if not entry.operands:
        raise BitstreamError(Reason.NO_BLOCKINFO_OPERAND(record=BlockInfoCode(entry.code).name), entry.start)
    return entry.operands[0] & 0xFFFF_FFFF


def _text(characters: Sequence[int]) -> str:
    """Return a name, up to the first NUL: as LLVM's tools print it."""
    return bytes(character & 0xFF for character in characters).partition(b"\0")[0].decode("latin-1")
