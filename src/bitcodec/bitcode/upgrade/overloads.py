"""The types that the name of an intrinsic must give, found in the type of its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.upgrade.mangling import intrinsic_name
from bitcodec.ir import intrinsic_attributes
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType, StructType, VectorType, VoidType
from bitcodec.tables.intrinsic_overloads import overload_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.types import FunctionType, Type

__all__ = ["intrinsic_base", "mangled_name", "overloaded_types", "returns_struct"]


def intrinsic_base(name: str) -> str | None:
    """Return the name of an intrinsic between `llvm.` and the types, None if the name is of none."""
    found = intrinsic_attributes.intrinsic_name(name)
    return None if found is None else found.removeprefix("llvm.")


def overloaded_types(base: str, function_type: FunctionType) -> list[Type] | None:
    """Return the types that its name gives, in order; None if the declaration cannot be of this intrinsic."""
    row = overload_rows().get(base)
    if row is None:
        return []
    results = _results(function_type.return_type, len(row.results))
    parameters = function_type.parameter_types
    if results is None or len(parameters) != len(row.parameters) or function_type.is_vararg != row.is_vararg:
        return None
    signs = row.results + row.parameters
    types = (*results, *parameters)
    if not all(_TESTS[sign](type_) for sign, type_ in zip(signs, types, strict=True)):
        return None
    if any(not _has_width(parameters[index], width) for index, width in _GIVEN_WIDTHS.get(base, ())):
        return None
    return [type_ for sign, type_ in zip(signs, types, strict=True) if sign != "-"]


_GIVEN_WIDTHS = {
    "memcpy": ((3, 1),),
    "memcpy.inline": ((3, 1),),
    "memmove": ((3, 1),),
    "memset": ((1, 8), (3, 1)),
    "memset.inline": ((1, 8), (3, 1)),
}
"""Indices of parameters that are integers of one width, with that width: older versions had others in their place."""


def _has_width(type_: Type, width: int) -> bool:
    return isinstance(type_, IntegerType) and type_.bit_width == width


def mangled_name(name: str, function_type: FunctionType) -> str | None:
    """Return the name that the intrinsic of a declaration has for its types, None if it is no intrinsic."""
    base = intrinsic_base(name)
    if base is None:
        return None
    types = overloaded_types(base, function_type)
    return None if types is None else intrinsic_name(base, types)


def returns_struct(base: str, function_type: FunctionType) -> bool:
    """Return whether an intrinsic whose declaration returns a struct is one that returns several values."""
    row = overload_rows().get(base)
    return isinstance(function_type.return_type, StructType) if row is None else len(row.results) > 1


def _results(returned: Type, count: int) -> tuple[Type, ...] | None:
    if count == 1:
        return (returned,)
    types = () if isinstance(returned, VoidType) else returned.element_types
    return types if len(types) == count and isinstance(returned, StructType | VoidType) else None


_TESTS: dict[str, Callable[[Type], bool]] = {
    "-": lambda _: True,
    "*": lambda _: True,
    "f": lambda type_: isinstance(type_.scalar_type, FloatingPointType),
    "i": lambda type_: isinstance(type_.scalar_type, IntegerType),
    "p": lambda type_: isinstance(type_.scalar_type, PointerType),
    "v": lambda type_: isinstance(type_, VectorType),
    "P": lambda type_: isinstance(type_, VectorType) and isinstance(type_.element_type, PointerType),
}
"""Whether a type fits a sign of the table."""
