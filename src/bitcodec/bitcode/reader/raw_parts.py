"""Blocks that are kept as the file has them: summaries, symbol tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ValueSymtabCode
from bitcodec.ir.module import RawPart

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.blocks import BlockPlace

__all__ = ["is_of_index", "raw_part"]


def is_of_index(place: BlockPlace) -> bool:
    """Return whether a symbol table is that of an index of several modules, which names no globals of its own.

    Raises:
        BitcodeError: it is malformed.
    """
    return any(place.decode().rows_of(ValueSymtabCode.COMBINED_ENTRY))


def raw_part(place: BlockPlace) -> RawPart:
    """Return a block as a part that is kept as the file has it.

    Raises:
        BitcodecError: it is malformed.
    """
    records = place.decode()
    blobs = [blob for row, _, _ in records if (blob := records.blob(row)) is not None]
    kept = tuple((code, tuple(operands)) for _, code, operands in records)
    return RawPart(BlockId(place.id).name, kept, bytes(blobs[0]) if blobs else b"")
