"""Batches of bodies that are decoded together when a whole module is read: each decoding has a fixed cost."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.blocks import Records
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.decoding import decode_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.bitcode.reader.blocks import BlockPlace

__all__ = ["BodyBatch"]

_METADATA = int(BlockId.METADATA_BLOCK)

_BATCH_BYTES = 1 << 16
"""Bytes of bodies that are decoded together: columns take some ten times as much memory."""

_MAX_BATCHES = 16
"""Batches with bodies that have not been used, if bodies are not read in the order of the file."""

_DECODED = range(0)

_FIRST_BATCH_BYTES = 1 << 12
"""Bytes of the first batch of bodies that are read in the order of the file; each further one doubles that."""


class BodyBatch:
    """Bodies that have been decoded and not been used, and their metadata blocks.

    A block that cannot be decoded together with others, for any reason, is left out: its reader decodes it alone, and
    raises the errors.

    Args:
        module: the records of the module.
        rows: the rows of all bodies in it.
        has_metadata: whether metadata blocks are decoded too.
    """

    __slots__ = (
        "_batches",
        "_bodies",
        "_end",
        "_has_metadata",
        "_kept",
        "_metadata",
        "_module",
        "_next_bytes",
        "_places",
        "_rows",
    )

    def __init__(self, module: Records, rows: Iterable[int], *, has_metadata: bool = True) -> None:
        self._module = module
        self._has_metadata = has_metadata
        self._rows = sorted(rows)
        self._end = 0
        self._next_bytes = 0
        self._batches: dict[int, range] = {}
        self._kept: list[tuple[list[int], list[int]]] = []
        self._bodies: dict[int, Records] = {}
        self._metadata: dict[int, Records] = {}
        self._places: dict[int, BlockPlace] = {}

    def place(self, row: int) -> BlockPlace:
        """Return the position of the body of a row."""
        return self._places.pop(row, None) or self._module.inner(row).place()

    def take_body(self, place: BlockPlace) -> Records | None:
        """Return the records of a body without its metadata blocks, None if it has not been decoded."""
        return self._bodies.pop(place.start, None)

    def take_metadata(self, place: BlockPlace) -> Records | None:
        """Return the records of a metadata block, None if it has not been decoded."""
        return self._metadata.pop(place.start, None)

    def prepare(self, row: int) -> None:
        """Decode the batch of the body of a row, if it has not been decoded yet; release the oldest one of many.

        The order in which bodies are read does not matter. A body is decoded twice at most: once in its batch, and
        alone if the batch is gone.
        """
        if not self._batches:
            self._batches = self._cut()
        batch = self._batches.get(row)
        if not batch:
            return
        for each in self._rows[batch.start : batch.stop]:
            self._batches[each] = _DECODED
        self._kept.append(self._decode_range(batch.start, batch.stop))
        if len(self._kept) > _MAX_BATCHES:
            bodies, metadata = self._kept.pop(0)
            for start in bodies:
                self._bodies.pop(start, None)
            for start in metadata:
                self._metadata.pop(start, None)

    def _cut(self) -> dict[int, range]:
        """Return for each row the indices of its batch."""
        words, size = self._module.columns.blocks.size_in_words, 0
        firsts: list[int] = []
        for index, row in enumerate(self._rows):
            if size <= 0:
                firsts.append(index)
                size = _BATCH_BYTES
            size -= words[row] * 4
        ends = [*firsts[1:], len(self._rows)]
        cut = [range(*bounds) for bounds in zip(firsts, ends, strict=True)]
        return {self._rows[index]: batch for batch in cut for index in batch}

    def prepare_in_order(self, row: int) -> None:
        """Do the same if the bodies before this one were read in the order of the file, with batches that grow."""
        if row < self._end:
            return
        first = bisect_left(self._rows, row)
        if first != bisect_left(self._rows, self._end):
            self._next_bytes = 0
        if self._next_bytes:
            self._decode_from(first, self._next_bytes)
        else:
            self.clear()
            self._end = row + 1
        self._next_bytes = min(2 * self._next_bytes or _FIRST_BATCH_BYTES, _BATCH_BYTES)

    def _decode_from(self, first: int, size: int) -> None:
        """Decode bodies from the one of an index on, until they have so many bytes; release others."""
        words = self._module.columns.blocks.size_in_words
        end = first
        while end < len(self._rows) and size > 0:
            size -= words[self._rows[end]] * 4
            end += 1
        self.clear()
        self._decode_range(first, end)

    def _decode_range(self, first: int, end: int) -> tuple[list[int], list[int]]:
        """Decode the bodies from one index to another; return where they and their metadata blocks begin."""
        rows = self._rows[first:end]
        self._end = max(self._end, rows[-1] + 1)
        chosen = self._module.places(rows)
        self._places.update(zip(rows, chosen, strict=True))
        bodies = _decode(chosen, (_METADATA,))
        starts = [int(body.columns.blocks.start[body.row]) for body in bodies]
        self._bodies.update(zip(starts, bodies, strict=True))
        metadata: list[BlockPlace] = []
        if bodies and self._has_metadata:
            # All of them are rows of the same columns.
            blocks = bodies[0].columns.blocks
            parents = blocks.parent.tolist()
            inner = [row for row, block_id in enumerate(blocks.id.tolist()) if block_id == _METADATA]
            metadata = bodies[0].places(row for row in inner if parents[row] >= 0 > parents[parents[row]])
        decoded = {
            int(block.columns.blocks.start[block.row]): block for block in _decode(metadata) if block.ends_as_stated
        }
        self._metadata.update(decoded)
        return starts, list(decoded)

    def clear(self) -> None:
        """Release all batches."""
        self._bodies, self._metadata, self._places = {}, {}, {}
        self._kept.clear()


def _decode(places: Sequence[BlockPlace], skipped: Sequence[int] = ()) -> list[Records]:
    """Return the records of blocks that share a BLOCKINFO, none if one of them is malformed or contains another."""
    if not places:
        return []
    first = places[0]
    if any(place.block_info is not first.block_info or place.path != first.path for place in places):
        return []
    columns = decode_blocks(
        first.data,
        [(place.start, place.width) for place in places],
        size=sum(place.size for place in places),
        block_info=first.block_info,
        skipped=skipped,
    )
    blocks = columns.blocks
    if columns.error is not None or BLOCKINFO_BLOCK_ID in blocks.id.tolist():
        return []
    rows = [row for row, parent in enumerate(blocks.parent.tolist()) if parent < 0]
    return [Records(first.data, columns, row, first.path, first.block_info) for row in rows]
