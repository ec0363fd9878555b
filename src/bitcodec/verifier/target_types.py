"""Allowed places of values of target extension types.  Rules: LLVM Language Reference, "Target Extension Type"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import ArrayType, InnerTypes, StructType, TargetExtensionType, TokenType, VectorType

if TYPE_CHECKING:
    from bitcodec.ir.types import Type

__all__ = ["is_token_like", "types_not_for_globals", "types_not_for_stack"]

_ANYWHERE = ("spirv.", "dx.")
"""Beginnings of names of types whose values may be anywhere, some excepted."""
_NOWHERE = {"spirv.IntegralConstant", "spirv.Literal"}
_GLOBAL_ALONE = {"spirv.Padding", "dx.Padding", "amdgcn.named.barrier"}
_LOCAL_ALONE = {"aarch64.svcount", "riscv.vector.tuple", "llvm.test.vectorelement"}


def is_token_like(type_: Type) -> bool:
    """Return whether values are tokens, or may not be chosen by control flow, as tokens may not."""
    if isinstance(type_, TargetExtensionType):
        return type_.name.startswith("dx.") and type_.name not in _GLOBAL_ALONE
    return isinstance(type_, TokenType)


def types_not_for_globals() -> InnerTypes:
    """Return a mapping from types to whether they hold a target type that variables may not hold."""
    return _holding_all_but(_GLOBAL_ALONE)


def types_not_for_stack() -> InnerTypes:
    """Return a mapping from types to whether they hold a target type that may not be on the stack."""
    return _holding_all_but(_LOCAL_ALONE)


def _holding_all_but(allowed: set[str]) -> InnerTypes:
    def is_refused(type_: Type) -> bool:
        if not isinstance(type_, TargetExtensionType):
            return False
        return type_.name not in allowed and not _may_be_anywhere(type_.name)

    return InnerTypes(is_refused, (ArrayType, StructType, VectorType))


def _may_be_anywhere(name: str) -> bool:
    return name.startswith(_ANYWHERE) and name not in _NOWHERE | _GLOBAL_ALONE
