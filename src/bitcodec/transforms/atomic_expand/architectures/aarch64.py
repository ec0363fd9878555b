"""AArch64."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import (
    ACCESSES,
    ACQ_REL,
    ACQUIRE,
    EXTREMES,
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
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.tables.triple_components import Triple
    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["AARCH64"]

_Op = AtomicRMWOperation
_LINKED = LinkedAccess(
    "llvm.aarch64.ldxr", "llvm.aarch64.ldaxr", "llvm.aarch64.stxr", "llvm.aarch64.stlxr", register=64
)
_PAIR = LinkedAccess(
    "llvm.aarch64.ldxp",
    "llvm.aarch64.ldaxp",
    "llvm.aarch64.stxp",
    "llvm.aarch64.stlxp",
    register=64,
    has_element_type=False,
)
_FLOATING_INSTRUCTIONS = frozenset({_Op.FADD, _Op.FMAX, _Op.FMIN, _Op.FMAXIMUM, _Op.FMINIMUM})
_MSVC = "environment-msvc"


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    has_lse = "lse" in features
    # An LL/SC loop must not spill in between, and without optimization it would.
    loop = Expansion.LL_SC if is_optimized and not has_lse else Expansion.CMPXCHG
    exchange = (
        ()
        if has_lse or "outline-atomics" in features or not is_optimized
        else (ExpansionRule(Expansion.LL_SC, most=64),)
    )
    return AtomicTarget(
        largest=128,
        load=(*_left_loads(features), ExpansionRule(loop, 128)),
        store=(*_left_stores(features), ExpansionRule(Expansion.EXCHANGE, 128)),
        exchange=exchange,
        operation=_operations(features, loop),
        fences=_fences(features),
        linked={8: _LINKED, 16: _LINKED, 32: _LINKED, 64: _LINKED, 128: _PAIR},
        clear_link="llvm.aarch64.clrex",
        # The C library of Microsoft relies on a fence behind each store.
        stored_barrier=Barrier(SEQ_CST) if _MSVC in features else None,
        stored_opcodes=frozenset({"store"}) if has_lse else ACCESSES,
    )


def _operations(features: Features, loop: Expansion) -> tuple[ExpansionRule, ...]:
    rules = []
    if "lsfe" in features:
        rules.append(ExpansionRule(Expansion.NONE, operations=_FLOATING_INSTRUCTIONS))
    if "lse128" in features:
        rules.append(ExpansionRule(Expansion.NONE, 128, operations=frozenset({_Op.XCHG, _Op.OR, _Op.AND})))
    # What is computed by a call must not stand between the halves of LL/SC.
    is_called = "" if "-fp-armv8" in features else "fp128"
    rules.append(ExpansionRule(Expansion.CMPXCHG, operations=FLOATING, type=is_called))
    rules.append(ExpansionRule(loop, operations=FLOATING | {_Op.NAND}))
    plain = frozenset(_Op) - FLOATING - WRAPPING - {_Op.NAND}
    if "lse" in features:
        rules.append(ExpansionRule(Expansion.NONE, most=64, operations=plain))
    elif "outline-atomics" in features:
        rules.append(ExpansionRule(Expansion.NONE, most=64, operations=plain - EXTREMES))
    return (*rules, ExpansionRule(loop))


def _left_loads(features: Features) -> tuple[ExpansionRule, ...]:
    return (ExpansionRule(Expansion.NONE, 128),) if "lse2" in features else ()


def _left_stores(features: Features) -> tuple[ExpansionRule, ...]:
    """Return the rules for stores of pairs of registers; a releasing one is an exchange if there is one of pairs."""
    if "lse2" not in features:
        return ()
    if "lse128" not in features:
        return (ExpansionRule(Expansion.NONE, 128),)
    released = (ExpansionRule(Expansion.NONE, 128, orderings=frozenset({RELEASE})),) if "rcpc3" in features else ()
    exchanged = ExpansionRule(Expansion.EXCHANGE, 128, orderings=frozenset({RELEASE, SEQ_CST}))
    return (*released, exchanged, ExpansionRule(Expansion.NONE, 128))


def _fences(features: Features) -> Fences:
    """Return the fences around loads and stores of pairs of registers, which have no native ordering."""
    if "lse2" not in features:
        return Fences()
    fence = {ordering: Barrier(ordering) for ordering in (ACQUIRE, RELEASE, ACQ_REL, SEQ_CST)}
    native = set()
    if "lse128" in features:
        native |= {("store", RELEASE), ("store", SEQ_CST)}
    if "rcpc3" in features:
        native |= {("store", RELEASE), ("load", ACQUIRE)}
    return Fences(
        opcodes=frozenset({"load", "store"}),
        least=128,
        native=frozenset(native),
        before_store={RELEASE: fence[RELEASE], SEQ_CST: fence[SEQ_CST]},
        after_load={ACQUIRE: fence[ACQUIRE], SEQ_CST: fence[SEQ_CST]},
        after_store={SEQ_CST: fence[SEQ_CST]},
    )


_LSE = frozenset({"lse"})
_LSE2 = frozenset({"lse", "lse2"})
_IMPLIED: Mapping[str, Features] = {
    "lse128": _LSE,
    "d128": frozenset({"lse128"}),
    **{f"v8.{minor}a": _LSE if minor < 4 else _LSE2 for minor in range(1, 10)},
    "v8r": _LSE,
    **{f"v9{minor}a": _LSE2 for minor in ("", ".1", ".2", ".3", ".4", ".5", ".6", ".7")},
    "oryon-1": _LSE2,
    "lsfe": frozenset({"fp-armv8"}),
}
_NONE: Features = frozenset()


def _of_triple(triple: Triple) -> tuple[Features, Features]:
    return (frozenset({_MSVC}) if triple.is_msvc else _NONE), _NONE


_PROCESSORS = processors(
    {
        "lse lse2 rcpc3": "c1-nano c1-premium c1-pro c1-ultra",
        "lse lse2": """
            ampere1 ampere1a ampere1b ampere1c apple-a13 apple-a14 apple-a15 apple-a16 apple-a17 apple-a18 apple-a19
            apple-m1 apple-m2 apple-m3 apple-m4 apple-m5 apple-s10 apple-s6 apple-s7 apple-s8 apple-s9 cobalt-100
            cortex-a320 cortex-a510 cortex-a520 cortex-a520ae cortex-a710 cortex-a715 cortex-a720 cortex-a720ae
            cortex-a725 cortex-x1c cortex-x2 cortex-x3 cortex-x4 cortex-x925 fujitsu-monaka gb10 grace neoverse-512tvb
            neoverse-n2 neoverse-n3 neoverse-v1 neoverse-v2 neoverse-v3 neoverse-v3ae olympus oryon-1 saphira""",
        "lse": """
            a64fx apple-a11 apple-a12 apple-s4 apple-s5 carmel cortex-a55 cortex-a65 cortex-a65ae cortex-a75 cortex-a76
            cortex-a76ae cortex-a77 cortex-a78 cortex-a78ae cortex-a78c cortex-r82 cortex-r82ae cortex-x1 exynos-m4
            exynos-m5 neoverse-e1 neoverse-n1 thunderx2t99 thunderx3t110 tsv110""",
        "": """
            apple-a10 apple-a7 apple-a8 apple-a9 cortex-a34 cortex-a35 cortex-a53 cortex-a57 cortex-a72 cortex-a73
            cyclone exynos-m3 falkor generic kryo thunderx thunderxt81 thunderxt83 thunderxt88""",
    }
)
AARCH64 = Architecture(_described, {"": _NONE, **_PROCESSORS}, _IMPLIED, each(), _of_triple)
