"""MIPS, of 32 and 64 bits: the back end expands everything up to the width of a register."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.transforms.atomic_expand.architectures.operations import ACCESSES, FLOATING, fences_of_own_ordering
from bitcodec.transforms.atomic_expand.architectures.row import Architecture, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Expansion, ExpansionRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["MIPS", "MIPS64"]


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    return AtomicTarget(
        largest=64 if "gp64" in features else 32,
        operation=(ExpansionRule(Expansion.CMPXCHG, operations=FLOATING),),
        fences=fences_of_own_ordering(ACCESSES),
    )


_64_BIT = (
    *("cnmips", "cnmipsp", "i6400", "i6500", "mips3", "mips4", "mips64", "mips64r2", "mips64r3", "mips64r5"),
    "mips64r6",
)
_WIDE = frozenset({"gp64"})
_IMPLIED: Mapping[str, Features] = dict.fromkeys(_64_BIT, _WIDE)
_NONE: Features = frozenset()
_WIDE_PROCESSORS = processors(
    {"gp64": "i6400 i6500 mips3 mips4 mips64 mips64r2 mips64r3 mips64r5 mips64r6 octeon octeon+"}
)
_NARROW_PROCESSORS = processors({"": "mips1 mips2 mips32 mips32r2 mips32r3 mips32r5 mips32r6 p5600"})
MIPS = Architecture(_described, {"": _NONE, "generic": _NONE, **_NARROW_PROCESSORS, **_WIDE_PROCESSORS}, _IMPLIED)
MIPS64 = Architecture(
    _described, {"": _WIDE, "generic": _WIDE, **_WIDE_PROCESSORS}, _IMPLIED, unknown=(frozenset({"-gp64"}),)
)
