"""What calling conventions ask of functions and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.types import PointerType, VoidType
from bitcodec.tables.calling_conventions import CALLING_CONVENTIONS, X86_INTR

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["CONVENTION_RULES", "NOT_CALLABLE", "TAIL_CONVENTIONS"]

_NUMBERS = {spelling.strip(): number for number, spelling in CALLING_CONVENTIONS.items()}


def _numbered(*spellings: str) -> frozenset[int]:
    return frozenset(_NUMBERS[spelling] for spelling in spellings)


_RETURNING_NOTHING = _numbered("amdgpu_kernel", "spir_kernel", "amdgpu_cs_chain", "amdgpu_cs_chain_preserve")
_SHADERS = _numbered("amdgpu_vs", "amdgpu_hs", "amdgpu_gs", "amdgpu_ps", "amdgpu_cs")
_WITHOUT_STACK = (_RETURNING_NOTHING | _SHADERS) - _numbered("spir_kernel")
_OF_FIXED_LENGTH = (
    _RETURNING_NOTHING | _SHADERS | _numbered("fastcc", "coldcc", "intel_ocl_bicc", "ptx_kernel", "ptx_device")
)

NOT_CALLABLE = _RETURNING_NOTHING | _SHADERS | _numbered("amdgpu_es", "amdgpu_ls", "amdgpu_gfx_whole_wave")
"""Conventions of what only hardware and certain intrinsics call."""
TAIL_CONVENTIONS = {_NUMBERS[spelling]: spelling for spelling in ("tailcc", "swifttailcc")}
"""Conventions under which tail calls need no more than few attributes."""


def _has_parameter(function: Function, name: str) -> bool:
    return any(name in found for found in function.attributes.parameters.values())


def _takes_none(name: str) -> Any:
    return lambda function, _: function.calling_convention not in _WITHOUT_STACK or not _has_parameter(function, name)


def _takes_none_from_stack(function: Function, verifier: Verifier) -> bool:
    if function.calling_convention not in _WITHOUT_STACK:
        return True
    stack = verifier.layout.alloca_address_space
    return not any(
        "byref" in found and isinstance(type_, PointerType) and type_.address_space == stack
        for index, type_ in enumerate(function.value_type.parameter_types)
        if (found := function.attributes.for_parameter(index))
    )


CONVENTION_RULES: Rules = (
    (
        "Calling convention parameter requires byval",
        lambda function, _: (
            function.calling_convention != X86_INTR
            or not function.value_type.parameter_types
            or "byval" in function.attributes.for_parameter(0)
        ),
    ),
    (
        "Calling convention requires void return type",
        lambda function, _: (
            function.calling_convention not in _RETURNING_NOTHING or isinstance(function.return_type, VoidType)
        ),
    ),
    (
        "Calling convention does not allow sret",
        lambda function, _: (
            function.calling_convention not in _RETURNING_NOTHING | _SHADERS or not _has_parameter(function, "sret")
        ),
    ),
    ("Calling convention disallows byval", _takes_none("byval")),
    ("Calling convention disallows preallocated", _takes_none("preallocated")),
    ("Calling convention disallows inalloca", _takes_none("inalloca")),
    ("Calling convention disallows stack byref", _takes_none_from_stack),
    (
        "Calling convention does not support varargs or perfect forwarding!",
        lambda function, _: function.calling_convention not in _OF_FIXED_LENGTH or not function.is_vararg,
    ),
)
"""For functions."""
