"""Folding of casts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import ConstantCast
from bitcodec.ir.constants import Constant, ConstantFP, ConstantInt, PoisonValue, UndefValue
from bitcodec.ir.floating_point import format_of
from bitcodec.ir.folding.elements import (
    all_ones,
    elements_of,
    folded_vector,
    is_all_ones,
    is_expandable,
    is_huge,
    splat_value,
)
from bitcodec.ir.folding.floating import truncated
from bitcodec.ir.type_properties import is_same_shape
from bitcodec.ir.types import FloatingPointType, IntegerType, VectorType, X86AMXType
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.types import Type

__all__ = ["fold_cast"]

_BOUNDED = frozenset({"zext", "sext", "uitofp", "sitofp"})
"""Casts that do not produce every value, whatever the operand is."""

_NUMBERS = (IntegerType, FloatingPointType)


def fold_cast(
    table: ConstantTable,
    opcode: str,
    operand: Constant,
    type: Type,
) -> Constant | None:
    """Return a constant cast to a type."""
    if operand.type is type:
        return operand
    if isinstance(operand, UndefValue):
        return _undefined(table, opcode, operand, type)
    if operand.is_null and opcode != "addrspacecast" and not isinstance(type, X86AMXType):
        return table.null(type)
    merged = _PAIRS.get((operand.opcode, opcode)) if isinstance(operand, ConstantCast) else None
    if merged is not None:
        return table.cast(merged, cast("ConstantCast", operand).operand, type)
    if isinstance(type, VectorType) and is_same_shape(operand.type, type):
        return _cast_elements(table, opcode, operand, type)
    return _SCALAR_RULES[opcode](table, operand, type) if opcode in _SCALAR_RULES else None


def _undefined(table: ConstantTable, opcode: str, operand: UndefValue, type: Type) -> Constant:
    if isinstance(operand, PoisonValue):
        return table.poison(type)
    return table.null(type) if opcode in _BOUNDED else table.undef(type)


def _cast(table: ConstantTable, opcode: str, operand: Constant, type: Type) -> Constant | None:
    if opcode in REMOVED_EXPRESSIONS:
        return fold_cast(table, opcode, operand, type)
    return table.cast(opcode, operand, type)


def _cast_elements(table: ConstantTable, opcode: str, operand: Constant, type: VectorType) -> Constant | None:
    if is_huge(type):
        return None
    splat = splat_value(table, operand)
    if splat is not None:
        element = _cast(table, opcode, splat, type.element_type)
        return None if element is None else table.splat(type, element)
    if not is_expandable(type):
        return None
    elements = elements_of(table, operand)
    return folded_vector(table, type, (_cast(table, opcode, element, type.element_type) for element in elements))


def _trunc_or_extend(table: ConstantTable, operand: Constant, type: Type, *, is_signed: bool) -> Constant | None:
    if not isinstance(operand, ConstantInt):
        return None
    return table.integer(cast("IntegerType", type), operand.signed if is_signed else operand.unsigned)


def _zext(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    return _trunc_or_extend(table, operand, type, is_signed=False)


def _sext(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    return _trunc_or_extend(table, operand, type, is_signed=True)


def _convert(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    if not isinstance(operand, ConstantFP):
        return None
    target = cast("FloatingPointType", type)
    return table.floating(target, format_of(target).converted(operand.bits, format_of(operand.type)))


def _to_integer(table: ConstantTable, operand: Constant, type: Type, *, is_signed: bool) -> Constant | None:
    if not isinstance(operand, ConstantFP):
        return None
    target = cast("IntegerType", type)
    value = truncated(format_of(operand.type), operand.bits)
    least, end = (-1 << target.bit_width - 1, 1 << target.bit_width - 1) if is_signed else (0, 1 << target.bit_width)
    if value is None or not least <= value < end:
        return table.poison(type)
    return table.integer(target, value)


def _fptoui(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    return _to_integer(table, operand, type, is_signed=False)


def _fptosi(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    return _to_integer(table, operand, type, is_signed=True)


def _to_floating(table: ConstantTable, operand: Constant, type: Type, *, is_signed: bool) -> Constant | None:
    if not isinstance(operand, ConstantInt):
        return None
    target = cast("FloatingPointType", type)
    value = operand.signed if is_signed else operand.unsigned
    return table.floating(target, format_of(target).of_integer(value))


def _uitofp(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    return _to_floating(table, operand, type, is_signed=False)


def _sitofp(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    return _to_floating(table, operand, type, is_signed=True)


def _bitcast(table: ConstantTable, operand: Constant, type: Type) -> Constant | None:
    if is_huge(type):
        return None
    if isinstance(type.scalar_type, _NUMBERS) and is_all_ones(table, operand):
        return all_ones(table, type)
    if isinstance(type, VectorType) and isinstance(operand, (ConstantInt, ConstantFP)):
        return table.cast("bitcast", table.splat(table.types.vector(1, operand.type), operand), type)
    # Which double of a ppc_fp128 comes first in an integer depends on the byte order, which is not known here.
    if table.types.ppc_fp128 not in {type, operand.type}:
        match operand, type:
            case ConstantInt(), FloatingPointType():
                return table.floating(type, format_of(type).canonical(operand.unsigned))
            case ConstantFP(), IntegerType():
                return table.integer(type, operand.bits)
    return None


_SCALAR_RULES: Mapping[str, Callable[[ConstantTable, Constant, Type], Constant | None]] = {
    "trunc": _zext,
    "zext": _zext,
    "sext": _sext,
    "fptrunc": _convert,
    "fpext": _convert,
    "fptoui": _fptoui,
    "fptosi": _fptosi,
    "uitofp": _uitofp,
    "sitofp": _sitofp,
    "bitcast": _bitcast,
}


_PAIRS: Mapping[tuple[str, str], str] = {
    ("trunc", "trunc"): "trunc",
    ("ptrtoint", "trunc"): "ptrtoint",
    ("bitcast", "bitcast"): "bitcast",
    ("addrspacecast", "addrspacecast"): "addrspacecast",
}
"""The single cast equivalent to two casts, the inner one first.  Others that could be merged need a data layout."""
