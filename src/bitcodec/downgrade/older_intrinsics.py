"""Intrinsics that older versions of LLVM declare in another form: one row each.

Rules: docs/reference/older-readers.md, 4.  Reading such a form upgrades it again: `upgrade.intrinsics` has the rows for
the other direction.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.downgrade.statepoints import has_live_bundle, live_place
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.types import IntegerType, PointerType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.module import Module

__all__ = ["I32", "ROWS", "IntrinsicConstruct", "Passed"]

Passed: TypeAlias = "int | Callable[[CallBase, Module], Constant]"
"""An argument of the older form: the number of an argument of the call, or a function that makes it."""


class IntrinsicConstruct(NamedTuple):
    """An intrinsic in the form of LLVM 22, and its declaration and call for older versions.

    Attributes:
        since: the first version of LLVM that has this form.
        base: the older name, without `llvm.` and types; "" for the same.
        has_types: whether the older name ends with types; if not, the form is for the default address space only.
        passed: the arguments of the older form with their types; None for the same arguments.
        result: the type of its result if it has another, as `TypeTable.integer` takes it; 0 for the same.
        is_one_type: whether the older name ends with the first type only.
        has_result_type: whether the types of the older name begin with the result type.
        condition: whether a call can be lowered so; another row is tried if any cannot.
    """

    since: int
    base: str = ""
    has_types: bool = True
    passed: tuple[tuple[Passed, int], ...] | None = None
    result: int = 0
    condition: Callable[[CallBase], bool] | None = None
    is_one_type: bool = False
    has_result_type: bool = False


def _alignment(place: int) -> Callable[[CallBase, Module], Constant]:
    """Return a function that makes the alignment that a call states for an argument."""

    def make(call: CallBase, module: Module) -> Constant:
        alignment = call.attributes.for_parameter(place).integer("align") or 1
        return module.context.constants.integer(module.context.types.integer(32), alignment)

    return make


def _smaller_alignment(call: CallBase, module: Module) -> Constant:
    """Return the smaller alignment of the places that a call copies between."""
    alignments = [call.attributes.for_parameter(place).integer("align") or 1 for place in (0, 1)]
    return module.context.constants.integer(module.context.types.integer(32), min(alignments))


def _number(value: int, width: int) -> Callable[[CallBase, Module], Constant]:
    return lambda _call, module: module.context.constants.integer(module.context.types.integer(width), value)


def _negated(call: CallBase, module: Module) -> Constant:
    (*_, offset) = call.arguments
    value = -offset.signed if isinstance(offset, ConstantInt) else 0
    return module.context.constants.integer(module.context.types.integer(32), value)


def _is_barrier_0(call: CallBase) -> bool:
    (number,) = call.arguments
    return isinstance(number, ConstantInt) and not number.value


def _has_no_token(call: CallBase) -> bool:
    return call.arguments[-1].operand_text == "none"


def _has_plain_pointers(call: CallBase) -> bool:
    """Return whether all pointers that a call passes are in address space 0, where older forms have theirs."""
    return all(not each.type.address_space for each in call.arguments if isinstance(each.type, PointerType))


def _has_plain_strings(call: CallBase) -> bool:
    """Return whether all pointers behind the first argument, the one that is annotated, are in address space 0."""
    return all(not each.type.address_space for each in call.arguments[1:] if isinstance(each.type, PointerType))


def _has_short_exponent(call: CallBase) -> bool:
    """Return whether the second argument has 32 bits, as the exponent of older forms."""
    exponent = call.arguments[1].type
    return isinstance(exponent, IntegerType) and exponent.bit_width == I32


_SAME = 0
"""In the place of a width: the type of the argument itself."""
I32, _I64 = 32, 64
_MARKED = IntrinsicConstruct(22, passed=((_number(-1, 64), _I64), (0, _SAME)))
_LISTED = IntrinsicConstruct(19, has_types=False)
_COPIED = IntrinsicConstruct(7, passed=((0, _SAME), (1, _SAME), (2, _SAME), (_smaller_alignment, I32), (3, _SAME)))

ROWS: dict[str, tuple[IntrinsicConstruct, ...]] = {
    "annotation": (IntrinsicConstruct(16, is_one_type=True, condition=_has_plain_pointers),),
    "coro.end": (
        IntrinsicConstruct(5, passed=((0, _SAME), (1, _SAME)), condition=_has_no_token),
        IntrinsicConstruct(18, passed=((0, _SAME), (1, _SAME)), result=1, condition=_has_no_token),
        IntrinsicConstruct(22, passed=((0, _SAME), (1, _SAME), (2, _SAME)), result=1),
    ),
    "coro.end.async": (IntrinsicConstruct(22, passed=((0, _SAME), (1, _SAME)), result=1),),
    "eh.typeid.for": (_LISTED,),
    "experimental.gc.relocate": (
        IntrinsicConstruct(
            11,
            passed=((0, _SAME), (partial(live_place, 1), I32), (partial(live_place, 2), I32)),
            condition=has_live_bundle,
        ),
    ),
    "get.rounding": (IntrinsicConstruct(16, "flt.rounds"),),
    "lifetime.end": (IntrinsicConstruct(5, has_types=False, passed=_MARKED.passed), _MARKED),
    "lifetime.start": (IntrinsicConstruct(5, has_types=False, passed=_MARKED.passed), _MARKED),
    "masked.gather": (IntrinsicConstruct(22, passed=((0, _SAME), (_alignment(0), I32), (1, _SAME), (2, _SAME))),),
    "masked.load": (IntrinsicConstruct(22, passed=((0, _SAME), (_alignment(0), I32), (1, _SAME), (2, _SAME))),),
    "masked.scatter": (IntrinsicConstruct(22, passed=((0, _SAME), (1, _SAME), (_alignment(1), I32), (2, _SAME))),),
    "masked.store": (IntrinsicConstruct(22, passed=((0, _SAME), (1, _SAME), (_alignment(1), I32), (2, _SAME))),),
    "memcpy": (_COPIED,),
    "memmove": (_COPIED,),
    "memset": (IntrinsicConstruct(7, passed=((0, _SAME), (1, _SAME), (2, _SAME), (_alignment(0), I32), (3, _SAME))),),
    "nvvm.barrier.cta.sync.aligned.all": (
        IntrinsicConstruct(21, "nvvm.barrier0", passed=(), condition=_is_barrier_0),
        IntrinsicConstruct(21, "nvvm.barrier.n"),
    ),
    "objectsize": (
        IntrinsicConstruct(5, passed=((0, _SAME), (1, _SAME))),
        IntrinsicConstruct(9, passed=((0, _SAME), (1, _SAME), (2, _SAME))),
    ),
    "addressofreturnaddress": (IntrinsicConstruct(10, has_types=False),),
    "frameaddress": (IntrinsicConstruct(10, has_types=False),),
    "powi": (IntrinsicConstruct(13, is_one_type=True, condition=_has_short_exponent),),
    "prefetch": (IntrinsicConstruct(10, has_types=False),),
    "ptr.annotation": (
        IntrinsicConstruct(
            13, passed=((0, _SAME), (1, _SAME), (2, _SAME), (3, _SAME)), is_one_type=True, condition=_has_plain_strings
        ),
        IntrinsicConstruct(16, is_one_type=True, condition=_has_plain_strings),
    ),
    "stackrestore": (IntrinsicConstruct(18, has_types=False),),
    "stacksave": (IntrinsicConstruct(18, has_types=False),),
    "stepvector": (IntrinsicConstruct(20, "experimental.stepvector"),),
    "thread.pointer": (IntrinsicConstruct(21, has_types=False),),
    "va_copy": (_LISTED,),
    "va_end": (_LISTED,),
    "va_start": (_LISTED,),
    "var.annotation": (
        IntrinsicConstruct(13, has_types=False, passed=((0, _SAME), (1, _SAME), (2, _SAME), (3, _SAME))),
        IntrinsicConstruct(16, has_types=False),
    ),
    "vector.deinterleave2": (IntrinsicConstruct(19, "experimental.vector.deinterleave2"),),
    "vector.interleave2": (IntrinsicConstruct(19, "experimental.vector.interleave2"),),
    "vector.reduce.add": (IntrinsicConstruct(12, "experimental.vector.reduce.add"),),
    "vector.reduce.and": (IntrinsicConstruct(12, "experimental.vector.reduce.and"),),
    "vector.reduce.fmax": (IntrinsicConstruct(12, "experimental.vector.reduce.fmax"),),
    "vector.reduce.fmin": (IntrinsicConstruct(12, "experimental.vector.reduce.fmin"),),
    "vector.reduce.mul": (IntrinsicConstruct(12, "experimental.vector.reduce.mul"),),
    "vector.reduce.or": (IntrinsicConstruct(12, "experimental.vector.reduce.or"),),
    "vector.reduce.smax": (IntrinsicConstruct(12, "experimental.vector.reduce.smax"),),
    "vector.reduce.smin": (IntrinsicConstruct(12, "experimental.vector.reduce.smin"),),
    "vector.reduce.umax": (IntrinsicConstruct(12, "experimental.vector.reduce.umax"),),
    "vector.reduce.umin": (IntrinsicConstruct(12, "experimental.vector.reduce.umin"),),
    "vector.reduce.xor": (IntrinsicConstruct(12, "experimental.vector.reduce.xor"),),
    "vector.reduce.fadd": (IntrinsicConstruct(12, "experimental.vector.reduce.v2.fadd", has_result_type=True),),
    "vector.reduce.fmul": (IntrinsicConstruct(12, "experimental.vector.reduce.v2.fmul", has_result_type=True),),
    "vector.extract": (IntrinsicConstruct(15, "experimental.vector.extract"),),
    "vector.insert": (IntrinsicConstruct(15, "experimental.vector.insert"),),
    "vector.partial.reduce.add": (IntrinsicConstruct(22, "experimental.vector.partial.reduce.add"),),
    "vector.reverse": (IntrinsicConstruct(19, "experimental.vector.reverse"),),
    "vector.splice.left": (
        IntrinsicConstruct(19, "experimental.vector.splice"),
        IntrinsicConstruct(22, "vector.splice"),
    ),
    "vector.splice.right": (
        IntrinsicConstruct(19, "experimental.vector.splice", passed=((0, _SAME), (1, _SAME), (_negated, I32))),
        IntrinsicConstruct(22, "vector.splice", passed=((0, _SAME), (1, _SAME), (_negated, I32))),
    ),
}
"""By name without `llvm.` and types; the first row that a version and the calls need is taken."""
