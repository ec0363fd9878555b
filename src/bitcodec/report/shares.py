"""Shares of the bits of a stream or file, by content: they add up to all of its bits."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitstream.magic import MAGIC_SIZE, StreamKind
from bitcodec.bitstream.names import NO_NAMES, Names
from bitcodec.bitstream.tally import tally_records
from bitcodec.report.contents import Share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitstream import Bitstream, Columns
    from bitcodec.containers import FoundStream
    from bitcodec.report.contents import Report

__all__ = ["file_share", "inside_stream", "merged_shares", "names_of", "stream_share"]

_MAX_DEPTH = 12
"""Blocks within each other; deeper ones are counted with the block around them."""
_MAX_KINDS = 512
"""Kinds of blocks, by the blocks around them; others are counted with the block around them."""
_TOP = 0
_MAGIC = "magic number"
_OTHERS = -1
"""Stands for the ids of all further blocks at the top level."""


def file_share(name: str, size: int, streams: Sequence[FoundStream], shares: Sequence[Share]) -> Share:
    """Return the share of a file.

    Args:
        name: the file.
        size: its size in bytes.
        streams: the streams in it; those outside (of a thin archive) add to its size.
        shares: the share of each stream.
    """
    if len(streams) == 1 and not streams[0].path and shares[0].bits == size * 8:
        return Share(name, size * 8, parts=shares[0].parts)
    inside = sum(share.bits for found, share in zip(streams, shares, strict=True) if found.offset is not None)
    outside = sum(share.bits for found, share in zip(streams, shares, strict=True) if found.offset is None)
    rest = size * 8 - inside
    parts = [*shares, Share("outside of bitcode", rest)] if rest else [*shares]
    return Share(name, size * 8 + outside, parts=tuple(parts))


def names_of(stream: Bitstream, columns: Columns) -> Names:
    """Return the names of the blocks and records of a stream."""
    table = LLVM_IR_NAMES if stream.kind is StreamKind.LLVM_IR else NO_NAMES
    return Names(table, columns.block_infos[-1].info) if columns.block_infos else Names(table)


def stream_share(name: str, stream: Bitstream, columns: Columns) -> Share:
    """Return the share of a stream, its wrapper included.

    Args:
        name: of the share.
        stream: the stream.
        columns: the stream, decoded; if it is malformed, the bits behind the error are a separate share.
    """
    kinds = _Kinds(columns, len(stream.payload) * 8)
    blocks = kinds.shares(names_of(stream, columns))
    magic = MAGIC_SIZE * 8
    rest = len(stream.payload) * 8 - magic - sum(share.bits for share in blocks)
    wrapper = (len(stream.data) - len(stream.payload)) * 8
    parts = [
        Share("wrapper header and padding", wrapper),
        Share(_MAGIC, magic),
        *blocks,
        Share("not decoded" if columns.error else "between and after blocks", rest),
    ]
    return Share(name, len(stream.data) * 8, parts=tuple(part for part in parts if part.bits))


def _reached(columns: Columns, size: int) -> int:
    """Return where decoding stopped: at the error, or at the end of the data decoded before it was found."""
    if columns.error is None:
        return size
    ends = [0, *columns.blocks.end, *columns.records.end[-1:], *columns.definitions.end[-1:]]
    return min(max(columns.error.bit_offset, *ends), size)


class _Kinds:
    """The kinds of blocks of a stream: a block id, and the kind of the block around it; number 0 is the top level."""

    def __init__(self, columns: Columns, size: int) -> None:
        self._columns = columns
        self._ids = [0]
        self._inner: list[dict[int, int]] = [{}]
        self._depths = [0]
        self._own_bits = [0]
        self._counts = [0]
        self._definitions = [0]
        self._of_rows: list[int] = []
        self._add_blocks(_reached(columns, size))
        definitions = columns.definitions
        for block, start, end in zip(definitions.block, definitions.start, definitions.end, strict=True):
            self._definitions[self._of_rows[block]] += end - start

    def shares(self, names: Names) -> list[Share]:
        """Return the shares of the kinds at the top level."""
        records = self._record_shares(names)
        made: dict[int, Share] = {}
        for kind in range(len(self._ids) - 1, 0, -1):  # a kind has a higher number than the one around it
            definitions = self._definitions[kind]
            rest = self._own_bits[kind] - definitions - sum(share.bits for share in records[kind])
            inner = [made.pop(number) for number in self._inner[kind].values()]
            parts = [*records[kind], *inner]
            if definitions:
                parts.append(Share("abbreviation definitions", definitions))
            parts.append(Share("block headers and padding", rest))
            name = "other blocks" if self._ids[kind] == _OTHERS else names.describe_block(self._ids[kind])
            made[kind] = Share(name, sum(part.bits for part in parts), self._counts[kind], tuple(parts))
        return [made[kind] for kind in self._inner[_TOP].values()]

    def _add_blocks(self, reached: int) -> None:
        blocks = self._columns.blocks
        for block_id, parent, start, end in zip(blocks.id, blocks.parent, blocks.start, blocks.end, strict=True):
            outer = _TOP if parent < 0 else self._of_rows[parent]
            kind = self._kind(outer, block_id)
            self._of_rows.append(kind)
            bits = max((end or reached) - start, 0)
            self._own_bits[outer] -= bits
            self._own_bits[kind] += bits
            self._counts[kind] += kind != outer

    def _kind(self, outer: int, block_id: int) -> int:
        if block_id not in self._inner[outer] and (self._depths[outer] >= _MAX_DEPTH or len(self._ids) >= _MAX_KINDS):
            if outer != _TOP:
                return outer
            block_id = _OTHERS
        kind = self._inner[outer].get(block_id)
        if kind is not None:
            return kind
        kind = self._inner[outer][block_id] = len(self._ids)
        self._ids.append(block_id)
        self._inner.append({})
        self._depths.append(self._depths[outer] + 1)
        for sums in (self._own_bits, self._counts, self._definitions):
            sums.append(0)
        return kind

    def _record_shares(self, names: Names) -> list[list[Share]]:
        """Return, for each kind, a share for each record code, the largest first."""
        records = self._columns.records
        figures = tally_records(
            records.block,
            records.code,
            records.abbreviation,
            records.start,
            records.end,
            array("I", self._of_rows),
            len(self._ids),
        )
        found: list[list[Share]] = [[] for _ in self._ids]
        for (kind, code), (count, bits, _) in sorted(figures.items(), key=lambda item: -item[1][1]):
            found[kind].append(Share(names.describe_record(self._ids[kind], code), bits, count))
        return found


def inside_stream(share: Share) -> bool:
    """Return whether a share belongs to a stream, not to a file with several streams."""
    return any(part.name == _MAGIC for part in share.parts)


def merged_shares(report: Report) -> Share:
    """Return all bits of the files of a report, parts of the same name added up, whatever stream they are in.

    >>> from bitcodec.report import collect, merged_shares
    >>> share = merged_shares(collect(["examples/hello.bc", "examples/queue.bc"]))
    >>> [(part.name, part.instances) for part in share.parts if part.name == "MODULE_BLOCK"]
    [('MODULE_BLOCK', 2)]
    """
    found: list[Share] = []
    for file in report.files:
        found += file.share.parts if inside_stream(file.share) else _inner(file.share.parts)
    return Share("all files", report.size * 8, len(report.files), tuple(_merged(found)))


def _inner(shares: Sequence[Share]) -> list[Share]:
    return [inner for share in shares for inner in (share.parts or (share,))]


def _merged(shares: Sequence[Share]) -> list[Share]:
    """Return shares with equal names added up; they are nested no deeper than `_MAX_DEPTH` and a few."""
    groups: dict[str, list[Share]] = {}
    for share in shares:
        groups.setdefault(share.name, []).append(share)
    return [_sum(name, group) for name, group in groups.items()]


def _sum(name: str, group: Sequence[Share]) -> Share:
    parts = _merged([part for share in group for part in share.parts])
    without_parts = sum(share.bits for share in group if not share.parts)
    if parts and without_parts:  # a stream may name a record as it names a block
        parts.append(Share("others", without_parts))
    return Share(name, sum(share.bits for share in group), sum(share.instances for share in group), tuple(parts))
