"""The numbers of types, values and names in a file, of which parts are written again.

New types, attribute lists and metadata kinds get the next number.  Globals, constants and metadata of the module cannot
be added, because the value ids and metadata ids of functions continue theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.editing.file_metadata import FileMetadataIds, NeedsNewId
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitcode.writer.abbreviations import id_width
from bitcodec.bitcode.writer.attributes import AttributeNumbers
from bitcodec.bitcode.writer.metadata_records import kind_rows
from bitcodec.bitcode.writer.numbers import NameNumbers, Numbers
from bitcodec.bitcode.writer.strings import StringTable
from bitcodec.bitcode.writer.types import added_types

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.bitcode.writer.rows import Rows
    from bitcodec.ir.module import Module

__all__ = ["FileNumbers"]


class FileNumbers(Numbers):
    """The numbers that a module has in the file that it was read from.

    Args:
        module: the module.
        reader: the reader of the module.

    Raises:
        NeedsNewId: the file contains a type, constant or name twice, so numbers cannot be found by content.
    """

    def __init__(self, module: Module, reader: ModuleReader) -> None:
        super().__init__(FileMetadataIds(module, reader))
        self.metadata_ids: FileMetadataIds
        self._tables = tables = reader.tables
        types = tables.file_types.types
        self.types.update((type_, number) for number, type_ in enumerate(types))
        lists = tables.attribute_lists
        self.attributes = AttributeNumbers(self.types, lists.all()[1:], lists.last_group)
        self.values.add_all(tables.values[: tables.global_count], 0)
        for constant, number in reader.constant_ids().items():
            self.values[constant] = number
        self.strings = _FileStrings(tables)
        self.tags = NameNumbers(tables.names(BlockId.OPERAND_BUNDLE_TAGS_BLOCK))
        self.scopes = NameNumbers(tables.names(BlockId.SYNC_SCOPE_NAMES_BLOCK) or self.scopes)
        self.kinds = NameNumbers(name for _, name in sorted(reader.metadata.kinds.items()))
        self.sections = NameNumbers(tables.sections)
        self.collectors = NameNumbers(tables.collectors)
        self._type_count, self._kind_count = len(types), len(self.kinds)
        self._fixed = [(names, len(names)) for names in (self.tags, self.scopes, self.sections, self.collectors)]
        self.metadata_count = reader.metadata.count
        if len(self.values) != reader.value_count:
            raise NeedsNewId
        if len(self.types) != len(types) or list(self.kinds.values()) != sorted(reader.metadata.kinds):
            raise NeedsNewId

    def added(self) -> dict[BlockId, Rows]:
        """Return the records of everything that has got a number since, by the block that they are added to.

        Raises:
            NeedsNewId: there is no block for them, or numbers become wider than the abbreviations of the file allow.
        """
        if any(len(names) > count for names, count in self._fixed):
            raise NeedsNewId
        found = {
            BlockId.TYPE_BLOCK: added_types(self.types, self._type_count),
            BlockId.PARAMATTR_GROUP_BLOCK: self.attributes.groups(),
            BlockId.PARAMATTR_BLOCK: self.attributes.lists(),
            BlockId.METADATA_KIND_BLOCK: kind_rows(self.kinds, self._kind_count),
        }
        found = {block_id: rows for block_id, rows in found.items() if rows}
        if any(block_id not in self._tables.inner for block_id in found):
            raise NeedsNewId
        if id_width(len(self.types)) != id_width(self._type_count):
            raise NeedsNewId
        return found


class _FileStrings(StringTable):
    """The names that a file has in its string table."""

    def __init__(self, tables: ModuleTables) -> None:
        super().__init__(tables.strtab)
        self._places = tables.name_places()

    def place(self, text: str) -> tuple[int, int]:
        """Return offset and size of a text in bytes; raise `NeedsNewId` if nothing in the file has that name."""
        if text not in self._places:
            raise NeedsNewId
        return self._places[text]
