"""Kinds of entries whose constants are known, from the requests of modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import IntegerType
from bitcodec.pcsections.encoding.constants import encode_constant
from bitcodec.pcsections.schemas.kinds import Field, Kind

if TYPE_CHECKING:
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.pcsections import PCSection
    from bitcodec.pcsections.encoding.targets import Target

__all__ = ["KnownKinds"]


class KnownKinds:
    """Creates kinds for requests; each constant is encoded once.

    Args:
        target: the target of the encoding.
    """

    __slots__ = ("_fields", "_target")

    def __init__(self, target: Target) -> None:
        self._target = target
        self._fields: dict[tuple[Constant, bool], Field | None] = {}

    def of(self, section: PCSection, *, is_function: bool) -> Kind:
        """Return the kind of entry that is requested.

        Raises:
            PCSectionsError: a constant has no bytes for the target.
        """
        fields = (self._field(constant, section) for constant in section.constants)
        return Kind(is_function, tuple(field for field in fields if field is not None), section.is_compressed)

    def _field(self, constant: Constant, section: PCSection) -> Field | None:
        """Return the field of a constant, None if it takes no bytes."""
        key = (constant, section.is_compressed)
        if key not in self._fields:
            self._fields[key] = self._encoded(constant, is_compressed=section.is_compressed)
        return self._fields[key]

    def _encoded(self, constant: Constant, *, is_compressed: bool) -> Field | None:
        encoded = encode_constant(constant, self._target, compressed=is_compressed)
        if not encoded.data:
            return None
        holes = tuple((one.offset, one.offset + one.size) for one in encoded.references)
        size = 0 if is_compressed and self._is_uleb128(constant, encoded.data) else len(encoded.data)
        return Field(str(constant.type), size, encoded.data, holes)

    def _is_uleb128(self, constant: Constant, data: bytes) -> bool:
        """Whether a constant was compressed: undef is not, for one, and no integer has the same bytes both ways."""
        if not isinstance(constant.type, IntegerType):
            return False
        return data != encode_constant(constant, self._target, compressed=False).data
