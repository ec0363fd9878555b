"""Ids of metadata, and the order in which they are given out.  Rules: writer reference, section 11.7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.ir.metadata import MDNode, MDString, ValueAsMetadata

if TYPE_CHECKING:
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant

__all__ = ["MODULE", "NO_METADATA", "Key", "MetadataIds"]

Key: TypeAlias = "str | Constant | MDNode"
"""What has an id: a string by its text, a constant by itself, a node."""

NO_METADATA = -1
"""Stands where an id would; records have the next number, 0, for what is not there."""

MODULE = 0
"""Tag of what is the module's own; functions are counted from 1."""


class MetadataIds(dict[Any, int]):
    """Ids of metadata by `Key`; other forms of the same are found by it.

    Args:
        constants: makes the constants that integers stand for.
    """

    def __init__(self, constants: ConstantTable) -> None:
        super().__init__()
        self._constants = constants
        self._i64 = constants.types.integer(64)

    def key(self, metadata: Any) -> Any:
        """Return what has an id for metadata, for the text of a string, or for an integer that is a constant `i64`.

        That is None for what wrapped a value that is gone.
        """
        kind = type(metadata)
        if kind is MDString:
            return metadata.text
        if kind is int:
            return self._constants.integer(self._i64, metadata)
        return metadata.value if isinstance(metadata, ValueAsMetadata) else metadata

    def __missing__(self, metadata: Any) -> int:
        key = self.key(metadata)
        if key is None:
            return NO_METADATA
        if key is metadata:
            raise KeyError(metadata)
        return self[key]
