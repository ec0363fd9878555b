"""Rules of calling conventions for functions and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.type_properties import is_integer
from bitcodec.ir.types import PointerType, VoidType
from bitcodec.tables.calling_conventions import CALLING_CONVENTIONS, X86_INTR
from bitcodec.verifier.callees import has_on_parameter

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = [
    "ANY_REGISTER",
    "CHAINS",
    "CHAIN_CALLERS",
    "CONVENTION_RULES",
    "NOT_CALLABLE",
    "TAIL_CONVENTIONS",
    "WHOLE_WAVE",
]

_NUMBERS = {spelling.strip(): number for number, spelling in CALLING_CONVENTIONS.items()}


def _numbered(*spellings: str) -> frozenset[int]:
    return frozenset(_NUMBERS[spelling] for spelling in spellings)


_RETURNING_NOTHING = _numbered("amdgpu_kernel", "spir_kernel", "amdgpu_cs_chain", "amdgpu_cs_chain_preserve")
_SHADERS = _numbered("amdgpu_vs", "amdgpu_hs", "amdgpu_gs", "amdgpu_ps", "amdgpu_cs")
_WITHOUT_STACK = (_RETURNING_NOTHING | _SHADERS) - _numbered("spir_kernel")
_OF_FIXED_LENGTH = (
    _RETURNING_NOTHING
    | _SHADERS
    | _numbered("fastcc", "coldcc", "intel_ocl_bicc", "ptx_kernel", "ptx_device", "amdgpu_gfx_whole_wave")
)

NOT_CALLABLE = _RETURNING_NOTHING | _SHADERS | _numbered("amdgpu_es", "amdgpu_ls", "amdgpu_gfx_whole_wave")
"""Conventions of functions that only hardware and certain intrinsics call."""
ANY_REGISTER = _NUMBERS["anyregcc"]
WHOLE_WAVE = _NUMBERS["amdgpu_gfx_whole_wave"]
CHAINS = _numbered("amdgpu_cs_chain", "amdgpu_cs_chain_preserve")
CHAIN_CALLERS = CHAINS | _numbered("amdgpu_cs", "amdgpu_es", "amdgpu_gs", "amdgpu_hs", "amdgpu_ls", "amdgpu_vs")
"""Conventions of functions that may call others of the same shader by `llvm.amdgcn.cs.chain`."""
TAIL_CONVENTIONS = {_NUMBERS[spelling]: spelling for spelling in ("tailcc", "swifttailcc")}
"""Conventions under which tail calls need no more than few attributes."""


def _takes_none(name: str) -> Any:
    return lambda function, _: function.calling_convention not in _WITHOUT_STACK or not has_on_parameter(function, name)


def _takes_none_from_stack(function: Function, verifier: Verifier) -> bool:
    if function.calling_convention not in _WITHOUT_STACK:
        return True
    stack = verifier.layout.alloca_address_space
    return not any(
        "byref" in found and isinstance(type_, PointerType) and type_.address_space == stack
        for index, type_ in enumerate(function.value_type.parameter_types)
        if (found := function.attributes.for_parameter(index))
    )


def _first_is_bit(function: Function) -> bool:
    parameters = function.value_type.parameter_types
    return bool(parameters) and is_integer(parameters[0], 1)


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
            function.calling_convention not in _RETURNING_NOTHING | _SHADERS or not has_on_parameter(function, "sret")
        ),
    ),
    ("Calling convention disallows byval", _takes_none("byval")),
    ("Calling convention disallows preallocated", _takes_none("preallocated")),
    ("Calling convention disallows inalloca", _takes_none("inalloca")),
    ("Calling convention disallows stack byref", _takes_none_from_stack),
    (
        "Calling convention requires first argument to be i1",
        lambda function, _: function.calling_convention != WHOLE_WAVE or _first_is_bit(function),
    ),
    (
        "Calling convention requires first argument to not be inreg",
        lambda function, _: (
            function.calling_convention != WHOLE_WAVE or "inreg" not in function.attributes.for_parameter(0)
        ),
    ),
    (
        "Calling convention does not support varargs or perfect forwarding!",
        lambda function, _: function.calling_convention not in _OF_FIXED_LENGTH or not function.is_vararg,
    ),
)
"""For functions."""
