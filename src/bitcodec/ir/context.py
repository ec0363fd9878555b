"""What modules share: types, constants and metadata, each once."""

from __future__ import annotations

from bitcodec.ir.constant_table import ConstantTable
from bitcodec.ir.metadata import MetadataTable
from bitcodec.ir.type_table import TypeTable

__all__ = ["Context"]


class Context:
    """Types, constants and metadata of the modules made in it.

    Attributes:
        types: makes types.
        constants: makes constants.
        metadata: makes metadata.
    """

    __slots__ = ("constants", "metadata", "types")

    def __init__(self) -> None:
        self.types = TypeTable()
        self.constants = ConstantTable(self.types)
        self.metadata = MetadataTable()
