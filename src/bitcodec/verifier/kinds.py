"""Predicates on types and values that rules use, in LLVM's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantCast, ConstantGetElementPtr
from bitcodec.ir.constants import Constant, ConstantDataVector, ConstantInt, ConstantVector
from bitcodec.ir.globals import GlobalAlias
from bitcodec.ir.instructions import CallBase, Cast, GetElementPtr
from bitcodec.ir.type_properties import is_integers, is_pointer
from bitcodec.tables.instruction_flags import GEPFlags

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.values import Value

__all__ = [
    "AliasBases",
    "splat_integer",
    "strip_in_bounds_offsets",
    "stripped",
]


def splat_integer(value: Value) -> int | None:
    """Return the constant integer that a value is, or that each element of it is; None if it is something else."""
    match value:
        case ConstantInt():
            return value.unsigned
        case ConstantDataVector():
            return value.elements[0] if len(set(value.elements)) == 1 else None
        case ConstantVector():
            first = value.operands[0]
            return first.unsigned if isinstance(first, ConstantInt) and set(value.operands) == {first} else None
    return 0 if isinstance(value, Constant) and value.is_null and is_integers(value.type) else None


def stripped(value: Value) -> Value:
    """Return the base of a pointer, without casts of it and address arithmetic that adds nothing."""
    return _without(value, _adds_nothing)


def strip_in_bounds_offsets(value: Value) -> Value:
    """Return the base of a pointer, without casts of it and address arithmetic inside the object."""
    return _without(value, _is_in_bounds)


def _without(value: Value, is_removed: Callable[[ConstantGetElementPtr | GetElementPtr], bool]) -> Value:
    seen: set[Value] = set()
    while value not in seen:
        seen.add(value)
        inner = _inner(value, is_removed)
        if inner is None or not is_pointer(inner.type):
            return value
        value = inner
    return value


class AliasBases:
    """Finds bases as `stripped` does, and through aliases.  Results are cached: many may share a chain of aliases."""

    def __init__(self) -> None:
        self._known: dict[Value, Value] = {}

    def of(self, value: Value) -> Value:
        """Return the base of a pointer."""
        known = self._known
        path: dict[Value, None] = {}
        while value not in known and value not in path:
            path[value] = None
            inner = value.aliasee if isinstance(value, GlobalAlias) else _inner(value)
            if inner is None or not is_pointer(inner.type):
                break
            value = inner
        found = known.get(value, value)
        known.update(dict.fromkeys(path, found))
        return found


def _adds_nothing(found: ConstantGetElementPtr | GetElementPtr) -> bool:
    return all(splat_integer(index) == 0 for index in found.indices)


def _is_in_bounds(found: ConstantGetElementPtr | GetElementPtr) -> bool:
    return bool(found.flags & GEPFlags.INBOUNDS)


def _inner(
    value: Value, is_removed: Callable[[ConstantGetElementPtr | GetElementPtr], bool] = _adds_nothing
) -> Value | None:
    match value:
        case ConstantCast() | Cast() if value.opcode in {"bitcast", "addrspacecast"}:
            return value.operand
        case ConstantGetElementPtr() | GetElementPtr():
            return value.pointer if is_removed(value) else None
        case CallBase():
            return _returned_argument(value)
    return None


def _returned_argument(call: CallBase) -> Value | None:
    """Return the argument that a call returns, None if no attribute specifies one."""
    callee = call.called_function
    for attributes in (call.attributes, None if callee is None else callee.attributes):
        for index, found in () if attributes is None else attributes.parameters.items():
            if "returned" in found and index < call.argument_count:
                return call.operand_at(index)
    return None
