"""SPARC, of 32 and 64 bits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import ACCESSES, ACQ_REL, ACQUIRE, RELEASE, SEQ_CST
from bitcodec.transforms.atomic_expand.architectures.row import Architecture, each, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Barrier, Expansion, ExpansionRule, Fences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["SPARC", "SPARC64"]

_WORD = 32


def _described(features: Features, *, is_optimized: bool, register: int) -> AtomicTarget:
    del is_optimized
    acquire, release = Barrier(ACQUIRE), Barrier(RELEASE)
    acquiring = {}
    if "v9" in features:
        largest = register
        acquiring = {ACQUIRE: acquire, ACQ_REL: acquire, SEQ_CST: acquire}
    else:
        largest = _WORD if "hasleoncasa" in features else 0
    return AtomicTarget(
        largest=largest,
        least_exchange=_WORD,
        operation=(
            ExpansionRule(Expansion.NONE, _WORD, _WORD, operations=frozenset({AtomicRMWOperation.XCHG})),
            ExpansionRule(Expansion.CMPXCHG),
        ),
        fences=Fences(
            opcodes=ACCESSES,
            before_store={RELEASE: release, ACQ_REL: release, SEQ_CST: release},
            after_load=acquiring,
            after_store={SEQ_CST: Barrier(SEQ_CST)},
            after_exchange=acquiring,
        ),
    )


_V9 = frozenset({"v9"})
_IMPLIED: Mapping[str, Features] = dict.fromkeys(
    ("crypto", "osa2011", "slow-rdpc", "ua2005", "ua2007", "vis", "vis2", "vis3"), _V9
)
_NONE: Features = frozenset()
_PROCESSORS = processors(
    {
        "v9": "niagara niagara2 niagara3 niagara4 ultrasparc ultrasparc3 v9",
        "hasleoncasa": """
            gr712rc gr740 leon4 ma2080 ma2085 ma2100 ma2150 ma2155 ma2450 ma2455 ma2480 ma2485 ma2x5x ma2x8x myriad2
            myriad2.1 myriad2.2 myriad2.3""",
        "": """
            at697e at697f f934 hypersparc leon2 leon3 sparclet sparclite sparclite86x supersparc tsc701 ut699 v7 v8""",
    }
)
SPARC = Architecture(
    partial(_described, register=32), {"": _NONE, "generic": _NONE, **_PROCESSORS}, _IMPLIED, each("64bit")
)
SPARC64 = Architecture(partial(_described, register=64), {"": _V9, "generic": _NONE, **_PROCESSORS}, _IMPLIED)
