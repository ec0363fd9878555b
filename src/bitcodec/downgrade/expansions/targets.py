"""Intrinsics of targets whose vectors had other elements in older versions of LLVM, as their verifiers show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import FloatingPointType, IntegerType, VectorType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["BFLOAT_PRODUCTS", "BFLOAT_VECTORS", "BYTE_PRODUCTS", "recast"]

_PRODUCTS_OF_BYTES = [
    f"{size}{signs}d{saturation}"
    for size, kinds in (("b", ("ss", "su", "uu")), ("w", ("su", "us", "uu")))
    for signs in kinds
    for saturation in ("", "s")
]
BYTE_PRODUCTS = [
    *(f"x86.avx512.vpdp{name}.{size}" for name in ("busd", "busds", "wssd", "wssds") for size in (128, 256, 512)),
    *(f"x86.avx2.vpdp{name}.{size}" for name in _PRODUCTS_OF_BYTES for size in (128, 256)),
    *(f"x86.avx10.vpdp{name}.512" for name in _PRODUCTS_OF_BYTES),
]
"""Products of bytes or words that are added to numbers of 32 bits: all their vectors had elements of 32 bits."""
BFLOAT_PRODUCTS = [f"x86.avx512bf16.dpbf16ps.{size}" for size in (128, 256, 512)]
"""Products of pairs of `bfloat`, which were numbers of 32 bits."""
BFLOAT_VECTORS = [
    *(f"x86.avx512bf16.cvtne2ps2bf16.{size}" for size in (128, 256, 512)),
    *(f"x86.avx512bf16.cvtneps2bf16.{size}" for size in (256, 512)),
    "x86.avx512bf16.mask.cvtneps2bf16.128",
]
"""Conversions to `bfloat`, which was a number of 16 bits."""


def recast(width: int) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion to the intrinsic of the same name that takes and returns integers of a width.

    Vectors of integers and of `bfloat` are cast; the size of vectors stays the same, so that masks do too.
    """

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        callee = call.called_function
        if callee is None:
            return None
        arguments = [builder.recast(each, _older_type(builder, each.type, width)) for each in call.arguments]
        value = builder.call_of(callee.name, arguments, _older_type(builder, call.type, width))
        return None if value is None else builder.recast(value, call.type)

    return make


def _older_type(builder: UnlistedBuilder, type_: Type, width: int) -> Type:
    scalar = type_.scalar_type
    is_cast = isinstance(scalar, IntegerType) or (isinstance(scalar, FloatingPointType) and scalar.spelling == "bfloat")
    size = scalar_width(type_) * type_.count if is_cast and isinstance(type_, VectorType) else 0
    is_mask = size and scalar_width(type_) == 1
    return builder.types.vector(size // width, builder.types.integer(width)) if size and not is_mask else type_
