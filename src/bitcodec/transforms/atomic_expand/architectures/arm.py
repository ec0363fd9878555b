"""Arm of 32 bits, little-endian and big-endian, in all its versions."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.transforms.atomic_expand.architectures.operations import (
    ACCESSES,
    ACQ_REL,
    ACQUIRE,
    FLOATING,
    RELEASE,
    SEQ_CST,
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

__all__ = ["ARM", "BIG_ENDIAN_ARM"]

_THUMB = "thumb-mode"
_LINUX = "system-linux"

_LINKED = LinkedAccess("llvm.arm.ldrex", "llvm.arm.ldaex", "llvm.arm.strex", "llvm.arm.stlex", register=32)
_PAIR = LinkedAccess(
    "llvm.arm.ldrexd", "llvm.arm.ldaexd", "llvm.arm.strexd", "llvm.arm.stlexd", register=32, has_element_type=False
)
_INNER_SHAREABLE, _INNER_SHAREABLE_STORES, _SYSTEM = 11, 10, 15
"""Operands of `dmb`."""
_COPROCESSOR_BARRIER = (15, 0, 0, 7, 10, 5)
"""Operands of the `mcr` that is the barrier of Armv6."""


def _described(features: Features, *, is_optimized: bool, is_big_endian: bool) -> AtomicTarget:
    is_microcontroller = "mclass" in features
    if is_microcontroller:
        links, widest = "v8m" in features, 32
    else:
        links, widest = ("v7" if _THUMB in features else "v6") in features, 64
    is_pair_linked = links and not is_microcontroller
    whole = (
        {"load": ExpansionRule(Expansion.LL_ONLY, 64), "store": ExpansionRule(Expansion.EXCHANGE, 64)}
        if is_pair_linked
        else {}
    )
    operation = [ExpansionRule(Expansion.CMPXCHG, operations=FLOATING)]
    if links:
        operation.append(ExpansionRule(Expansion.LL_SC if is_optimized else Expansion.CMPXCHG, most=widest))
    return AtomicTarget(
        largest=_largest(features),
        load=(whole["load"],) if whole else (),
        store=(whole["store"],) if whole else (),
        exchange=(ExpansionRule(Expansion.LL_SC, most=widest),) if links and is_optimized else (),
        operation=tuple(operation),
        fences=_fences(features, is_optimized=is_optimized),
        linked={8: _LINKED, 16: _LINKED, 32: _LINKED, 64: _PAIR._replace(is_high_first=is_big_endian)},
        clear_link="llvm.arm.clrex" if "v7" in features else "",
    )


def _largest(features: Features) -> int:
    """Return the widest access that the back end has: by instructions, or by functions of the system."""
    is_microcontroller = "mclass" in features
    if _LINUX in features or (not is_microcontroller and "v6" in features):
        return 64
    return 32 if (is_microcontroller and "v8m" in features) or "atomics-32" in features else 0


def _fences(features: Features, *, is_optimized: bool) -> Fences:
    is_thumb = _THUMB in features
    has_barrier = "db" in features or ("v6" in features and not is_thumb)
    if not has_barrier or (is_thumb and "v8m" not in features):
        return Fences()
    if "acquire-release" in features and is_optimized:
        return Fences()
    barrier, stored = _barriers(features)
    acquiring = {ACQUIRE: barrier, ACQ_REL: barrier, SEQ_CST: barrier}
    return Fences(
        opcodes=ACCESSES,
        before_store={RELEASE: stored, ACQ_REL: stored, SEQ_CST: stored},
        after_load=acquiring,
        after_store=acquiring,
        after_exchange=acquiring,
    )


def _barriers(features: Features) -> tuple[Barrier, Barrier]:
    """Return the barrier behind an access, and the one in front of a store."""
    if "db" not in features:
        barrier = Barrier(intrinsic="llvm.arm.mcr", operands=_COPROCESSOR_BARRIER)
        return barrier, barrier
    whole = _SYSTEM if "mclass" in features else _INNER_SHAREABLE
    stores = _INNER_SHAREABLE_STORES if "prefer-ishst" in features and whole == _INNER_SHAREABLE else whole
    return Barrier(intrinsic="llvm.arm.dmb", operands=(whole,)), Barrier(intrinsic="llvm.arm.dmb", operands=(stores,))


_V8 = ("v8", *(f"v8.{minor}a" for minor in range(1, 10)), "v9a", *(f"v9.{minor}a" for minor in range(1, 8)))
_IMPLIED: Mapping[str, Features] = {
    "v5t": frozenset({"v4t"}),
    "v5te": frozenset({"v5t"}),
    "v6": frozenset({"v5te"}),
    "v6m": frozenset({"v6"}),
    "v8m": frozenset({"v6m"}),
    "v6k": frozenset({"v6"}),
    "v6t2": frozenset({"v8m", "v6k", "thumb2"}),
    "v7": frozenset({"v6t2", "v7clrex"}),
    "v8": frozenset({"v7", "acquire-release"}),
    **{later: frozenset({earlier}) for earlier, later in pairwise(_V8)},
    "v8m.main": frozenset({"v7"}),
    "v8.1m.main": frozenset({"v8m.main"}),
    "armv4t": frozenset({"v4t"}),
    "armv5t": frozenset({"v5t"}),
    "armv5te": frozenset({"v5te"}),
    "armv5tej": frozenset({"v5te"}),
    "armv6": frozenset({"v6"}),
    "armv6j": frozenset({"v6"}),
    "armv6k": frozenset({"v6k"}),
    "armv6kz": frozenset({"v6k"}),
    "armv6t2": frozenset({"v6t2"}),
    "armv6-m": frozenset({"v6m", "db", "mclass"}),
    "armv6s-m": frozenset({"v6m", "db", "mclass"}),
    "armv7-a": frozenset({"v7", "db"}),
    "armv7ve": frozenset({"v7", "db"}),
    "armv7-r": frozenset({"v7", "db"}),
    "armv7-m": frozenset({"v7", "db", "mclass"}),
    "armv7e-m": frozenset({"v7", "db", "mclass"}),
    "armv8-m.base": frozenset({"v8m", "db", "mclass", "acquire-release", "v7clrex"}),
    "armv8-m.main": frozenset({"v8m.main", "db", "mclass", "acquire-release"}),
    "armv8.1-m.main": frozenset({"v8.1m.main", "db", "mclass", "acquire-release"}),
    "armv8-r": frozenset({"v8", "db"}),
    "armv8-a": frozenset({"v8", "db"}),
    **{f"armv8.{minor}-a": frozenset({f"v8.{minor}a", "db"}) for minor in range(1, 10)},
    "armv9-a": frozenset({"v9a", "db"}),
    **{f"armv9.{minor}-a": frozenset({f"v9.{minor}a", "db"}) for minor in range(1, 8)},
}

_VERSIONS: Mapping[str, str] = {
    "v4": "",
    "v4t": "armv4t",
    "v5": "armv5t",
    "v5t": "armv5t",
    "v5e": "armv5te",
    "v5te": "armv5te",
    "v5tej": "armv5tej",
    "v6": "armv6",
    "v6j": "armv6j",
    "v6k": "armv6k",
    "v6kz": "armv6kz",
    "v6z": "armv6kz",
    "v6zk": "armv6kz",
    "v6hl": "armv6k",
    "v6t2": "armv6t2",
    "v6m": "armv6-m",
    "v6sm": "armv6-m",
    "v7": "armv7-a",
    "v7a": "armv7-a",
    "v7hl": "armv7-a",
    "v7l": "armv7-a",
    "v7k": "armv7-a",
    "v7s": "armv7-a",
    "v7ve": "armv7ve",
    "v7r": "armv7-r",
    "v7m": "armv7-m",
    "v7em": "armv7e-m",
    "v8": "armv8-a",
    "v8a": "armv8-a",
    "v8l": "armv8-a",
    "v8r": "armv8-r",
    "v8m.base": "armv8-m.base",
    "v8m.main": "armv8-m.main",
    "v8.1m.main": "armv8.1-m.main",
    **{f"v{version}a": f"armv{version}-a" for version in (*(f"8.{minor}" for minor in range(1, 10)), 9)},
    **{f"v9.{minor}a": f"armv9.{minor}-a" for minor in range(1, 8)},
}
"""The feature for the version that the name of an architecture ends in."""


def _of_triple(triple: Triple) -> tuple[Features, Features]:
    name = triple.architecture
    added = {_THUMB} if name.startswith("thumb") else set()
    if triple.is_linux:
        added.add(_LINUX)
    return frozenset(added), frozenset(filter(None, [_VERSIONS.get(_version(triple), "")]))


def _processor_of(triple: Triple) -> str:
    """Return the processor of Apple's devices with an architecture."""
    return _APPLE_PROCESSORS.get(_version(triple), "") if triple.is_apple else ""


