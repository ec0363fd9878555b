"""Old intrinsics of AMD GPUs: atomic operations are instructions now.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.types import IntegerType, PointerType, VectorType
from bitcodec.tables.instruction_flags import NO_ACCESS_FLAGS, AccessFlags
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.instructions import AtomicRMW
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["TABLE"]

_FLAT, _LOCAL, _PRIVATE = 0, 3, 5
"""Address spaces."""

_ORDERINGS = {
    2: AtomicOrdering.MONOTONIC,
    4: AtomicOrdering.ACQUIRE,
    5: AtomicOrdering.RELEASE,
    6: AtomicOrdering.ACQUIRE_RELEASE,
}
"""Orderings by the number that arguments have; any other number is sequentially consistent."""


def _atomic(operation: AtomicRMWOperation) -> Expansion:
    """Return an atomic operation; arguments are address, value, ordering, scope, and whether it is volatile."""

    def expand(rewriter: CallRewriter) -> Value | None:
        if not _is_atomic(rewriter):
            # LLVM drops the call, and crashes if the result has uses.
            return rewriter.call if rewriter.call.is_used else None
        pointer, value, *others = rewriter.arguments
        rmw = rewriter.atomic_rmw(
            operation,
            pointer,
            rewriter.cast("bitcast", value, _operand_type(rewriter, value.type)),
            ordering=_ORDERINGS.get(_number(others[0]), _STRONGEST) if others else _STRONGEST,
            sync_scope="agent",
            flags=AccessFlags.VOLATILE if len(others) > 2 and _number(others[2]) != 0 else NO_ACCESS_FLAGS,
        )
        _attach(rewriter, rmw)
        return rewriter.cast("bitcast", rmw, rewriter.call.type)

    return expand


_STRONGEST = AtomicOrdering.SEQUENTIALLY_CONSISTENT


def _is_atomic(rewriter: CallRewriter) -> bool:
    """Return whether a call passes a pointer, then a value of the type that it returns."""
    match rewriter.arguments:
        case [pointer, value, *_]:
            return isinstance(pointer.type, PointerType) and value.type is rewriter.call.type
    return False


def _operand_type(rewriter: CallRewriter, type_: Type) -> Type:
    """Return the type of the operand: numbers in a vector were once passed as integers."""
    element = type_.scalar_type
    if isinstance(type_, VectorType) and isinstance(element, IntegerType) and element.bit_width == 16:
        return rewriter.types.like(type_, rewriter.types.bfloat)
    return type_


def _number(argument: Value) -> int:
    """Return the number that an argument is, -1 if it is not known."""
    return argument.unsigned if isinstance(argument, ConstantInt) else -1


def _attach(rewriter: CallRewriter, rmw: AtomicRMW) -> None:
    """Attach the memory metadata that permits the hardware operation."""
    metadata = rewriter.module.context.metadata
    space = rmw.pointer.type.address_space if isinstance(rmw.pointer.type, PointerType) else _LOCAL
    if space == _FLAT:
        bounds = (rewriter.integer(32, _PRIVATE), rewriter.integer(32, _PRIVATE + 1))
        rmw.metadata["noalias.addrspace"] = metadata.tuple(map(metadata.value, bounds))
    if space != _LOCAL:
        nothing: MDTuple = metadata.tuple()
        rmw.metadata["amdgpu.no.fine.grained.memory"] = nothing
        if rmw.operation is AtomicRMWOperation.FADD and rewriter.call.type is rewriter.types.float:
            rmw.metadata["amdgpu.ignore.denormal.mode"] = nothing


def _rows(operation: AtomicRMWOperation) -> Sequence[OldIntrinsic]:
    signatures = ("A(P:p,A)", "A(P:p,A,B)", "A(P:p,A,B,C)", "A(P:p,A,B,C,D)", "*")
    return [OldIntrinsic(signature, expand=_atomic(operation)) for signature in signatures]


def _without_clamping(rewriter: CallRewriter) -> Value:
    """Return a product of matrices; clamping is a separate argument now."""
    return rewriter.new_call([*rewriter.arguments, rewriter.constants.boolean(value=False)])


_OPERATIONS = {
    "atomic.cond.sub*": AtomicRMWOperation.USUB_COND,
    "atomic.csub*": AtomicRMWOperation.USUB_SAT,
    "atomic.dec*": AtomicRMWOperation.UDEC_WRAP,
    "atomic.inc*": AtomicRMWOperation.UINC_WRAP,
}
_FLOATING_OPERATIONS = {
    "fadd*": AtomicRMWOperation.FADD,
    "fmax*": AtomicRMWOperation.FMAX,
    "fmin*": AtomicRMWOperation.FMIN,
}
_DENSE, _SPARSE = "wmma.i32.16x16x64.iu8", "swmmac.i32.16x16x128.iu8"
"""Products of matrices."""
_PLACES = ("ds", "flat.atomic", "global.atomic")

TABLE = IntrinsicTable(
    {
        **{name: _rows(operation) for name, operation in _OPERATIONS.items()},
        **{
            f"{place}.{name}": _rows(operation) for place in _PLACES for name, operation in _FLOATING_OPERATIONS.items()
        },
        **{f"{place}.{name}": () for place in _PLACES for name in ("fmax.num*", "fmin.num*")},
        "alignbit": OldIntrinsic("A:i(A,A,A)", "fshr A"),
        "ldexp.*": OldIntrinsic("A:f(A,B:i)", "ldexp A B"),
        f"{_SPARSE}*": OldIntrinsic(
            "A:v(i1,B:v,i1,C:v,A,D:i,i1,i1)",
            f"amdgcn.{_SPARSE} A B C D",
            "A(i1,B,i1,C,A,D,i1,i1,i1)",
            expand=_without_clamping,
        ),
        f"{_DENSE}*": OldIntrinsic(
            "A:v(i1,B:v,i1,B,A,i1,i1)", f"amdgcn.{_DENSE} A B", "A(i1,B,i1,B,A,i1,i1,i1)", expand=_without_clamping
        ),
    }
)
