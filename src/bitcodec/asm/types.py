"""Text of types.  Rules: assembly text reference, section 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import Type, spelled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.types import StructType

__all__ = ["TypeTexts"]


class TypeTexts(dict[Type, str]):
    """The texts of types, each made once.

    Args:
        numbers: of identified structs without a name.
    """

    def __init__(self, numbers: Mapping[StructType, int]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, type: Type) -> str:
        """Make the text of a type.

        Raises:
            BitcodecError: it is too long.
        """
        text = self[type] = spelled(type, self._numbers)
        return text
