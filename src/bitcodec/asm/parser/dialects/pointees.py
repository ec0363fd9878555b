"""Pointee types of typed pointers.

Text gives the type of each operand, so its pointee is needed only right after its type: `state.pointee`
is the pointee of the pointer type that ends before `state.pointee_end`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import PointerType

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.types import Type

__all__ = ["last_pointee", "note_pointee"]


def note_pointee(state: ModuleState, pointee: Type | None) -> None:
    """Remember the pointee of the pointer type that ends before the current token."""
    state.pointee = pointee
    state.pointee_end = state.lexer.start


def last_pointee(state: ModuleState, type: Type) -> Type | None:
    """Return the pointee of the type read last, None if it is not a typed pointer or a vector of them."""
    is_pointer = isinstance(type.scalar_type, PointerType)
    return state.pointee if is_pointer and state.pointee_end == state.lexer.start else None
