"""Old intrinsics of no target, memory and debug information aside.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["TABLE"]


def _dropped(_rewriter: CallRewriter) -> None:
    """Make nothing."""


def _splice(rewriter: CallRewriter) -> Value:
    """Make a splice to the left or to the right, by the sign of the offset."""
    lhs, rhs, offset = rewriter.arguments
    count = cast("ConstantInt", offset).signed
    type_ = rewriter.call.type
    base = "vector.splice.left" if count >= 0 else "vector.splice.right"
    return rewriter.intrinsic(base, [type_], type_, [lhs, rhs, rewriter.integer(32, abs(count))])


_SPLICE = OldIntrinsic("A:v(A,A,#i32)", expand=_splice)
_COUNT_ZEROS = "A:i(A)"
_REDUCTIONS = ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin", "fmax", "fmin")
_ORDERED_REDUCTIONS = ("fadd", "fmul")


def _reductions() -> dict[str, OldIntrinsic | Sequence[OldIntrinsic]]:
    rows: dict[str, OldIntrinsic | Sequence[OldIntrinsic]] = {}
    for name in _REDUCTIONS:
        # The type behind the name begins with one letter and a number, as those of scalable vectors do not.
        rows[f"experimental.vector.reduce.{name}.*"] = OldIntrinsic("R(A:v)", f"vector.reduce.{name} A")
        rows[f"experimental.vector.reduce.{name}.nxv*"] = ()
    for name in _ORDERED_REDUCTIONS:
        rows[f"experimental.vector.reduce.v2.{name}.*"] = OldIntrinsic("R(R,A:v)", f"vector.reduce.{name} A")
        rows[f"experimental.vector.reduce.v2.{name}.nxv*"] = ()
    return rows


TABLE = IntrinsicTable(
    {
        "coro.end": OldIntrinsic("R(p0,i1)", "coro.end", "void(p0,i1,token)", "0 1 none"),
        "ctlz.*": OldIntrinsic(_COUNT_ZEROS, "ctlz A", "A(A,i1)", "0 false"),
        "cttz.*": OldIntrinsic(_COUNT_ZEROS, "cttz A", "A(A,i1)", "0 false"),
        "experimental.stepvector.*": OldIntrinsic("A:v()", "stepvector A"),
        "experimental.vector.deinterleave2.*": OldIntrinsic("R(A:v)", "vector.deinterleave2 A"),
        "experimental.vector.extract.*": OldIntrinsic("R:v(A:v,i64)", "vector.extract R A"),
        "experimental.vector.extract.last.active.*": (),
        "experimental.vector.insert.*": OldIntrinsic("A:v(A,B:v,i64)", "vector.insert A B"),
        "experimental.vector.interleave2.*": OldIntrinsic("R:v(A:v,A)", "vector.interleave2 R"),
        "experimental.vector.partial.reduce.add*": OldIntrinsic("A:v(A,B:v)", "vector.partial.reduce.add A B"),
        "experimental.vector.reverse.*": OldIntrinsic("A:v(A)", "vector.reverse A"),
        "experimental.vector.splice.*": _SPLICE,
        **_reductions(),
        "flt.rounds*": OldIntrinsic("i32()", "get.rounding"),
        "invariant.group.barrier*": OldIntrinsic("A:p(A)", "launder.invariant.group A"),
        "objectsize.*": (
            OldIntrinsic("R:i(A:p,i1)", "objectsize R A", "R(A,i1,i1,i1)", "0 1 false false"),
            OldIntrinsic("R:i(A:p,i1,i1)", "objectsize R A", "R(A,i1,i1,i1)", "0 1 2 false"),
        ),
        "ptr.annotation.*": OldIntrinsic("A:p(A,B:p,B,i32)", "ptr.annotation A B", "A(A,B,B,i32,B)", "0 1 2 3 null"),
        "stackprotectorcheck": OldIntrinsic("*", expand=_dropped),
        "thread.pointer": OldIntrinsic("A:p()", "thread.pointer A", arguments=""),
        "var.annotation": OldIntrinsic(
            "void(A:p,B:p,B,i32)", "var.annotation A B", "void(A,B,B,i32,B)", "0 1 2 3 null"
        ),
        "vector.splice*": _SPLICE,
        "vector.splice.left*": (),
        "vector.splice.right*": (),
    }
)
