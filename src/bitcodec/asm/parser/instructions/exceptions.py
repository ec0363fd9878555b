"""Unwinding: landing pads and funclets.

Rules: docs/reference/text.md, 9.3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.constants import parse_typed_constant, parse_typed_value, parse_value
from bitcodec.asm.parser.instructions.control_flow import parse_typed_block
from bitcodec.asm.parser.metadata import parse_metadata_value
from bitcodec.asm.parser.phrases import accept, accept_word, expect, expect_word, is_word
from bitcodec.asm.parser.tokens import COMMA, LEFT_SQUARE, LOCAL_ID, LOCAL_NAME, RIGHT_SQUARE
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.instructions import (
    CatchPad,
    CatchReturn,
    CatchSwitch,
    Clause,
    CleanupPad,
    CleanupReturn,
    LandingPad,
    Resume,
)
from bitcodec.ir.types import ArrayType, MetadataType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["PARSERS"]


_NO_CLAUSE = "expected instruction opcode"


def _landing_pad(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    type_ = parse_type(state)
    if is_word(lexer, b"personality") and state.dialect.accepts(lexer, _NO_CLAUSE):
        _parse_old_personality(state)
    is_cleanup = accept_word(lexer, b"cleanup")
    clauses: list[Clause] = []
    while is_word(lexer, b"catch") or is_word(lexer, b"filter"):
        is_filter = lexer.text() == b"filter"
        lexer.advance()
        start = lexer.start
        value = parse_typed_value(state)
        if isinstance(value.type, ArrayType) is not is_filter:
            lexer.refuse(f"'{'filter' if is_filter else 'catch'}' clause has an invalid type", start)
        clauses.append(Clause(is_filter, value))
    return LandingPad(type_, clauses, is_cleanup=is_cleanup)


def _parse_old_personality(state: ModuleState) -> None:
    """Read the personality, which LLVM 3.6 and older name in each landing pad instead of in the function."""
    lexer, start = state.lexer, state.lexer.start
    lexer.advance()
    personality = parse_typed_constant(state)
    assert state.function is not None  # noqa: S101 - instructions are in functions
    function = state.function.function
    if function.personality is None:
        function.personality = personality
    elif function.personality is not personality:
        lexer.refuse("a function has two personalities", start)


def _resume(state: ModuleState, _opcode: str) -> Instruction:
    return Resume(state.void, parse_typed_value(state))


def _parse_scope(state: ModuleState, opcode: str) -> Value:
    """Return the pad after `within`."""
    lexer = state.lexer
    expect_word(lexer, b"within", f"expected 'within' after {opcode}")
    is_local = lexer.kind in (LOCAL_NAME, LOCAL_ID)
    if not is_local and (opcode == "catchpad" or not is_word(lexer, b"none")):
        lexer.refuse(f"expected scope value for {opcode}")
    return parse_value(state, state.types.token)


def _parse_arguments(state: ModuleState) -> list[Value]:
    lexer = state.lexer
    expect(lexer, LEFT_SQUARE, "expected '[' in catchpad/cleanuppad")
    arguments: list[Value] = []
    while lexer.kind != RIGHT_SQUARE:
        if arguments:
            expect(lexer, COMMA, "expected ',' in argument list")
        type_ = parse_type(state)
        is_metadata = isinstance(type_, MetadataType)
        arguments.append(parse_metadata_value(state) if is_metadata else parse_value(state, type_))
    lexer.advance()
    return arguments


def _parse_unwind(state: ModuleState, message: str, opcode: str) -> BasicBlock | None:
    """Return the unwind destination, None for the caller."""
    lexer = state.lexer
    expect_word(lexer, b"unwind", message)
    if not accept_word(lexer, b"to"):
        return parse_typed_block(state)
    expect_word(lexer, b"caller", f"expected 'caller' in {opcode}")
    return None


def _catch_switch(state: ModuleState, opcode: str) -> Instruction:
    lexer = state.lexer
    parent = _parse_scope(state, opcode)
    expect(lexer, LEFT_SQUARE, "expected '[' with catchswitch labels")
    handlers = [parse_typed_block(state)]
    while accept(lexer, COMMA):
        handlers.append(parse_typed_block(state))
    expect(lexer, RIGHT_SQUARE, "expected ']' after catchswitch labels")
    unwind = _parse_unwind(state, "expected 'unwind' after catchswitch scope", opcode)
    return CatchSwitch(state.types.token, parent, handlers, unwind)


def _catch_pad(state: ModuleState, opcode: str) -> Instruction:
    parent = _parse_scope(state, opcode)
    return CatchPad(state.types.token, parent, _parse_arguments(state))


def _cleanup_pad(state: ModuleState, opcode: str) -> Instruction:
    parent = _parse_scope(state, opcode)
    return CleanupPad(state.types.token, parent, _parse_arguments(state))


def _catch_return(state: ModuleState, _opcode: str) -> Instruction:
    expect_word(state.lexer, b"from", "expected 'from' after catchret")
    pad = parse_value(state, state.types.token)
    expect_word(state.lexer, b"to", "expected 'to' in catchret")
    return CatchReturn(state.void, pad, parse_typed_block(state))


def _cleanup_return(state: ModuleState, opcode: str) -> Instruction:
    expect_word(state.lexer, b"from", "expected 'from' after cleanupret")
    pad = parse_value(state, state.types.token)
    return CleanupReturn(state.void, pad, _parse_unwind(state, "expected 'unwind' in cleanupret", opcode))


PARSERS: dict[str, Callable[[ModuleState, str], Instruction]] = {
    "landingpad": _landing_pad,
    "resume": _resume,
    "catchswitch": _catch_switch,
    "catchpad": _catch_pad,
    "cleanuppad": _cleanup_pad,
    "catchret": _catch_return,
    "cleanupret": _cleanup_return,
}
