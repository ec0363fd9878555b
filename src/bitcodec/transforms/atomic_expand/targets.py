"""The targets: what becomes of their atomic accesses, by architecture, features and optimization.

Rules: LLVM 22, as `opt -passes=atomic-expand` applies them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables import data_layouts
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.transforms.atomic_expand import features as known
from bitcodec.transforms.atomic_expand.description import (
    AtomicTarget,
    Barrier,
    Expansion,
    Fences,
    LinkedAccess,
    MaskedCalls,
    PairCalls,
    Rule,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["ARCHITECTURES", "NO_IMPLICIT_FLOAT", "Architecture", "architecture_of", "atomic_target"]

_Op = AtomicRMWOperation
_FLOATING = frozenset(operation for operation in _Op if operation.is_floating_point)
_WRAPPING = frozenset({_Op.UINC_WRAP, _Op.UDEC_WRAP, _Op.USUB_COND, _Op.USUB_SAT})
_EXTREMES = frozenset({_Op.MAX, _Op.MIN, _Op.UMAX, _Op.UMIN})
_LOGIC = frozenset({_Op.AND, _Op.OR, _Op.XOR})

_ACQUIRE = AtomicOrdering.ACQUIRE
_RELEASE = AtomicOrdering.RELEASE
_ACQ_REL = AtomicOrdering.ACQUIRE_RELEASE
_SEQ_CST = AtomicOrdering.SEQUENTIALLY_CONSISTENT

_EXCHANGES = frozenset({"cmpxchg", "atomicrmw"})
NO_IMPLICIT_FLOAT = "noimplicitfloat"
"""Stands among the features of a function that has the attribute."""


def _x86_64(features: frozenset[str], *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    wide = "cx16" in features
    is_vector_atomic = wide and "avx" in features and not features & {"soft-float", NO_IMPLICIT_FLOAT}
    return AtomicTarget(
        data_layout=f"e-{data_layouts.X86_64}",
        largest=128 if wide else 64,
        load=() if is_vector_atomic else (Rule(Expansion.CMPXCHG, 128),),
        store=() if is_vector_atomic else (Rule(Expansion.EXCHANGE, 128),),
        operation=(
            Rule(Expansion.CMPXCHG, 128),
            Rule(Expansion.NONE, operations=frozenset({_Op.XCHG})),
            Rule(Expansion.FLAGS, operations=_LOGIC | {_Op.ADD, _Op.SUB}),
            Rule(Expansion.CMPXCHG),
        ),
        fenced_load=64,
    )


_AARCH64_LINKED = LinkedAccess(
    "llvm.aarch64.ldxr", "llvm.aarch64.ldaxr", "llvm.aarch64.stxr", "llvm.aarch64.stlxr", register=64
)
_AARCH64_PAIR = LinkedAccess(
    "llvm.aarch64.ldxp",
    "llvm.aarch64.ldaxp",
    "llvm.aarch64.stxp",
    "llvm.aarch64.stlxp",
    register=64,
    has_element_type=False,
)


def _aarch64(features: frozenset[str], *, is_optimized: bool) -> AtomicTarget:
    has_lse = "lse" in features
    # An LL/SC loop must not spill in between, and without optimization it would.
    loop = Expansion.LL_SC if is_optimized and not has_lse else Expansion.CMPXCHG
    # What is computed by a call must not stand between the halves of LL/SC.
    is_called = "" if "-fp-armv8" in features else "fp128"
    operation = [
        Rule(Expansion.CMPXCHG, operations=_FLOATING, type=is_called),
        Rule(loop, operations=_FLOATING | {_Op.NAND}),
    ]
    if "lse128" in features:
        operation.insert(0, Rule(Expansion.NONE, 128, operations=frozenset({_Op.XCHG, _Op.OR, _Op.AND})))
    plain = frozenset(_Op) - _FLOATING - _WRAPPING - {_Op.NAND}
    if has_lse:
        operation.append(Rule(Expansion.NONE, most=64, operations=plain))
    elif "outline-atomics" in features:
        operation.append(Rule(Expansion.NONE, most=64, operations=plain - _EXTREMES))
    is_whole = "lse2" in features
    fence = {ordering: Barrier(ordering) for ordering in (_ACQUIRE, _RELEASE, _ACQ_REL, _SEQ_CST)}
    exchange = () if has_lse or "outline-atomics" in features or not is_optimized else (Rule(Expansion.LL_SC, most=64),)
    return AtomicTarget(
        data_layout=f"e-{data_layouts.AARCH64}",
        largest=128,
        load=() if is_whole else (Rule(loop, 128),),
        store=() if is_whole else (Rule(Expansion.EXCHANGE, 128),),
        exchange=exchange,
        operation=(*operation, Rule(loop)),
        fences=Fences(
            opcodes=frozenset({"load", "store"}),
            least=128,
            before_store={_RELEASE: fence[_RELEASE], _SEQ_CST: fence[_SEQ_CST]},
            after_load={_ACQUIRE: fence[_ACQUIRE], _SEQ_CST: fence[_SEQ_CST]},
            after_store={_SEQ_CST: fence[_SEQ_CST]},
        )
        if is_whole
        else Fences(),
        linked={8: _AARCH64_LINKED, 16: _AARCH64_LINKED, 32: _AARCH64_LINKED, 64: _AARCH64_LINKED, 128: _AARCH64_PAIR},
        clear_link="llvm.aarch64.clrex",
    )


_RISCV_MASKED = {
    _Op.XCHG: "llvm.riscv.masked.atomicrmw.xchg",
    _Op.ADD: "llvm.riscv.masked.atomicrmw.add",
    _Op.SUB: "llvm.riscv.masked.atomicrmw.sub",
    _Op.NAND: "llvm.riscv.masked.atomicrmw.nand",
    _Op.MAX: "llvm.riscv.masked.atomicrmw.max",
    _Op.MIN: "llvm.riscv.masked.atomicrmw.min",
    _Op.UMAX: "llvm.riscv.masked.atomicrmw.umax",
    _Op.UMIN: "llvm.riscv.masked.atomicrmw.umin",
}


def _riscv64(features: frozenset[str], *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    has_bytes = "zabha" in features
    has_exchange = "zacas" in features
    operation = [Rule(Expansion.CMPXCHG, operations=_FLOATING | _WRAPPING)]
    if has_exchange:
        operation.append(Rule(Expansion.CMPXCHG, 0 if has_bytes else 32, operations=frozenset({_Op.NAND})))
    operation.append(Rule(Expansion.MASKED, most=16, operations=frozenset({_Op.NAND})))
    if not has_bytes:
        operation.append(Rule(Expansion.MASKED, most=16))
    seq_cst, release, acquire = Barrier(_SEQ_CST), Barrier(_RELEASE), Barrier(_ACQUIRE)
    return AtomicTarget(
        data_layout=f"e-{data_layouts.RISCV64}",
        largest=64 if "zalrsc" in features else 0,
        least_exchange=8 if has_bytes and has_exchange else 32,
        exchange=() if has_bytes and has_exchange else (Rule(Expansion.MASKED, most=16),),
        operation=tuple(operation),
        fences=Fences(
            opcodes=frozenset({"load", "store"}),
            before_load={_SEQ_CST: seq_cst},
            before_store={_RELEASE: release, _ACQ_REL: release, _SEQ_CST: release},
            after_load={_ACQUIRE: acquire, _SEQ_CST: acquire},
            after_store={_SEQ_CST: seq_cst},
        ),
        masked=MaskedCalls(_RISCV_MASKED, "llvm.riscv.masked.cmpxchg", register=64),
    )


_ARM_LINKED = LinkedAccess("llvm.arm.ldrex", "llvm.arm.ldaex", "llvm.arm.strex", "llvm.arm.stlex", register=32)
_ARM_PAIR = LinkedAccess(
    "llvm.arm.ldrexd", "llvm.arm.ldaexd", "llvm.arm.strexd", "llvm.arm.stlexd", register=32, has_element_type=False
)
_INNER_SHAREABLE = 11
"""The operand of `dmb ish`."""


def _armv7(features: frozenset[str], *, is_optimized: bool) -> AtomicTarget:
    del features
    barrier = Barrier(intrinsic="llvm.arm.dmb", operand=_INNER_SHAREABLE)
    releasing = {_RELEASE: barrier, _ACQ_REL: barrier, _SEQ_CST: barrier}
    acquiring = {_ACQUIRE: barrier, _ACQ_REL: barrier, _SEQ_CST: barrier}
    return AtomicTarget(
        data_layout=f"e-{data_layouts.ARM}",
        largest=64,
        load=(Rule(Expansion.LL_ONLY, 64),),
        store=(Rule(Expansion.EXCHANGE, 64),),
        exchange=(Rule(Expansion.LL_SC),) if is_optimized else (),
        operation=(
            Rule(Expansion.CMPXCHG, operations=_FLOATING),
            Rule(Expansion.LL_SC if is_optimized else Expansion.CMPXCHG),
        ),
        fences=Fences(
            opcodes=_EXCHANGES | {"load", "store"},
            before_store=releasing,
            after_load=acquiring,
            after_store=acquiring,
            after_exchange=acquiring,
        ),
        linked={8: _ARM_LINKED, 16: _ARM_LINKED, 32: _ARM_LINKED, 64: _ARM_PAIR},
        clear_link="llvm.arm.clrex",
    )


def _powerpc_linked(letter: str, register: int) -> LinkedAccess:
    load, store = f"llvm.ppc.l{letter}arx", f"llvm.ppc.st{letter}cx"
    return LinkedAccess(
        load,
        load,
        store,
        store,
        register=register,
        has_element_type=False,
        is_address_first=True,
        is_success_nonzero=True,
    )


_POWERPC_LINKED = {8: ("b", 32), 16: ("h", 32), 32: ("w", 32), 64: ("d", 64)}
_POWERPC_PAIR = {
    operation: f"llvm.ppc.atomicrmw.{operation}.i128"
    for operation in (_Op.XCHG, _Op.ADD, _Op.SUB, _Op.AND, _Op.OR, _Op.XOR, _Op.NAND)
}


def _powerpc64(features: frozenset[str], *, is_optimized: bool, is_little_endian: bool = False) -> AtomicTarget:
    del is_optimized
    sync, lwsync = Barrier(intrinsic="llvm.ppc.sync"), Barrier(intrinsic="llvm.ppc.lwsync")
    cfence = Barrier(intrinsic="llvm.ppc.cfence", takes_value=True)
    leading = {_RELEASE: lwsync, _ACQ_REL: lwsync, _SEQ_CST: sync}
    has_quadwords = "quadword-atomics" in features
    layout = f"e-{data_layouts.POWERPC64_ELFV2}" if is_little_endian else f"E-{data_layouts.POWERPC64_ELFV1}"
    return AtomicTarget(
        data_layout=layout,
        largest=128 if has_quadwords else 64,
        least_exchange=8 if "partword-atomics" in features else 32,
        exchange=(Rule(Expansion.PAIR, 128), Rule(Expansion.LL_SC)),
        operation=(
            Rule(Expansion.PAIR, 128, operations=frozenset(_POWERPC_PAIR)),
            Rule(Expansion.CMPXCHG, 128),
            Rule(Expansion.CMPXCHG, operations=_FLOATING | _WRAPPING),
        ),
        fences=Fences(
            opcodes=_EXCHANGES | {"load", "store"},
            before_load=leading,
            before_store=leading,
            after_load={_ACQUIRE: cfence, _ACQ_REL: cfence, _SEQ_CST: cfence},
            after_exchange={_ACQUIRE: lwsync, _ACQ_REL: lwsync, _SEQ_CST: lwsync},
        ),
        linked={width: _powerpc_linked(letter, register) for width, (letter, register) in _POWERPC_LINKED.items()},
        pair=PairCalls(_POWERPC_PAIR, "llvm.ppc.cmpxchg.i128", register=64),
    )


def _powerpc64le(features: frozenset[str], *, is_optimized: bool) -> AtomicTarget:
    return _powerpc64(features, is_optimized=is_optimized, is_little_endian=True)


class Architecture(NamedTuple):
    """A row: an architecture that is known.

    Attributes:
        describe: makes the description of a target with features.
        processors: the features of processors, as far as atomic accesses depend on them.
        implied: features that others bring with them.
        lost: features that go when another is taken away, which they need.
        unknown: sets of features with which accesses become what is not known here; `-feature` is one taken away.
    """

    describe: Callable[..., AtomicTarget]
    processors: dict[str, frozenset[str]]
    implied: Mapping[str, frozenset[str]] = MappingProxyType({})
    lost: Mapping[str, frozenset[str]] = MappingProxyType({})
    unknown: tuple[frozenset[str], ...] = ()

    def features(self, processor: str, changes: Iterable[str]) -> frozenset[str]:
        """Return the features of a processor after changes, each spelled `+feature` or `-feature`.

        A feature that is taken away is there as `-feature`.

        Raises:
            ValueError: the processor is not known, a change is not spelled so, or it is not known what accesses become
                with these features.
        """
        if processor not in self.processors:
            known = ", ".join(filter(None, self.processors))
            raise ValueError(f"there is no processor {processor!r} here, only {known}; name features instead")
        found = set(self.processors[processor])
        for change in changes:
            sign, feature = change[:1], change[1:]
            if sign not in ("+", "-") or not feature:
                raise ValueError(f"a feature is spelled +{change} or -{change}, not {change!r}")
            if sign == "+":
                found |= {feature} | self.implied.get(feature, frozenset())
                found.discard(f"-{feature}")
            else:
                found -= {feature} | self.lost.get(feature, frozenset())
                found.add(change)
        for together in self.unknown:
            if together <= found:
                names = " and ".join(name if name.startswith("-") else f"+{name}" for name in sorted(together))
                raise ValueError(f"atomic accesses with {names} are not known here")
        return frozenset(found)


_NONE: frozenset[str] = frozenset()
_CX16 = frozenset({"cx16"})
_CX16_AVX = frozenset({"cx16", "avx"})
_LSE = frozenset({"lse"})
_POWER8 = frozenset({"partword-atomics", "quadword-atomics"})

_POWERPC_PROCESSORS = {
    "ppc64": _NONE,
    "pwr7": _NONE,
    "pwr8": _POWER8,
    "pwr9": _POWER8,
    "pwr10": _POWER8,
    "pwr11": _POWER8,
    "ppc64le": _POWER8,
}

ARCHITECTURES = {
    "x86_64": Architecture(
        _x86_64,
        {"": _NONE, "generic": _NONE, "x86-64": _NONE, "x86-64-v2": _CX16, "x86-64-v3": _CX16_AVX}
        | {"x86-64-v4": _CX16_AVX},
        known.X86_IMPLIED,
        known.X86_LOST,
        known.X86_UNKNOWN,
    ),
    "aarch64": Architecture(
        _aarch64,
        {"": _NONE, "generic": _NONE, "cortex-a53": _NONE, "cortex-a72": _NONE, "neoverse-n1": _LSE},
        known.AARCH64_IMPLIED,
        known.AARCH64_LOST,
        known.AARCH64_UNKNOWN,
    ),
    "riscv64": Architecture(
        _riscv64,
        {"": _NONE, "generic": _NONE, "generic-rv64": _NONE},
        known.RISCV_IMPLIED,
        known.RISCV_LOST,
        known.RISCV_UNKNOWN,
    ),
    "armv7": Architecture(_armv7, {"": _NONE, "generic": _NONE, "cortex-a9": _NONE}, unknown=known.ARM_UNKNOWN),
    "powerpc64": Architecture(_powerpc64, {"": _NONE, **_POWERPC_PROCESSORS}),
    "powerpc64le": Architecture(_powerpc64le, {"": _POWER8, **_POWERPC_PROCESSORS}),
}
"""By the name that begins a triple."""

_ALIASES = {"amd64": "x86_64", "arm64": "aarch64", "armv7a": "armv7", "ppc64": "powerpc64", "ppc64le": "powerpc64le"}


def architecture_of(triple: str) -> Architecture:
    """Return the architecture of a triple, whose first part alone counts.

    Raises:
        ValueError: it is not known.
    """
    name = triple.partition("-")[0]
    found = ARCHITECTURES.get(_ALIASES.get(name, name))
    if found is None:
        known = ", ".join(ARCHITECTURES)
        raise ValueError(f"atomic accesses of {triple or 'a module without a target'!r} are not known, only of {known}")
    return found


def atomic_target(
    triple: str, processor: str = "", features: Iterable[str] = (), *, is_optimized: bool = True
) -> AtomicTarget:
    """Return the description of a target.

    Args:
        triple: what it is; its first part alone counts.
        processor: the processor, "" for the least that the architecture has.
        features: changes to what the processor has: `+lse`, `-cx16`.
        is_optimized: whether code generation is to optimize; at level 0 some targets have no LL/SC.

    Raises:
        ValueError: the architecture or the processor is not known, or a feature is misspelled.
    """
    found = architecture_of(triple)
    return found.describe(found.features(processor, features), is_optimized=is_optimized)
