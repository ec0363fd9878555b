"""WebAssembly: without `+atomics` nothing is expanded; the back end strips atomic instructions instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import LOGIC
from bitcodec.transforms.atomic_expand.architectures.row import Architecture, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Expansion, ExpansionRule

if TYPE_CHECKING:
    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["WEBASSEMBLY"]

_Op = AtomicRMWOperation


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    kept = LOGIC | {_Op.ADD, _Op.SUB, _Op.XCHG}
    return AtomicTarget(
        largest=64,
        operation=(ExpansionRule(Expansion.NONE, operations=kept), ExpansionRule(Expansion.CMPXCHG)),
        is_expanded="atomics" in features,
    )


_NONE: Features = frozenset()
WEBASSEMBLY = Architecture(_described, {"": _NONE, **processors({"": "generic lime1 mvp", "atomics": "bleeding-edge"})})
