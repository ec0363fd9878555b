"""Checks the place of metadata blocks in a body: LLVM refuses a record that refers to a later block.

Rules: docs/reference/records.md, 8.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.metadata_index import MetadataIndex
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.reader.attachments import AttachmentSource
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.extras import InstructionExtras
    from bitcodec.bitcode.reader.function_state import FunctionState

__all__ = ["MetadataOrder"]


class MetadataOrder:
    """The metadata ids that records of a body refer to, and how many ids its blocks define so far.

    Every record and every block is counted once, however many blocks there are.
    """

    __slots__ = ("_counted", "_extras", "_highest", "_known", "_positions", "_source", "_state")

    def __init__(self, source: AttachmentSource, extras: InstructionExtras, state: FunctionState) -> None:
        self._source = source
        self._extras = extras
        self._state = state
        self._highest = -1
        self._known = 0
        self._counted = 0
        self._positions = (0, 0, 0, 0)

    def check(self, block: Records) -> None:
        """Check that the records before a metadata block do not refer to its metadata.

        Raises:
            BitcodeError: one refers to it.
        """
        self._highest = max(self._highest, *self._new_ids())
        if self._highest >= 0 and self._highest >= self._known_count():
            raise block.error(-1, Reason.EARLY_METADATA(number=self._highest))

    def _known_count(self) -> int:
        source = self._source
        if not self._known:
            self._known = source.module.count
        for place in source.blocks[self._counted :]:
            self._known += MetadataIndex(0, [place]).count
        self._counted = len(source.blocks)
        return self._known

    def _new_ids(self) -> Iterator[int]:
        """Yield the ids in everything read since the last call; -1 first."""
        extras, pending = self._extras, self._state.pending_metadata
        *starts, operands = self._positions
        self._positions = len(extras.location_rows), len(extras.records), len(extras.attachments), len(pending)
        yield -1
        yield from extras.metadata_ids(*starts)
        for _, number in pending[operands:]:
            yield number
