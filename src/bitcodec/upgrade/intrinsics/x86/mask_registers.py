"""Old intrinsics on mask registers: they take and return masks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.upgrade.intrinsics.x86.masks import mask_vector
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row

if TYPE_CHECKING:
    from bitcodec.ir.types import IntegerType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]

_WIDTH = 16
"""Width in bits of the masks that all but `kunpck` work on."""


def _vectors(rewriter: CallRewriter) -> list[Value]:
    return [mask_vector(rewriter, mask, _WIDTH) for mask in rewriter.arguments]


def _combined(opcode: str, *, inverts_first: bool = False) -> Expansion:
    """Return an operation on two masks."""

    def expand(rewriter: CallRewriter) -> Value:
        lhs, rhs = _vectors(rewriter)
        if inverts_first:
            lhs = rewriter.invert(lhs)
        return rewriter.cast("bitcast", rewriter.binary(opcode, lhs, rhs), rewriter.call.type)

    return expand


def _inverted(rewriter: CallRewriter) -> Value:
    (mask,) = _vectors(rewriter)
    return rewriter.cast("bitcast", rewriter.invert(mask), rewriter.call.type)


def _tested(wanted: int) -> Expansion:
    """Return whether two masks together are a certain one."""

    def expand(rewriter: CallRewriter) -> Value:
        lhs, rhs = _vectors(rewriter)
        both = rewriter.cast("bitcast", rewriter.binary("or", lhs, rhs), rewriter.types.integer(_WIDTH))
        equal = rewriter.compare(ICmpPredicate.EQ, both, rewriter.integer(_WIDTH, wanted))
        return rewriter.cast("zext", equal, rewriter.call.type)

    return expand


def _unpacked(rewriter: CallRewriter) -> Value:
    """Return the lower half of the second mask, with the lower half of the first one above it."""
    width = cast("IntegerType", rewriter.call.type).bit_width
    vectors = [mask_vector(rewriter, mask, width) for mask in rewriter.arguments]
    high, low = [rewriter.shuffle(vector, vector, range(width // 2)) for vector in vectors]
    return rewriter.cast("bitcast", rewriter.shuffle(low, high, range(width)), rewriter.call.type)


def _on_two(expand: Expansion) -> tuple[X86Row]:
    return (X86Row("i16(i16,i16)", expand),)


ROWS: Rows = {
    "avx512.kand.w": _on_two(_combined("and")),
    "avx512.kandn.w": _on_two(_combined("and", inverts_first=True)),
    "avx512.kor.w": _on_two(_combined("or")),
    "avx512.kxor.w": _on_two(_combined("xor")),
    "avx512.kxnor.w": _on_two(_combined("xor", inverts_first=True)),
    "avx512.knot.w": (X86Row("i16(i16)", _inverted),),
    "avx512.kortestc.w": (X86Row("i32(i16,i16)", _tested(-1)),),
    "avx512.kortestz.w": (X86Row("i32(i16,i16)", _tested(0)),),
    "avx512.kunpck*": (X86Row("K(K,K)", _unpacked),),
}
