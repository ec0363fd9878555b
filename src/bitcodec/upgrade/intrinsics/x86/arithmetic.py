"""Old intrinsics that compute element by element: sums, products, minima, square roots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.upgrade.intrinsics.x86.masks import element_count, is_four, masked
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row, x86_call
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.types import VectorType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]


def _binary(opcode: str) -> Expansion:
    """Return an instruction of the first two arguments."""
    return lambda rewriter: rewriter.binary(opcode, rewriter.arguments[0], rewriter.arguments[1])


def _generic(name: str) -> Expansion:
    """Return a call of a generic intrinsic, overloaded on the result, with the first two arguments."""
    return lambda rewriter: rewriter.intrinsic(name, [rewriter.call.type], rewriter.call.type, rewriter.arguments[:2])


def _with_false(name: str) -> Expansion:
    """Return a call of a generic intrinsic with the first argument and `false`: for `abs` and `ctlz` all is defined."""

    def expand(rewriter: CallRewriter) -> Value:
        type_ = rewriter.call.type
        return rewriter.intrinsic(name, [type_], type_, [rewriter.arguments[0], rewriter.integer(1, 0)])

    return expand


def _lowest(opcode: str) -> Expansion:
    """Return an instruction on the lowest elements; the others come from the first argument."""

    def expand(rewriter: CallRewriter) -> Value:
        first, second = rewriter.arguments
        lhs = rewriter.extract_element(first, 0, index_bits=32)
        rhs = rewriter.extract_element(second, 0, index_bits=32)
        return rewriter.insert_element(first, rewriter.binary(opcode, lhs, rhs), 0, index_bits=32)

    return expand


def _rounded(name: str) -> Expansion:
    """Return a call of an x86 intrinsic with the first two arguments and the rounding mode, which is the last one."""
    return lambda rewriter: x86_call(rewriter, name, *rewriter.arguments[:2], rewriter.arguments[-1])


def _square_root(rewriter: CallRewriter) -> Value:
    type_ = rewriter.call.type
    return rewriter.intrinsic("sqrt", [type_], type_, rewriter.arguments[:1])


def _lowest_square_root(rewriter: CallRewriter) -> Value:
    vector = rewriter.arguments[0]
    lowest = rewriter.extract_element(vector, 0)
    root = rewriter.intrinsic("sqrt", [lowest.type], lowest.type, [lowest])
    return rewriter.insert_element(vector, root, 0)


def _rounded_square_root(letter: str) -> Expansion:
    """Return a square root with the rounding mode of the last argument; 4 means the processor's present mode."""

    def expand(rewriter: CallRewriter) -> Value:
        if is_four(rewriter.arguments[3]):
            return _square_root(rewriter)
        return x86_call(rewriter, f"avx512.sqrt.p{letter}.512", rewriter.arguments[0], rewriter.arguments[3])

    return expand


def _low_product(*, is_signed: bool) -> Expansion:
    """Return the products of the lower halves of the 64-bit elements."""

    def low_half(rewriter: CallRewriter, value: Value) -> Value:
        count = element_count(value)
        if not is_signed:
            return rewriter.binary("and", value, rewriter.splat(count, rewriter.integer(64, 0xFFFFFFFF)))
        by = rewriter.splat(count, rewriter.integer(64, 32))
        return rewriter.binary("ashr", rewriter.binary("shl", value, by), by)

    def expand(rewriter: CallRewriter) -> Value:
        type_ = rewriter.call.type
        first, second = [rewriter.cast("bitcast", value, type_) for value in rewriter.arguments[:2]]
        return rewriter.binary("mul", low_half(rewriter, first), low_half(rewriter, second))

    return expand


def _add_with_carry(name: str, bits: int) -> Expansion:
    """Return the carry of a sum or difference; the result itself is stored."""

    def expand(rewriter: CallRewriter) -> Value:
        types = rewriter.types
        both = types.struct([types.integer(8), types.integer(bits)])
        result = rewriter.intrinsic(f"x86.{name}.{bits}", (), both, rewriter.arguments[:3])
        rewriter.store(rewriter.extract_value(result, 1), rewriter.arguments[3], 1)
        return rewriter.extract_value(result, 0)

    return expand


def _crc32(rewriter: CallRewriter) -> Value:
    i32 = rewriter.types.integer(32)
    crc, data = rewriter.arguments
    low = rewriter.cast("trunc", crc, i32)
    return rewriter.cast("zext", rewriter.intrinsic("x86.sse42.crc32.32.8", (), i32, [low, data]), rewriter.call.type)


def _is_512(vectors: Mapping[str, VectorType]) -> bool:
    return bit_width(vectors["V"]) == 512


def _both(signature: str, masked_signature: str, expand: Expansion) -> tuple[X86Row, X86Row]:
    """Return the rows of an operation without and with a mask."""
    return X86Row(signature, expand), X86Row(masked_signature, masked(expand))


def _named(names: str, rows: tuple[X86Row, ...]) -> Rows:
    return dict.fromkeys(names.split(), rows)


def _pair(expand: Expansion) -> tuple[X86Row, X86Row]:
    return _both("Vi(V,V)", "Vi(V,V,V,M)", expand)


