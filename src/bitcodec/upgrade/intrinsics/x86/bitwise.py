"""Old intrinsics that work on bits, regardless of elements, and those of XOP and single elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.type_properties import scalar_width
from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.upgrade.intrinsics.x86.masks import masked
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row

if TYPE_CHECKING:
    from bitcodec.ir.types import VectorType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]


def _bitwise(opcode: str, *, inverts_first: bool = False) -> Expansion:
    """Return an operation on the bits of two vectors."""

    def expand(rewriter: CallRewriter) -> Value:
        type_ = cast("VectorType", rewriter.call.type)
        integers = rewriter.types.like(type_, rewriter.types.integer(scalar_width(type_)))
        first, second = rewriter.arguments[:2]
        lhs = rewriter.cast("bitcast", first, integers)
        if inverts_first:
            lhs = rewriter.invert(lhs)
        rhs = rewriter.cast("bitcast", second, integers)
        return rewriter.cast("bitcast", rewriter.binary(opcode, lhs, rhs), type_)

    return expand


def _chosen_bits(rewriter: CallRewriter) -> Value:
    """Return the bits of the first argument where the third has ones, of the second elsewhere."""
    first, second, selector = rewriter.arguments
    inverted = rewriter.invert(selector)
    ones = rewriter.binary("and", first, selector)
    return rewriter.binary("or", ones, rewriter.binary("and", second, inverted))


def _moved_lowest(rewriter: CallRewriter) -> Value:
    """Return the first argument with the lowest element of the second, or of the third where the mask is clear."""
    whole, second, third, mask = rewriter.arguments
    lowest_bit = rewriter.binary("and", mask, rewriter.integer(8, 1))
    is_set = rewriter.compare(ICmpPredicate.NE, lowest_bit, rewriter.integer(8, 0))
    moved = rewriter.extract_element(second, 0)
    kept = rewriter.extract_element(third, 0)
    return rewriter.insert_element(whole, rewriter.choose(is_set, moved, kept), 0)


def _both(expand: Expansion) -> tuple[X86Row]:
    return (X86Row("V(V,V,V,M)", masked(expand)),)


ROWS: Rows = {
    "avx512.mask.and.*": _both(_bitwise("and")),
    "avx512.mask.pand.*": _both(_bitwise("and")),
    "avx512.mask.andn.*": _both(_bitwise("and", inverts_first=True)),
    "avx512.mask.pandn.*": _both(_bitwise("and", inverts_first=True)),
    "avx512.mask.or.*": _both(_bitwise("or")),
    "avx512.mask.por.*": _both(_bitwise("or")),
    "avx512.mask.xor.*": _both(_bitwise("xor")),
    "avx512.mask.pxor.*": _both(_bitwise("xor")),
    "avx512.mask.move.s*": (X86Row("Vf(V,V,V,i8)", _moved_lowest),),
    "xop.vpcmov": (X86Row("Vi(V,V,V)", _chosen_bits),),
    "xop.vpcmov.256": (X86Row("Vi(V,V,V)", _chosen_bits),),
}
