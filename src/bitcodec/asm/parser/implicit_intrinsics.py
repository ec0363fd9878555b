"""Intrinsics that are called without a declaration: each call gets the one of its type.

Rules: docs/reference/parsing.md, 3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.intrinsic_attributes import declared_attributes, intrinsic_name
from bitcodec.ir.intrinsic_signatures import mangled_name
from bitcodec.ir.uses import numbered_uses
from bitcodec.named_tuple import NamedTuple
from bitcodec.upgrade.intrinsics import replacement_of

if TYPE_CHECKING:
    from bitcodec.asm.parser.forward import ForwardConstant
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.types import FunctionType
    from bitcodec.upgrade.intrinsics import Replacement

__all__ = ["ImplicitUpgrade", "declare_intrinsic"]


class ImplicitUpgrade(NamedTuple):
    """An old intrinsic that is called without a declaration.

    Attributes:
        function: a declaration of it, which is in no module.
        replacement: the form that its calls have in LLVM 22.
        place: number of functions of the module that precede those that its calls add.
    """

    function: Function
    replacement: Replacement
    place: int


def declare_intrinsic(state: ModuleState, name: str, forward: ForwardConstant) -> list[ImplicitUpgrade]:
    """Let all calls of an intrinsic have a declaration, the last call first.

    Args:
        state: the parser.
        name: the name that the calls have for the intrinsic.
        forward: its placeholder.

    Returns:
        The old intrinsics among the declarations.

    Raises:
        AssemblyError: the intrinsic is unknown, or has other uses than calls.
    """
    upgrades: list[ImplicitUpgrade] = []
    declarations: dict[FunctionType, GlobalValue] = {}
    sites: list[tuple[CallBase, int, GlobalValue]] = []
    for user, index in reversed([*numbered_uses(forward)]):
        if not isinstance(user, CallBase) or index != len(user.operands) - 1:
            state.lexer.refuse("intrinsic can only be used as callee", forward.position)
        function_type = user.function_type
        declaration = declarations.get(function_type)
        if declaration is None:
            if declared_attributes(name, function_type) is not None:
                declaration = _declared(state, mangled_name(name, function_type, state.module) or name, function_type)
            else:
                declaration, replacement = _old_declaration(state, name, function_type, forward.position)
                if not state.dialect.is_old:
                    upgrades.append(ImplicitUpgrade(declaration, replacement, len(state.module.functions)))
            declarations[function_type] = declaration
        sites.append((user, index, declaration))
    old = {upgrade.function for upgrade in upgrades}
    for user, index, declaration in sites:
        if declaration not in old:
            user.set_operand(index, declaration)
    for user, index, declaration in reversed(sites):  # upgrades begin with the last use
        if declaration in old:
            user.set_operand(index, declaration)
    return upgrades


def _declared(state: ModuleState, name: str, function_type: FunctionType) -> GlobalValue:
    """Return the global of a name; it is declared if it is missing."""
    return state.module.get(name) or state.module.get_or_insert_function(name, function_type)


def _old_declaration(
    state: ModuleState, name: str, function_type: FunctionType, position: int
) -> tuple[Function, Replacement]:
    """Return a declaration of an intrinsic that LLVM 22 lacks in this form, and the replacement of its calls."""
    made = Function(state.types.pointer(state.module.data_layout.program_address_space), function_type)
    made.name = name
    state.module.append(made)
    replacement = replacement_of(made)
    if replacement is None:
        state.module.remove(made)
        what = "invalid intrinsic signature" if intrinsic_name(name) else f"unknown intrinsic '{name}'"
        state.lexer.refuse(what, position)
    if not state.dialect.is_old:
        state.module.remove(made)  # which leaves the name to the next one
    return made, replacement
