"""RISC-V, of 32 and 64 bits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import (
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
    MaskedCalls,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["RISCV32", "RISCV64"]

_Op = AtomicRMWOperation
_MASKED = {
    operation: f"llvm.riscv.masked.atomicrmw.{operation.spelling}"
    for operation in (_Op.XCHG, _Op.ADD, _Op.SUB, _Op.NAND, _Op.MAX, _Op.MIN, _Op.UMAX, _Op.UMIN)
}
_FORCED = "forced-atomics"


def _described(features: Features, *, is_optimized: bool, register: int) -> AtomicTarget:
    del is_optimized
    is_forced = _FORCED in features  # by calls of `__sync_*`, which the back end makes
    has_bytes = "zabha" in features
    has_exchange = "zacas" in features
    operation = [ExpansionRule(Expansion.CMPXCHG, operations=FLOATING | WRAPPING)]
    if not is_forced:
        nand = frozenset({_Op.NAND})
        if has_exchange:
            operation.append(ExpansionRule(Expansion.CMPXCHG, 0 if has_bytes else 32, operations=nand))
        operation.append(ExpansionRule(Expansion.MASKED, most=16, operations=nand))
        if not has_bytes:
            operation.append(ExpansionRule(Expansion.MASKED, most=16))
    is_exchanged_whole = is_forced or (has_bytes and has_exchange)
    return AtomicTarget(
        largest=register if is_forced or "zalrsc" in features else 0,
        least_exchange=_least_exchange(features),
        exchange=() if is_exchanged_whole else (ExpansionRule(Expansion.MASKED, most=16),),
        operation=tuple(operation),
        fences=_fences(features),
        masked=MaskedCalls(_MASKED, "llvm.riscv.masked.cmpxchg", register),
    )


def _least_exchange(features: Features) -> int:
    if "zalrsc" not in features:
        return 0
    return 8 if {"zabha", "zacas"} <= features else 32


def _fences(features: Features) -> Fences:
    """Return the fences around loads and stores, fewer where memory has a total order of stores."""
    opcodes = frozenset({"load", "store"})
    is_ordered = "zalasr" in features or "experimental-zalasr" in features
    if is_ordered and "ztso" in features:
        return Fences(opcodes, native=frozenset({("load", SEQ_CST), ("store", SEQ_CST)}))
    if is_ordered:
        return Fences()
    seq_cst, release, acquire = Barrier(SEQ_CST), Barrier(RELEASE), Barrier(ACQUIRE)
    if "ztso" in features:
        return Fences(opcodes, before_load={SEQ_CST: seq_cst}, after_store={SEQ_CST: seq_cst})
    return Fences(
        opcodes,
        before_load={SEQ_CST: seq_cst},
        before_store={RELEASE: release, ACQ_REL: release, SEQ_CST: release},
        after_load={ACQUIRE: acquire, SEQ_CST: acquire},
        after_store={} if "no-trailing-seq-cst-fence" in features else {SEQ_CST: seq_cst},
    )


_PROFILES = ("rva20s64", "rva20u64", "rva22s64", "rva22u64", "rva23s64", "rva23u64", "rvb23s64", "rvb23u64")
_IMPLIED: Mapping[str, Features] = {
    "a": frozenset({"zalrsc", "zaamo"}),
    "zabha": frozenset({"zaamo"}),
    "zacas": frozenset({"zaamo"}),
    **dict.fromkeys((*_PROFILES, "experimental-rvm23u32"), frozenset({"a"})),
}
_NONE: Features = frozenset()
_64_BIT = processors(
    {
        "a": """
            andes-ax25 andes-ax45 andes-ax45mpv andes-nx45 mips-p8700 sifive-p450 sifive-p470 sifive-p550 sifive-p670
            sifive-p870 sifive-s21 sifive-s51 sifive-s54 sifive-s76 sifive-u54 sifive-u74 sifive-x280 sifive-x390
            spacemit-x60 syntacore-scr3-rv64 syntacore-scr4-rv64 syntacore-scr5-rv64 syntacore-scr7 tt-ascalon-d8
            veyron-v1 xiangshan-nanhu""",
        "a zacas": "xiangshan-kunminghu",
        "": "generic-rv64 rocket-rv64",
    }
)
_32_BIT = processors({"a": "", "": "generic-rv32 rocket-rv32"})
RISCV64 = Architecture(
    partial(_described, register=64), {"": _NONE, "generic": _NONE, **_64_BIT}, _IMPLIED, each("-64bit", "32bit")
)
RISCV32 = Architecture(
    partial(_described, register=32), {"": _NONE, "generic": _NONE, **_32_BIT}, _IMPLIED, each("64bit", "-32bit")
)
