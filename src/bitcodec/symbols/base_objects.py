"""The variable or function that an alias leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalObject

if TYPE_CHECKING:
    from bitcodec.ir.values import Value

__all__ = ["base_object"]

_ADDRESS_FIRST = {"inttoptr", "ptrtoint", "bitcast", "addrspacecast", "getelementptr", "sub"}
"""Operations on an address, their first operand; a difference of two addresses is none any more."""


def base_object(value: Value) -> GlobalObject | GlobalIFunc | None:
    """Return what an address is in or of, through aliases and arithmetic; None if that is nothing, or not one thing."""
    if isinstance(value, (GlobalObject, GlobalIFunc)):
        return value
    bases: dict[Value, GlobalObject | GlobalIFunc | None] = {}
    pending = [value]
    while pending:
        current = pending[-1]
        parts = _parts(current)
        # An alias of itself is nothing: while it is looked into, it counts for that.
        missing = [part for part in parts if part not in bases] if current not in bases else []
        bases.setdefault(current, None)
        if missing:
            pending += missing
            continue
        pending.pop()
        bases[current] = _combined(current, [bases[part] for part in parts])
    return bases[value]


def _parts(value: Value) -> tuple[Value, ...]:
    match value:
        case GlobalAlias():
            return value.operands[:1]
        case ConstantExpr(opcode="add"):
            return value.operands
        case ConstantExpr(opcode="sub"):
            return value.operands
        case ConstantExpr() if value.opcode in _ADDRESS_FIRST:
            return value.operands[:1]
    return ()


def _combined(value: Value, bases: list[GlobalObject | GlobalIFunc | None]) -> GlobalObject | GlobalIFunc | None:
    match value, bases:
        case ((GlobalObject() | GlobalIFunc()), _):
            return value
        case ConstantExpr(opcode="add"), [first, second]:
            return None if first and second else first or second
        case ConstantExpr(opcode="sub"), [first, second]:
            return None if second else first
        case _, [first]:
            return first
    return None
