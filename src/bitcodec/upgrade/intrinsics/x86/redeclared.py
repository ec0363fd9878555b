"""Intrinsics whose types have changed: calls convert their arguments and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import VectorType
from bitcodec.upgrade.intrinsics.x86.masks import mask_number, mask_vector
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.rewriter import CallRewriter

    Convert = Callable[[CallRewriter, Value], Value]
    """Converts an argument to the new parameter type, or the result to the old return type."""

__all__ = ["ROWS"]

_WIDTHS = (128, 256, 512)


def _called(rewriter: CallRewriter, arguments: Sequence[Value]) -> Value:
    """Call the intrinsic with its present declaration; the new call takes the name of the old one."""
    call = rewriter.new_call(arguments)
    rewriter.take_name(call)
    return call


def _as_wide(types: TypeTable, type_: Type, element: Type) -> Type:
    """Return a vector of other elements that is as wide as another."""
    return types.vector(bit_width(type_) // scalar_width(element), element)


def _bytes(types: TypeTable, type_: Type) -> Type:
    return _as_wide(types, type_, types.integer(8))


def _words(types: TypeTable, type_: Type) -> Type:
    return _as_wide(types, type_, types.integer(16))


def _quads(types: TypeTable, type_: Type) -> Type:
    return _as_wide(types, type_, types.integer(64))


def _brain_floats(types: TypeTable, type_: Type) -> Type:
    return _as_wide(types, type_, types.bfloat)


def _integers(types: TypeTable, type_: Type) -> Type:
    return types.like(type_, types.integer(scalar_width(type_)))


def _byte(types: TypeTable, _type: Type) -> Type:
    return types.integer(8)


def _retyped(
    name: str,
    signature: str,
    retype: Callable[[TypeTable, Type], Type],
    places: Sequence[int],
    *,
    opcode: str = "bitcast",
    cast_name: str = "",
) -> Rows:
    """Return the row of an intrinsic of which the types in some places changed.

    Args:
        name: of the intrinsic.
        signature: the old one.
        retype: gives the new type of an old one.
        places: indices of the changed parameters; -1 is the result.
        opcode: how parameters are converted; results are by `bitcast`.
        cast_name: the name of the converted parameters.
    """

    def declares(types: TypeTable, old: FunctionType) -> FunctionType:
        result, *parameters = (
            retype(types, type_) if index in places else type_ for index, type_ in enumerate(old.element_types, -1)
        )
        return types.function(result, parameters)

    def expand(rewriter: CallRewriter) -> Value:
        new = declares(rewriter.types, rewriter.call.function_type)
        arguments = [
            rewriter.cast(opcode, argument, type_, cast_name)
            for argument, type_ in zip(rewriter.arguments, new.parameter_types, strict=True)
        ]
        result = _called(rewriter, arguments)
        return rewriter.cast("bitcast", result, rewriter.call.type)

    return {name: (X86Row(signature, expand, declares=declares),)}


def _compare(name: str, signature: str) -> Rows:
    """Return the row of a comparison that returns and takes masks as vectors now."""

    def truths(types: TypeTable, old: FunctionType) -> Type:
        return types.vector(cast("VectorType", old.parameter_types[0]).count, types.integer(1))

    def declares(types: TypeTable, old: FunctionType) -> FunctionType:
        bits = truths(types, old)
        first, second, number, _, *mode = old.parameter_types
        return types.function(bits, (first, second, number, bits, *mode))

    def expand(rewriter: CallRewriter) -> Value:
        bits = cast("VectorType", truths(rewriter.types, rewriter.call.function_type))
        first, second, number, mask, *mode = rewriter.arguments
        mask = mask_vector(rewriter, mask, bits.count)
        return mask_number(rewriter, _called(rewriter, (first, second, number, mask, *mode)))

    return {name: (X86Row(signature, expand, declares=declares),)}


def _without_first(name: str) -> Rows:
    """Return the row of an intrinsic that takes its second argument alone now."""

    def declares(types: TypeTable, old: FunctionType) -> FunctionType:
        return types.function(old.return_type, old.parameter_types[1:])

    def expand(rewriter: CallRewriter) -> Value:
        return _called(rewriter, rewriter.arguments[1:])

    return {name: (X86Row("Vf(V,V)", expand, declares=declares),)}


def _rdtscp() -> Rows:
    """Return the row of the time stamp counter, which now returns the value that it once stored."""

    def declares(types: TypeTable, _old: FunctionType) -> FunctionType:
        return types.function(types.struct([types.integer(64), types.integer(32)]))

    def expand(rewriter: CallRewriter) -> Value:
        both = _called(rewriter, ())
        rewriter.store(rewriter.extract_value(both, 1), rewriter.arguments[0], 1)
        return rewriter.extract_value(both, 0)

    return {"rdtscp": (X86Row("i64(p)", expand, declares=declares),)}


_NARROWED = {
    "sse41.insertps": "v4f32(v4f32,v4f32,#i32)",
    "sse41.dppd": "v2f64(v2f64,v2f64,#i32)",
    "sse41.dpps": "v4f32(v4f32,v4f32,#i32)",
    "sse41.mpsadbw": "v8i16(v16i8,v16i8,#i32)",
    "avx.dp.ps.256": "v8f32(v8f32,v8f32,#i32)",
    "avx2.mpsadbw": "v16i16(v32i8,v32i8,#i32)",
}
"""Intrinsics whose constant is narrower now."""

_OF_BRAIN_FLOATS = {
    "cvtne2ps2bf16.128": ("v8i16(v4f32,v4f32)", (-1,)),
    "cvtne2ps2bf16.256": ("v16i16(v8f32,v8f32)", (-1,)),
    "cvtne2ps2bf16.512": ("v32i16(v16f32,v16f32)", (-1,)),
    "mask.cvtneps2bf16.128": ("v8i16(v4f32,v8i16,v4i1)", (-1, 1)),
    "cvtneps2bf16.256": ("v8i16(v8f32)", (-1,)),
    "cvtneps2bf16.512": ("v16i16(v16f32)", (-1,)),
    "dpbf16ps.128": ("v4f32(v4f32,v4i32,v4i32)", (1, 2)),
    "dpbf16ps.256": ("v8f32(v8f32,v8i32,v8i32)", (1, 2)),
    "dpbf16ps.512": ("v16f32(v16f32,v16i32,v16i32)", (1, 2)),
}
"""Intrinsics of AVX-512 that had no type for brain floats, and the positions of these."""

_BYTE_PRODUCTS = ("ssd", "ssds", "sud", "suds", "uud", "uuds")
_WORD_PRODUCTS = ("sud", "suds", "usd", "usds", "uud", "uuds")


def _sums_of_products() -> Rows:
    """Return the rows of sums of products, whose factors were thought to be 32-bit integers."""
    rows: Rows = {}
    for width in _WIDTHS:
        isa = "avx10" if width == 512 else "avx2"
        names = {f"avx512.vpdp{kind}.{width}": _bytes for kind in ("busd", "busds")}
        names |= {f"avx512.vpdp{kind}.{width}": _words for kind in ("wssd", "wssds")}
        names |= {f"{isa}.vpdpb{kind}.{width}": _bytes for kind in _BYTE_PRODUCTS}
        names |= {f"{isa}.vpdpw{kind}.{width}": _words for kind in _WORD_PRODUCTS}
        for name, retype in names.items():
            vector = f"v{width // 32}i32"
            rows |= _retyped(name, f"{vector}({vector},{vector},{vector})", retype, (1, 2))
    return rows


def _comparisons() -> Rows:
    rows: Rows = {}
    for letter, size in (("s", 32), ("d", 64)):
        for width in _WIDTHS:
            mode = ",#i32" if width == 512 else ""
            vector = f"Vf{size}"
            rows |= _compare(f"avx512.mask.cmp.p{letter}.{width}", f"R({vector},V,#i32,M{mode})")
    return rows


def _permutations() -> Rows:
    """Return the rows of permutations whose choice was spelled in floating point."""
    rows: Rows = {}
    for name, vector in {"pd": "v2f64", "ps": "v4f32", "pd.256": "v4f64", "ps.256": "v8f32"}.items():
        rows |= _retyped(f"xop.vpermil2{name}", f"{vector}({vector},{vector},{vector},#i8)", _integers, (2,))
    return rows


def _all() -> Rows:
    rows = _rdtscp() | _without_first("xop.vfrcz.ss") | _without_first("xop.vfrcz.sd")
    rows["seh.recoverfp"] = (X86Row("p(p,p)", None, declares=lambda _, old: old, new="eh.recoverfp"),)
    for test in ("c", "z", "nzc"):
        rows |= _retyped(f"sse41.ptest{test}", "i32(v4f32,v4f32)", _quads, (0, 1), cast_name="cast")
    for name, signature in _NARROWED.items():
        rows |= _retyped(name, signature, _byte, (2,), opcode="trunc", cast_name="trunc")
    for name, (signature, places) in _OF_BRAIN_FLOATS.items():
        rows |= _retyped(f"avx512bf16.{name}", signature, _brain_floats, places)
    return rows | _sums_of_products() | _comparisons() | _permutations()


ROWS: Rows = _all()
