"""How addresses that are known only to the linker relate, as far as that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import BlockAddress, ConstantExpr, ConstantGetElementPtr
from bitcodec.ir.constants import ConstantPointerNull
from bitcodec.ir.globals import GlobalAlias, GlobalValue, GlobalVariable
from bitcodec.ir.types import ArrayType, PointerType, StructType
from bitcodec.tables.instruction_flags import GEPFlags
from bitcodec.tables.linkage import Linkage, UnnamedAddress
from bitcodec.tables.opcodes import ICmpPredicate

if TYPE_CHECKING:
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.types import Type

__all__ = ["relation"]

_INTERPOSABLE = frozenset({Linkage.WEAK, Linkage.LINKONCE, Linkage.COMMON, Linkage.EXTERN_WEAK})
"""Linkage of symbols that another module may define in another way."""


def relation(lhs: Constant, rhs: Constant) -> ICmpPredicate | None:
    """Return a predicate that two constants are known to fulfil, the strongest one, None if there is none."""
    if lhs is rhs:
        return ICmpPredicate.EQ
    if not isinstance(lhs.type, PointerType):
        return None
    if _complexity(lhs) < _complexity(rhs):
        found = _ordered(rhs, lhs)
        return ICmpPredicate.ULT if found is ICmpPredicate.UGT else found
    return _ordered(lhs, rhs)


def _complexity(constant: Constant) -> int:
    for rank, kind in enumerate((ConstantExpr, GlobalValue, BlockAddress)):
        if isinstance(constant, kind):
            return 3 - rank
    return 0


def _ordered(lhs: Constant, rhs: Constant) -> ICmpPredicate | None:
    """Relate two constants of which the first one is not simpler."""
    match lhs:
        case BlockAddress():
            return _of_block(lhs, rhs)
        case GlobalValue():
            return _of_global(lhs, rhs)
        case ConstantGetElementPtr():
            return _of_address(lhs, rhs)
    return None


def _of_block(lhs: BlockAddress, rhs: Constant) -> ICmpPredicate | None:
    if isinstance(rhs, ConstantPointerNull):
        return ICmpPredicate.NE
    # Two blocks of one function may share an address, if one of them is empty.
    differs = isinstance(rhs, BlockAddress) and rhs.function is not lhs.function
    return ICmpPredicate.NE if differs else None


def _of_global(lhs: GlobalValue, rhs: Constant) -> ICmpPredicate | None:
    if isinstance(rhs, GlobalValue):
        return _distinct(lhs, rhs)
    if isinstance(rhs, BlockAddress):
        return ICmpPredicate.NE
    is_never_null = (
        lhs.linkage is not Linkage.EXTERN_WEAK and not isinstance(lhs, GlobalAlias) and not lhs.address_space
    )
    return ICmpPredicate.UGT if isinstance(rhs, ConstantPointerNull) and is_never_null else None


def _of_address(lhs: ConstantGetElementPtr, rhs: Constant) -> ICmpPredicate | None:
    base = lhs.pointer
    if not isinstance(base, GlobalValue):
        return None
    if isinstance(rhs, ConstantPointerNull):
        is_inside = base.linkage is not Linkage.EXTERN_WEAK and bool(lhs.flags & GEPFlags.INBOUNDS)
        return ICmpPredicate.UGT if is_inside else None
    if isinstance(rhs, GlobalValue):
        return _distinct(base, rhs) if rhs is not base and _adds_nothing(lhs) else None
    if isinstance(rhs, ConstantGetElementPtr) and isinstance(rhs.pointer, GlobalValue) and rhs.pointer is not base:
        return _distinct(base, rhs.pointer) if _adds_nothing(lhs) and _adds_nothing(rhs) else None
    return None


def _adds_nothing(address: ConstantGetElementPtr) -> bool:
    return all(index.is_null for index in address.indices)


def _distinct(lhs: GlobalValue, rhs: GlobalValue) -> ICmpPredicate | None:
    """Return NE if two globals are known to have different addresses."""
    if any(isinstance(value, GlobalAlias) or _may_share_address(value) for value in (lhs, rhs)):
        return None
    return ICmpPredicate.NE


def _may_share_address(value: GlobalValue) -> bool:
    if value.linkage in _INTERPOSABLE or value.unnamed_address is UnnamedAddress.GLOBAL:
        return True
    return isinstance(value, GlobalVariable) and (not value.value_type.is_sized or _is_empty(value.value_type))


def _is_empty(type: Type) -> bool:
    """Return whether values of a type take no room, whatever the data layout is."""
    seen, pending = {type}, [type]
    while pending:
        current = pending.pop()
        if isinstance(current, ArrayType):
            parts = current.element_types if current.count else ()
        elif isinstance(current, StructType):
            parts = current.element_types
        else:
            return False
        new = set(parts) - seen
        seen |= new
        pending += new
    return True
