"""Old masked intrinsics that become intrinsics without a mask, chosen by the shape of the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.mangling import mangled
from bitcodec.upgrade.intrinsics.x86.masks import blended, masked
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row, x86_call
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.intrinsics.x86.rows import Condition
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]

Names = dict[str, str]
"""Names of x86 intrinsics, by the shape of their result."""

_WIDTHS = (128, 256, 512)

_ENDINGS = {"i8": "qi", "i16": "hi", "i32": "d", "i64": "q", "f32": "ps", "f64": "pd"}
"""How the names of AVX-512 intrinsics spell elements."""


def _shape(element: str, width: int) -> str:
    return f"v{width // int(element[1:])}{element}"


def _by_shape(prefix: str, *elements: str) -> Names:
    """Return the AVX-512 intrinsics whose names give the shape."""
    return {
        _shape(element, width): f"avx512.{prefix}.{_ENDINGS[element]}.{width}"
        for element in elements
        for width in _WIDTHS
    }


def _by_width(element: str, *names: str) -> Names:
    """Return the intrinsics for 128, 256 and, if there is one, 512 bits of these elements."""
    return {_shape(element, width): name for width, name in zip(_WIDTHS, names, strict=False)}


def _called(names: Names, *order: int) -> Expansion:
    """Return a call of the intrinsic for the shape of the result, with arguments in this order."""

    def expand(rewriter: CallRewriter) -> Value:
        arguments = [rewriter.arguments[index] for index in order]
        return x86_call(rewriter, names[mangled(rewriter.call.type)], *arguments)

    return expand


def _known(names: Names) -> Condition:
    return lambda vectors: mangled(vectors["V"]) in names


def _merging(parameters: str, *tables: Names) -> tuple[X86Row]:
    """Return the row of an intrinsic that takes, after its own parameters, the values for clear mask bits."""
    names = {shape: name for table in tables for shape, name in table.items()}
    call = _called(names, *range(parameters.count(",") + 1))
    return (X86Row(f"V({parameters},V,M)", masked(call), _known(names)),)


def _accumulating(operation: str, parameters: str, names: Names) -> Rows:
    """Return the rows of an intrinsic with its first argument, or zero, as the values for clear mask bits."""
    call = _called(names, *range(parameters.count(",") + 1))
    return {
        f"avx512.{kind}.{operation}": (X86Row(f"V({parameters},M)", masked(call, otherwise), _known(names)),)
        for kind, otherwise in (("mask", 0), ("maskz", None))
    }


_PERMUTE_TWO = _by_shape("vpermi2var", *_ENDINGS)


def _permute_two(rewriter: CallRewriter) -> Value:
    """Return a permutation of the first and third argument by the second, which replaces it for clear mask bits."""
    arguments = rewriter.arguments
    type_ = rewriter.call.type
    result = x86_call(rewriter, _PERMUTE_TWO[mangled(type_)], *arguments[:3])
    return blended(rewriter, arguments[3], result, rewriter.cast("bitcast", arguments[1], type_))


def _dot_product(operation: str, size: int) -> Rows:
    """Return the rows of a sum of products; `size` is the size of a factor in bits, which once was assumed to be 32."""
    names = _by_width("i32", *(f"avx512.{operation}.{width}" for width in _WIDTHS))

    def expand(rewriter: CallRewriter) -> Value:
        sums, *factors = rewriter.arguments[:3]
        type_ = rewriter.types.vector(bit_width(sums.type) // size, rewriter.types.integer(size))
        cast = [rewriter.cast("bitcast", factor, type_) for factor in factors]
        return x86_call(rewriter, names[mangled(sums.type)], sums, *cast)

    return {
        f"avx512.{kind}.{operation}.*": tuple(
            X86Row(f"Vi32(V,{factor},{factor},M)", masked(expand, otherwise)) for factor in ("V", f"=i{size}")
        )
        for kind, otherwise in (("mask", 0), ("maskz", None))
    }


def _multiply_add_52(half: str) -> Rows:
    """Return the rows of 52-bit products of which one half is added."""
    names = _by_width("i64", *(f"avx512.vpmadd52{half}.uq.{width}" for width in _WIDTHS))
    return _accumulating(f"vpmadd52{half}*", "V,V,V", names)


_EXTREMA = {
    f"avx512.mask.{name}.p*": _merging(
        "V,V",
        _by_width("f32", f"sse.{name}.ps", f"avx.{name}.ps.256"),
        _by_width("f64", f"sse2.{name}.pd", f"avx.{name}.pd.256"),
    )
    for name in ("max", "min")
}

_PERMUTE = {
    "v8f32": "avx2.permps",
    "v8i32": "avx2.permd",
    "v4f64": "avx512.permvar.df.256",
    "v4i64": "avx512.permvar.di.256",
    "v16f32": "avx512.permvar.sf.512",
    "v16i32": "avx512.permvar.si.512",
    "v8f64": "avx512.permvar.df.512",
    "v8i64": "avx512.permvar.di.512",
}

_PACKS = {
    "packsswb": ("=i16", "i8", "sse2.packsswb.128"),
    "packssdw": ("=i32", "i16", "sse2.packssdw.128"),
    "packuswb": ("=i16", "i8", "sse2.packuswb.128"),
    "packusdw": ("=i32", "i16", "sse41.packusdw"),
}

ROWS: Rows = {
    **_EXTREMA,
    "avx512.mask.pshuf.b.*": _merging(
        "V,V", _by_width("i8", "ssse3.pshuf.b.128", "avx2.pshuf.b", "avx512.pshuf.b.512")
    ),
    "avx512.mask.pmul.hr.sw.*": _merging(
        "V,V", _by_width("i16", "ssse3.pmul.hr.sw.128", "avx2.pmul.hr.sw", "avx512.pmul.hr.sw.512")
    ),
    "avx512.mask.pmulh.w.*": _merging("V,V", _by_width("i16", "sse2.pmulh.w", "avx2.pmulh.w", "avx512.pmulh.w.512")),
    "avx512.mask.pmulhu.w.*": _merging(
        "V,V", _by_width("i16", "sse2.pmulhu.w", "avx2.pmulhu.w", "avx512.pmulhu.w.512")
    ),
    "avx512.mask.pavg*": _merging(
        "V,V",
        _by_width("i8", "sse2.pavg.b", "avx2.pavg.b", "avx512.pavg.b.512"),
        _by_width("i16", "sse2.pavg.w", "avx2.pavg.w", "avx512.pavg.w.512"),
    ),
    "avx512.mask.pmaddw.d.*": _merging(
        "=i16,=i16", _by_width("i32", "sse2.pmadd.wd", "avx2.pmadd.wd", "avx512.pmaddw.d.512")
    ),
    "avx512.mask.pmaddubs.w.*": _merging(
        "=i8,=i8", _by_width("i16", "ssse3.pmadd.ub.sw.128", "avx2.pmadd.ub.sw", "avx512.pmaddubs.w.512")
    ),
    **{
        f"avx512.mask.{name}.*": _merging(
            f"{source},{source}", _by_width(element, narrow, f"avx2.{name}", f"avx512.{name}.512")
        )
        for name, (source, element, narrow) in _PACKS.items()
    },
    "avx512.mask.vpermilvar.*": _merging(
        "V,~V",
        _by_width("f32", "avx.vpermilvar.ps", "avx.vpermilvar.ps.256", "avx512.vpermilvar.ps.512"),
        _by_width("f64", "avx.vpermilvar.pd", "avx.vpermilvar.pd.256", "avx512.vpermilvar.pd.512"),
    ),
    "avx512.mask.permvar.*": _merging("V,~V", _PERMUTE, _by_shape("permvar", "i16", "i8")),
    "avx512.mask.cvtpd2dq.256": _merging("v4f64", {"v4i32": "avx.cvt.pd2dq.256"}),
    "avx512.mask.cvtpd2ps.256": _merging("v4f64", {"v4f32": "avx.cvt.pd2.ps.256"}),
    "avx512.mask.cvttpd2dq.256": _merging("v4f64", {"v4i32": "avx.cvtt.pd2dq.256"}),
    "avx512.mask.cvttps2dq.128": _merging("v4f32", {"v4i32": "sse2.cvttps2dq"}),
    "avx512.mask.cvttps2dq.256": _merging("v8f32", {"v8i32": "avx.cvtt.ps2dq.256"}),
    "avx512.mask.dbpsadbw.*": _merging(
        "=i8,=i8,#i32", _by_width("i16", *(f"avx512.dbpsadbw.{width}" for width in _WIDTHS))
    ),
    "avx512.mask.pmultishift.qb.*": _merging(
        "V,V", _by_width("i8", *(f"avx512.pmultishift.qb.{width}" for width in _WIDTHS))
    ),
    "avx512.mask.conflict.*": _merging("V", _by_shape("conflict", "i32", "i64")),
    **_accumulating("pternlog.*", "V,V,V,#i32", _by_shape("pternlog", "i32", "i64")),
    **_multiply_add_52("l"),
    **_multiply_add_52("h"),
    "avx512.mask.vpermi2var.*": (X86Row("V(V,~V,V,M)", _permute_two),),
    "avx512.mask.vpermt2var.*": (
        X86Row("V(~V,V,V,M)", masked(_called(_PERMUTE_TWO, 1, 0, 2), 1), _known(_PERMUTE_TWO)),
    ),
    "avx512.maskz.vpermt2var.*": (
        X86Row("V(~V,V,V,M)", masked(_called(_PERMUTE_TWO, 1, 0, 2), None), _known(_PERMUTE_TWO)),
    ),
    **_dot_product("vpdpbusd", 8),
    **_dot_product("vpdpbusds", 8),
    **_dot_product("vpdpwssd", 16),
    **_dot_product("vpdpwssds", 16),
}
