"""Memory accesses of old text: types that the pointer gives, one ordering, `volatile` in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.pointees import last_pointee
from bitcodec.asm.parser.phrases import is_word
from bitcodec.ir.instructions import ExtractValue, Load, Store
from bitcodec.tables.opcodes import FAILURE_ORDERINGS

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.instructions import AtomicCmpXchg, Instruction
    from bitcodec.ir.types import Type
    from bitcodec.tables.opcodes import AtomicOrdering

__all__ = [
    "SINGLE_THREAD",
    "accept_single_thread",
    "old_element_type",
    "old_failure_ordering",
    "with_value_alone",
    "with_volatile",
]

SINGLE_THREAD = "singlethread"


def old_element_type(state: ModuleState, type: Type, message: str) -> Type | None:
    """Return the pointee of the pointer type read last, if it is accessed without another type or a comma before it.

    Args:
        state: the parser.
        type: of the pointer.
        message: the message of LLVM 22, which requires a comma after that type.
    """
    pointee = last_pointee(state, type)
    return pointee if pointee is not None and state.dialect.accepts(state.lexer, message) else None


def accept_single_thread(state: ModuleState, message: str) -> bool:
    """Go past `singlethread` of LLVM 4 and older; return whether it was there."""
    lexer = state.lexer
    if not is_word(lexer, SINGLE_THREAD.encode()) or not state.dialect.accepts(lexer, message):
        return False
    lexer.advance()
    return True


def old_failure_ordering(success: AtomicOrdering) -> AtomicOrdering:
    """Return the ordering of a `cmpxchg` that fails, where text of LLVM 3.4 and older has only one."""
    return FAILURE_ORDERINGS.get(success, success)


def with_value_alone(state: ModuleState, made: AtomicCmpXchg) -> Instruction:
    """Place a `cmpxchg`; return the instruction that extracts its value, the result of `cmpxchg` up to LLVM 3.4."""
    assert state.function is not None  # noqa: S101 - instructions are in functions
    state.function.place(made)
    return ExtractValue(made.compare.type, made, (0,))


def with_volatile(made: Instruction) -> Instruction:
    """Return a `load` or `store`, which is made volatile."""
    assert isinstance(made, Load | Store)  # noqa: S101 - nothing else is given
    made.is_volatile = True
    return made
