"""Declarations of intrinsics that upgrades call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.ir.intrinsic_attributes import declared_attributes
from bitcodec.ir.intrinsic_signatures import mangled_name

if TYPE_CHECKING:
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType

__all__ = ["declared"]


def declared(module: Module, name: str, function_type: FunctionType, *, suffix: str = ".invalid") -> Function:
    """Return the intrinsic of that name and type; it is declared after all functions if it is missing.

    Args:
        module: the module.
        name: its whole name.
        function_type: its type.
        suffix: appended to the name of an existing global of that name but of another type.
    """
    found = module.get(name)
    if isinstance(found, Function) and found.value_type is function_type:
        return found
    if found is not None:
        found.name = name + suffix
    function = Function(module.context.types.pointer(module.data_layout.program_address_space), function_type)
    function.name = name
    if mangled_name(name, function_type, module) == name:
        function.attributes = declared_attributes(name, function_type) or function.attributes
    module.append(function)
    return function
