"""Finds the records of MODULE_BLOCK, and the bodies, that no longer match the module.

A body that has been read may have been changed, so it is encoded; all others are copied.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.bitcode.creation_order import CreationOrder
from bitcodec.bitcode.editing.added_metadata import AddedMetadata
from bitcodec.bitcode.editing.module_copy import CopiedBody
from bitcodec.bitcode.schema.blocks import FunctionCode, ModuleCode
from bitcodec.bitcode.writer.functions import BodyWriter
from bitcodec.bitcode.writer.globals import ModuleRecords
from bitcodec.bitcode.writer.numbers import numbered_globals
from bitcodec.bitcode.writer.rows import characters
from bitcodec.bitcode.writer.use_lists import BodyUseLists
from bitcodec.host.collection import without_collection
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.construction.present import growth_of, present_metadata, present_uses
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.metadata import MDNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.bitcode.editing.file_numbers import FileNumbers
    from bitcodec.bitcode.editing.metadata_changes import RecordChange
    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module

__all__ = ["SymbolChanges", "changed_texts"]


class SymbolChanges:
    """Finds the changes in MODULE_BLOCK.

    Args:
        module: the module.
        reader: the reader of the module.
        numbers: the numbers in the file.
    """

    def __init__(self, module: Module, reader: ModuleReader, numbers: FileNumbers) -> None:
        self._module = module
        self._reader = reader
        self._numbers = numbers
        tables = reader.tables
        self._globals: list[GlobalValue] = tables.values[: tables.global_count]

    def records(self) -> dict[int, RecordChange] | None:
        """Return code and operands of the records that change, by row; None if the file lacks a record or a number."""
        values, globals_ = self._numbers.values, list(numbered_globals(self._module))
        has_numbers = all(operand in values for value in globals_ for operand in value.operands)
        if {*globals_} != {*self._globals} or not has_numbers or not self._keeps_attachments():
            return None
        made = ModuleRecords(self._module, self._numbers)
        tables = self._reader.tables
        if made.comdats() != [operands for _, code, operands in tables.records if code == ModuleCode.COMDAT]:
            return None
        records = dict(zip(globals_, made.of_globals(), strict=True))
        changed: dict[int, RecordChange] = {}
        for value, (row, code, operands) in zip(self._globals, tables.definitions(), strict=True):
            new_code, new_operands = records[value]
            if code != new_code or _significant(operands) != _significant(new_operands):
                changed[row] = int(new_code), new_operands
        return changed

    def _keeps_attachments(self) -> bool:
        """Return whether the metadata of globals equals the file's; attachments in bodies are written with them."""
        kept = self._reader.metadata.global_attachments
        ids = self._numbers.metadata_ids
        for value_id, value in enumerate(self._globals):
            attached = present_metadata(value) if isinstance(value, GlobalObject) else None
            if attached is None or (isinstance(value, Function) and not value.is_declaration):
                continue
            if [(kind, ids[node]) for kind, node in attached.items()] != kept.get(value_id, []):
                return False
        return True

    def bodies(self) -> list[CopiedBody] | None:
        """Return the bodies of functions, in order.

        That is None if the address of a block of a changed body is taken: records refer to the block by number.
        """
        defined = [
            (value_id, function)
            for value_id, function in enumerate(self._globals)
            if isinstance(function, Function) and not function.is_declaration
        ]
        # Whatever writing reads beyond this is as it was.
        read = [function for _, function in defined if function.is_materialized]
        with without_collection(growth_of(self._module)):
            for function in read:
                self._module.context.lock.run(self._reader.read_whole, function)
        added = AddedMetadata(self._numbers.metadata_ids)
        keys = {function: added.of_function(function) for function in read}
        if any(map(self._has_addresses, read)) or _share_distinct(keys.values()):
            return None
        return [self._body(value_id, function, keys.get(function)) for value_id, function in defined]

    @cached_property
    def _creation_order(self) -> CreationOrder:
        """The creation order of users in bodies."""
        return CreationOrder(self._module)

    @cached_property
    def _body_writer(self) -> BodyWriter:
        return BodyWriter(self._module, self._numbers)

    def _has_addresses(self, function: Function) -> bool:
        """Return whether the address of a block of a function is taken, now or in the file."""
        if any(isinstance(user, BlockAddress) for block in function.blocks for user in present_uses(block)):
            return True
        row = self._reader.body_rows.get(function)
        records = () if row is None else self._reader.tables.records.inner(row).place().decode(max_depth=1)
        return any(code == FunctionCode.BLOCKADDR_USERS for _, code, _ in records)

    def _body(self, value_id: int, function: Function, keys: Sequence[Key] | None) -> CopiedBody:
        row = self._reader.body_rows.get(function)
        if keys is None:
            return CopiedBody(value_id, row, None)
        orders = None
        if self._module.preserves_use_list_order:
            orders = BodyUseLists(self._creation_order, function, self._reader.use_orders.at_end_of(function))
        return CopiedBody(value_id, row, self._body_writer.block(function, keys, orders))


def changed_texts(reader: ModuleReader) -> dict[int, RecordChange] | None:
    """Return the records of the texts of a module that change, by row; None if the file has not one record for each."""
    texts = reader.changed_texts()
    changed: dict[int, RecordChange] = {
        row: (code, [*characters(texts[code])]) for row, code, _ in reader.tables.records if code in texts
    }
    return changed if sorted(code for code, _ in changed.values()) == sorted(texts) else None


def _significant(operands: Sequence[int]) -> Sequence[int]:
    """Return operands without those that may be left out at the end."""
    count = len(operands)
    while count and not operands[count - 1]:
        count -= 1
    return operands[:count]


def _share_distinct(keys: Iterable[Sequence[Key]]) -> bool:
    """Return whether a distinct node would be written in two blocks, where it would become two nodes."""
    distinct = [key for metadata in keys for key in metadata if isinstance(key, MDNode) and key.is_distinct]
    return len({*distinct}) < len(distinct)
