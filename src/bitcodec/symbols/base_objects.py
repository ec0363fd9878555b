"""The variable or function that an alias leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalObject

if TYPE_CHECKING:
    from bitcodec.ir.values import Value

__all__ = ["BaseObjects", "address_parts"]

_ADDRESS_FIRST = {"inttoptr", "ptrtoint", "bitcast", "addrspacecast", "getelementptr", "sub"}
"""Operations on an address, their first operand; a difference of two addresses is none any more."""


class BaseObjects:
    """Finds the base objects of addresses, each once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Value, GlobalObject | GlobalIFunc | None] = {}

    def of(self, value: Value) -> GlobalObject | GlobalIFunc | None:
        """Return it, through aliases and arithmetic; None if that is nothing, or not one thing."""
        if isinstance(value, (GlobalObject, GlobalIFunc)):
            return value
        known, pending = self._known, [] if value in self._known else [value]
        while pending:
            current = pending[-1]
            parts = address_parts(current)
            # An alias of itself is nothing: while it is looked into, it counts for that.
            missing = [part for part in parts if part not in known] if current not in known else []
            known.setdefault(current, None)
            if missing:
                pending += missing
                continue
            pending.pop()
            known[current] = _combined(current, [known[part] for part in parts])
        return known[value]


def address_parts(value: Value) -> tuple[Value, ...]:
    """Return the operands of an alias, or of an operation on addresses, that decide which object the result is in."""
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
