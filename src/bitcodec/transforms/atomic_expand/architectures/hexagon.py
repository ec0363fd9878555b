"""Hexagon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.transforms.atomic_expand.architectures.row import Architecture, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Expansion, ExpansionRule, LinkedAccess, Success

if TYPE_CHECKING:
    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["HEXAGON"]


def _linked(load: str, store: str, register: int) -> LinkedAccess:
    load, store = f"llvm.hexagon.{load}.locked", f"llvm.hexagon.{store}.locked"
    return LinkedAccess.unordered(load, store, register=register, success=Success.NONZERO)


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del features, is_optimized
    return AtomicTarget(
        largest=64,
        least_exchange=32,
        exchange=(ExpansionRule(Expansion.LL_SC),),
        operation=(ExpansionRule(Expansion.LL_SC),),
        linked={32: _linked("L2.loadw", "S2.storew", 32), 64: _linked("L4.loadd", "S4.stored", 64)},
    )


_NONE: Features = frozenset()
_VERSIONS = "5 55 60 62 65 66 67 67t 68 69 71 71t 73 75 79 81"
_PROCESSORS = processors({"": " ".join(f"hexagonv{version}" for version in _VERSIONS.split())})
HEXAGON = Architecture(_described, {"": _NONE, "generic": _NONE, **_PROCESSORS})
