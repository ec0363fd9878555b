"""Rules of calls of intrinsics for numbers: reductions, fixed-point arithmetic, rounding, reversed bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import unsigned_of
from bitcodec.ir.type_properties import is_floats, is_integers, is_same_shape, is_vector, scalar_width
from bitcodec.verifier.rules import without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.types import Type
    from bitcodec.verifier.rules import Rules

__all__ = ["NUMBER_RULES"]


def _type(call: CallBase, index: int) -> Type:
    return call.operand_at(index).type


def _reduction(index: int, holds: Callable[[Type], bool]) -> Rules:
    """Return the rule of the vector that is reduced, an argument: LLVM has one message for all its kinds."""
    return (
        (
            "Intrinsic has incorrect argument type!",
            lambda call, _: is_vector(_type(call, index)) and holds(_type(call, index)),
            without_values,
        ),
    )


_SIGNED_SCALE: Rules = (
    (
        "the scale of s[mul|div]_fix[_sat] must be less than the width of the operands",
        lambda call, _: unsigned_of(call.operand_at(2)) < scalar_width(_type(call, 0)),
        without_values,
    ),
)
_UNSIGNED_SCALE: Rules = (
    (
        "the scale of u[mul|div]_fix[_sat] must be less than or equal to the width of the operands",
        lambda call, _: unsigned_of(call.operand_at(2)) <= scalar_width(_type(call, 0)),
        without_values,
    ),
)
_ROUNDED: Rules = (
    (
        "{0.callee.name}: argument and result disagree on vector use",
        lambda call, _: is_vector(_type(call, 0)) is is_vector(call.type),
    ),
    (
        "{0.callee.name}: argument must be same length as result",
        lambda call, _: is_same_shape(_type(call, 0), call.type),
    ),
)
_COMPARING: Rules = (
    ("result type must be at least 2 bits wide", lambda call, _: scalar_width(call.type) >= 2),
    (
        "ucmp/scmp argument and result types must both be either vector or scalar types",
        lambda call, _: is_vector(_type(call, 0)) is is_vector(call.type),
    ),
    (
        "return type and arguments must have the same number of elements",
        lambda call, _: is_same_shape(_type(call, 0), call.type),
    ),
)
_SWAPPED: Rules = (("bswap must be an even number of bytes", lambda call, _: scalar_width(call.type) % 16 == 0),)


def _for_all(names: str, rules: Any, pattern: str = "{}") -> dict[str, Rules]:
    return {pattern.format(name): rules for name in names.split()}


NUMBER_RULES: dict[str, Rules] = {
    **_for_all("and or xor add mul smax smin umax umin", _reduction(0, is_integers), "vector.reduce.{}"),
    **_for_all("fmax fmin", _reduction(0, is_floats), "vector.reduce.{}"),
    **_for_all("fadd fmul", _reduction(1, is_floats), "vector.reduce.{}"),
    **_for_all("smul.fix smul.fix.sat sdiv.fix sdiv.fix.sat", _SIGNED_SCALE),
    **_for_all("umul.fix umul.fix.sat udiv.fix udiv.fix.sat", _UNSIGNED_SCALE),
    **_for_all("lrint llrint lround llround", _ROUNDED),
    "ucmp": _COMPARING,
    "scmp": _COMPARING,
    "bswap": _SWAPPED,
}
"""By name, without `llvm.` and suffixes for types."""
