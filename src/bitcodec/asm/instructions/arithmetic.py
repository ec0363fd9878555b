"""Operations, casts, comparisons, `select` and `freeze`.  Rules: assembly text reference, sections 9.1 to 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.instructions.flags import FAST_MATH, integer_flags

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS"]


def _unary(unary: ir.UnaryOperator, texts: Texts) -> str:
    return f"{unary.opcode}{FAST_MATH[unary.fast_math]} {texts.typed(unary._operands[0])}"


def _binary(binary: ir.BinaryOperator, texts: Texts) -> str:
    names = texts.names
    lhs, rhs = binary._operands
    opcode = binary.opcode
    words = integer_flags(opcode, binary.flags) if binary.flags else FAST_MATH[binary.fast_math]
    return f"{opcode}{words} {texts.types[binary.type]} {names[lhs]}, {names[rhs]}"


def _cast(cast: ir.Cast, texts: Texts) -> str:
    types = texts.types
    value = cast._operands[0]
    words = integer_flags(cast.opcode, cast.flags) if cast.flags else ""
    if cast.fast_math:
        words += FAST_MATH[cast.fast_math]
    return f"{cast.opcode}{words} {types[value.type]} {texts.names[value]} to {types[cast.type]}"


def _icmp(compare: ir.ICmp, texts: Texts) -> str:
    lhs, rhs = compare._operands
    same_sign = " samesign" if compare.flags else ""
    operands = f"{texts.types[lhs.type]} {texts.names[lhs]}, {texts.names[rhs]}"
    return f"icmp{same_sign} {compare.predicate.spelling} {operands}"


def _fcmp(compare: ir.FCmp, texts: Texts) -> str:
    lhs, rhs = compare._operands
    operands = f"{texts.types[lhs.type]} {texts.names[lhs]}, {texts.names[rhs]}"
    return f"fcmp{FAST_MATH[compare.fast_math]} {compare.predicate.spelling} {operands}"


def _select(select: ir.Select, texts: Texts) -> str:
    return f"select{FAST_MATH[select.fast_math]} {texts.listed(select._operands)}"


def _freeze(freeze: ir.Freeze, texts: Texts) -> str:
    return f"freeze {texts.typed(freeze._operands[0])}"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.UnaryOperator: _unary,
    ir.BinaryOperator: _binary,
    ir.Cast: _cast,
    ir.ICmp: _icmp,
    ir.FCmp: _fcmp,
    ir.Select: _select,
    ir.Freeze: _freeze,
}
