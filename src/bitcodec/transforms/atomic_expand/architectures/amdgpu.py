"""AMDGPU: decisions depend on the kind of memory that an address is in, and on its distance.

Instructions for integer operations other than `add` and `xchg` fail over PCI Express, and instructions for
floating-point operations fail in fine-grained memory.  Metadata state that an access is not in such memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.ir.constants import Constant, ConstantInt
from bitcodec.ir.instructions import AtomicRMW
from bitcodec.ir.types import PointerType
from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.amdgpu_processors import IMPLIED, PROCESSORS
from bitcodec.transforms.atomic_expand.architectures.operations import EXTREMES, FLOATING, LOGIC, WRAPPING
from bitcodec.transforms.atomic_expand.architectures.row import Architecture, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Expansion, ExpansionRule
from bitcodec.transforms.atomic_expand.generic_space import GENERIC, GLOBAL, LOCAL, NOALIAS_SPACE, PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MDNode
    from bitcodec.tables.triple_components import Triple
    from bitcodec.transforms.atomic_expand.access import Atomic
    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["AMDGCN", "R600"]

_Op = AtomicRMWOperation
_WORD, _DOUBLE_WORD = 32, 64
_CONSTANT, _CONSTANT_WORD, _BUFFER = 4, 6, 7
"""Address spaces: of constants, with addresses of 64 and 32 bits, and of buffers."""
_LAST_SPACE = 9
"""The last address space that has a meaning; those above it are taken for global memory."""
_REMOTE_LOOPS = LOGIC | EXTREMES | WRAPPING | {_Op.SUB}
"""Operations without a transaction of PCI Express."""
_NEUTRAL_ZERO = frozenset({_Op.SUB, _Op.OR, _Op.XOR})
"""Operations that change nothing with an operand of zero, as `add` does."""

# Traits of accesses.
_IS_GENERIC, _IS_EXTENDED, _IS_BUFFER, _IS_LOCAL, _IS_PRIVATE = "generic", "global", "buffer", "local", "private"
_IS_REMOTE = "perhaps on another device"
_MAY_BE_PRIVATE = "perhaps private"
_IS_USED = "used"
_IS_ZERO = "zero"
_IS_SYSTEM = "system"
_FLUSHES = "subnormal numbers may be flushed"
_NO_FINE = "amdgpu.no.fine.grained.memory"
_NO_REMOTE = "amdgpu.no.remote.memory"
_SYSTEM_SCOPES = ("", "one-as")


def _kinds_of_spaces() -> dict[int, frozenset[str]]:
    found = dict.fromkeys(range(_LAST_SPACE + 1), _NONE)
    return found | {
        GENERIC: frozenset({_IS_GENERIC, _IS_REMOTE}),
        GLOBAL: _ABOVE,
        _CONSTANT: _ABOVE,
        _CONSTANT_WORD: frozenset({_IS_EXTENDED}),
        _BUFFER: frozenset({_IS_BUFFER, _IS_REMOTE}),
        LOCAL: frozenset({_IS_LOCAL}),
        PRIVATE: frozenset({_IS_PRIVATE}),
    }


_NONE = frozenset[str]()
_ABOVE = frozenset({_IS_EXTENDED, _IS_REMOTE})
_SPACES = _kinds_of_spaces()


def _traits(access: Atomic) -> frozenset[str]:
    """Return the traits of an access: its memory, and the use and the operand of its operation."""
    pointer = access.pointer.type
    assert isinstance(pointer, PointerType)  # noqa: S101 - everything that is accessed has an address
    found = set(_SPACES.get(pointer.address_space, _ABOVE))
    metadata = access.metadata
    if _IS_GENERIC in found and not _excludes(metadata.get(NOALIAS_SPACE), PRIVATE):
        found.add(_MAY_BE_PRIVATE)
    if not isinstance(access, AtomicRMW):
        return frozenset(found)
    found |= {kind for kind in (_NO_FINE, _NO_REMOTE) if kind in metadata}
    value = access.value
    conditions = {
        _IS_USED: access.is_used,
        _IS_ZERO: isinstance(value, Constant) and value.is_null,
        _IS_SYSTEM: access.sync_scope in _SYSTEM_SCOPES,
        _FLUSHES: "amdgpu.ignore.denormal.mode" in metadata or _flushes(access.function),
    }
    return frozenset(found | {trait for trait, holds in conditions.items() if holds})


def _excludes(ranges: MDNode | None, space: int) -> bool:
    """Return whether metadata, pairs of bounds, contain an address space; as in LLVM 22, [6, 1) contains 2 to 6."""
    values = () if ranges is None else (getattr(operand, "value", None) for operand in ranges.operands)
    bounds = [value.unsigned for value in values if isinstance(value, ConstantInt)]
    pairs = zip(bounds[::2], bounds[1::2], strict=False)
    return any(least <= space < end or end < space <= least for least, end in pairs)


def _flushes(function: Function | None) -> bool:
    """Return whether subnormal numbers of type float become zero and keep their sign."""
    if function is None:
        return False
    attributes = function.attributes.for_function
    if attributes.string("amdgpu-unsafe-fp-atomics") == "true":
        return True
    for name in ("denormal-fp-math-f32", "denormal-fp-math"):
        mode = _denormal_mode(attributes.string(name))
        if mode is not None:
            return mode == ("preserve-sign", "preserve-sign")
    return False


def _denormal_mode(text: str | None) -> tuple[str, str] | None:
    """Return the modes of subnormal results and operands, None for an absent or unknown mode."""
    if text is None:
        return None
    result, _, operand = text.partition(",")
    modes = result or "ieee", operand or result or "ieee"
    return modes if all(mode in ("ieee", "preserve-sign", "positive-zero", "dynamic") for mode in modes) else None


def _described(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    is_addressable = "globally-addressable-scratch" in features
    private = ExpansionRule(
        Expansion.GENERIC_ADDRESS if is_addressable else Expansion.NOT_ATOMIC, has=_set(_IS_PRIVATE)
    )
    check = ExpansionRule(Expansion.CHECK_PRIVATE, _DOUBLE_WORD, has=_set(_MAY_BE_PRIVATE))
    return AtomicTarget(
        largest=_DOUBLE_WORD,
        least_exchange=_WORD,
        load=(private,),
        store=(private,),
        exchange=(private, check),
        operation=(private, *_checks(features), check, *_of_integers(features), *_of_floats(features), _LOOP),
        loads_unchanged=True,
        keeps_floats=True,
        keeps_exchanged=True,
        has_library=False,
        traits=_traits,
    )


def _checks(features: Features) -> Iterator[ExpansionRule]:
    """Yield the rules for accesses of 64 bits with more than a check for private memory."""
    may_be_private = _set(_MAY_BE_PRIVATE)
    if _ADD_DOUBLE in features:
        yield ExpansionRule(Expansion.CHECK_SPACES, operations=_set(_Op.FADD), type="double", has=may_be_private)
    is_zero = may_be_private | {_IS_ZERO}
    yield ExpansionRule(Expansion.ADD_CHECKED, _DOUBLE_WORD, operations=_NEUTRAL_ZERO, has=is_zero)


def _of_integers(features: Features) -> Iterator[ExpansionRule]:
    """Yield the rules for `xchg` and for operations on integers."""
    yield from _legal(frozenset({_Op.XCHG, _Op.ADD}))
    for operation, feature in ((_Op.USUB_COND, "gfx12-insts"), (_Op.USUB_SAT, "gfx10-3-insts")):
        least = _DOUBLE_WORD if feature in features else 0
        yield ExpansionRule(Expansion.CMPXCHG, least, operations=_set(operation))
    if "emulated-system-scope-atomics" not in features:
        remote = _set(_IS_REMOTE)
        yield from _legal(_REMOTE_LOOPS, has=remote | {_NO_REMOTE})
        if _AT_AGENT in features:
            yield from _legal(_REMOTE_LOOPS, has=remote, lacks=_set(_IS_SYSTEM))
        yield from _legal(_REMOTE_LOOPS, has=remote | {_NO_FINE})
        for expansion, kind in ((Expansion.ADD_CHECKED, {_IS_GENERIC}), (Expansion.ADD, _NONE)):
            yield ExpansionRule(expansion, operations=_NEUTRAL_ZERO, has=remote | kind | {_IS_ZERO})
        yield ExpansionRule(Expansion.CMPXCHG, operations=_REMOTE_LOOPS, has=remote)
    yield from _legal(_REMOTE_LOOPS)


def _legal(
    operations: frozenset[AtomicRMWOperation],
    has: frozenset[str] = frozenset(),
    lacks: frozenset[str] = frozenset(),
) -> Iterator[ExpansionRule]:
    """Yield the rules for operations with instructions of 32 and 64 bits."""
    yield ExpansionRule(Expansion.NONE, _WORD, operations=operations, has=has, lacks=lacks)
    yield ExpansionRule(Expansion.CMPXCHG, operations=operations, has=has, lacks=lacks)


def _of_floats(features: Features) -> Iterator[ExpansionRule]:
    """Yield the rules for operations on floating-point numbers."""
    local = _set(_IS_LOCAL)
    added = {
        "float": "gfx8-insts" in features,
        "double": bool(features & {"gfx90a-insts", "gfx1250-insts"}),
        **dict.fromkeys(_PAIRS, "atomic-ds-pk-add-16-insts" in features),
    }
    types = [name for name, is_there in added.items() if is_there]
    yield from (ExpansionRule(Expansion.NONE, operations=_ADD, type=name, has=local) for name in types)
    yield from (ExpansionRule(Expansion.NONE, operations=_LIMITS, type=name, has=local) for name in ("float", "double"))
    yield ExpansionRule(Expansion.CMPXCHG, operations=_ADD | _LIMITS, has=local)
    if "memory-atomic-fadd-f32-denormal-support" not in features:
        yield ExpansionRule(Expansion.CMPXCHG, operations=_ADD, type="float", lacks=_set(_FLUSHES))
    for has, lacks in _usable_memory(features):
        for rule in (*_additions(features), *_limits(features)):
            yield rule._replace(has=rule.has | has, lacks=rule.lacks | lacks)


def _usable_memory(features: Features) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield traits that memory has and lacks in which operations on floating-point numbers work."""
    if _AT_AGENT in features:
        yield _set(_NO_REMOTE), _NONE
        yield _NONE, _set(_IS_SYSTEM)
    if "emulated-system-scope-atomics" in features:
        yield _set(_IS_SYSTEM), _NONE
    yield _set(_NO_FINE), _NONE


