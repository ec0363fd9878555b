"""What typed pointers point to.

Text names the type of each operand, so what a value points to is needed only right behind its type: `state.pointee`
is that of the pointer type whose last token is in front of `state.pointee_end`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import PointerType

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.types import Type

__all__ = ["last_pointee", "note_pointee"]


def note_pointee(state: ModuleState, pointee: Type | None) -> None:
    """Remember what the pointer type points to that ends in front of the current token."""
    state.pointee = pointee
    state.pointee_end = state.lexer.start


def last_pointee(state: ModuleState, type: Type) -> Type | None:
    """Return what a type points to that has just been read, None if it is no typed pointer or vector of such."""
    is_pointer = isinstance(type.scalar_type, PointerType)
    return state.pointee if is_pointer and state.pointee_end == state.lexer.start else None
