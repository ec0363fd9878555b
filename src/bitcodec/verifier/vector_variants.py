"""Names of vector variants of functions, as the Vector Function ABI mangles them.

_ZGV <isa> <mask> <lanes> <parameters> _ <scalar name> [ ( <vector name> ) ]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType, StructType, VoidType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.types import FunctionType, Type

__all__ = ["is_vector_variant"]

_INTERNAL = b"_LLVM_"
_SCALABLE = b"x"
_SCALABLE_SETS = (b"s", b"r")
"""SVE of AArch64, and the vector extension of RISC-V."""
_NAME = re.compile(
    rb"_ZGV(?P<set>_LLVM_|.)[MN](?P<lanes>x|[0-9]+)"
    rb"(?P<parameters>(?:(?:v|u|[lRLU]s-?[0-9]+|[lRLU]n?(?:-?[0-9]+)?)(?:a[0-9]+)?)+)"
    rb"_[^(]+(?P<vector>\(.+\))?",
    re.DOTALL,
)
_PARAMETER = re.compile(rb"(?P<kind>v|u|[lRLU]s|[lRLU]n?)(?P<number>-?[0-9]+)?(?:a(?P<alignment>[0-9]+))?")
_ELEMENT_WIDTHS = (8, 16, 32, 64)
"""Bits of the integers and floating-point numbers of which LLVM knows how many a scalable vector has."""
_MAX_DIGITS = 64
"""More digits than any number in a name may have."""


def is_vector_variant(name: str, function_type: FunctionType) -> bool:
    """Return whether LLVM can take a name apart, and whether its parameters match a function's type."""
    found = _NAME.fullmatch(name.encode("utf-8", "surrogateescape"))
    if found is None:
        return False
    if found["set"] == _INTERNAL and found["vector"] is None:
        return False
    parameters = list(_PARAMETER.finditer(found["parameters"]))
    if len(parameters) != len(function_type.parameter_types) or not all(map(_has_sound_numbers, parameters)):
        return False
    if found["lanes"] != _SCALABLE:
        return 0 < _number(found["lanes"]) < 1 << 32
    return found["set"] in _SCALABLE_SETS and _has_scalable_variant(function_type, parameters)


def _number(digits: bytes) -> int:
    """Return a number, or one that is too large for everything."""
    digits = digits.lstrip(b"0") or b"0"
    return 1 << 128 if len(digits) > _MAX_DIGITS else int(digits)


def _has_sound_numbers(parameter: re.Match[bytes]) -> bool:
    alignment = parameter["alignment"]
    if alignment is not None and not (_number(alignment).bit_count() == 1 and _number(alignment) < 1 << 64):
        return False
    number = parameter["number"]
    if number is None:
        return True
    is_negative = number.startswith(b"-")
    size = _number(number.removeprefix(b"-"))
    if parameter["kind"].endswith(b"s"):  # the position of the parameter that contains the step
        return size < (1 << 31) + is_negative
    # LLVM takes a step that is too large for its type as 1.
    return size <= 1 << 63 if is_negative else size < 1 << 64


def _has_scalable_variant(function_type: FunctionType, parameters: Iterable[re.Match[bytes]]) -> bool:
    """Return whether LLVM knows the number of lanes, which it computes from the types that become vectors."""
    types = [
        type_
        for type_, parameter in zip(function_type.parameter_types, parameters, strict=True)
        if parameter["kind"] == b"v"
    ]
    returned = function_type.return_type
    if isinstance(returned, StructType):
        if not returned.is_literal or returned.is_packed:
            return False
        types += returned.element_types
    elif not isinstance(returned, VoidType):
        types.append(returned)
    return bool(types) and all(map(_has_known_lanes, types))


def _has_known_lanes(type_: Type) -> bool:
    if isinstance(type_, (IntegerType, FloatingPointType)):
        return type_.bit_width in _ELEMENT_WIDTHS
    return isinstance(type_, PointerType)
