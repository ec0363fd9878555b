# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Metadata as an argument of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantData, users_not_kept
from bitcodec.ir.members import expose_members
from bitcodec.ir.metadata import ConstantAsMetadata, MDTuple, ValueAsMetadata
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from bitcodec.ir.metadata import Metadata, MetadataTable
    from bitcodec.ir.types import MetadataType

__all__ = ["MetadataAsValue", "as_argument"]


def as_argument(metadata: Metadata | None, table: MetadataTable) -> Metadata:
    """Return metadata as an argument: a tuple of one constant becomes the constant, null an empty tuple.

    Rules: LLVM 22 treats them as equal in the place of a value.
    """
    if type(metadata) is MDTuple and len(metadata.operands) == 1:
        content = metadata.operands[0]
        if content is None:
            return table.tuple()
        if isinstance(content, ConstantAsMetadata):
            return content
    return table.tuple() if metadata is None else metadata


class MetadataAsValue(Value):
    """Metadata as a value; its users are not tracked."""

    __match_args__ = ("metadata",)
    __slots__ = ("_metadata",)

    _is_nameless = True
    _metadata: Metadata

    def __init__(self, type: MetadataType, metadata: Metadata | None = None) -> None:
        super().__init__(type)
        self._uses = ConstantData._UNTRACKED
        if metadata is not None:
            self._metadata = metadata

    @property
    def is_used(self) -> bool:
        """Not known, so possibly."""
        return True

    def _read_users(self) -> None:
        raise users_not_kept(self)

    @property
    def metadata(self) -> Metadata:
        """The metadata; an empty node once the value that it wrapped is gone."""
        if self.is_gone:
            self._metadata = MDTuple()
        return self._metadata

    @metadata.setter
    def metadata(self, metadata: Metadata) -> None:
        self._metadata = metadata

    @property
    def is_gone(self) -> bool:
        """Whether it wrapped a value that is gone."""
        return isinstance(self._metadata, ValueAsMetadata) and self._metadata.value is None

    def __repr__(self) -> str:
        return f"<MetadataAsValue {getattr(self, '_metadata', None)!r}>"


expose_members(MetadataAsValue)
