"""Integer intrinsics as plain operations.  Rules: LLVM Language Reference, "Intrinsic Functions"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "absolute",
    "add_signed",
    "add_unsigned",
    "chosen",
    "compared",
    "funnel_shift",
    "masked_pointer",
    "shift_signed",
    "shift_unsigned",
    "subtract_signed",
    "subtract_unsigned",
]


def _width(type_: Type) -> int:
    scalar: Any = type_.scalar_type
    return int(scalar.bit_width)


def chosen(predicate: str) -> Callable[[UnlistedBuilder, Call], Value]:
    """Return an expansion: the first of two integers if they compare so, else the second."""

    def make(builder: UnlistedBuilder, call: Call) -> Value:
        one, other = call.arguments
        return builder.select(builder.icmp(predicate, one, other), one, other)

    return make


def absolute(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.abs`."""
    value, _ = call.arguments
    negated = builder.binary("sub", builder.integer(value.type, 0), value)
    return builder.select(builder.icmp("slt", value, 0), negated, value)


def compared(greater: str, less: str) -> Callable[[UnlistedBuilder, Call], Value]:
    """Return an expansion: 1, 0 or -1, whether the first integer is greater than the second, equal, or less."""

    def make(builder: UnlistedBuilder, call: Call) -> Value:
        one, other = call.arguments
        above = builder.cast("zext", builder.icmp(greater, one, other), call.type)
        below = builder.cast("zext", builder.icmp(less, one, other), call.type)
        return builder.binary("sub", above, below)

    return make


def add_unsigned(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.uadd.sat`."""
    one, other = call.arguments
    total = builder.binary("add", one, other)
    return builder.select(builder.icmp("ult", total, one), builder.integer(one.type, -1), total)


def subtract_unsigned(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.usub.sat`."""
    one, other = call.arguments
    difference = builder.binary("sub", one, other)
    return builder.select(builder.icmp("ult", one, other), builder.integer(one.type, 0), difference)


def add_signed(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.sadd.sat`: a sum overflows that has another sign than both integers."""
    one, other = call.arguments
    total = builder.binary("add", one, other)
    differing = builder.binary("and", builder.binary("xor", one, total), builder.binary("xor", other, total))
    return _limited(builder, one, total, builder.icmp("slt", differing, 0))


def subtract_signed(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.ssub.sat`: a difference overflows that has another sign than the first, while the second has it."""
    one, other = call.arguments
    difference = builder.binary("sub", one, other)
    differing = builder.binary("and", builder.binary("xor", one, other), builder.binary("xor", one, difference))
    return _limited(builder, one, difference, builder.icmp("slt", differing, 0))


def _limited(builder: UnlistedBuilder, one: Value, result: Value, overflows: Value) -> Value:
    """Return a result, or the smallest or largest integer of the sign of another one."""
    width = _width(one.type)
    limit = builder.binary("xor", builder.binary("ashr", one, width - 1), (1 << width - 1) - 1)
    return builder.select(overflows, limit, result)


def shift_unsigned(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.ushl.sat`: a shift overflows if it cannot be taken back."""
    one, amount = call.arguments
    shifted = builder.binary("shl", one, amount)
    is_lost = builder.icmp("ne", builder.binary("lshr", shifted, amount), one)
    return builder.select(is_lost, builder.integer(one.type, -1), shifted)


def shift_signed(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.sshl.sat`."""
    one, amount = call.arguments
    shifted = builder.binary("shl", one, amount)
    is_lost = builder.icmp("ne", builder.binary("ashr", shifted, amount), one)
    return _limited(builder, one, shifted, is_lost)


def funnel_shift(*, is_left: bool) -> Callable[[UnlistedBuilder, Call], Value]:
    """Return an expansion of `llvm.fshl` or `llvm.fshr`: no part is shifted by the whole width, which has no result."""

    def make(builder: UnlistedBuilder, call: Call) -> Value:
        high, low, given = call.arguments
        width = _width(high.type)
        if width == 1:
            return high if is_left else low
        amount = builder.binary("urem", given, width)
        others = builder.binary("sub", builder.integer(high.type, width - 1), amount)
        if is_left:
            left = builder.binary("shl", high, amount)
            right = builder.binary("lshr", builder.binary("lshr", low, 1), others)
        else:
            left = builder.binary("shl", builder.binary("shl", high, 1), others)
            right = builder.binary("lshr", low, amount)
        return builder.binary("or", left, right)

    return make


def masked_pointer(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.ptrmask` of a pointer that is as wide as its mask."""
    pointer, mask = call.arguments
    space: Any = pointer.type.scalar_type
    if builder.pointer_width(space.address_space) != _width(mask.type):
        return None
    number = builder.binary("and", builder.cast("ptrtoint", pointer, mask.type), mask)
    return builder.cast("inttoptr", number, pointer.type)
