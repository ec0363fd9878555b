"""The numbers of types, values and names in a file, of which parts are written again.

New types, attribute lists and metadata kinds get the next number, and new names are appended to the string table.
Globals, constants and metadata of the module cannot be added, because the value ids and metadata ids of functions
continue theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.editing.file_metadata import FileMetadataIds
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

__all__ = ["FileNumbers", "file_strings"]


class FileNumbers(Numbers):
    """The numbers that a module has in the file that it was read from.

    Args:
        module: the module.
        reader: the reader of the module.

    Attributes:
        are_unique: whether the file contains no type, constant or name twice, so numbers can be found by content.
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
        self.strings = file_strings(tables)
        self.places_empty_names = True
        self.tags = NameNumbers(tables.names(BlockId.OPERAND_BUNDLE_TAGS_BLOCK))
        self.scopes = NameNumbers(tables.names(BlockId.SYNC_SCOPE_NAMES_BLOCK) or self.scopes)
        self.kinds = NameNumbers(name for _, name in sorted(reader.metadata.kinds.items()))
        self.sections = NameNumbers(tables.sections)
        self.collectors = NameNumbers(tables.collectors)
        self._type_count, self._kind_count = len(types), len(self.kinds)
        self._fixed = [(names, len(names)) for names in (self.tags, self.scopes, self.sections, self.collectors)]
        self.metadata_count = reader.metadata.count
        self.are_unique = (
            len(self.values) == reader.value_count
            and len(self.types) == len(types)
            and list(self.kinds.values()) == sorted(reader.metadata.kinds)
        )

    def added(self) -> dict[BlockId, Rows] | None:
        """Return the records of everything that has got a number since, by the block that they are added to.

        That is None if a block for them is missing, or numbers become wider than the abbreviations of the file allow.
        """
        found = {
            BlockId.TYPE_BLOCK: added_types(self.types, self._type_count),
            BlockId.PARAMATTR_GROUP_BLOCK: self.attributes.groups(),
            BlockId.PARAMATTR_BLOCK: self.attributes.lists(),
            BlockId.METADATA_KIND_BLOCK: kind_rows(self.kinds, self._kind_count),
        }
        found = {block_id: rows for block_id, rows in found.items() if rows}
        fits = (
            not self.metadata_ids.has_missing
            and all(len(names) == count for names, count in self._fixed)
            and found.keys() <= self._tables.inner.keys()
            and id_width(len(self.types)) == id_width(self._type_count)
        )
        return found if fits else None


def file_strings(tables: ModuleTables) -> StringTable:
    """Return the string table of a file, to which names can be appended."""
    return StringTable(tables.strtab, tables.name_places())
