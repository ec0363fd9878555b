"""Checks and completes the module when the whole text has been parsed.

Rules: docs/reference/parsing.md, 1 and 3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.attributes import apply_groups
from bitcodec.asm.parser.block_addresses import check_block_addresses
from bitcodec.asm.parser.dialects.comdats import imply_comdats
from bitcodec.asm.parser.dialects.old_debug_info import upgrade_debug_information
from bitcodec.asm.parser.dialects.old_modules import fit_attributes
from bitcodec.asm.parser.implicit_intrinsics import declare_intrinsic
from bitcodec.asm.parser.metadata import complete_metadata
from bitcodec.asm.parser.outside import refer_outside
from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.intrinsic_attributes import declared_attributes

if TYPE_CHECKING:
    from bitcodec.asm.parser.implicit_intrinsics import ImplicitUpgrade
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["complete_module"]

_INTRINSIC = b"llvm."


def complete_module(state: ModuleState) -> list[ImplicitUpgrade]:
    """Check that every used entity is defined, and complete the module.

    Returns:
        Old intrinsics that are called without a declaration.

    Raises:
        AssemblyError: something is not defined.
    """
    apply_groups(state)
    refer_outside(state)
    check_block_addresses(state)
    _check_types(state)
    _check_comdats(state)
    upgrades = _complete_globals(state)
    state.pending.replace_all()
    if state.dialect.is_old:
        upgrade_debug_information(state)
    complete_metadata(state)
    if state.dialect.is_old:
        fit_attributes(state)
    state.module.comdats.update(state.comdats)
    imply_comdats(state)
    for function in state.module.functions:
        if function.is_intrinsic:
            function.attributes = declared_attributes(function.name, function.value_type) or function.attributes
    return upgrades


def _check_types(state: ModuleState) -> None:
    waiting = state.named_types.waiting
    if waiting:
        numbers = [key for key in waiting if isinstance(key, int)]
        if numbers:
            number = min(numbers)
            state.lexer.refuse(f"use of undefined type '%{number}'", waiting[number])
        name = min(key for key in waiting if isinstance(key, bytes))
        state.lexer.refuse(f"use of undefined type named '{decoded(name)}'", waiting[name])


def _check_comdats(state: ModuleState) -> None:
    if state.comdat_uses:
        name = min(state.comdat_uses)
        state.lexer.refuse(f"use of undefined comdat '${name}'", state.comdat_uses[name])


def _complete_globals(state: ModuleState) -> list[ImplicitUpgrade]:
    """Declare the intrinsics that are called without a declaration, and return old ones; all others must be defined."""
    forward = state.forward_globals
    upgrades: list[ImplicitUpgrade] = []
    names = sorted(key for key in forward if isinstance(key, bytes))
    for name in names:
        if name.startswith(_INTRINSIC):
            upgrades += declare_intrinsic(state, decoded(name), forward.pop(name))
    names = [name for name in names if name in forward]
    if names:
        state.lexer.refuse(f"use of undefined value '@{decoded(names[0])}'", forward[names[0]].position)
    if forward:
        number = min(key for key in forward if isinstance(key, int))
        state.lexer.refuse(f"use of undefined value '@{number}'", forward[number].position)
    return upgrades
