"""The ids of metadata in a file, of which parts are written again."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.writer.metadata_ids import MetadataIds
from bitcodec.ir.constants import Constant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.ir.module import Module

__all__ = ["FileMetadataIds"]


class FileMetadataIds(MetadataIds):
    """The ids of metadata in the file.

    Args:
        module: the module.
        reader: the reader of the module.

    Attributes:
        has_missing: whether an id was looked up that the file lacks. A module-level id cannot be added, because the ids
            of functions continue after the module's.
    """

    def __init__(self, module: Module, reader: ModuleReader) -> None:
        super().__init__(module.context.constants)
        self._reader = reader
        self._index = reader.metadata.index
        self._made = reader.metadata.maker
        self._taken = 0
        self.has_missing = self._has_texts = self._has_constants = False
        self._take_made()

    def _find_missing(self, key: Key) -> int:
        if self.holds(key):
            return self[key]
        self.has_missing = True
        return 0

    def forget(self, keys: Iterable[Key]) -> None:
        """Remove the ids of the keys that got theirs last; keys found in the file meanwhile keep their ids."""
        for key in keys:
            if key in self:
                del self[key]

    def holds(self, key: Key) -> bool:
        """Return whether the file has an id for metadata."""
        if key not in self:
            if isinstance(key, str):
                self._find_texts()
            elif isinstance(key, Constant):
                self._find_constants()
            else:
                self._take_made()
        return key in self

    def _take_made(self) -> None:
        """Add the nodes that have been made since."""
        new = len(self._made) - self._taken
        self._taken += new
        for number, made in islice(reversed(self._made.items()), new):
            self.setdefault(self.key(made), number)

    def _find_texts(self) -> None:
        if not self._has_texts:
            self._has_texts = True
            for number, text in self._index.texts():
                self.setdefault(text, number)

    def _find_constants(self) -> None:
        """Find the constants that metadata of the file wraps."""
        if self._has_constants:
            return
        self._has_constants = True
        by_value = {number: value for value, number in self._reader.constant_ids().items()}
        for metadata_id in self._index.by_code({MetadataCode.VALUE}).get(MetadataCode.VALUE, []):
            _, operands = self._index.record(metadata_id)
            value = by_value.get(operands[1])
            if isinstance(value, Constant):
                self.setdefault(value, metadata_id)
