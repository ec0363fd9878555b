"""Old comparisons of XOP: their name or their third argument gives the predicate."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row

if TYPE_CHECKING:
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]

_Comparison = tuple[ICmpPredicate, ICmpPredicate] | bool
"""The predicates for signed and unsigned elements, or the result where it is the same for all."""

_COMPARISONS: dict[str, _Comparison] = {
    "lt": (ICmpPredicate.SLT, ICmpPredicate.ULT),
    "le": (ICmpPredicate.SLE, ICmpPredicate.ULE),
    "gt": (ICmpPredicate.SGT, ICmpPredicate.UGT),
    "ge": (ICmpPredicate.SGE, ICmpPredicate.UGE),
    "eq": (ICmpPredicate.EQ, ICmpPredicate.EQ),
    "ne": (ICmpPredicate.NE, ICmpPredicate.NE),
    "false": False,
    "true": True,
}
"""Comparisons by name, in the order of their numbers."""

_ELEMENTS = "bwdq"


def _compared(rewriter: CallRewriter, comparison: _Comparison, *, is_unsigned: bool) -> Value:
    type_ = rewriter.call.type
    if isinstance(comparison, bool):
        return rewriter.all_ones(type_) if comparison else rewriter.zero(type_)
    lhs, rhs = rewriter.arguments[:2]
    return rewriter.cast("sext", rewriter.compare(comparison[is_unsigned], lhs, rhs), type_)


def _named(comparison: _Comparison, *, is_unsigned: bool) -> Expansion:
    """Return the comparison that the name gives."""
    return lambda rewriter: _compared(rewriter, comparison, is_unsigned=is_unsigned)


def _numbered(*, is_unsigned: bool) -> Expansion:
    """Return the comparison that the third argument gives the number of."""
    comparisons = tuple(_COMPARISONS.values())

    def expand(rewriter: CallRewriter) -> Value | None:
        number = cast("ConstantInt", rewriter.arguments[2]).unsigned
        if number >= len(comparisons):
            return rewriter.call
        return _compared(rewriter, comparisons[number], is_unsigned=is_unsigned)

    return expand


def _rows() -> Rows:
    rows: Rows = {}
    for sign in ("", "u"):
        rows_of_sign = (X86Row("Vi(V,V,#)", _numbered(is_unsigned=bool(sign))),)
        rows |= {f"xop.vpcom{sign}{element}": rows_of_sign for element in _ELEMENTS}
        for name, comparison in _COMPARISONS.items():
            named = (X86Row("Vi(V,V)", _named(comparison, is_unsigned=bool(sign))),)
            rows |= {f"xop.vpcom{name}{sign}{element}": named for element in _ELEMENTS}
    return rows


ROWS: Rows = _rows()
