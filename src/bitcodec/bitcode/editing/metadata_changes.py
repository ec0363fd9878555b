"""Finds the metadata records of a module that no longer match the module.

A changed node keeps its id, and so does a node that replaces one to which nothing else refers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.editing.file_metadata import NeedsNewId
from bitcodec.bitcode.reader.metadata_references import is_referred_to
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode
from bitcodec.bitcode.writer.metadata_records import node_record
from bitcodec.ir.deferred_nodes import is_unread
from bitcodec.ir.metadata import MDNode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.editing.file_metadata import FileMetadataIds
    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.ir.module import Module

__all__ = ["RecordChange", "metadata_changes"]

RecordChange = tuple[int, list[int]]
"""Code and operands of a record."""


def metadata_changes(module: Module, reader: ModuleReader, ids: FileMetadataIds) -> dict[tuple[int, int], RecordChange]:
    """Return code and operands of the records that change, by block and row.

    Raises:
        NeedsNewId: a node has no id in the file.
    """
    return _Changes(module, reader, ids).found()


class _Changes:
    """Finds the metadata records of the module that change."""

    def __init__(self, module: Module, reader: ModuleReader, ids: FileMetadataIds) -> None:
        self._module = module
        self._reader = reader
        self._metadata = reader.metadata
        self._ids = ids
        self._replacing: dict[MDNode, int] = {}

    def found(self) -> dict[tuple[int, int], RecordChange]:
        """Return code and operands of those records, by block and row."""
        if self._metadata.index.is_rewritten:
            raise NeedsNewId
        changes = self._named_changes()
        for metadata_id, node in list(self._metadata.maker.items()):
            if isinstance(node, MDNode) and not is_unread(node) and self._ids.get(node) == metadata_id:
                change = self._change(metadata_id, node)
                if change is not None:
                    changes[change[0]] = change[1]
        for node, metadata_id in self._replacing.items():
            place = self._metadata.index.place(metadata_id)
            if place is None:
                raise NeedsNewId
            changes[place] = node_record(node, self._ids)
        return changes

    def _named_changes(self) -> dict[tuple[int, int], RecordChange]:
        """Return the records of named metadata that change; new nodes get the ids of nodes that are gone."""
        in_file = self._metadata.index.named
        if list(self._module.named_metadata) != list(in_file):
            raise NeedsNewId
        changes: dict[tuple[int, int], RecordChange] = {}
        for name, records in in_file.items():
            named = self._module.named_metadata[name]
            if not named.is_read:
                continue
            before = [number for record in records for number in record.operands]
            ids = self._ids_of(named.operands, before)
            if ids != before:
                if len(records) > 1 or len(self._reader.tables.places(BlockId.METADATA_BLOCK)) > 1:
                    raise NeedsNewId
                changes[0, records[0].row] = int(MetadataCode.NAMED_NODE), ids
        return changes

    def _ids_of(self, nodes: Sequence[MDNode], before: Sequence[int]) -> list[int]:
        """Return the ids of nodes that replace those of some ids."""
        made = self._metadata.maker
        left = [number for number in before if made[number] not in nodes]
        for node in nodes:
            if not self._ids.holds(node):
                metadata_id = left.pop(0) if left else None
                if metadata_id is None or is_referred_to(self._reader, metadata_id):
                    raise NeedsNewId
                del self._ids[made[metadata_id]]
                self._ids[node] = self._replacing[node] = metadata_id
        return [self._ids[node] for node in nodes]

    def _change(self, metadata_id: int, node: MDNode) -> tuple[tuple[int, int], RecordChange] | None:
        """Return the new record of a node that was read from a record, None if the record still matches."""
        if self._metadata.maker.says(metadata_id, node):
            return None
        place = self._metadata.index.place(metadata_id)
        if place is None:
            raise NeedsNewId
        return place, node_record(node, self._ids)
