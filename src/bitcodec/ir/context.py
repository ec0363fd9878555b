"""Entities that modules share: types, constants and metadata, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_table import ConstantTable
from bitcodec.ir.lazy import MaterializationLock
from bitcodec.ir.metadata import MetadataTable
from bitcodec.ir.type_table import TypeTable

if TYPE_CHECKING:
    from bitcodec.ir.shared_types import SharedTypes

__all__ = ["Context"]


class Context:
    """Types, constants and metadata of the modules made in it.

    Attributes:
        types: makes types.
        constants: makes constants.
        metadata: makes metadata.
        lock: held while a part of one of the modules is read.
        shared_types: the composite types of debug information of which modules share one of each, as `share_types`
            lets them; None if each module has its own.
    """

    __slots__ = ("constants", "lock", "metadata", "shared_types", "types")

    def __init__(self) -> None:
        self.lock = MaterializationLock()
        self.types = TypeTable()
        self.constants = ConstantTable(self.types, self.lock)
        self.metadata = MetadataTable(self.lock)
        self.shared_types: SharedTypes | None = None
