"""Parts of vectors and aggregates.  Rules: docs/reference/text.md, 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.constants import shuffle_mask

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS"]


def _element(instruction: ir.ExtractElement | ir.InsertElement, texts: Texts) -> str:
    return f"{instruction.opcode} {texts.operands(instruction.operands)}"


def _shuffle(shuffle: ir.ShuffleVector, texts: Texts) -> str:
    return f"shufflevector {texts.listed(shuffle.operands)}, {shuffle_mask(shuffle)}"


def _indexed(instruction: ir.ExtractValue | ir.InsertValue, texts: Texts) -> str:
    indices = "".join([f", {index}" for index in instruction.indices])
    return f"{instruction.opcode} {texts.listed(instruction.operands)}{indices}"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.ExtractElement: _element,
    ir.InsertElement: _element,
    ir.ShuffleVector: _shuffle,
    ir.ExtractValue: _indexed,
    ir.InsertValue: _indexed,
}
