"""SystemZ (s390x)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import FLOATING, LOGIC
from bitcodec.transforms.atomic_expand.architectures.row import Architecture, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Expansion, ExpansionRule

if TYPE_CHECKING:
    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["SYSTEMZ"]

_Op = AtomicRMWOperation


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    operation = [
        ExpansionRule(Expansion.CMPXCHG, operations=FLOATING),
        ExpansionRule(Expansion.NONE, most=16),
        ExpansionRule(Expansion.CMPXCHG),
    ]
    if "interlocked-access1" in features:
        operation.insert(0, ExpansionRule(Expansion.NONE, 32, 64, operations=LOGIC | {_Op.ADD, _Op.SUB}))
    return AtomicTarget(largest=128, operation=tuple(operation), keeps_floats=True)


_NONE: Features = frozenset()
_PROCESSORS = processors(
    {
        "interlocked-access1": """
            arch9 arch10 arch11 arch12 arch13 arch14 arch15 z196 zEC12 z13 z14 z15 z16 z17""",
        "": "arch8 generic z10",
    }
)
SYSTEMZ = Architecture(_described, {"": _NONE, **_PROCESSORS})
