"""Old intrinsics of 32-bit ARM.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.upgrade.intrinsics.arm_family import family_rows
from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["TABLE"]


def _predicate(rewriter: CallRewriter, predicate: Value, lanes: Type) -> Value:
    """Return a predicate for another number of lanes, the same bits in its register."""
    i32 = rewriter.types.integer(32)
    register = rewriter.intrinsic("arm.mve.pred.v2i", [predicate.type], i32, [predicate])
    return rewriter.intrinsic("arm.mve.pred.i2v", [lanes], lanes, [register])


def _tail_predicate(rewriter: CallRewriter) -> Value:
    two_lanes = rewriter.types.vector(2, rewriter.types.integer(1))
    made = rewriter.intrinsic("arm.mve.vctp64", [], two_lanes, rewriter.arguments, rewriter.call.name)
    return _predicate(rewriter, made, rewriter.call.type)


def _of_two_lanes(base: str, overloads: str) -> Expansion:
    """Return a call of an intrinsic of 64-bit lanes, whose predicate has a bit for each lane now.

    Args:
        base: the intrinsic.
        overloads: the types that its name gives before the predicate's: `R` for the result, or an argument's index.
    """

    def expand(rewriter: CallRewriter) -> Value:
        call = rewriter.call
        two_lanes = rewriter.types.vector(2, rewriter.types.integer(1))
        four_lanes = rewriter.types.vector(4, rewriter.types.integer(1))
        arguments = [
            _predicate(rewriter, argument, two_lanes) if argument.type is four_lanes else argument
            for argument in rewriter.arguments
        ]
        types = [call.type if place == "R" else rewriter.arguments[int(place)].type for place in overloads.split()]
        return rewriter.intrinsic(base, [*types, two_lanes], call.type, arguments, call.name)

    return expand


_TWO_LANES: Sequence[tuple[str, str, str, str]] = (
    ("mve.mull.int.predicated", "v2i64.v4i32", "R 0", "v2i64(v4i32,v4i32,i32,i32,v4i1,v2i64)"),
    ("mve.vqdmull.predicated", "v2i64.v4i32", "R 0", "v2i64(v4i32,v4i32,i32,v4i1,v2i64)"),
    ("mve.vldr.gather.base.predicated", "v2i64.v2i64", "R 0", "v2i64(v2i64,i32,v4i1)"),
    ("mve.vldr.gather.base.wb.predicated", "v2i64.v2i64", "0 0", "R(v2i64,i32,v4i1)"),
    ("mve.vldr.gather.offset.predicated", "v2i64.p0i64.v2i64", "R 0 1", "v2i64(p0,v2i64,i32,i32,i32,v4i1)"),
    ("mve.vldr.gather.offset.predicated", "v2i64.p0.v2i64", "R 0 1", "v2i64(p0,v2i64,i32,i32,i32,v4i1)"),
    ("mve.vstr.scatter.base.predicated", "v2i64.v2i64", "0 0", "void(v2i64,i32,v2i64,v4i1)"),
    ("mve.vstr.scatter.base.wb.predicated", "v2i64.v2i64", "0 0", "v2i64(v2i64,i32,v2i64,v4i1)"),
    ("mve.vstr.scatter.offset.predicated", "p0i64.v2i64.v2i64", "0 1 2", "void(p0,v2i64,v2i64,i32,i32,v4i1)"),
    ("mve.vstr.scatter.offset.predicated", "p0.v2i64.v2i64", "0 1 2", "void(p0,v2i64,v2i64,i32,i32,v4i1)"),
    ("cde.vcx1q.predicated", "v2i64", "1", "v2i64(i32,v2i64,i32,v4i1)"),
    ("cde.vcx1qa.predicated", "v2i64", "1", "v2i64(i32,v2i64,i32,v4i1)"),
    ("cde.vcx2q.predicated", "v2i64", "1", "v2i64(i32,v2i64,v16i8,i32,v4i1)"),
    ("cde.vcx2qa.predicated", "v2i64", "1", "v2i64(i32,v2i64,v16i8,i32,v4i1)"),
    ("cde.vcx3q.predicated", "v2i64", "1", "v2i64(i32,v2i64,v16i8,v16i8,i32,v4i1)"),
    ("cde.vcx3qa.predicated", "v2i64", "1", "v2i64(i32,v2i64,v16i8,v16i8,i32,v4i1)"),
)
"""Intrinsics, the types that their old names give, those that the new ones give, and their signatures."""

_STORES = {
    "vst1": "void(P:p,A:v,i32)",
    "vst2": "void(P:p,A:v,A,i32)",
    "vst3": "void(P:p,A:v,A,A,i32)",
    "vst4": "void(P:p,A:v,A,A,A,i32)",
    "vst2lane": "void(P:p,A:v,A,i32,i32)",
    "vst3lane": "void(P:p,A:v,A,A,i32,i32)",
    "vst4lane": "void(P:p,A:v,A,A,A,i32,i32)",
}
_SATURATING = {"vqadds": "sadd.sat", "vqaddu": "uadd.sat", "vqsubs": "ssub.sat", "vqsubu": "usub.sat"}
_ROUNDING = {
    "vrinta": "round",
    "vrintm": "floor",
    "vrintn": "roundeven",
    "vrintp": "ceil",
    "vrintx": "rint",
    "vrintz": "trunc",
}

TABLE = IntrinsicTable(
    {
        **family_rows("arm"),
        **{
            f"{base}.{types}.v4i1": OldIntrinsic(signature, expand=_of_two_lanes(f"arm.{base}", overloads))
            for base, types, overloads, signature in _TWO_LANES
        },
        **{
            f"neon.{name}.v*": OldIntrinsic(
                signature, f"arm.neon.{name} P A", arguments=" ".join(map(str, range(signature.count(",") + 1)))
            )
            for name, signature in _STORES.items()
        },
        **{f"neon.{name}.*": OldIntrinsic("A:i(A,A)", f"{new} A") for name, new in _SATURATING.items()},
        **{f"neon.{name}.*": OldIntrinsic("A:f(A)", f"{new} A") for name, new in _ROUNDING.items()},
        "mve.vctp64": OldIntrinsic("v4i1(i32)", expand=_tail_predicate),
        "mve.vrintn.v*": OldIntrinsic("A:f(A)", "roundeven A"),
        "neon.vclz.*": OldIntrinsic("A:i(A)", "ctlz A", "A(A,i1)", "0 false"),
        "neon.vcnt.*": OldIntrinsic("A:i(A)", "ctpop A", arguments="0"),
    }
)
