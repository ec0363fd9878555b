"""Finds the metadata records of a module that no longer match the module.

A changed node keeps its id, and so does a node that replaces one to which nothing else refers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.metadata_references import is_referred_to
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode
from bitcodec.bitcode.writer.metadata_records import node_record
from bitcodec.ir.construction.present import is_unread
from bitcodec.ir.metadata import MDNode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.editing.file_metadata import FileMetadataIds
    from bitcodec.bitcode.reader.metadata_index import NamedNode
    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.ir.module import Module

__all__ = ["RecordChange", "metadata_changes", "place_of"]

RecordChange = tuple[int, list[int]]
"""Code and operands of a record."""


def metadata_changes(
    module: Module, reader: ModuleReader, ids: FileMetadataIds
) -> dict[tuple[int, int], RecordChange] | None:
    """Return code and operands of the records that change, by block and row; None if a node has no id in the file."""
    index = reader.metadata.index
    if index.is_rewritten or list(module.named_metadata) != list(index.named):
        return None
    changes = _RecordChanges(module, reader, ids).found()
    return None if ids.has_missing else changes


def place_of(reader: ModuleReader, named: NamedNode) -> tuple[int, int]:
    """Return in which block the record of named metadata is, and its row there."""
    starts = [place.start for place in reader.tables.places(BlockId.METADATA_BLOCK)]
    return starts.index(named.records.place().start), named.row


class _RecordChanges:
    """Finds the metadata records of the module that change."""

    def __init__(self, module: Module, reader: ModuleReader, ids: FileMetadataIds) -> None:
        self._module = module
        self._reader = reader
        self._metadata = reader.metadata
        self._ids = ids
        self._replacing: dict[MDNode, int] = {}

    def found(self) -> dict[tuple[int, int], RecordChange]:
        """Return code and operands of those records, by block and row."""
        changes = self._named_changes()
        for metadata_id, node in list(self._metadata.maker.items()):
            if (
                isinstance(node, MDNode)
                and not is_unread(node)
                and self._ids.get(node) == metadata_id
                and not self._metadata.maker.says(metadata_id, node)
            ):
                self._replacing[node] = metadata_id
        for node, metadata_id in self._replacing.items():
            changes[self._metadata.index.place(metadata_id)] = node_record(node, self._ids)
        return changes

    def _named_changes(self) -> dict[tuple[int, int], RecordChange]:
        """Return the records of named metadata that change; new nodes get the ids of nodes that are gone."""
        changes: dict[tuple[int, int], RecordChange] = {}
        for name, records in self._metadata.index.named.items():
            named = self._module.named_metadata[name]
            if not named.is_read:
                continue
            before = [number for record in records for number in record.operands]
            ids = self._ids_of(named.operands, before)
            if ids != before:
                for number, record in enumerate(records):
                    change = int(MetadataCode.NAMED_NODE), [] if number else ids
                    changes[place_of(self._reader, record)] = change
        return changes

    def _ids_of(self, nodes: Sequence[MDNode], before: Sequence[int]) -> list[int]:
        """Return the ids of nodes that replace the nodes of some ids."""
        made = self._metadata.maker
        left = [number for number in before if made[number] not in nodes]
        for node in nodes:
            if not self._ids.holds(node) and left and not is_referred_to(self._reader, left[0]):
                metadata_id = left.pop(0)
                del self._ids[made[metadata_id]]
                self._ids[node] = self._replacing[node] = metadata_id
        return [self._ids[node] for node in nodes]
