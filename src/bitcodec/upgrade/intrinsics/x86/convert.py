"""Old intrinsics that convert between numbers of different kinds and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import VectorType
from bitcodec.upgrade.intrinsics.x86.masks import element_count, is_four, masked
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]


def _low_elements(rewriter: CallRewriter, vector: Value) -> Value:
    """Return as many elements as the result has; a vector without more is unchanged."""
    count = cast("VectorType", rewriter.call.type).count
    return vector if element_count(vector) == count else rewriter.shuffle(vector, vector, range(count))


def _converted(opcode: str, name: str) -> Expansion:
    """Return the lowest elements of the first argument converted."""

    def expand(rewriter: CallRewriter) -> Value:
        return rewriter.cast(opcode, _low_elements(rewriter, rewriter.arguments[0]), rewriter.call.type, name)

    return expand


def _rounded(opcode: str) -> Expansion:
    """Return integers converted to floating point, with the rounding mode of the last argument."""
    plain = _converted(opcode, "cvt")

    def expand(rewriter: CallRewriter) -> Value | None:
        source, *_, rounding = rewriter.arguments
        if is_four(rounding):
            return plain(rewriter)
        type_ = rewriter.call.type
        return rewriter.intrinsic(f"x86.avx512.{opcode}.round", [type_, source.type], type_, [source, rounding])

    return expand


def _from_half(rewriter: CallRewriter) -> Value:
    low = _low_elements(rewriter, rewriter.arguments[0])
    halves = rewriter.cast("bitcast", low, rewriter.types.like(low.type, rewriter.types.half))
    return rewriter.cast("fpext", halves, rewriter.call.type, "cvtph2ps")


def _into_lowest(opcode: str) -> Expansion:
    """Return the first argument with the second one, converted, for its lowest element."""

    def expand(rewriter: CallRewriter) -> Value:
        vector, number = rewriter.arguments
        if isinstance(number.type, VectorType):
            number = rewriter.extract_element(number, 0)
        return rewriter.insert_element(vector, rewriter.cast(opcode, number, vector.type.scalar_type), 0)

    return expand


def _extended(opcode: str) -> Expansion:
    """Return the lowest elements of the first argument extended."""

    def expand(rewriter: CallRewriter) -> Value:
        source = rewriter.arguments[0]
        count = cast("VectorType", rewriter.call.type).count
        low = rewriter.shuffle(source, rewriter.poison(source.type), range(count))
        return rewriter.cast(opcode, low, rewriter.call.type)

    return expand


def _truncated(rewriter: CallRewriter) -> Value:
    return rewriter.cast("trunc", rewriter.arguments[0], rewriter.call.type)


def _has_enough(vectors: Mapping[str, VectorType]) -> bool:
    """Return whether there is an element to convert for each of the result; none is too many but in 128 bits."""
    source, result = vectors["W"], vectors["V"]
    return source.count == result.count or (source.count > result.count and bit_width(source) == 128)


def _has_as_many(vectors: Mapping[str, VectorType]) -> bool:
    return vectors["W"].count == vectors["V"].count


def _is_widened(vectors: Mapping[str, VectorType]) -> bool:
    return _has_enough(vectors) and scalar_width(vectors["W"]) < scalar_width(vectors["V"])


def _is_narrowed(vectors: Mapping[str, VectorType]) -> bool:
    return _has_as_many(vectors) and scalar_width(vectors["W"]) > scalar_width(vectors["V"])


_SINGLE_TO_DOUBLE = _converted("fpext", "cvtps2pd")


def _from_integers(names: str, masked_names: str, opcode: str) -> Rows:
    """Return the rows of conversions to floating point, without a mask and with one; some specify how to round."""
    plain = _converted(opcode, "cvt")
    rows: Rows = dict.fromkeys(names.split(), (X86Row("Vf(Wi)", plain, _has_enough),))
    with_mask = (
        X86Row("Vf(Wi,V,M)", masked(plain), _has_enough),
        X86Row("Vf(Wi,V,M,#i32)", masked(_rounded(opcode), otherwise=1, mask=2), _has_as_many),
    )
    return rows | {f"avx512.mask.{name}": with_mask for name in masked_names.split()}


def _extensions(letter: str, opcode: str) -> Rows:
    plain = _extended(opcode)
    rows = (X86Row("Vi(Wi)", plain, _is_widened), X86Row("Vi(Wi,V,M)", masked(plain), _is_widened))
    return dict.fromkeys((f"{isa}.pmov{letter}x*" for isa in ("sse41", "avx2", "avx512.mask")), rows)


ROWS: Rows = {
    **_from_integers(
        "sse2.cvtdq2pd sse2.cvtdq2ps avx.cvtdq2.pd.256 avx.cvtdq2.ps.256",
        "cvtdq2pd.* cvtdq2ps.* cvtqq2pd.* cvtqq2ps.256 cvtqq2ps.512",
        "sitofp",
    ),
    **_from_integers("", "cvtudq2pd.* cvtudq2ps.* cvtuqq2pd.* cvtuqq2ps.256 cvtuqq2ps.512", "uitofp"),
    **dict.fromkeys(
        ("sse2.cvtps2pd", "avx.cvt.ps2.pd.256", "avx512.mask.cvtps2pd.128", "avx512.mask.cvtps2pd.256"),
        (
            X86Row("Vf64(Wf32)", _SINGLE_TO_DOUBLE, _has_enough),
            X86Row("Vf64(Wf32,V,M)", masked(_SINGLE_TO_DOUBLE), _has_enough),
        ),
    ),
    **dict.fromkeys(
        ("vcvtph2ps.*", "avx512.mask.vcvtph2ps.128", "avx512.mask.vcvtph2ps.256"),
        (
            X86Row("Vf32(Wi16)", _from_half, _has_enough),
            X86Row("Vf32(Wi16,V,M)", masked(_from_half), _has_enough),
        ),
    ),
    "sse.cvtsi2ss": (X86Row("Vf32(V,i32)", _into_lowest("sitofp")),),
    "sse.cvtsi642ss": (X86Row("Vf32(V,i64)", _into_lowest("sitofp")),),
    "sse2.cvtsi2sd": (X86Row("Vf64(V,i32)", _into_lowest("sitofp")),),
    "sse2.cvtsi642sd": (X86Row("Vf64(V,i64)", _into_lowest("sitofp")),),
    "avx512.cvtusi2sd": (X86Row("Vf64(V,i32)", _into_lowest("uitofp")),),
    "sse2.cvtss2sd": (X86Row("Vf64(V,Wf32)", _into_lowest("fpext")),),
    **_extensions("s", "sext"),
    **_extensions("z", "zext"),
    **dict.fromkeys(
        ("avx512.mask.pmov.qd.256", "avx512.mask.pmov.qd.512", "avx512.mask.pmov.wb.256", "avx512.mask.pmov.wb.512"),
        (X86Row("Vi(Wi,V,M)", masked(_truncated), _is_narrowed),),
    ),
}
