"""Text of types.  Rules: docs/reference/text.md, 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.type_spelling import Spelling
from bitcodec.object_numbers import ObjectTexts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.types import StructType, Type

__all__ = ["TypeTexts"]

_NONE: Mapping[int, str] = {}
_MAX_KEPT = 1 << 22
"""Characters of texts that are kept; when there are more, all are forgotten."""


class TypeTexts(ObjectTexts):
    """The texts of types, cached up to a limit.

    Args:
        numbers: of identified structs without a name.
        enough: the number of characters after which a text may end; None if all of it is needed.
        address_spaces: texts of address spaces that have a name.
    """

    def __init__(
        self, numbers: Mapping[StructType, int], enough: int | None = None, address_spaces: Mapping[int, str] = _NONE
    ) -> None:
        super().__init__()
        others = {f"ptr addrspace({number})": f"ptr {text}" for number, text in address_spaces.items()}
        self._spelling = Spelling(numbers, enough, others)
        self._kept = 0
        self._forgotten: dict[Type, None] = {}

    def __missing__(self, type: Type) -> str:
        """Make the text of a type.

        Raises:
            BitcodecError: it is too long.
        """
        text = self._spelling.spell(type, self)
        self._kept += len(text)
        if self._kept > _MAX_KEPT:
            self._forgotten |= dict.fromkeys(self)
            self.clear()
            self._kept = len(text)
        self[type] = text
        return text

    def mentioned(self) -> list[Type]:
        """Return the types whose text was made, in the order in which it was made first."""
        return list(dict.fromkeys((*self._forgotten, *self)))

    def length(self, type: Type) -> int:
        """Return the number of characters of the text of a type.

        Raises:
            BitcodecError: it is too long.
        """
        return self._spelling.length(type)

    def body(self, struct: StructType) -> str:
        """Return the text of the elements of a struct.

        Raises:
            BitcodecError: it is too long.
        """
        return self._spelling.spell_body(struct, self)