def _additions(features: Features) -> Iterator[ExpansionRule]:
    """Yield the rules for `fadd` in memory that is not local."""
    half, bfloat = _PAIRS
    rows = (
        ("atomic-flat-pk-add-16-insts", half, {_IS_GENERIC}),
        ("atomic-flat-pk-add-16-insts", bfloat, {_IS_GENERIC}),
        ("atomic-buffer-global-pk-add-f16-insts", half, {_IS_EXTENDED}),
        ("atomic-buffer-global-pk-add-f16-insts", half, {_IS_BUFFER}),
        ("atomic-global-pk-add-bf16-inst", bfloat, {_IS_EXTENDED}),
        ("atomic-buffer-pk-add-bf16-inst", bfloat, {_IS_BUFFER}),
        (_ADD_DOUBLE, "double", _NONE),
        ("flat-atomic-fadd-f32-inst", "float", {_IS_GENERIC}),
    )
    for feature, name, has in rows:
        if feature in features:
            yield ExpansionRule(Expansion.NONE, operations=_ADD, type=name, has=frozenset(has))
    generic = _set(_IS_GENERIC)
    used = _set(_IS_USED)
    for feature, needed, refused in (("atomic-fadd-rtn-insts", used, _NONE), ("atomic-fadd-no-rtn-insts", _NONE, used)):
        if feature in features:
            yield ExpansionRule(Expansion.NONE, operations=_ADD, type="float", has=needed, lacks=refused | generic)
            if "gfx8-insts" in features:
                yield ExpansionRule(
                    Expansion.CHECK_SPACES, operations=_ADD, type="float", has=needed | generic, lacks=refused
                )
    if "atomic-buffer-global-pk-add-f16-no-rtn-insts" in features:
        yield ExpansionRule(Expansion.NONE, operations=_ADD, type=half, lacks=generic | {_IS_USED})


