"""Changes module flags in a file of any version of LLVM and keeps everything else.

Results of upgrades are not written: an unchanged flag keeps its record, and in the record of a changed flag only the
changed operands differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode import proving
from bitcodec.bitcode.editing.file_metadata import FileMetadataIds
from bitcodec.bitcode.editing.metadata_changes import place_of
from bitcodec.bitcode.editing.module_copy import copy_with_metadata
from bitcodec.bitcode.modules import modules_of
from bitcodec.bitcode.reader.metadata_references import is_referred_to
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode
from bitcodec.bitcode.writer.boundary import writing
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.wrapper import rewrapped
from bitcodec.ir.construction.present import source_of
from bitcodec.ir.metadata import MDNode, MDTuple, NamedMetadata
from bitcodec.ir.module_flags import MODULE_FLAGS, flag_key
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import CODE_MODEL
from bitcodec.upgrade.branch_protection import mark_branch_protection
from bitcodec.upgrade.module_flags import DEBUG_INFO_VERSION, debug_info_version, upgrade_module_flags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.editing.metadata_changes import RecordChange
    from bitcodec.bitcode.reader.metadata_index import NamedNode
    from bitcodec.bitstream import Bitstream
    from bitcodec.ir.module import Module

__all__ = ["keep_debug_info", "replace_flags"]


def keep_debug_info(module: Module) -> bool:
    """Keep the debug information of a module to be rewritten if a flag has set its version to the current one.

    Readers of the file in its previous state drop that debug information, and so did the reader of the module.

    Returns:
        Whether the module has the debug information that readers of its new state expect.
    """
    reader = source_of(module)
    if not isinstance(reader, ModuleReader) or debug_info_version(module.named_metadata) != DEBUG_INFO_VERSION:
        return True
    return module.context.lock.run(reader.upgrade.keep_debug_info)


def replace_flags(module: Module, stream: Bitstream) -> bytes | None:
    """Return the stream that a module was read from with the current flags of the module.

    Args:
        module: the module; changes to other parts than flags are ignored.
        stream: the stream; it contains no other module.

    Returns:
        The stream, None if the file has no id for a part of the flags.

    Raises:
        BitcodecError: a part that is read for this is malformed.
    """
    from bitcodec.bitcode import dumps  # noqa: PLC0415 - which need not wait for the writer

    reader = source_of(module)
    if not isinstance(reader, ModuleReader):
        return None
    changes = module.context.lock.run(lambda: _FlagChanges(module, reader).found())
    if changes is None:
        return None
    with writing("the stream"):
        data = None
        if changes:
            data = module.context.lock.run_exclusively(copy_with_metadata, reader, changes.records, changes.keys)
    if data is not None:
        if proving.IS_ON:
            proving.prove_copy(bytes(stream.payload), data)
        return rewrapped(data, stream.wrapper, stream.data)
    draft = stream.edit()
    (blocks,) = modules_of(stream)
    block = draft.blocks[stream.blocks.index(blocks.module)]
    metadata = [each for each in block.blocks if each.id == BlockId.METADATA_BLOCK]
    if any(each.blocks for each in metadata):
        return None  # records are counted without those of inner blocks
    for (number, row), (_, operands) in changes.records.items():
        record = metadata[number].records[row]
        record.operands, record.abbreviation_id = tuple(operands), AbbreviationId.UNABBREV_RECORD
    return dumps(draft, keeps_symbols=CODE_MODEL not in changes.keys)


class _Changes(NamedTuple):
    """Code and operands of the records that change, by block and row; and the keys of the flags."""

    records: dict[tuple[int, int], RecordChange]
    keys: set[str]

    def __bool__(self) -> bool:
        """Whether there is any change."""
        return bool(self.records)


class _FlagChanges:
    """Finds the records that change."""

    def __init__(self, module: Module, reader: ModuleReader) -> None:
        self._module = module
        self._reader = reader
        self._index = reader.metadata.index
        self._ids = FileMetadataIds(module, reader)

    def found(self) -> _Changes | None:
        """Return the changed records, None if the file has no id for a part of them."""
        named = self._module.named_metadata.get(MODULE_FLAGS)
        records = self._index.named.get(MODULE_FLAGS, [])
        if len(records) != 1 or named is None:
            return None
        made = self._reader.metadata.maker
        before = records[0].operands
        originals = [made[metadata_id] for metadata_id in before]
        upgraded = NamedMetadata(MODULE_FLAGS, [node for node in originals if isinstance(node, MDNode)])
        if len(upgraded.operands) != len(before):
            return None
        upgrade_module_flags({MODULE_FLAGS: upgraded}, self._module.context)
        mark_branch_protection(self._module, {MODULE_FLAGS: upgraded})
        changed = {*upgraded.operands} ^ {*named.operands}
        keys = {key for node in changed if isinstance(key := flag_key(node), str)}
        changes = self._changes(records[0], upgraded.operands, named.operands)
        return None if changes is None or self._ids.has_missing else _Changes(changes, keys)

    def _changes(
        self, record: NamedNode, upgraded: Sequence[MDNode], wanted: Sequence[MDNode]
    ) -> dict[tuple[int, int], RecordChange] | None:
        """Return the changes, None if a flag cannot replace another.

        Args:
            record: the list of flags in the file.
            upgraded: the flags after reading; those that the file has come first.
            wanted: the flags of now.
        """
        changes: dict[tuple[int, int], RecordChange] = {}
        before = record.operands
        kept = dict(zip(upgraded, before, strict=False))
        added_by_reading = upgraded[len(before) :]
        gone = {flag_key(node): (metadata_id, node) for node, metadata_id in kept.items() if node not in wanted}
        ids = []
        for node in wanted:
            if node in kept:
                ids.append(kept[node])
            elif node not in added_by_reading:
                metadata_id, upgraded_node = gone.pop(flag_key(node), (0, None))
                change = None if upgraded_node is None else self._change(metadata_id, node, upgraded_node)
                if change is None:
                    return None
                ids.append(metadata_id)
                changes[self._index.place(metadata_id)] = change
        if ids != before:
            changes[place_of(self._reader, record)] = int(MetadataCode.NAMED_NODE), ids
        return changes

    def _change(self, metadata_id: int, node: MDNode, upgraded: MDNode) -> RecordChange | None:
        """Return code and operands of the record that replaces a flag, None if that record cannot hold the flag of now.

        Args:
            metadata_id: of the flag in the file.
            node: the flag of now.
            upgraded: the flag after reading; parts equal in the present flag stay unchanged in the file.
        """
        code, operands = self._index.record(metadata_id)
        if code != MetadataCode.NODE or not isinstance(node, MDTuple) or node.is_distinct:
            return None
        if len(node.operands) != len(operands) or is_referred_to(self._reader, metadata_id):
            return None
        return code, [
            number if new is old else self._number(new)
            for number, new, old in zip(operands, node.operands, upgraded.operands, strict=True)
        ]

    def _number(self, metadata: object) -> int:
        return 0 if metadata is None else self._ids[metadata] + 1
