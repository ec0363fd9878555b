"""Interface of `Texts` for the texts of constants, metadata and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.asm.limits import TextLimit
    from bitcodec.asm.types import TypeTexts
    from bitcodec.ir.debug_info import DIExpression
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectTexts

__all__ = ["TextSource"]


class TextSource(Protocol):
    """Texts of types, values and metadata, made at first use; `Texts` describes them."""

    @property
    def limit(self) -> TextLimit:
        """Limits how much text is made."""

    @property
    def types(self) -> TypeTexts:
        """Texts of types."""

    @property
    def names(self) -> ObjectTexts:
        """Texts of values where they are operands, without their types."""

    @property
    def references(self) -> ObjectTexts:
        """Texts of metadata where something refers to it."""

    @property
    def expressions(self) -> Mapping[DIExpression, str]:
        """Texts of debug-info expressions."""

    def typed(self, value: Value) -> str:
        """Return a value with its type before it."""

    def listed(self, values: Sequence[Value]) -> str:
        """Return values with their types, separated by commas."""

    def block_name(self, function: Function, block: BasicBlock) -> str:
        """Return the name of a block of any function."""
