"""NVPTX, of 32 and 64 bits: decisions depend on the version of the GPU (SM) and of the PTX language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import (
    ACQ_REL,
    ACQUIRE,
    EXTREMES,
    FLOATING,
    LOGIC,
    RELEASE,
    SEQ_CST,
)
from bitcodec.transforms.atomic_expand.architectures.row import Architecture
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Barrier, Expansion, ExpansionRule, Fences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["NVPTX"]

_Op = AtomicRMWOperation
_WORD = 32
_DEFAULT = "sm_30"

_LEAST_PTX: Mapping[int, str] = {
    32: "20 21 30 35",
    40: "32 50",
    41: "37 52",
    42: "53",
    50: "60 61 62",
    60: "70",
    61: "72",
    63: "75",
    70: "80",
    71: "86",
    74: "87",
    78: "89 90",
    80: "90a",
    86: "100 100a 101 101a",
    87: "120 120a",
    88: "100f 101f 103 103f 103a 120f 121 121f 121a",
    90: "88 110 110f 110a",
}
"""The first version of PTX, times 10, that has a processor."""
_PROCESSORS = {f"sm_{name}": least for least, names in _LEAST_PTX.items() for name in names.split()}


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    sm, ptx = _versions(features)
    has_wide = sm >= 90 and ptx >= 83
    return AtomicTarget(
        largest=128 if has_wide else 64,
        least_exchange=_WORD,
        operation=(*_floating(sm, ptx), *_of_integers(sm)),
        fences=_FENCES,
        keeps_floats=True,
        has_library=False,
    )


def _floating(sm: int, ptx: int) -> Iterator[ExpansionRule]:
    """Yield the rules for operations on floating-point numbers; only additions have instructions."""
    added = frozenset({_Op.FADD})
    kinds = {
        "half": sm >= 70 and ptx >= 63,
        "bfloat": sm >= 90 and ptx >= 78,
        "float": True,
        "double": sm >= 60,
    }
    yield from (
        ExpansionRule(Expansion.NONE, operations=added, type=name) for name, is_there in kinds.items() if is_there
    )
    yield ExpansionRule(Expansion.CMPXCHG, operations=FLOATING)


def _of_integers(sm: int) -> Iterator[ExpansionRule]:
    yield ExpansionRule(Expansion.NONE, 128, operations=frozenset({_Op.XCHG}))
    kept = LOGIC | EXTREMES | {_Op.XCHG, _Op.ADD, _Op.SUB}
    yield ExpansionRule(Expansion.NONE, _WORD, _WORD, operations=kept | {_Op.UINC_WRAP, _Op.UDEC_WRAP})
    if sm >= 32:
        yield ExpansionRule(Expansion.NONE, 64, 64, operations=kept)
    yield ExpansionRule(Expansion.CMPXCHG)


def _versions(features: Features) -> tuple[int, int]:
    """Return the version of the GPU and of PTX, times 10.

    Raises:
        ValueError: the GPU needs a newer PTX.
    """
    chips = [name for name in features if name in _PROCESSORS] or [_DEFAULT]
    chip = max(chips, key=_order)
    asked = [int(name[3:]) for name in features if re.fullmatch(r"ptx\d+", name)]
    least = _PROCESSORS[chip]
    if asked and max(asked) < least:
        version, needed = (f"{number // 10}.{number % 10}" for number in (max(asked), least))
        raise ValueError(f"PTX version {version} does not support target {chip!r}; expected at least {needed}")
    return _order(chip) // 10, max(asked, default=least)


def _order(chip: str) -> int:
    """Return the number by which LLVM compares chips: forms of one version follow it."""
    name = chip.removeprefix("sm_")
    return int(name.rstrip("af")) * 10 + {"f": 2, "a": 3}.get(name[-1], 0)


_RELEASE = Barrier(RELEASE, keeps_scope=True)
_ACQUIRE = Barrier(ACQUIRE, keeps_scope=True)
_FENCES = Fences(
    opcodes=frozenset({"cmpxchg"}),
    native_exchange=_WORD,
    before_store={RELEASE: _RELEASE, ACQ_REL: _RELEASE, SEQ_CST: Barrier(SEQ_CST, keeps_scope=True)},
    after_exchange={ACQUIRE: _ACQUIRE, ACQ_REL: _ACQUIRE, SEQ_CST: _ACQUIRE},
)
NVPTX = Architecture(_described, {"": frozenset({_DEFAULT}), **{name: frozenset({name}) for name in _PROCESSORS}})
