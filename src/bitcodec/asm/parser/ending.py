"""What is checked and completed when the whole text has been read.

Rules: parsing reference, sections 1 and 3; messages are those of llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.attributes import apply_groups
from bitcodec.asm.parser.block_addresses import check_block_addresses
from bitcodec.asm.parser.dialects.debug_info_upgrade import upgrade_debug_information
from bitcodec.asm.parser.dialects.upgrading import fit_attributes
from bitcodec.asm.parser.metadata import complete_metadata
from bitcodec.asm.parser.outside import refer_outside
from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.intrinsic_attributes import declared_attributes, intrinsic_name
from bitcodec.ir.intrinsic_signatures import mangled_name
from bitcodec.upgrade.intrinsics import replacement_of

if TYPE_CHECKING:
    from bitcodec.asm.parser.forward import ForwardConstant
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.functions import Function

__all__ = ["complete_module"]

_INTRINSIC = b"llvm."


def complete_module(state: ModuleState) -> None:
    """Check that everything that is used is defined, and complete the module.

    Raises:
        AssemblyError: something is not defined.
    """
    apply_groups(state)
    refer_outside(state)
    check_block_addresses(state)
    _check_types(state)
    _check_comdats(state)
    _complete_globals(state)
    state.pending.replace_all()
    if state.dialect.is_old:
        upgrade_debug_information(state)
    complete_metadata(state)
    if state.dialect.is_old:
        fit_attributes(state)
    state.module.comdats.update(state.comdats)
    for function in state.module.functions:
        if function.is_intrinsic:
            function.attributes = declared_attributes(function.name, function.value_type) or function.attributes


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


def _complete_globals(state: ModuleState) -> None:
    """Declare the intrinsics that are called without a declaration; everything else must be defined."""
    forward = state.forward_globals
    names = sorted(key for key in forward if isinstance(key, bytes))
    for name in names:
        if name.startswith(_INTRINSIC):
            _declare_intrinsic(state, name, forward.pop(name))
    names = [name for name in names if name in forward]
    if names:
        state.lexer.refuse(f"use of undefined value '@{decoded(names[0])}'", forward[names[0]].position)
    if forward:
        number = min(key for key in forward if isinstance(key, int))
        state.lexer.refuse(f"use of undefined value '@{number}'", forward[number].position)


def _declare_intrinsic(state: ModuleState, name: bytes, forward: ForwardConstant) -> None:
    lexer, text = state.lexer, decoded(name)
    calls = [user for user in forward.users if isinstance(user, CallBase) and user.operand_at(-1) is forward]
    if len(calls) < len(forward.users) or any(operand is forward for call in calls for operand in call.operands[:-1]):
        lexer.refuse("intrinsic can only be used as callee", forward.position)
    function_type = calls[0].function_type
    declaration = _new_declaration(state, text, calls[0])
    if intrinsic_name(text) is None and replacement_of(declaration) is None:
        declaration.remove_from_parent()
        lexer.refuse(f"unknown intrinsic '{text}'", forward.position)
    is_misfit = intrinsic_name(text) is not None and declared_attributes(text, function_type) is None
    if is_misfit and replacement_of(declaration) is None:
        declaration.remove_from_parent()
        lexer.refuse("invalid intrinsic signature", forward.position)
    state.pending.settle(forward, declaration)


def _new_declaration(state: ModuleState, name: str, call: CallBase) -> Function:
    """Return the declaration for a call, under the name that goes with its type."""
    function_type = call.function_type
    return state.module.get_or_insert_function(mangled_name(name, function_type, state.module) or name, function_type)
