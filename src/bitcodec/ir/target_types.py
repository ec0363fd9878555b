"""Target extension types: their parameters, and the layout of their values.

Rules: LLVM Language Reference, "Target Extension Type", as release 22 has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import ArrayType, IntegerType, PointerType, TargetExtensionType, Type, VectorType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["has_zero", "is_vector_element", "layout_type", "parameter_problem"]

_I1, _I8, _I32, _POINTER = IntegerType(1), IntegerType(8), IntegerType(32), PointerType()
_RISCV_BLOCK = 8
"""Bytes of a vector register for each unit of `vscale`, at least."""


def layout_type(type: TargetExtensionType) -> Type | None:
    """Return the type that a value is laid out like, None if values have no size."""
    rule = _RULES.get(type.name)
    if rule is not None:
        return rule(type)
    if type.name.startswith(_POINTER_LIKE):
        return _POINTER
    return None


def has_zero(type: TargetExtensionType) -> bool:
    """Return whether `zeroinitializer` is a value of a type."""
    return type.name in _WITH_ZERO or (type.name.startswith("spirv.") and type.name not in _WITHOUT_ZERO)


def is_vector_element(type: TargetExtensionType) -> bool:
    """Return whether vectors may hold a type."""
    return type.name == "llvm.test.vectorelement"


def parameter_problem(name: str, type_count: int, integer_count: int) -> str:
    """Return LLVM's message for a type whose parameters do not match its name, empty if they do."""
    rule = _PARAMETERS.get(name)
    if rule is None or (type_count, integer_count) == rule[0]:
        return ""
    return f"target extension type {name} should have {rule[1]}"


def _spirv_type(type: TargetExtensionType) -> Type | None:
    if len(type.integer_parameters) != 3:
        return None
    _, size, alignment = type.integer_parameters
    if not size or not alignment:
        return _I32
    if alignment > IntegerType.MAX_WIDTH:
        return None
    return ArrayType(size * 8 // alignment, IntegerType(alignment))


def _padding(type: TargetExtensionType) -> Type | None:
    return ArrayType(type.integer_parameters[0], _I8) if type.integer_parameters else None


def _riscv_vector_tuple(type: TargetExtensionType) -> Type | None:
    match type.type_parameters, type.integer_parameters:
        case (VectorType() as vector,), (fields,):
            return VectorType(max(vector.count, _RISCV_BLOCK) * fields, _I8, is_scalable=True)
    return None


_RULES: Mapping[str, Callable[[TargetExtensionType], Type | None]] = {
    "aarch64.svcount": lambda _: VectorType(16, _I1, is_scalable=True),
    "amdgcn.named.barrier": lambda _: VectorType(4, _I32),
    "dx.Padding": _padding,
    "llvm.test.vectorelement": lambda _: _I32,
    "riscv.vector.tuple": _riscv_vector_tuple,
    "spirv.IntegralConstant": lambda _: None,
    "spirv.Literal": lambda _: None,
    "spirv.Padding": _padding,
    "spirv.Type": _spirv_type,
}
_POINTER_LIKE = ("spirv.", "dx.")

_WITH_ZERO = {"aarch64.svcount", "riscv.vector.tuple"}
_WITHOUT_ZERO = {f"spirv.{name}" for name in ("Image", "IntegralConstant", "Literal", "Padding", "SignedImage", "Type")}
_PARAMETERS = {
    "aarch64.svcount": ((0, 0), "no parameters"),
    "amdgcn.named.barrier": ((0, 1), "no type parameters and one integer parameter"),
    "riscv.vector.tuple": ((1, 1), "one type parameter and one integer parameter"),
}
"""By name: the number of types and of integers that a type has, and LLVM's wording of it."""
