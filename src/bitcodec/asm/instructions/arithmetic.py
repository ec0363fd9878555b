"""`fneg` and `freeze`.  Rules: docs/reference/text.md, 9.1 to 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.tables.instruction_flags import FAST_MATH_TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS"]


def _unary(unary: ir.UnaryOperator, texts: Texts) -> str:
    return f"{unary.opcode}{FAST_MATH_TEXTS[unary.fast_math]} {texts.typed(unary.operands[0])}"


def _freeze(freeze: ir.Freeze, texts: Texts) -> str:
    return f"freeze {texts.typed(freeze.operands[0])}"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.UnaryOperator: _unary,
    ir.Freeze: _freeze,
}
