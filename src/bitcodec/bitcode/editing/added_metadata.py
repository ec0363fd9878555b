"""The metadata of functions that is written in their blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.writer.collected import Collected
from bitcodec.bitcode.writer.metadata_ids import MODULE
from bitcodec.bitcode.writer.metadata_walk import MetadataCollector
from bitcodec.object_numbers import ObjectNumbers

if TYPE_CHECKING:
    from bitcodec.bitcode.editing.file_metadata import FileMetadataIds
    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.ir.functions import Function

__all__ = ["AddedMetadata"]


class AddedMetadata(MetadataCollector):
    """Finds the metadata of functions that is not the module's own.

    Args:
        ids: the ids of the module's metadata.
    """

    def __init__(self, ids: FileMetadataIds) -> None:
        super().__init__(ids, Collected(ObjectNumbers()), ids.holds)

    def of_function(self, function: Function) -> list[Key]:
        """Return the metadata of the block of a function."""
        self.collect_function(function, MODULE + 1)
        return self.take().get(MODULE + 1, [])