def _version(triple: Triple) -> str:
    return re.sub(r"^(arm|thumb)(eb)?", "", triple.architecture).removesuffix("eb")


_APPLE_PROCESSORS: Mapping[str, str] = {"v7s": "swift", "v7k": "cortex-a7"}


_NONE: Features = frozenset()
_PROCESSORS = processors(
    {
        "v8 db": """
            cortex-a32 cortex-a35 cortex-a510 cortex-a53 cortex-a55 cortex-a57 cortex-a710 cortex-a72 cortex-a73
            cortex-a75 cortex-a76 cortex-a76ae cortex-a77 cortex-a78 cortex-a78ae cortex-a78c cortex-r52 cortex-r52plus
            cortex-x1 cortex-x1c cyclone exynos-m3 exynos-m4 exynos-m5 kryo neoverse-n1 neoverse-n2 neoverse-v1""",
        "v7 db": """
            cortex-a12 cortex-a15 cortex-a17 cortex-a5 cortex-a7 cortex-a8 cortex-a9 cortex-r4 cortex-r4f cortex-r5
            cortex-r7 cortex-r8 krait""",
        "v7 db prefer-ishst": "swift",
        "armv8-m.main": "cortex-m33 cortex-m35p cortex-m52 cortex-m55 cortex-m85 star-mc1 star-mc3",
        "armv8-m.base": "cortex-m23",
        "armv7-m": "cortex-m3 cortex-m4 cortex-m7 sc300",
        "armv6-m": "cortex-m0 cortex-m0plus cortex-m1 sc000",
        "v6t2": "arm1156t2-s arm1156t2f-s",
        "v6k": "arm1176jz-s arm1176jzf-s mpcore mpcorenovfp",
        "v6": "arm1136j-s arm1136jf-s",
        "v5te": """
            arm1020e arm1022e arm10e arm926ej-s arm946e-s arm966e-s arm968e-s arm9e iwmmxt xscale""",
        "v5t": "arm1020t arm10tdmi",
        "v4t": "arm710t arm720t arm7tdmi arm7tdmi-s arm9 arm920 arm920t arm922t arm940t arm9tdmi ep9312",
        "": "arm8 arm810 strongarm strongarm110 strongarm1100 strongarm1110",
    }
)
_ALL = {"": _NONE, "generic": _NONE, **_PROCESSORS}
ARM = Architecture(partial(_described, is_big_endian=False), _ALL, _IMPLIED, each("noarm"), _of_triple, _processor_of)
BIG_ENDIAN_ARM = Architecture(
    partial(_described, is_big_endian=True), _ALL, _IMPLIED, each("noarm"), _of_triple, _processor_of
)
