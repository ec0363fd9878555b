"""The function that blocks or instructions of a text are added to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.types import VoidType

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.values import Value

__all__ = ["LocalSurroundings"]

_NUMBERS = re.compile(rb"%[0-9]|[0-9]:")
"""Pattern of references to locals by number."""


class LocalSurroundings:
    """The arguments, blocks and instructions of a function that text is added to.

    They have the numbers that the text of the function has for them.  They are counted only if the text that is added
    has any numbers.

    Args:
        function: the function.
        text: the text.

    Attributes:
        function: the function.
        next_number: the number of the first local without a name that the text adds.
    """

    __slots__ = ("_numbered", "function", "next_number")

    def __init__(self, function: Function, text: bytes) -> None:
        function.materialize()
        self.function = function
        self._numbered = _numbered_locals(function) if _NUMBERS.search(text) else []
        self.next_number = len(self._numbered)

    def find(self, key: bytes | int) -> Value | None:
        """Return a value or block by name or number, None if it is unknown."""
        if isinstance(key, int):
            return self._numbered[key] if key < len(self._numbered) else None
        return self.function.symbols.get(decoded(key))


def _numbered_locals(function: Function) -> list[Value]:
    """Return the values that text numbers, in order."""
    values: list[Value] = [*function.arguments]
    for block in function.blocks:
        values.append(block)
        values += block.instructions
    return [value for value in values if not value.name and not isinstance(value.type, VoidType)]
