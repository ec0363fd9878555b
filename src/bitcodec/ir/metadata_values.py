"""Metadata where a value stands, as an argument of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantData, WithoutUsers
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.types import MetadataType

__all__ = ["MetadataAsValue"]


class MetadataAsValue(WithoutUsers, Value):
    """Metadata as a value; nobody keeps a list of its users.

    Attributes:
        metadata: what it stands for.
    """

    __match_args__ = ("metadata",)
    __slots__ = ("metadata",)

    _is_nameless = True
    metadata: Metadata

    def __init__(self, type: MetadataType, metadata: Metadata | None = None) -> None:
        super().__init__(type)
        self._uses = ConstantData._UNTRACKED
        if metadata is not None:
            self.metadata = metadata

    def __repr__(self) -> str:
        return f"<MetadataAsValue {getattr(self, 'metadata', None)!r}>"
