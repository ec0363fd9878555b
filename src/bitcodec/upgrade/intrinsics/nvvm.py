"""Old intrinsics of NVIDIA GPUs.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.instructions import Load
from bitcodec.tables.instruction_flags import FastMathFlags
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation, ICmpPredicate
from bitcodec.upgrade.intrinsics.nvvm_bfloat import BFLOAT_ROWS
from bitcodec.upgrade.intrinsics.nvvm_copies import COPY_ROWS
from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["TABLE"]

_GLOBAL = 1
"""An address space."""


def _absolute(rewriter: CallRewriter) -> Value:
    (value,) = rewriter.arguments
    negated = rewriter.negate(value, "neg")
    condition = rewriter.compare(ICmpPredicate.SGE, value, rewriter.zero(value.type), "abs.cond")
    return rewriter.choose(condition, value, negated, "abs")


def _unary(base: str) -> Expansion:
    """Return a call of an intrinsic of one value."""

    def expand(rewriter: CallRewriter) -> Value:
        (value,) = rewriter.arguments
        return rewriter.intrinsic(base, [value.type], value.type, [value])

    return expand


def _counted(base: str, *further: int) -> Expansion:
    """Return a call of an intrinsic that counts bits, its result as wide as the old one."""

    def expand(rewriter: CallRewriter) -> Value:
        (value,) = rewriter.arguments
        flags = [rewriter.integer(1, flag) for flag in further]
        counted = rewriter.intrinsic(base, [value.type], value.type, [value, *flags], base)
        return rewriter.cast("trunc", counted, rewriter.call.type, f"{base}.trunc")

    return expand


def _atomic(operation: AtomicRMWOperation) -> Expansion:
    def expand(rewriter: CallRewriter) -> Value:
        pointer, value = rewriter.arguments
        return rewriter.atomic_rmw(operation, pointer, value, ordering=AtomicOrdering.SEQUENTIALLY_CONSISTENT)

    return expand


def _cast(opcode: str) -> Expansion:
    return lambda rewriter: rewriter.cast(opcode, rewriter.arguments[0], rewriter.call.type)


def _rotated(base: str, amount: int | None = None) -> Expansion:
    """Return a rotation by the second argument, or by a fixed amount."""

    def expand(rewriter: CallRewriter) -> Value:
        value = rewriter.arguments[0]
        by = rewriter.integer(64, amount) if amount else rewriter.cast("zext", rewriter.arguments[1], value.type)
        return rewriter.intrinsic(base, [value.type], value.type, [value, value, by])

    return expand


def _global_load(rewriter: CallRewriter) -> Value:
    """Return a load from memory that never changes."""
    pointer, alignment = rewriter.arguments
    known = cast("ConstantInt", alignment).unsigned
    if not known or known & (known - 1):
        return rewriter.call
    pointer = rewriter.cast("addrspacecast", pointer, rewriter.types.pointer(_GLOBAL))
    load = rewriter.load(rewriter.call.type, pointer, known)
    if isinstance(load, Load):
        load.metadata["invariant.load"] = rewriter.module.context.metadata.tuple()
    return load


def _approximate_tanh(rewriter: CallRewriter) -> Value:
    (value,) = rewriter.arguments
    call = rewriter.intrinsic("tanh", [value.type], value.type, [value])
    call.fast_math = FastMathFlags.AFN
    return call


def _widened_half(rewriter: CallRewriter) -> Value:
    wide = rewriter.types.float
    return rewriter.intrinsic("convert.from.fp16", [wide], wide, rewriter.arguments, "h2f")


def _barrier(name: str, *numbers: int) -> Expansion:
    """Return a call of a barrier intrinsic with these numbers, then the arguments."""

    def expand(rewriter: CallRewriter) -> Value:
        arguments = [*(rewriter.integer(32, number) for number in numbers), *rewriter.arguments]
        return rewriter.intrinsic(f"nvvm.barrier.cta.{name}", [], rewriter.types.void, arguments)

    return expand


def _reduction(name: str) -> Expansion:
    """Return a call of a barrier intrinsic that describes how many, any or all threads the argument is not zero."""

    def expand(rewriter: CallRewriter) -> Value:
        (value,) = rewriter.arguments
        holds = rewriter.compare(ICmpPredicate.NE, value, rewriter.integer(32, 0))
        result = rewriter.types.integer(32 if name == "popc" else 1)
        base = f"nvvm.barrier.cta.red.{name}.aligned.all"
        return rewriter.cast(
            "zext", rewriter.intrinsic(base, [], result, [rewriter.integer(32, 0), holds]), rewriter.call.type
        )

    return expand


_WORDS = {"i": "i32", "ll": "i64", "s": "i16"}
_SPACES = ("constant", "global", "local", "param", "shared")
_INVERTED = OldIntrinsic("A:i(A)", "bitreverse A", arguments="0")
_BITS = {"f2i": "i32(f32)", "i2f": "f32(i32)", "ll2d": "f64(i64)", "d2ll": "i64(f64)"}
_ATOMICS = {
    "add.f32.p*": ("R(P:p,f32)", AtomicRMWOperation.FADD),
    "add.f64.p*": ("R(P:p,f64)", AtomicRMWOperation.FADD),
    "dec.32.p*": ("R(P:p,i32)", AtomicRMWOperation.UDEC_WRAP),
    "inc.32.p*": ("R(P:p,i32)", AtomicRMWOperation.UINC_WRAP),
}
"""The result may be of another type in the declaration than in calls."""
_EXPONENTS = {"d": "f64", "f": "f32", "f16x2": "v2f16"}


def _extremes() -> dict[str, OldIntrinsic | Sequence[OldIntrinsic]]:
    return {
        f"{name}.{sign}{word}": OldIntrinsic(f"{type_}({type_},{type_})", f"{new}{name} {type_}")
        for name in ("max", "min")
        for sign, new in (("", "s"), ("u", "u"))
        for word, type_ in _WORDS.items()
    }


TABLE = IntrinsicTable(
    {
        **BFLOAT_ROWS,
        **COPY_ROWS,
        **_extremes(),
        **{
            f"atomic.load.{name}": OldIntrinsic(signature, expand=_atomic(operation))
            for name, (signature, operation) in _ATOMICS.items()
        },
        **{f"bitcast.{name}": OldIntrinsic(signature, expand=_cast("bitcast")) for name, signature in _BITS.items()},
        **{f"ptr.gen.to.{space}*": OldIntrinsic("A:p(B:p)", expand=_cast("addrspacecast")) for space in _SPACES},
        **{f"ptr.{space}.to.gen*": OldIntrinsic("A:p(B:p)", expand=_cast("addrspacecast")) for space in _SPACES},
        **{f"ldg.global.{kind}.*": OldIntrinsic("A(P:p,#i32)", expand=_global_load) for kind in "fip"},
        **{
            f"ex2.approx.{name}": OldIntrinsic(f"{type_}({type_})", expand=_unary("nvvm.ex2.approx"))
            for name, type_ in _EXPONENTS.items()
        },
        "abs.i": OldIntrinsic("i32(i32)", expand=_absolute),
        "abs.ll": OldIntrinsic("i64(i64)", expand=_absolute),
        "bar.sync": OldIntrinsic("void(i32)", expand=_barrier("sync.aligned.all")),
        "barrier": OldIntrinsic("void(i32,i32)", expand=_barrier("sync.aligned.count")),
        "barrier.n": OldIntrinsic("void(i32)", expand=_barrier("sync.aligned.all")),
        "barrier.sync": OldIntrinsic("void(i32)", expand=_barrier("sync.all")),
        "barrier.sync.cnt": OldIntrinsic("void(i32,i32)", expand=_barrier("sync.count")),
        "barrier0": OldIntrinsic("void()", expand=_barrier("sync.aligned.all", 0)),
        "barrier0.and": OldIntrinsic("i32(i32)", expand=_reduction("and")),
        "barrier0.or": OldIntrinsic("i32(i32)", expand=_reduction("or")),
        "barrier0.popc": OldIntrinsic("i32(i32)", expand=_reduction("popc")),
        "brev32": _INVERTED,
        "brev64": _INVERTED,
        "clz.i": OldIntrinsic("A:i(A)", "ctlz A", "A(A,i1)", "0 false"),
        "clz.ll": OldIntrinsic("i32(i64)", expand=_counted("ctlz", 0)),
        "ex2.approx.ftz.f": OldIntrinsic("f32(f32)", expand=_unary("nvvm.ex2.approx.ftz")),
        "fabs.d": OldIntrinsic("f64(f64)", expand=_unary("nvvm.fabs")),
        "fabs.f": OldIntrinsic("f32(f32)", expand=_unary("nvvm.fabs")),
        "fabs.ftz.f": OldIntrinsic("f32(f32)", expand=_unary("nvvm.fabs.ftz")),
        "h2f": OldIntrinsic("f32(i16)", expand=_widened_half),
        "popc.i": OldIntrinsic("A:i(A)", "ctpop A", arguments="0"),
        "popc.ll": OldIntrinsic("i32(i64)", expand=_counted("ctpop")),
        "rotate.b32": OldIntrinsic("i32(i32,i32)", expand=_rotated("fshl")),
        "rotate.b64": OldIntrinsic("i64(i64,i32)", expand=_rotated("fshl")),
        "rotate.right.b64": OldIntrinsic("i64(i64,i32)", expand=_rotated("fshr")),
        "swap.lo.hi.b64": OldIntrinsic("i64(i64)", expand=_rotated("fshl", 32)),
        "tanh.approx.f32": OldIntrinsic("f32(f32)", expand=_approximate_tanh),
    }
)
