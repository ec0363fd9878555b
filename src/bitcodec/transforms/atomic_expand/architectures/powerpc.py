"""PowerPC of 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import (
    ACCESSES,
    ACQ_REL,
    ACQUIRE,
    FLOATING,
    RELEASE,
    SEQ_CST,
    WRAPPING,
)
from bitcodec.transforms.atomic_expand.architectures.row import Architecture, each, processors
from bitcodec.transforms.atomic_expand.description import (
    AtomicTarget,
    Barrier,
    Expansion,
    ExpansionRule,
    Fences,
    LinkedAccess,
    PairCalls,
    Success,
)

if TYPE_CHECKING:
    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["POWERPC64", "POWERPC64LE"]

_Op = AtomicRMWOperation


def _powerpc_linked(letter: str, register: int) -> LinkedAccess:
    load, store = f"llvm.ppc.l{letter}arx", f"llvm.ppc.st{letter}cx"
    return LinkedAccess.unordered(load, store, register=register, success=Success.ONE)


_POWERPC_LINKED = {8: ("b", 32), 16: ("h", 32), 32: ("w", 32), 64: ("d", 64)}
_POWERPC_PAIR = {
    operation: f"llvm.ppc.atomicrmw.{operation}.i128"
    for operation in (_Op.XCHG, _Op.ADD, _Op.SUB, _Op.AND, _Op.OR, _Op.XOR, _Op.NAND)
}


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    sync, lwsync = Barrier(intrinsic="llvm.ppc.sync"), Barrier(intrinsic="llvm.ppc.lwsync")
    cfence = Barrier(intrinsic="llvm.ppc.cfence", takes_value=True)
    leading = {RELEASE: lwsync, ACQ_REL: lwsync, SEQ_CST: sync}
    has_quadwords = "quadword-atomics" in features
    return AtomicTarget(
        largest=128 if has_quadwords else 64,
        least_exchange=8 if "partword-atomics" in features else 32,
        exchange=(ExpansionRule(Expansion.PAIR, 128), ExpansionRule(Expansion.LL_SC)),
        operation=(
            ExpansionRule(Expansion.PAIR, 128, operations=frozenset(_POWERPC_PAIR)),
            ExpansionRule(Expansion.CMPXCHG, 128),
            ExpansionRule(Expansion.CMPXCHG, operations=FLOATING | WRAPPING),
        ),
        fences=Fences(
            opcodes=ACCESSES,
            before_load=leading,
            before_store=leading,
            after_load={ACQUIRE: cfence, ACQ_REL: cfence, SEQ_CST: cfence},
            after_exchange={ACQUIRE: lwsync, ACQ_REL: lwsync, SEQ_CST: lwsync},
        ),
        linked={width: _powerpc_linked(letter, register) for width, (letter, register) in _POWERPC_LINKED.items()},
        pair=PairCalls(_POWERPC_PAIR, "llvm.ppc.cmpxchg.i128", register=64),
    )


_NONE: Features = frozenset()
_POWER8 = frozenset({"partword-atomics", "quadword-atomics"})
_PROCESSORS = processors(
    {
        "": """
            440 450 601 602 603 603e 603ev 604 604e 620 7400 7450 750 970 a2 e500mc e5500 g3 g4 g4+ g5 generic ppc ppc32
            ppc64 pwr3 pwr4 pwr5 pwr5x pwr6 pwr6x pwr7""",
        "partword-atomics quadword-atomics": "future ppc64le pwr8 pwr9 pwr10 pwr11",
    }
)
POWERPC64 = Architecture(_described, {"": _NONE, **_PROCESSORS}, unknown=each("-64bit", "-64bit-support"))
POWERPC64LE = Architecture(_described, {"": _POWER8, **_PROCESSORS}, unknown=each("-64bit", "-64bit-support"))
