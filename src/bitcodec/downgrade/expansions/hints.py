"""Intrinsics that are hints, or that have one result where nothing uses them otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantData

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.values import Value

__all__ = ["always", "first_argument", "is_constant", "nothing"]


def nothing(builder: UnlistedBuilder, _call: Call) -> Value | None:
    """Expand a hint to nothing; its debug location and the debug records in front of it need an instruction."""
    return builder.call_of("llvm.donothing", (), builder.types.void)


def first_argument(_builder: UnlistedBuilder, call: Call) -> Value:
    """Expand an intrinsic to its first argument."""
    return call.arguments[0]


def always(value: int) -> Callable[[UnlistedBuilder, Call], Value]:
    """Return an expansion to a number."""
    return lambda builder, call: builder.integer(call.type, value)


def is_constant(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.is.constant` to the result in code generators."""
    return builder.integer(call.type, int(isinstance(call.arguments[0], ConstantData)))
