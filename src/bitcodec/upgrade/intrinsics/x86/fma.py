"""Old intrinsics that multiply and add in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.mangling import mangled
from bitcodec.named_tuple import NamedTuple
from bitcodec.upgrade.intrinsics.x86.masks import element_count, is_all_ones, is_four, masked
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row, x86_call
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.ir.types import IntegerType, VectorType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]


class _Signs(NamedTuple):
    """Operands of `a * b + c` that are negated."""

    product: bool
    addend: bool


_SIGNS = {
    "vfmadd": _Signs(product=False, addend=False),
    "vfmsub": _Signs(product=False, addend=True),
    "vfnmadd": _Signs(product=True, addend=False),
    "vfnmsub": _Signs(product=True, addend=True),
}

_OTHERWISE = {"mask": 0, "mask3": 2, "maskz": None}
"""Index of the argument that is selected where the mask bit is clear."""

_ADD_SUBTRACT = {"v4f32": "ps", "v8f32": "ps.256", "v2f64": "pd", "v4f64": "pd.256"}
"""The intrinsics that add and subtract in turn, by the shape they work on."""


def _fused(rewriter: CallRewriter, operands: Sequence[Value]) -> Value:
    type_ = operands[0].type
    return rewriter.intrinsic("fma", [type_], type_, operands)


def _plain(signs: _Signs) -> Expansion:
    """Return the operation on whole vectors."""

    def expand(rewriter: CallRewriter) -> Value:
        first, second, third = rewriter.arguments
        if signs.product:
            first = rewriter.fneg(first)
        if signs.addend:
            third = rewriter.fneg(third)
        return _fused(rewriter, (first, second, third))

    return expand


def _lowest(signs: _Signs) -> Expansion:
    """Return the operation on the lowest elements; the others come from the first argument."""

    def expand(rewriter: CallRewriter) -> Value:
        first, second, third = [rewriter.extract_element(value, 0) for value in rewriter.arguments]
        if signs.product:
            second = rewriter.fneg(second)
        if signs.addend:
            third = rewriter.fneg(third)
        return rewriter.insert_element(rewriter.arguments[0], _fused(rewriter, (first, second, third)), 0)

    return expand


def _lowest_alone(rewriter: CallRewriter) -> Value:
    """Return the operation on the lowest elements; the others are zero."""
    operands = [rewriter.extract_element(value, 0) for value in rewriter.arguments]
    return rewriter.insert_element(rewriter.zero(rewriter.call.type), _fused(rewriter, operands), 0)


def _signed(rewriter: CallRewriter, signs: _Signs, kind: str) -> list[Value]:
    """Return the first three arguments with the signs that a masked operation gives them."""
    operands = rewriter.arguments[:3]
    if signs.product:
        negated = 1 if kind == "mask" else 0
        operands[negated] = rewriter.fneg(operands[negated])
    if signs.addend:
        operands[2] = rewriter.fneg(operands[2])
    return operands


def _packed(signs: _Signs, kind: str) -> Expansion:
    """Return the masked operation on whole vectors; one that is given how to round it is the widest."""

    def expand(rewriter: CallRewriter) -> Value:
        operands = _signed(rewriter, signs, kind)
        rounding = rewriter.arguments[4:]
        if not rounding or is_four(rounding[0]):
            return _fused(rewriter, operands)
        letter = "s" if mangled(operands[0].type).endswith("f32") else "d"
        return x86_call(rewriter, f"avx512.vfmadd.p{letter}.512", *operands, *rounding)

    return masked(expand, otherwise=_OTHERWISE[kind], mask=3)


def _scalar(signs: _Signs, kind: str) -> Expansion:
    """Return the masked operation on the lowest elements."""
    place = 2 if kind == "mask3" else 0

    def expand(rewriter: CallRewriter) -> Value:
        vectors = _signed(rewriter, signs, kind)
        operands = [rewriter.extract_element(value, 0) for value in vectors]
        mask, rounding = rewriter.arguments[3:]
        type_ = operands[0].type
        if is_four(rounding):
            result = _fused(rewriter, operands)
        else:
            name = f"x86.avx512.vfmadd.{mangled(type_)}"
            result = rewriter.intrinsic(name, (), type_, [*operands, rounding])
        otherwise = rewriter.zero(type_) if kind == "maskz" else operands[place]
        if signs.addend and kind == "mask3":
            otherwise = rewriter.extract_element(rewriter.arguments[2], 0)
        chosen = _if_lowest(rewriter, mask, result, otherwise)
        return rewriter.insert_element(rewriter.arguments[place], chosen, 0)

    return expand


def _if_lowest(rewriter: CallRewriter, mask: Value, value: Value, otherwise: Value) -> Value:
    """Return `value` if the lowest bit of the mask is set."""
    if is_all_ones(mask):
        return value
    types = rewriter.types
    width = cast("IntegerType", mask.type).bit_width
    bits = rewriter.cast("bitcast", mask, types.vector(width, types.integer(1)))
    return rewriter.choose(rewriter.extract_element(bits, 0), value, otherwise)


def _alternating(kind: str, *, subtracts_odd: bool) -> Expansion:
    """Return the masked operation that subtracts in every other place, from the lowest on or from the one above it."""

    def in_turn(rewriter: CallRewriter) -> Value:
        operands = rewriter.arguments[:3]
        added = _fused(rewriter, operands)
        operands[2] = rewriter.fneg(operands[2])
        subtracted = _fused(rewriter, operands)
        even, odd = (added, subtracted) if subtracts_odd else (subtracted, added)
        count = element_count(even)
        return rewriter.shuffle(even, odd, [index + index % 2 * count for index in range(count)])

    def rounded(rewriter: CallRewriter) -> Value:
        operands = rewriter.arguments[:3]
        if subtracts_odd:
            operands[2] = rewriter.fneg(operands[2])
        letter = "s" if mangled(operands[0].type).endswith("f32") else "d"
        return x86_call(rewriter, f"avx512.vfmaddsub.p{letter}.512", *operands, rewriter.arguments[4])

    def expand(rewriter: CallRewriter) -> Value:
        return rounded(rewriter) if len(rewriter.arguments) > 4 else in_turn(rewriter)

    return masked(expand, otherwise=_OTHERWISE[kind], mask=3)


def _subtract_add(rewriter: CallRewriter) -> Value:
    """Return the operation that adds and subtracts in turn, of the negated third argument."""
    first, second, third = rewriter.arguments
    name = _ADD_SUBTRACT[mangled(first.type)]
    return x86_call(rewriter, f"fma.vfmaddsub.{name}", first, second, rewriter.fneg(third))


def _is_512(vectors: Mapping[str, VectorType]) -> bool:
    return bit_width(vectors["V"]) == 512


def _unmasked() -> Rows:
    rows: Rows = {}
    for name, signs in _SIGNS.items():
        rows[f"fma.{name}.p*"] = (X86Row("Vf(V,V,V)", _plain(signs)),)
        rows[f"fma.{name}.s*"] = (X86Row("Vf(V,V,V)", _lowest(signs)),)
    return rows


def _masked_rows(kind: str, name: str, expand: Expansion) -> Rows:
    """Return the rows of a masked operation on whole vectors."""
    return {
        f"avx512.{kind}.{name}.p*": (X86Row("Vf(V,V,V,M)", expand), X86Row("Vf(V,V,V,M,#i32)", expand, _is_512)),
    }


_MASKED = (
    ("mask", "vfmadd"),
    ("mask", "vfnmadd"),
    ("mask", "vfnmsub"),
    ("mask3", "vfmadd"),
    ("mask3", "vfmsub"),
    ("mask3", "vfnmsub"),
    ("maskz", "vfmadd"),
)

_SCALAR = (("mask", "vfmadd"), ("maskz", "vfmadd"), ("mask3", "vfmadd"), ("mask3", "vfmsub"), ("mask3", "vfnmsub"))


def _all_masked() -> Rows:
    rows: Rows = {}
    for kind, name in _MASKED:
        rows |= _masked_rows(kind, name, _packed(_SIGNS[name], kind))
    for kind, name in _SCALAR:
        rows[f"avx512.{kind}.{name}.s*"] = (X86Row("Vf(V,V,V,i8,#i32)", _scalar(_SIGNS[name], kind)),)
    for kind in ("mask", "mask3", "maskz"):
        rows |= _masked_rows(kind, "vfmaddsub", _alternating(kind, subtracts_odd=False))
    return rows | _masked_rows("mask3", "vfmsubadd", _alternating("mask3", subtracts_odd=True))


ROWS: Rows = {
    **_unmasked(),
    **_all_masked(),
    "fma.vfmsubadd.p*": (X86Row("Vf(V,V,V)", _subtract_add, lambda vectors: mangled(vectors["V"]) in _ADD_SUBTRACT),),
    "fma4.vfmadd.s*": (X86Row("Vf(V,V,V)", _lowest_alone),),
}
