"""Casts of old text that LLVM 22 does not have: `bitcast` between address spaces, up to LLVM 3.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.forward import ForwardConstant
from bitcodec.upgrade.address_spaces import is_address_space_bitcast, upgraded_bitcast_constant, upgraded_bitcasts

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["old_cast", "old_constant_cast"]


def old_cast(state: ModuleState, opcode: str, operand: Value, type: Type) -> Instruction | None:
    """Return the instruction with the value of a cast that can no longer be made, None if it can; place the others."""
    if not is_address_space_bitcast(opcode, operand.type, type):
        return None
    assert state.function is not None  # noqa: S101 - instructions are in functions
    first, last = upgraded_bitcasts(operand, type, state.types)
    state.function.place(first)
    return last


def old_constant_cast(state: ModuleState, opcode: str, operand: Constant, type: Type) -> Constant | None:
    """Return the constant in the place of a cast that can no longer be made, None if it can."""
    takes_place_of_instruction = isinstance(operand, ForwardConstant) and operand.position < 0
    if takes_place_of_instruction or not is_address_space_bitcast(opcode, operand.type, type):
        return None
    return upgraded_bitcast_constant(operand, type, state.types, state.constants)
