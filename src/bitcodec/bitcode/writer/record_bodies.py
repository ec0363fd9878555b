"""Bodies written directly from the records that they would be read from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from bitcodec.ir.construction.record_bodies import record_body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.bitcode.writer.rows import BlockRows
    from bitcodec.ir.functions import Function

__all__ = ["WrittenBody", "written_body"]


class WrittenBody(Protocol):
    """A body that writes itself."""

    def block(self, keys: Sequence[Key], numbers: Numbers) -> BlockRows:
        """Return its block.

        Args:
            keys: the metadata of the block.
            numbers: of the module.
        """


def written_body(function: Function) -> WrittenBody | None:
    """Return the body of a function that is written from its records, None if it is not."""
    return cast("WrittenBody | None", record_body(function))
