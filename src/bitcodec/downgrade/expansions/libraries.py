"""Intrinsics that are functions of the C library, or other intrinsics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.expansions.vectors import element_count
from bitcodec.ir.types import FloatingPointType, VectorType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["c_function", "other_intrinsic", "renamed_to", "sine_and_cosine", "without_length"]

_SUFFIXES = {"float": "f", "double": "", "x86_fp80": "l", "fp128": "l", "ppc_fp128": "l"}
"""How names of functions of the C library end, by the type of their first argument."""
_SMALL = ("half", "bfloat")


def c_function(name: str) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion to calls of a function of the C library, one for each element of vectors."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        if not isinstance(call.type, VectorType):
            return _one(builder, name, list(call.arguments), call.type)
        found: Value = builder.constants.undef(call.type)
        for index in range(element_count(call.arguments[0])):
            arguments = [
                builder.extract(argument, index) if isinstance(argument.type, VectorType) else argument
                for argument in call.arguments
            ]
            element = _one(builder, name, arguments, call.type.element_type)
            if element is None:
                return None
            found = builder.insert(found, element, index)
        return None if call.type.is_scalable else found

    return make


def _one(builder: UnlistedBuilder, name: str, arguments: list[Value], result: Type) -> Value | None:
    type_ = arguments[0].type
    if not isinstance(type_, FloatingPointType):
        return None
    if type_.spelling not in _SMALL:
        return builder.call_of(name + _SUFFIXES[type_.spelling], arguments, result)
    wide = builder.types.float
    widened = [builder.cast("fpext", each, wide) if each.type is type_ else each for each in arguments]
    found = builder.call_of(f"{name}f", widened, wide if result is type_ else result)
    return found if found is None or result is not type_ else builder.cast("fptrunc", found, type_)


def other_intrinsic(name: str) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion to another intrinsic that takes and returns the same; its name ends with one type."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        return builder.renamed(f"llvm.{name}.{builder.suffix(call.type)}", call.arguments)

    return make


def renamed_to(name: str, *, count: int | None = None) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion to another function that takes the first arguments and returns the same.

    Args:
        name: of the function; an intrinsic if it ends with a dot, with the types appended to its name.
        count: how many arguments it takes; None for all.
    """

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        arguments = call.arguments[:count]
        full = name + builder.suffix(call.type) if name.endswith(".") else name
        return builder.renamed(full, arguments)

    return make


def sine_and_cosine(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.sincos`."""
    suffix = builder.suffix(call.arguments[0].type)
    parts = [builder.call_of(f"llvm.{name}.{suffix}", call.arguments) for name in ("sin", "cos")]
    if parts[0] is None or parts[1] is None:
        return None
    return builder.struct(call.type, parts[0], parts[1])


def without_length(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand intrinsics whose calls may be functions: `llvm.memcpy.inline` is a `llvm.memcpy` for all but speed."""
    callee = call.called_function
    if callee is None:
        return None
    return builder.renamed_intrinsic(callee.name.replace(".inline", ""), call)
