"""Old intrinsics that compare element by element; those of AVX-512 return a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.mangling import mangled
from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.upgrade.intrinsics.x86.masks import element_count, mask_number, mask_vector
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.types import Type, VectorType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]

Comparison = ICmpPredicate | bool
"""A predicate, or the result where it is the same for all values."""

_SIGNED: tuple[Comparison, ...] = (
    ICmpPredicate.EQ,
    ICmpPredicate.SLT,
    ICmpPredicate.SLE,
    False,
    ICmpPredicate.NE,
    ICmpPredicate.SGE,
    ICmpPredicate.SGT,
    True,
)
"""Comparisons by the number that AVX-512 gives them."""
_UNSIGNED: tuple[Comparison, ...] = (
    ICmpPredicate.EQ,
    ICmpPredicate.ULT,
    ICmpPredicate.ULE,
    False,
    ICmpPredicate.NE,
    ICmpPredicate.UGE,
    ICmpPredicate.UGT,
    True,
)

_FP_SHAPES = {"v4f32": "ps.128", "v8f32": "ps.256", "v16f32": "ps.512"} | {
    "v2f64": "pd.128",
    "v4f64": "pd.256",
    "v8f64": "pd.512",
}
_BYTE_SHAPES = {"v16i8": "128", "v32i8": "256", "v64i8": "512"}


def _widened(predicate: ICmpPredicate) -> Expansion:
    """Return a comparison whose results have all bits set, or none."""

    def expand(rewriter: CallRewriter) -> Value:
        lhs, rhs = rewriter.arguments
        return rewriter.cast("sext", rewriter.compare(predicate, lhs, rhs), rewriter.call.type)

    return expand


def _compared(rewriter: CallRewriter, comparison: Comparison) -> Value:
    lhs, rhs = rewriter.arguments[:2]
    if isinstance(comparison, ICmpPredicate):
        return rewriter.compare(comparison, lhs, rhs)
    truths = _truths(rewriter, lhs)
    return rewriter.all_ones(truths) if comparison else rewriter.zero(truths)


def _masked(predicate: ICmpPredicate) -> Expansion:
    """Return a comparison whose results are cleared where the last argument is."""
    return lambda rewriter: mask_number(rewriter, _compared(rewriter, predicate), rewriter.arguments[-1])


def _numbered(comparisons: tuple[Comparison, ...]) -> Expansion:
    """Return the comparison that the third argument gives the number of."""

    def expand(rewriter: CallRewriter) -> Value | None:
        number = cast("ConstantInt", rewriter.arguments[2]).unsigned
        if number >= len(comparisons):
            return rewriter.call
        return mask_number(rewriter, _compared(rewriter, comparisons[number]), rewriter.arguments[-1])

    return expand


def _tested(predicate: ICmpPredicate) -> Expansion:
    """Return how the bits that both have compare with none."""

    def expand(rewriter: CallRewriter) -> Value:
        lhs, rhs, mask = rewriter.arguments
        common = rewriter.binary("and", lhs, rhs)
        return mask_number(rewriter, rewriter.compare(predicate, common, rewriter.zero(lhs.type)), mask)

    return expand


def _signs(rewriter: CallRewriter) -> Value:
    value = rewriter.arguments[0]
    return mask_number(rewriter, rewriter.compare(ICmpPredicate.SLT, value, rewriter.zero(value.type)))


def _spread_mask(rewriter: CallRewriter) -> Value:
    """Return a vector whose elements have all bits set where the mask is."""
    type_ = rewriter.call.type
    mask = mask_vector(rewriter, rewriter.arguments[0], cast("VectorType", type_).count)
    return rewriter.cast("sext", mask, type_, "vpmovm2")


def _truth_intrinsic(name: str, shapes: Mapping[str, str]) -> Expansion:
    """Return a call of an intrinsic that returns a vector of truths, cleared where the last argument is."""

    def expand(rewriter: CallRewriter) -> Value:
        *passed, mask = rewriter.arguments
        vector = passed[0].type
        truths = rewriter.intrinsic(f"x86.{name}{shapes[mangled(vector)]}", (), _truths(rewriter, passed[0]), passed)
        return mask_number(rewriter, truths, mask)

    return expand


def _floating(rewriter: CallRewriter) -> Value:
    """Return the masked intrinsic with a mask of ones; the widest has a further exception mode."""
    first, second, number, *mode = rewriter.arguments
    type_ = rewriter.call.type
    name = f"x86.avx512.mask.cmp.{_FP_SHAPES[mangled(first.type)]}"
    return rewriter.intrinsic(name, (), type_, [first, second, number, rewriter.all_ones(type_), *mode])


def _truths(rewriter: CallRewriter, compared: Value) -> Type:
    return rewriter.types.vector(element_count(compared), rewriter.types.integer(1))


_EQUAL = (X86Row("Vi(V,V)", _widened(ICmpPredicate.EQ)),)
_GREATER = (X86Row("Vi(V,V)", _widened(ICmpPredicate.SGT)),)
_SIGNED_ROWS = (X86Row("R(Vi,V,#,M)", _numbered(_SIGNED)),)
_SIGN_ROWS = (X86Row("R(Vi)", _signs),)

ROWS: Rows = {
    "sse2.pcmpeq.*": _EQUAL,
    "avx2.pcmpeq.*": _EQUAL,
    "sse2.pcmpgt.*": _GREATER,
    "avx2.pcmpgt.*": _GREATER,
    "avx512.mask.pcmpeq.*": (X86Row("R(Vi,V,M)", _masked(ICmpPredicate.EQ)),),
    "avx512.mask.pcmpgt.*": (X86Row("R(Vi,V,M)", _masked(ICmpPredicate.SGT)),),
    "avx512.mask.cmp.b*": _SIGNED_ROWS,
    "avx512.mask.cmp.w*": _SIGNED_ROWS,
    "avx512.mask.cmp.d*": _SIGNED_ROWS,
    "avx512.mask.cmp.q*": _SIGNED_ROWS,
    "avx512.mask.ucmp.*": (X86Row("R(Vi,V,#,M)", _numbered(_UNSIGNED)),),
    "avx512.ptestm*": (X86Row("R(Vi,V,M)", _tested(ICmpPredicate.NE)),),
    "avx512.ptestnm*": (X86Row("R(Vi,V,M)", _tested(ICmpPredicate.EQ)),),
    "avx512.cvtb2mask.*": _SIGN_ROWS,
    "avx512.cvtw2mask.*": _SIGN_ROWS,
    "avx512.cvtd2mask.*": _SIGN_ROWS,
    "avx512.cvtq2mask.*": _SIGN_ROWS,
    "avx512.cvtmask2*": (X86Row("Vi(M)", _spread_mask),),
    "avx512.mask.vpshufbitqmb.*": (X86Row("R(Vi8,V,M)", _truth_intrinsic("avx512.vpshufbitqmb.", _BYTE_SHAPES)),),
    "avx512.mask.fpclass.p*": (X86Row("R(Vf,#i32,M)", _truth_intrinsic("avx512.fpclass.", _FP_SHAPES)),),
    "avx512.cmp.p*": (
        X86Row("B(Vf,V,#i32)", _floating, lambda vectors: bit_width(vectors["V"]) < 512),
        X86Row("B(Vf,V,#i32,#i32)", _floating, lambda vectors: bit_width(vectors["V"]) == 512),
    ),
}
