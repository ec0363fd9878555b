"""Old intrinsics of 64-bit ARM.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.upgrade.intrinsics.arm_family import family_rows
from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.types import VectorType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["TABLE"]

_LOW_HALF, _WHOLE = tuple(range(4)), tuple(range(8))


def _narrowed(rewriter: CallRewriter) -> Value:
    return rewriter.cast("fptrunc", rewriter.arguments[0], rewriter.types.bfloat)


def _narrowed_low(rewriter: CallRewriter) -> Value:
    """Return a vector with narrowed numbers in the low half, zero in the high half."""
    half = rewriter.types.vector(4, rewriter.types.bfloat)
    narrow = rewriter.cast("fptrunc", rewriter.arguments[0], half)
    return rewriter.shuffle(narrow, rewriter.zero(half), _WHOLE)


def _narrowed_high(rewriter: CallRewriter) -> Value:
    """Return a vector with narrowed numbers in the high half."""
    old, wide = rewriter.arguments
    low = rewriter.shuffle(old, rewriter.poison(old.type), _LOW_HALF)
    return rewriter.shuffle(low, rewriter.cast("fptrunc", wide, low.type), _WHOLE)


def _with_long_predicate(base: str) -> Expansion:
    """Return a call of an intrinsic whose predicate has the wider element type now."""

    def expand(rewriter: CallRewriter) -> Value:
        old, predicate, wide = rewriter.arguments
        i1 = rewriter.types.integer(1)
        every = rewriter.types.vector(16, i1, is_scalable=True)
        some = rewriter.types.vector(4, i1, is_scalable=True)
        bits = rewriter.intrinsic("aarch64.sve.convert.to.svbool", [predicate.type], every, [predicate])
        predicate = rewriter.intrinsic("aarch64.sve.convert.from.svbool", [some], some, [bits])
        return rewriter.intrinsic(base, [], rewriter.call.type, [old, predicate, wide], rewriter.call.name)

    return expand


def _inserted(rewriter: CallRewriter, whole: Value, part: Value, place: int) -> Value:
    arguments = [whole, part, rewriter.integer(64, place)]
    return rewriter.intrinsic("vector.insert", [whole.type, part.type], whole.type, arguments)


def _joined(rewriter: CallRewriter, parts: Iterable[Value], count: int) -> Value:
    """Return so many vectors joined into the result of the call, whose name it takes."""
    type_ = cast("VectorType", rewriter.call.type)
    whole: Value = rewriter.poison(type_)
    for index, part in enumerate(parts):
        whole = _inserted(rewriter, whole, part, index * (type_.count // count))
    rewriter.take_name(whole)
    return whole


def _structured_load(count: int) -> Expansion:
    """Return a load of so many vectors, which it returns one by one now."""

    def expand(rewriter: CallRewriter) -> Value:
        loaded = rewriter.new_call(rewriter.arguments)
        return _joined(rewriter, (rewriter.extract_value(loaded, index) for index in range(count)), count)

    return expand


def _tuple_element(rewriter: CallRewriter) -> Value:
    whole, index = rewriter.arguments
    element = cast("VectorType", rewriter.call.type)
    call = rewriter.new_call([whole, rewriter.integer(64, cast("ConstantInt", index).unsigned * element.count)])
    rewriter.take_name(call)
    return call


def _tuple_with_element(rewriter: CallRewriter) -> Value:
    whole, index, part = rewriter.arguments
    place = cast("ConstantInt", index).unsigned * cast("VectorType", part.type).count
    call = _inserted(rewriter, whole, part, place)
    rewriter.take_name(call)
    return call


def _tuple_of_all(rewriter: CallRewriter) -> Value:
    return _joined(rewriter, rewriter.arguments, len(rewriter.arguments))


def _lane(name: str) -> OldIntrinsic:
    return OldIntrinsic(
        "nxv4f32(nxv4f32,nxv8bf16,nxv8bf16,#i64)",
        f"aarch64.sve.{name}.lane.v2",
        "nxv4f32(nxv4f32,nxv8bf16,nxv8bf16,i32)",
        "0 1 2 3",
    )


def _load(count: int) -> OldIntrinsic:
    elements = ",".join(["R/M"] * count)
    return OldIntrinsic(
        "R:s(M:s,P:p)", f"aarch64.sve.ld{count}.sret R/M", f"{{{elements}}}(M,P)", expand=_structured_load(count)
    )


def _conversion(name: str) -> OldIntrinsic:
    return OldIntrinsic("nxv8bf16(nxv8bf16,nxv8i1,nxv4f32)", expand=_with_long_predicate(f"aarch64.sve.{name}.v2"))


def _creation(count: int) -> OldIntrinsic:
    return OldIntrinsic(f"R:s(A:s{',A' * (count - 1)})", "vector.insert R A", "R(R,A,i64)", expand=_tuple_of_all)


_COUNTS = (2, 3, 4)

TABLE = IntrinsicTable(
    {
        **family_rows("aarch64"),
        **{f"sve.ld{count}": _load(count) for count in _COUNTS},
        **{f"sve.ld{count}.nxv*": _load(count) for count in _COUNTS},
        **{f"sve.tuple.create{count}": _creation(count) for count in _COUNTS},
        **{f"sve.tuple.create{count}.nxv*": _creation(count) for count in _COUNTS},
        "neon.addp*": OldIntrinsic("A:vf(A,A)", "aarch64.neon.faddp A"),
        "neon.bfcvt": OldIntrinsic("bf16(f32)", expand=_narrowed),
        "neon.bfcvtn": OldIntrinsic("v8bf16(v4f32)", expand=_narrowed_low),
        "neon.bfcvtn2": OldIntrinsic("v8bf16(v8bf16,v4f32)", expand=_narrowed_high),
        "neon.frintn*": OldIntrinsic("A:f(A)", "roundeven A"),
        "neon.rbit*": OldIntrinsic("A:i(A)", "bitreverse A", arguments="0"),
        "sve.addqv*": OldIntrinsic("R:f(M,A:v)", "aarch64.sve.faddqv R A"),
        "sve.bfdot.lane": _lane("bfdot"),
        "sve.bfmlalb.lane": _lane("bfmlalb"),
        "sve.bfmlalt.lane": _lane("bfmlalt"),
        "sve.fcvt.bf16f32": _conversion("fcvt.bf16f32"),
        "sve.fcvtnt.bf16f32": _conversion("fcvtnt.bf16f32"),
        "sve.rev.nxv*": OldIntrinsic("A:s(A)", "vector.reverse A"),
        "sve.tuple.get*": OldIntrinsic("R:s(A:s,#i32)", "vector.extract R A", "R(A,i64)", expand=_tuple_element),
        "sve.tuple.set*": OldIntrinsic(
            "A:s(A,#i32,B:s)", "vector.insert A B", "A(A,B,i64)", expand=_tuple_with_element
        ),
    }
)
