"""Strips casts from pointers that do not change the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantCast, ConstantGetElementPtr
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase, Cast, GetElementPtr
from bitcodec.ir.types import PointerType

if TYPE_CHECKING:
    from bitcodec.ir.values import Value

__all__ = ["without_casts"]


def without_casts(pointer: Value) -> Value:
    """Return a pointer without pointer casts and address arithmetic that adds zero."""
    seen: set[Value] = set()
    while pointer not in seen:
        seen.add(pointer)
        pointer = _step(pointer) or pointer
    return pointer


def _step(pointer: Value) -> Value | None:
    match pointer:
        case Cast(opcode="bitcast" | "addrspacecast") | ConstantCast(opcode="bitcast" | "addrspacecast"):
            return pointer.operand if isinstance(pointer.operand.type.scalar_type, PointerType) else None
        case GetElementPtr() | ConstantGetElementPtr():
            return pointer.pointer if all(_is_zero(index) for index in pointer.indices) else None
        case CallBase():
            return _returned(pointer)
    return None


def _is_zero(index: Value) -> bool:
    return isinstance(index, ConstantInt) and index.is_null


def _returned(call: CallBase) -> Value | None:
    """Return the argument that a call returns, None if no attribute marks one."""
    callee = call.callee
    lists = [call.attributes, *([callee.attributes] if isinstance(callee, Function) else [])]
    arguments = call.arguments
    for attributes in lists:
        for index, parameter in attributes.parameters.items():
            if "returned" in parameter and index < len(arguments):
                return arguments[index]
    return None