def _limits(features: Features) -> Iterator[ExpansionRule]:
    """Yield the rules for `fmin` and `fmax` in memory that is not local."""
    for kind, spaces in (("flat", {_IS_GENERIC}), ("global", {_IS_EXTENDED, _IS_BUFFER})):
        for width, name in ((32, "float"), (64, "double")):
            if f"atomic-fmin-fmax-{kind}-f{width}" in features:
                yield from (
                    ExpansionRule(Expansion.NONE, operations=_LIMITS, type=name, has=_set(space)) for space in spaces
                )


_T = TypeVar("_T")


def _set(element: _T) -> frozenset[_T]:
    return frozenset({element})


def _r600(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del features, is_optimized
    looped = FLOATING | WRAPPING | {_Op.NAND}
    return AtomicTarget(
        largest=_DOUBLE_WORD,
        least_exchange=_WORD,
        operation=(ExpansionRule(Expansion.CMPXCHG, operations=looped), ExpansionRule(Expansion.NONE, _WORD), _LOOP),
        keeps_floats=True,
        keeps_exchanged=True,
        has_library=False,
    )


def _default(triple: Triple) -> str:
    return "generic-hsa" if triple.names("amdhsa") else "generic"


_ADD, _LIMITS = frozenset({_Op.FADD}), frozenset({_Op.FMIN, _Op.FMAX})
_PAIRS = ("<2 x half>", "<2 x bfloat>")
_ADD_DOUBLE = "flat-buffer-global-fadd-f64-inst"
_AT_AGENT = "agent-scope-fine-grained-remote-memory-atomics"
_LOOP = ExpansionRule(Expansion.CMPXCHG)

AMDGCN = Architecture(
    _described,
    processors({features: names for names, features in PROCESSORS}),
    {feature: frozenset(others.split()) for feature, others in IMPLIED.items()},
    processor_of=_default,
)
_OLD_GPUS = "r600 r630 rs880 rv670 rv710 rv730 rv770 cedar cypress juniper redwood sumo barts caicos cayman turks"
R600 = Architecture(_r600, processors({"": _OLD_GPUS}), processor_of=lambda _: "r600")
