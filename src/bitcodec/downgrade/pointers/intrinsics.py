"""Intrinsics with typed pointers: pointees of their parameters, and their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.bitcode.writer.types import TypedPointerType
from bitcodec.ir.mangling import mangled
from bitcodec.ir.types import ArrayType, FunctionType, PointerType, StructType, Type, VectorType
from bitcodec.tables.intrinsic_pointees import ELEMENT, POINTER, VALUE, pointees
from bitcodec.tables.intrinsics import PREFIX, base_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.type_table import TypeTable

__all__ = ["pointee_of_parameter", "pointee_of_result", "points_to_nothing", "typed_name"]


def _result(type_: FunctionType) -> Type:
    return type_.return_type


def _first(type_: FunctionType) -> Type:
    return type_.parameter_types[0]


def _element_of(find: Callable[[FunctionType], Type]) -> Callable[[FunctionType], Type]:
    return lambda type_: find(type_).scalar_type


def _pointer(type_: FunctionType) -> Type:
    """Return the type of a pointer: the parameter is the address of one."""
    return next(part for part in type_.parameter_types if isinstance(part, PointerType))


_POINTEES: dict[str, tuple[int, Callable[[FunctionType], Type]]] = {
    "gcread": (1, _pointer),
    "gcroot": (0, _pointer),
    "gcwrite": (2, _pointer),
    "masked.compressstore": (1, _element_of(_first)),
    "masked.expandload": (0, _element_of(_result)),
    "masked.gather": (0, _element_of(_result)),
    "masked.load": (0, _result),
    "masked.scatter": (1, _element_of(_first)),
    "masked.store": (1, _first),
    "matrix.column.major.load": (0, _element_of(_result)),
    "matrix.column.major.store": (1, _element_of(_first)),
    "objc.arc.annotation.bottomup.bbend": (0, _pointer),
    "objc.arc.annotation.bottomup.bbstart": (0, _pointer),
    "objc.arc.annotation.topdown.bbend": (0, _pointer),
    "objc.arc.annotation.topdown.bbstart": (0, _pointer),
    "objc.copyWeak": (0, _pointer),
    "objc.destroyWeak": (0, _pointer),
    "objc.initWeak": (0, _pointer),
    "objc.loadWeak": (0, _pointer),
    "objc.loadWeakRetained": (0, _pointer),
    "objc.moveWeak": (0, _pointer),
    "objc.storeStrong": (0, _pointer),
    "objc.storeWeak": (0, _pointer),
    "vp.gather": (0, _element_of(_result)),
    "vp.load": (0, _result),
    "vp.scatter": (1, _element_of(_first)),
    "vp.store": (1, _first),
}
"""By name without `llvm.` and types: a parameter that does not point to bytes, and its pointee."""

_BOTH = ("objc.arc.annotation.", "objc.copyWeak", "objc.moveWeak")
"""Intrinsics whose second parameter is the address of a pointer too."""

_POINTER = re.compile(r"^((?:nx)?v\d+)?p(\d+)$")


_EMPTY_STRUCTS = {"llvm.invariant.start": (True, -1), "llvm.invariant.end": (False, 0)}
"""By name without types: whether the result points to `{}`, and which parameter does."""


def points_to_nothing(name: str, index: int | None) -> bool:
    """Return whether a parameter of an intrinsic, or its result if the index is None, points to an empty struct."""
    for base, (is_result, place) in _EMPTY_STRUCTS.items():
        if name == base or name.startswith(f"{base}."):
            return is_result if index is None else index == place
    return False


def pointee_of_parameter(name: str, type_: FunctionType, index: int, types: TypeTable) -> Type | None:
    """Return the pointee of a parameter of an intrinsic, None for bytes.

    Args:
        name: of the intrinsic.
        type_: of the intrinsic.
        index: of the parameter.
        types: of the module.
    """
    base = name.removeprefix(PREFIX)
    if base.startswith("aarch64.sve.") and not base.startswith("aarch64.sve.prf"):
        return _pointee_by_name(ELEMENT, type_, types)
    if index == 1 and base.startswith(_BOTH):
        return _pointer(type_)
    base = base_in(base, _POINTEES, pointees())
    if base in _POINTEES:
        place, find = _POINTEES[base]
        return find(type_) if place == index else None
    return _pointee_by_name(pointees()[base], type_, types) if base else None


def pointee_of_result(name: str, type_: FunctionType, types: TypeTable) -> Type | None:
    """Return the pointee of the result of an intrinsic, None for bytes."""
    base = base_in(name.removeprefix(PREFIX), pointees())
    return _pointee_by_name(pointees()[base], type_, types) if base else None


def _pointee_by_name(pointee: str, type_: FunctionType, types: TypeTable) -> Type:
    """Return the type that a row of the table names, for an intrinsic of a type."""
    if pointee == POINTER:
        pointers = (part for whole in type_.element_types for part in (whole, *whole.element_types))
        return next(part for part in pointers if isinstance(part, PointerType))
    if pointee in {VALUE, ELEMENT}:
        vectors = (part for whole in type_.element_types for part in (whole, *whole.element_types))
        value = next((part for part in vectors if isinstance(part, VectorType)), type_.return_type)
        return value.scalar_type if pointee == ELEMENT else value
    return types.integer(int(pointee[1:]))


def typed_name(name: str, type_: Type) -> str:
    """Return the name of an intrinsic whose pointers have types: `llvm.memcpy.p0i8.p0i8.i64`.

    Args:
        name: with pointers without types.
        type_: of the function, with typed pointers.
    """
    if not name.startswith(PREFIX):
        return name
    pointers = [part for part in type_.element_types if isinstance(part.scalar_type, TypedPointerType)]
    return ".".join(_typed_parts(name.split("."), pointers))


def _typed_parts(parts: list[str], pointers: list[Type]) -> Iterator[str]:
    for part in parts:
        match = _POINTER.match(part)
        if match is None or not pointers:
            yield part
            continue
        pointer = pointers.pop(0).scalar_type
        assert isinstance(pointer, TypedPointerType)  # noqa: S101 - no other was put there
        yield part + _suffix(pointer.pointee)


def _suffix(type_: Type) -> str:
    """Return how a type is spelled in the name of an intrinsic."""
    pieces: list[str] = []
    pending: list[Type | str] = [type_]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, TypedPointerType):
            pieces.append(f"p{part.address_space}")
            pending.append(part.pointee)
        elif isinstance(part, ArrayType):
            pieces.append(f"a{part.count}")
            pending.append(part.element_type)
        elif isinstance(part, VectorType):
            pieces.append(f"{'nx' * part.is_scalable}v{part.count}")
            pending.append(part.element_type)
        elif isinstance(part, FunctionType):
            pieces.append("f_")
            pending += ["vararg" * part.is_vararg + "f", *reversed(part.element_types)]
        elif isinstance(part, StructType):
            pieces.append(f"s_{part.name}" if part.name is not None else "sl_")
            pending += ["s"] if part.name is not None else ["s", *reversed(part.element_types)]
        else:
            pieces.append(mangled(part))
    return "".join(pieces)
