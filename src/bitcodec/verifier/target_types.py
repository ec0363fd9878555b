"""Where values of target extension types may be.  Rules: LLVM Language Reference, "Target Extension Type"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import ArrayType, StructType, TargetExtensionType, VectorType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.types import Type

__all__ = ["may_be_global", "may_lie_on_stack"]

_ANYWHERE = ("spirv.", "dx.")
"""Beginnings of names of types whose values may be anywhere, some excepted."""
_NOWHERE = {"spirv.IntegralConstant", "spirv.Literal"}
_GLOBAL_ALONE = {"spirv.Padding", "dx.Padding", "amdgcn.named.barrier"}
_LOCAL_ALONE = {"aarch64.svcount", "riscv.vector.tuple", "llvm.test.vectorelement"}


def may_be_global(type_: Type) -> bool:
    """Return whether variables may have a type, as far as target types in it decide."""
    return all(name in _GLOBAL_ALONE or _may_be_anywhere(name) for name in _target_names(type_))


def may_lie_on_stack(type_: Type) -> bool:
    """Return whether there may be room for a type on the stack, as far as target types in it decide."""
    return all(name in _LOCAL_ALONE or _may_be_anywhere(name) for name in _target_names(type_))


def _may_be_anywhere(name: str) -> bool:
    return name.startswith(_ANYWHERE) and name not in _NOWHERE | _GLOBAL_ALONE


def _target_names(type_: Type) -> Iterator[str]:
    """Yield the names of the target types that a type holds by value."""
    pending, seen = [type_], {type_}
    while pending:
        current = pending.pop()
        if isinstance(current, TargetExtensionType):
            yield current.name
        elif isinstance(current, (ArrayType, StructType, VectorType)):
            inner = set(current.element_types) - seen
            seen |= inner
            pending += inner