def _floating(operation: str) -> Rows:
    """Return the rows of a masked floating-point operation, of which only the widest specifies how to round."""
    rows: Rows = {f"avx512.mask.{operation}.p*": (X86Row("Vf(V,V,V,M)", masked(_binary(f"f{operation}"))),)}
    return rows | _rounding(operation)


def _rounding(operation: str) -> Rows:
    return {
        f"avx512.mask.{operation}.p{letter}.512": (
            X86Row(
                f"V{element}(V,V,V,M,#i32)",
                masked(_rounded(f"avx512.{operation}.p{letter}.512"), otherwise=2, mask=3),
                _is_512,
            ),
        )
        for letter, element in (("s", "f32"), ("d", "f64"))
    }


ROWS: Rows = {
    **_named("sse2.padds.* avx2.padds.* avx512.padds.* avx512.mask.padds.*", _pair(_generic("sadd.sat"))),
    **_named("sse2.psubs.* avx2.psubs.* avx512.psubs.* avx512.mask.psubs.*", _pair(_generic("ssub.sat"))),
    **_named("sse2.paddus.* avx2.paddus.* avx512.mask.paddus.*", _pair(_generic("uadd.sat"))),
    **_named("sse2.psubus.* avx2.psubus.* avx512.mask.psubus.*", _pair(_generic("usub.sat"))),
    **_named("sse41.pmaxsb sse2.pmaxs.w sse41.pmaxsd avx2.pmaxs* avx512.mask.pmaxs*", _pair(_generic("smax"))),
    **_named("sse2.pmaxu.b sse41.pmaxuw sse41.pmaxud avx2.pmaxu* avx512.mask.pmaxu*", _pair(_generic("umax"))),
    **_named("sse41.pminsb sse2.pmins.w sse41.pminsd avx2.pmins* avx512.mask.pmins*", _pair(_generic("smin"))),
    **_named("sse2.pminu.b sse41.pminuw sse41.pminud avx2.pminu* avx512.mask.pminu*", _pair(_generic("umin"))),
    "avx512.mask.padd.*": (X86Row("Vi(V,V,V,M)", masked(_binary("add"))),),
    "avx512.mask.psub.*": (X86Row("Vi(V,V,V,M)", masked(_binary("sub"))),),
    "avx512.mask.pmull.*": (X86Row("Vi(V,V,V,M)", masked(_binary("mul"))),),
    **_named(
        "ssse3.pabs.b.128 ssse3.pabs.w.128 ssse3.pabs.d.128 avx2.pabs.* avx512.mask.pabs.*",
        _both("Vi(V)", "Vi(V,V,M)", _with_false("abs")),
    ),
    "avx512.mask.lzcnt.*": (X86Row("Vi(V,V,M)", masked(_with_false("ctlz"))),),
    **_named(
        "sse2.pmulu.dq avx2.pmulu.dq avx512.pmulu.dq.512 avx512.mask.pmulu.dq.*",
        _both("Vi64(=i32,=i32)", "Vi64(=i32,=i32,V,M)", _low_product(is_signed=False)),
    ),
    **_named(
        "sse41.pmuldq avx2.pmul.dq avx512.pmul.dq.512 avx512.mask.pmul.dq.*",
        _both("Vi64(=i32,=i32)", "Vi64(=i32,=i32,V,M)", _low_product(is_signed=True)),
    ),
    **_named("sse.add.ss sse2.add.sd", (X86Row("Vf(V,V)", _lowest("fadd")),)),
    **_named("sse.sub.ss sse2.sub.sd", (X86Row("Vf(V,V)", _lowest("fsub")),)),
    **_named("sse.mul.ss sse2.mul.sd", (X86Row("Vf(V,V)", _lowest("fmul")),)),
    **_named("sse.div.ss sse2.div.sd", (X86Row("Vf(V,V)", _lowest("fdiv")),)),
    **_floating("add"),
    **_floating("sub"),
    **_floating("mul"),
    **_floating("div"),
    **_rounding("max"),
    **_rounding("min"),
    **_named("sse.sqrt.p* sse2.sqrt.p* avx.sqrt.p*", (X86Row("Vf(V)", _square_root),)),
    **_named("sse.sqrt.ss sse2.sqrt.sd", (X86Row("Vf(V)", _lowest_square_root),)),
    "avx512.mask.sqrt.ps*": (
        X86Row("Vf(V,V,M)", masked(_square_root)),
        X86Row("Vf32(V,V,M,#i32)", masked(_rounded_square_root("s"), otherwise=1, mask=2), _is_512),
    ),
    "avx512.mask.sqrt.pd*": (
        X86Row("Vf(V,V,M)", masked(_square_root)),
        X86Row("Vf64(V,V,M,#i32)", masked(_rounded_square_root("d"), otherwise=1, mask=2), _is_512),
    ),
    **_named("addcarry.u32 addcarryx.u32", (X86Row("i8(i8,i32,i32,p)", _add_with_carry("addcarry", 32)),)),
    **_named("addcarry.u64 addcarryx.u64", (X86Row("i8(i8,i64,i64,p)", _add_with_carry("addcarry", 64)),)),
    "subborrow.u32": (X86Row("i8(i8,i32,i32,p)", _add_with_carry("subborrow", 32)),),
    "subborrow.u64": (X86Row("i8(i8,i64,i64,p)", _add_with_carry("subborrow", 64)),),
    "sse42.crc32.64.8": (X86Row("i64(i64,i8)", _crc32),),
}
