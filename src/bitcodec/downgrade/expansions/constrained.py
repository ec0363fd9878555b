"""Floating-point operations that state the rounding mode and whether exceptions matter, as plain operations.

Plain operations round to nearest and ignore exceptions, so only calls that state the same become plain ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDString
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.values import Value

__all__ = ["compared", "converted", "in_default_environment", "intrinsic", "operation", "sum_of_product"]


_DEFAULT = frozenset({"round.tonearest", "fpexcept.ignore"})


def in_default_environment(
    make: Callable[[UnlistedBuilder, Call], Value | None],
) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of the calls that round to nearest and ignore exceptions."""

    def checked(builder: UnlistedBuilder, call: Call) -> Value | None:
        stated = [each.metadata for each in call.arguments if isinstance(each, MetadataAsValue)]
        words = {each.text for each in stated if isinstance(each, MDString) and each.text.startswith(_STATING)}
        return make(builder, call) if words <= _DEFAULT else None

    return checked


_STATING = ("round.", "fpexcept.")


def _numbers(call: Call) -> list[Value]:
    """Return the arguments without the rounding mode and the exception behavior."""
    return [argument for argument in call.arguments if not isinstance(argument, MetadataAsValue)]


def operation(opcode: str) -> Callable[[UnlistedBuilder, Call], Value]:
    """Return an expansion to a binary operation."""
    return lambda builder, call: builder.binary(opcode, *_numbers(call))


def converted(opcode: str) -> Callable[[UnlistedBuilder, Call], Value]:
    """Return an expansion to a conversion."""
    return lambda builder, call: builder.cast(opcode, call.arguments[0], call.type)


def compared(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand a comparison, whose predicate is metadata."""
    one, other, predicate, *_ = call.arguments
    text = predicate.metadata if isinstance(predicate, MetadataAsValue) else None
    return builder.fcmp(text.text, one, other) if isinstance(text, MDString) else None


def intrinsic(name: str) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion to the intrinsic without a rounding mode."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        return builder.call_of(f"llvm.{name}.{builder.suffix(call.type)}", _numbers(call), call.type)

    return make


def sum_of_product(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand a product and a sum that may be one operation."""
    one, other, added = _numbers(call)
    return builder.binary("fadd", builder.binary("fmul", one, other), added)
