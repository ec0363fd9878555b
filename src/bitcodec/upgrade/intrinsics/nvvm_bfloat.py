"""Old intrinsics of NVIDIA GPUs that passed `bfloat` numbers as integers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from bitcodec.upgrade.intrinsics.rows import OldIntrinsic, converted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["BFLOAT_ROWS"]

_PACKED = {"bf16": "i16", "bf16x2": "i32"}
"""Integers that numbers were passed as, one or two of them."""
_NUMBERS = {"bf16": "bf16", "bf16x2": "v2bf16"}
"""The numbers themselves."""


def _number(rewriter: CallRewriter) -> Type:
    """Return the type of the numbers that the old call passes, as integers or unchanged."""
    bfloat = rewriter.types.bfloat
    return bfloat if rewriter.call.type in (rewriter.types.integer(16), bfloat) else rewriter.types.vector(2, bfloat)


def _of_numbers(base: str, *, is_overloaded: bool) -> Expansion:
    """Return a call of an intrinsic with numbers, its result an integer again."""

    def expand(rewriter: CallRewriter) -> Value:
        type_ = _number(rewriter)
        arguments = [converted(rewriter, argument, type_) for argument in rewriter.arguments]
        result = rewriter.intrinsic(base, [type_] if is_overloaded else [], type_, arguments)
        return converted(rewriter, result, rewriter.call.type)

    return expand


_FUSED = ("", "relu.", "sat.", "ftz.", "ftz.relu.", "ftz.sat.")
_EXTREMES = tuple("".join(parts) for parts in product(("", "ftz."), ("", "nan."), ("", "xorsign.abs.")))
_NAMES = {
    **{f"fma.rn.{variant}": 3 for variant in _FUSED},
    **{f"{name}.{variant}": 2 for name in ("fmax", "fmin") for variant in _EXTREMES},
    "neg.": 1,
}
"""Names and how many numbers they take."""

BFLOAT_ROWS: Mapping[str, OldIntrinsic | Sequence[OldIntrinsic]] = {
    **{
        f"{name}{kind}": OldIntrinsic(
            f"{packed}({','.join([packed] * count)})", expand=_of_numbers(f"nvvm.{name}{kind}", is_overloaded=False)
        )
        for name, count in _NAMES.items()
        for kind, packed in _PACKED.items()
    },
    **{
        f"abs.{kind}": [
            OldIntrinsic(f"{type_}({type_})", expand=_of_numbers("nvvm.fabs", is_overloaded=True))
            for type_ in (packed, _NUMBERS[kind])
        ]
        for kind, packed in _PACKED.items()
    },
}
