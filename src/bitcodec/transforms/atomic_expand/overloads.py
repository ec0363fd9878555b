"""Names of intrinsics that are there for several types.  Rules: LLVM Language Reference, "Intrinsic Functions"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType, VectorType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.types import Type

__all__ = ["overloaded"]

_FLOATS: Mapping[str, str] = {
    "half": "f16",
    "bfloat": "bf16",
    "float": "f32",
    "double": "f64",
    "x86_fp80": "f80",
    "fp128": "f128",
    "ppc_fp128": "ppcf128",
}


def overloaded(name: str, *types: Type) -> str:
    """Return the name of an intrinsic for numbers, pointers, and vectors of them.

    Raises:
        TypeError: it is for something else.
    """
    return ".".join((name, *map(_suffix, types)))


def _suffix(type: Type) -> str:
    match type:
        case IntegerType():
            return f"i{type.bit_width}"
        case FloatingPointType():
            return _FLOATS[type.spelling]
        case PointerType():
            return f"p{type.address_space}"
        case VectorType():
            return f"{'nx' * type.is_scalable}v{type.count}{_suffix(type.element_type)}"
    raise TypeError(f"no atomic access is one of {type.brief}")
