"""Semantics of the operations of `atomicrmw`, step by step.

Rules: LLVM Language Reference, "atomicrmw Instruction"; the steps are LLVM 22's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder import metadata_value
from bitcodec.tables.opcodes import AtomicRMWOperation, ICmpPredicate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder

__all__ = ["new_value"]

_Op = AtomicRMWOperation

_OPCODES: Mapping[AtomicRMWOperation, str] = {
    operation: operation.spelling for operation in (_Op.ADD, _Op.SUB, _Op.AND, _Op.OR, _Op.XOR)
}
_PREDICATES: Mapping[AtomicRMWOperation, ICmpPredicate] = {
    _Op.MAX: ICmpPredicate.SGT,
    _Op.MIN: ICmpPredicate.SLE,
    _Op.UMAX: ICmpPredicate.UGT,
    _Op.UMIN: ICmpPredicate.ULE,
}
"""Predicates for which the value in memory stays."""
_FLOATING: Mapping[AtomicRMWOperation, tuple[str, bool]] = {
    _Op.FADD: ("fadd", True),
    _Op.FSUB: ("fsub", True),
    _Op.FMAX: ("maxnum", False),
    _Op.FMIN: ("minnum", False),
    _Op.FMAXIMUM: ("maximum", False),
    _Op.FMINIMUM: ("minimum", False),
    _Op.FMAXIMUMNUM: ("maximumnum", False),
    _Op.FMINIMUMNUM: ("minimumnum", False),
}
"""Name of the intrinsic or, if the operation rounds, of the instruction; and whether it rounds."""
_UNCONSTRAINED = frozenset({_Op.FMAXIMUM, _Op.FMINIMUM, _Op.FMAXIMUMNUM, _Op.FMINIMUMNUM})
"""Operations that LLVM makes no constrained ones of."""


def new_value(builder: ReplacementBuilder, operation: AtomicRMWOperation, loaded: Value, value: Value) -> Value:
    """Return the value that an operation writes to memory that holds `loaded`."""
    if operation in _OPCODES:
        return builder.binary(_OPCODES[operation], loaded, value, "new")
    if operation in _PREDICATES:
        stays = builder.compare(_PREDICATES[operation], loaded, value)
        return builder.choose(stays, loaded, value, "new")
    if operation in _FLOATING:
        return _floating(builder, operation, loaded, value)
    return _STEPS[operation](builder, loaded, value)


def _nand(builder: ReplacementBuilder, loaded: Value, value: Value) -> Value:
    return builder.invert(builder.binary("and", loaded, value), "new")


def _uinc_wrap(builder: ReplacementBuilder, loaded: Value, value: Value) -> Value:
    more = builder.binary("add", loaded, 1)
    is_last = builder.compare(ICmpPredicate.UGE, loaded, value)
    return builder.choose(is_last, builder.constants.null(loaded.type), more, "new")


def _udec_wrap(builder: ReplacementBuilder, loaded: Value, value: Value) -> Value:
    less = builder.binary("sub", loaded, 1)
    is_first = builder.compare(ICmpPredicate.EQ, loaded, 0)
    is_outside = builder.compare(ICmpPredicate.UGT, loaded, value)
    return builder.choose(builder.binary("or", is_first, is_outside), value, less, "new")


def _usub_cond(builder: ReplacementBuilder, loaded: Value, value: Value) -> Value:
    is_enough = builder.compare(ICmpPredicate.UGE, loaded, value)
    return builder.choose(is_enough, builder.binary("sub", loaded, value), loaded, "new")


def _usub_sat(builder: ReplacementBuilder, loaded: Value, value: Value) -> Value:
    return builder.intrinsic(
        builder.reuse.overloaded("llvm.usub.sat", loaded.type), loaded.type, [loaded, value], name="new"
    )


_STEPS: Mapping[AtomicRMWOperation, Callable[[ReplacementBuilder, Value, Value], Value]] = {
    _Op.XCHG: lambda _builder, _loaded, value: value,
    _Op.NAND: _nand,
    _Op.UINC_WRAP: _uinc_wrap,
    _Op.UDEC_WRAP: _udec_wrap,
    _Op.USUB_COND: _usub_cond,
    _Op.USUB_SAT: _usub_sat,
}


def _floating(builder: ReplacementBuilder, operation: AtomicRMWOperation, loaded: Value, value: Value) -> Value:
    name, rounds = _FLOATING[operation]
    if builder.is_strict and operation not in _UNCONSTRAINED:
        words = ["round.dynamic"] * rounds + ["fpexcept.strict"]
        arguments = [loaded, value, *(metadata_value(builder.module, word) for word in words)]
        called = builder.reuse.overloaded(f"llvm.experimental.constrained.{name}", loaded.type)
        return builder.intrinsic(called, loaded.type, arguments, name="new" if rounds else "")
    if rounds:
        return builder.binary(name, loaded, value, "new")
    return builder.intrinsic(builder.reuse.overloaded(f"llvm.{name}", loaded.type), loaded.type, [loaded, value])
