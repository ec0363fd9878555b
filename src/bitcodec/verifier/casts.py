"""Rules of casts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.cast_rules import CAST_RULES as TYPES_OF_CASTS
from bitcodec.ir.type_properties import (
    address_space_of,
    element_count,
    is_floats,
    is_integers,
    is_operand,
    is_pointers,
    is_same_shape,
    is_vector,
    primitive_size,
    scalar_width,
)
from bitcodec.ir.types import ArrayType, StructType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.cast_rules import CastRule
    from bitcodec.ir.types import Type
    from bitcodec.verifier.rules import Rules

__all__ = ["CAST_RULES", "is_bitcast"]


def is_bitcast(source: Type, target: Type) -> bool:
    """Return whether the bits of one type can be taken for another: as many bits, pointers for pointers alone."""
    if not all(is_operand(type_) and not isinstance(type_, (ArrayType, StructType)) for type_ in (source, target)):
        return False
    if is_pointers(source) is not is_pointers(target):
        return False
    if not is_pointers(source):
        return primitive_size(source) == primitive_size(target)
    one = (1, False)
    is_same_count = (element_count(source) or one) == (element_count(target) or one)
    return address_space_of(source) == address_space_of(target) and is_same_count


def _is_vector_cast(cast: Any, _: object) -> bool:
    return is_vector(cast.operand.type) is is_vector(cast.type)


def _has_same_shape(cast: Any, _: object) -> bool:
    return is_same_shape(cast.operand.type, cast.type)


def _from(kind: Callable[[Type], bool]) -> Callable[[Any, object], bool]:
    return lambda cast, _: kind(cast.operand.type)


def _to(kind: Callable[[Type], bool]) -> Callable[[Any, object], bool]:
    return lambda cast, _: kind(cast.type)


def _is_narrower(cast: Any, _: object) -> bool:
    return scalar_width(cast.operand.type) > scalar_width(cast.type)


def _is_wider(cast: Any, _: object) -> bool:
    return scalar_width(cast.operand.type) < scalar_width(cast.type)


_WORDS: dict[Callable[[Type], bool], str] = {
    is_integers: "integer or integer vector",
    is_floats: "FP or FP vector",
}


def _resizing(name: str, kind: Callable[[Type], bool], operand: str, result: str, size: Rules) -> Rules:
    """Return the rules of a cast between widths of one kind of type."""
    return (
        (f"{name} only operates on {operand}", _from(kind)),
        (f"{name} only produces {result}", _to(kind)),
        (f"{name.lower()} source and destination must both be a vector or neither", _is_vector_cast),
        *size,
    )


def _converting(name: str, source: Callable[[Type], bool], target: Callable[[Type], bool]) -> Rules:
    """Return the rules of a cast between integers and floating-point numbers."""
    return (
        (f"{name} source and dest must both be vector or scalar", _is_vector_cast),
        (f"{name} source must be {_WORDS[source]}", _from(source)),
        (f"{name} result must be {_WORDS[target]}", _to(target)),
        (f"{name} source and dest vector length mismatch", _has_same_shape),
    )


def _fits(rule: CastRule) -> Callable[[Any, object], bool]:
    return lambda cast, _: rule.allows(cast.operand.type, cast.type)


CAST_RULES: dict[str, Rules] = {
    **{opcode: ((f"Invalid {opcode}", _fits(rule)),) for opcode, rule in TYPES_OF_CASTS.items()},
    "trunc": _resizing("Trunc", is_integers, "integer", "integer", (("DestTy too big for Trunc", _is_narrower),)),
    "zext": _resizing("ZExt", is_integers, "integer", "an integer", (("Type too small for ZExt", _is_wider),)),
    "sext": _resizing("SExt", is_integers, "integer", "an integer", (("Type too small for SExt", _is_wider),)),
    "fptrunc": _resizing("FPTrunc", is_floats, "FP", "an FP", (("DestTy too big for FPTrunc", _is_narrower),)),
    "fpext": _resizing("FPExt", is_floats, "FP", "an FP", (("DestTy too small for FPExt", _is_wider),)),
    "uitofp": _converting("UIToFP", is_integers, is_floats),
    "sitofp": _converting("SIToFP", is_integers, is_floats),
    "fptoui": _converting("FPToUI", is_floats, is_integers),
    "fptosi": _converting("FPToSI", is_floats, is_integers),
    "ptrtoint": (
        ("PtrToInt source must be pointer", _from(is_pointers)),
        ("PtrToInt result must be integral", _to(is_integers)),
        ("PtrToInt type mismatch", _is_vector_cast),
        ("PtrToInt Vector length mismatch", _has_same_shape),
    ),
    "ptrtoaddr": (
        ("PtrToAddr source must be pointer", _from(is_pointers)),
        ("PtrToAddr result must be integral", _to(is_integers)),
        ("PtrToAddr type mismatch", _is_vector_cast),
        ("PtrToAddr vector length mismatch", _has_same_shape),
        (
            "PtrToAddr result must be address width",
            lambda cast, body: (
                body.layout.pointer(address_space_of(cast.operand.type)).index_width == scalar_width(cast.type)
            ),
        ),
    ),
    "inttoptr": (
        ("IntToPtr source must be an integral", _from(is_integers)),
        ("IntToPtr result must be a pointer", _to(is_pointers)),
        ("IntToPtr type mismatch", _is_vector_cast),
        ("IntToPtr Vector length mismatch", _has_same_shape),
    ),
    "bitcast": (("Invalid bitcast", lambda cast, _: is_bitcast(cast.operand.type, cast.type)),),
    "addrspacecast": (
        ("AddrSpaceCast source must be a pointer", _from(is_pointers)),
        ("AddrSpaceCast result must be a pointer", _to(is_pointers)),
        (
            "AddrSpaceCast must be between different address spaces",
            lambda cast, _: address_space_of(cast.operand.type) != address_space_of(cast.type),
        ),
        ("AddrSpaceCast vector pointer number of elements mismatch", _has_same_shape),
    ),
}
"""By opcode."""
