"""Old intrinsics that shift and rotate."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import IntegerType, VectorType
from bitcodec.upgrade.intrinsics.x86.masks import masked
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row, x86_call
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]

_LANE = 16
"""Size of a lane in bytes: whole bytes shift within lanes."""

_LETTERS = {16: "w", 32: "d", 64: "q"}


def _left(count: int, shift: int) -> list[int]:
    """Return the sources of bytes shifted left: indices of zeros, followed by `count` bytes of data."""
    places = [index - shift + (_LANE if index < shift else count) for index in range(_LANE)]
    return [lane + place for lane in range(0, count, _LANE) for place in places]


def _right(count: int, shift: int) -> list[int]:
    """Return the sources of bytes shifted right: indices of `count` bytes of data, followed by zeros."""
    places = [index + shift + (0 if index + shift < _LANE else count - _LANE) for index in range(_LANE)]
    return [lane + place for lane in range(0, count, _LANE) for place in places]


def _byte_shift(*, to_left: bool, in_bits: bool) -> Expansion:
    """Return a shift by whole bytes; the second argument specifies how many, or how many bits they are."""

    def expand(rewriter: CallRewriter) -> Value:
        value, amount = rewriter.arguments
        shift = cast("ConstantInt", amount).unsigned // (8 if in_bits else 1)
        count = bit_width(value.type) // 8
        bytes_ = rewriter.types.vector(count, rewriter.types.integer(8))
        data = rewriter.cast("bitcast", value, bytes_, "cast")
        zeros = rewriter.zero(bytes_)
        if shift >= _LANE:
            data = zeros
        elif to_left:
            data = rewriter.shuffle(zeros, data, _left(count, shift))
        else:
            data = rewriter.shuffle(data, zeros, _right(count, shift))
        return rewriter.cast("bitcast", data, rewriter.call.type, "cast")

    return expand


def _shift(direction: str, form: str) -> Expansion:
    """Return a call of the x86 intrinsic for the elements and the width of the result.

    Args:
        direction: `ll`, `rl` or `ra`.
        form: "i" for one amount in an integer, "" for one in a vector, "v" for one for each element.
    """

    def expand(rewriter: CallRewriter) -> Value:
        type_ = rewriter.call.type
        name = _shift_name(direction, form, _LETTERS[scalar_width(type_)], bit_width(type_))
        return x86_call(rewriter, name, *rewriter.arguments[:2])

    return expand


def _shift_name(direction: str, form: str, letter: str, width: int) -> str:
    """Return the intrinsic of the instruction set that first had the shift."""
    operation = f"ps{direction}{form}.{letter}"
    if width == 512 or (form == "v" and letter == "w") or (direction == "ra" and letter == "q"):
        return f"avx512.{operation}.{width}"
    if form == "v":
        return f"avx2.{operation}" + (".256" if width == 256 else "")
    return f"{'avx2' if width == 256 else 'sse2'}.{operation}"


def _spread(rewriter: CallRewriter, amount: Value) -> Value:
    """Return an amount for each element, of one for all if need be; only its lowest bits count."""
    type_ = cast("VectorType", rewriter.call.type)
    if amount.type is type_:
        return amount
    element = cast("IntegerType", type_.element_type)
    width = cast("IntegerType", amount.type).bit_width
    amount = rewriter.cast("zext" if width < element.bit_width else "trunc", amount, element)
    return rewriter.splat(type_.count, amount)


def _rotation(direction: str) -> Expansion:
    def expand(rewriter: CallRewriter) -> Value:
        value, amount = rewriter.arguments[:2]
        return _funnel(rewriter, direction, value, value, amount)

    return expand


def _concatenated(direction: str) -> Expansion:
    """Return a shift of the first two arguments together."""

    def expand(rewriter: CallRewriter) -> Value:
        first, second, amount = rewriter.arguments[:3]
        high, low = (first, second) if direction == "l" else (second, first)
        return _funnel(rewriter, direction, high, low, amount)

    return expand


def _funnel(rewriter: CallRewriter, direction: str, high: Value, low: Value, amount: Value) -> Value:
    type_: Type = rewriter.call.type
    return rewriter.intrinsic(f"fsh{direction}", [type_], type_, [high, low, _spread(rewriter, amount)])


def _has_shifts(vectors: Mapping[str, VectorType]) -> bool:
    return scalar_width(vectors["V"]) in _LETTERS


def _shifts(direction: str) -> Rows:
    """Return the rows of masked shifts."""

    def row(amount: str, form: str) -> X86Row:
        return X86Row(f"Vi(V,{amount},V,M)", masked(_shift(direction, form)), _has_shifts)

    by_all = row("i32", "i"), row("128V", "")
    names = ("{}.d*", "{}.q*", "{}.w*", "{}i*")
    return {f"avx512.mask.{name.format('ps' + direction)}": by_all for name in names} | {
        f"avx512.mask.ps{direction}v*": (row("V", "v"),)
    }


def _rotations(direction: str) -> Rows:
    plain = _rotation(direction)
    by_each, by_one = X86Row("Vi(V,V)", plain), X86Row("Vi(V,i32)", plain)
    with_mask = tuple(X86Row(f"Vi(V,{amount},V,M)", masked(plain)) for amount in ("V", "i32"))
    rows: Rows = {f"avx512.pro{direction}*": (by_each, by_one)}
    rows |= dict.fromkeys((f"avx512.mask.pro{direction}.*", f"avx512.mask.pro{direction}v.*"), with_mask)
    return rows | ({"xop.vprot*": (by_each, X86Row("Vi(V,i8)", plain))} if direction == "l" else {})


def _concatenations(direction: str) -> Rows:
    plain = _concatenated(direction)
    by_one = X86Row("Vi(V,V,i32)", plain), X86Row("Vi(V,V,i32,V,M)", masked(plain))
    name = f"vpsh{direction}d"
    return {
        f"avx512.{name}.*": by_one,
        f"avx512.mask.{name}.*": by_one,
        f"avx512.mask.{name}v.*": (X86Row("Vi(V,V,V,M)", masked(plain, otherwise=0)),),
        f"avx512.maskz.{name}v.*": (X86Row("Vi(V,V,V,M)", masked(plain, otherwise=None)),),
    }


def _byte_shifts(letter: str) -> Rows:
    """Return the rows of shifts by whole bytes: their amount is in bits, or in bytes."""
    name = f"ps{letter}l.dq"
    units = {
        True: (f"sse2.{name}", f"avx2.{name}"),
        False: (f"sse2.{name}.bs", f"avx2.{name}.bs", f"avx512.{name}.512"),
    }
    rows: Rows = {}
    for in_bits, names in units.items():
        rows |= dict.fromkeys(names, (X86Row("Vi64(V,#)", _byte_shift(to_left=letter == "l", in_bits=in_bits)),))
    return rows


ROWS: Rows = {
    **_byte_shifts("l"),
    **_byte_shifts("r"),
    **_shifts("ll"),
    **_shifts("rl"),
    **_shifts("ra"),
    **_rotations("l"),
    **_rotations("r"),
    **_concatenations("l"),
    **_concatenations("r"),
}
