"""How the names of overloaded intrinsics give their types: `llvm.memcpy.p0.p0.i64`.

Rules: docs/reference/upgrades.md, 10.5; LLVM Language Reference, "Intrinsic Functions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    FunctionType,
    IntegerType,
    MetadataType,
    PointerType,
    StructType,
    TargetExtensionType,
    TokenType,
    VectorType,
    VoidType,
    X86AMXType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bitcodec.ir.types import Type

__all__ = ["FLOATING_POINT", "has_unnamed", "intrinsic_name", "mangled", "overloaded"]

_MAX_CHARACTERS = 1 << 16
"""Characters of the spelling of one type, at most."""


def intrinsic_name(base: str, overloads: Iterable[Type]) -> str:
    """Return the name of an intrinsic; `base` is its name between `llvm.` and the overloaded types.

    Raises:
        BitcodecError: the name of a type is too long.
    """
    return overloaded(f"llvm.{base}", *overloads)


def overloaded(name: str, *types: Type) -> str:
    """Return a name of an intrinsic with its types as a suffix.

    Raises:
        BitcodecError: the name of a type is too long.
    """
    return ".".join((name, *map(mangled, types)))


def mangled(type_: Type) -> str:
    """Return how names of intrinsics spell a type.

    Raises:
        BitcodecError: the spelling is too long, for types that share parts describe texts that no memory holds; or
            LLVM defines none, as for `label`.
    """
    spelled: list[str] = []
    size = 0
    pending: list[Type | str] = [type_]
    while pending:
        current = pending.pop()
        if isinstance(current, str):
            spelled.append(current)
            size += len(current)
            if size > _MAX_CHARACTERS:
                raise BitcodecError(f"the name of an intrinsic spells a type in more than {_MAX_CHARACTERS} characters")
        else:
            if type(current) not in _PARTS:
                raise BitcodecError(f"the name of an intrinsic cannot spell the type {current.brief}")
            pending += reversed(_PARTS[type(current)](current))
    return "".join(spelled)


def has_unnamed(types: Iterable[Type]) -> bool:
    """Return whether names of intrinsics for types contain an identified struct without a name."""
    pending = list(types)
    seen: set[Type] = set()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if not isinstance(current, StructType) or current.is_literal:
            pending += current.element_types
        elif not current.name:
            return True
    return False


FLOATING_POINT = {
    "half": "f16",
    "bfloat": "bf16",
    "float": "f32",
    "double": "f64",
    "x86_fp80": "f80",
    "fp128": "f128",
    "ppc_fp128": "ppcf128",
}
"""Spellings of floating-point types, by their spelling in assembly text."""


def _function(function: FunctionType) -> list[Type | str]:
    return ["f_", *function.element_types, "vararg" if function.is_vararg else "", "f"]


def _struct(struct: StructType) -> list[Type | str]:
    if struct.name is None:
        return ["sl_", *struct.element_types, "s"]
    return ["s_", struct.name, "s"]


def _vector(vector: VectorType) -> list[Type | str]:
    return [f"{'nx' if vector.is_scalable else ''}v{vector.count}", vector.element_type]


def _target_extension(extension: TargetExtensionType) -> list[Type | str]:
    parts: list[Type | str] = [f"t{extension.name}"]
    for parameter in extension.type_parameters:
        parts += ("_", parameter)
    parts += [f"_{parameter}" for parameter in extension.integer_parameters]
    return [*parts, "t"]


_PARTS: Mapping[type[Type], Callable[..., list[Type | str]]] = {
    ArrayType: lambda type_: [f"a{type_.count}", type_.element_type],
    FloatingPointType: lambda type_: [FLOATING_POINT[type_.spelling]],
    FunctionType: _function,
    IntegerType: lambda type_: [f"i{type_.bit_width}"],
    MetadataType: lambda _: ["Metadata"],
    PointerType: lambda type_: [f"p{type_.address_space}"],
    StructType: _struct,
    TargetExtensionType: _target_extension,
    TokenType: lambda _: ["token"],
    VectorType: _vector,
    VoidType: lambda _: ["isVoid"],
    X86AMXType: lambda _: ["x86amx"],
}
"""Parts of the spelling of a type: texts, and types in place of their spelling."""
