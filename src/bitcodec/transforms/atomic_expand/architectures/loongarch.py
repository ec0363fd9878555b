"""LoongArch, of 32 and 64 bits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import (
    FLOATING,
    LOGIC,
    WRAPPING,
    fences_of_own_ordering,
)
from bitcodec.transforms.atomic_expand.architectures.row import Architecture, each, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Expansion, ExpansionRule, MaskedCalls

if TYPE_CHECKING:
    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["LOONGARCH32", "LOONGARCH64"]

_Op = AtomicRMWOperation
_MASKED = {
    operation: f"llvm.loongarch.masked.atomicrmw.{operation.spelling}"
    for operation in (_Op.XCHG, _Op.ADD, _Op.SUB, _Op.NAND, _Op.MAX, _Op.MIN, _Op.UMAX, _Op.UMIN)
}
_BYTE_OPERATIONS = frozenset({_Op.XCHG, _Op.ADD, _Op.SUB})


def _described(features: Features, *, is_optimized: bool, register: int) -> AtomicTarget:
    del is_optimized
    is_wide = register == 64
    operation = [ExpansionRule(Expansion.CMPXCHG, operations=FLOATING | WRAPPING)]
    if "lam-bh" in features and is_wide:
        operation.append(ExpansionRule(Expansion.NONE, most=16, operations=_BYTE_OPERATIONS))
    if "lamcas" in features:
        operation.append(ExpansionRule(Expansion.WIDEN, most=16, operations=LOGIC))
        operation.append(ExpansionRule(Expansion.CMPXCHG, operations=frozenset({_Op.NAND})))
        operation.append(ExpansionRule(Expansion.CMPXCHG, most=16))
    operation.append(ExpansionRule(Expansion.MASKED, most=16))
    opcodes = frozenset({"load", "store"})
    return AtomicTarget(
        largest=128 if "scq" in features else register,
        least_exchange=8 if "lamcas" in features else 32,
        exchange=() if "lamcas" in features else (ExpansionRule(Expansion.MASKED, most=16),),
        operation=tuple(operation),
        # Wider stores are exchanges.
        fences=fences_of_own_ordering(opcodes, most_stored=16) if is_wide else fences_of_own_ordering(opcodes),
        masked=MaskedCalls(_MASKED, "llvm.loongarch.masked.cmpxchg", register, takes_failure=True),
    )


_NONE: Features = frozenset()
_64_BIT = processors({"": "generic-la64 la464 loongarch64", "lam-bh lamcas scq": "la664"})
_32_BIT = processors({"": "generic-la32 loongarch32"})
LOONGARCH64 = Architecture(
    partial(_described, register=64), {"": _NONE, "generic": _NONE, **_64_BIT}, unknown=each("32bit", "-64bit")
)
LOONGARCH32 = Architecture(
    partial(_described, register=32), {"": _NONE, "generic": _NONE, **_32_BIT}, unknown=each("64bit", "-32bit")
)
