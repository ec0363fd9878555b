# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Function bodies: blocks and what every instruction has.

Rules: assembly text reference, section 8; parsing reference, sections 2 and 3; messages are those of llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.debug_records import parse_debug_record
from bitcodec.asm.parser.function_state import FunctionState
from bitcodec.asm.parser.instructions import INSTRUCTION_PARSERS
from bitcodec.asm.parser.metadata import parse_attachment
from bitcodec.asm.parser.phrases import accept, decoded, expect, is_word
from bitcodec.asm.parser.tokens import (
    COMMA,
    END,
    EQUAL,
    HASH,
    LABEL,
    LABEL_ID,
    LEFT_BRACE,
    LOCAL_ID,
    LOCAL_NAME,
    METADATA_NAME,
    RIGHT_BRACE,
    WORD,
)
from bitcodec.asm.parser.use_lists import parse_use_list_order

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction

__all__ = ["parse_body"]


def parse_body(state: ModuleState, function: Function, names: list[tuple[bytes | int, int]]) -> FunctionState:
    """Read the body of a function; return what is known of it then.

    Args:
        state: the parser.
        function: the function.
        names: name or number of each argument, and its position.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    expect(lexer, LEFT_BRACE, "expected '{' in function body")
    body = FunctionState(lexer, state.types.label, function)
    for argument, (key, start) in zip(function.arguments, names, strict=True):
        if not isinstance(key, int) and body.known(key) is not None:
            lexer.refuse(f"redefinition of argument '%{decoded(key)}'", start)
        body.name_argument(argument, key)
    if lexer.kind == RIGHT_BRACE or is_word(lexer, b"uselistorder"):
        lexer.refuse("function body requires at least one basic block")
    state.function = body
    while lexer.kind != RIGHT_BRACE and not is_word(lexer, b"uselistorder"):
        _parse_block(state, body)
    while lexer.kind != RIGHT_BRACE:
        parse_use_list_order(state)
    lexer.advance()
    body.finish()
    state.function = None
    return body


def _parse_block(state: ModuleState, body: FunctionState) -> None:
    lexer = state.lexer
    start, kind = lexer.start, lexer.kind
    key: bytes | int | None = None
    if kind in (LABEL, LABEL_ID):
        key = lexer.content() if kind == LABEL else lexer.number()
        lexer.advance()
    body.start_block(key, start)
    is_terminator = False
    while not is_terminator:
        records: list[DebugRecord] = []
        while lexer.kind == HASH:
            records.append(parse_debug_record(state))
        instruction = _parse_named_instruction(state, body)
        if records:
            instruction.debug_records[:] = records
        is_terminator = instruction.is_terminator


def _parse_named_instruction(state: ModuleState, body: FunctionState) -> Instruction:
    lexer = state.lexer
    start, kind = lexer.start, lexer.kind
    key: bytes | int | None = None
    if kind == LOCAL_NAME:
        key = lexer.content() or None
        lexer.advance()
        expect(lexer, EQUAL, "expected '=' after instruction name")
    elif kind == LOCAL_ID:
        key = lexer.number()
        lexer.advance()
        expect(lexer, EQUAL, "expected '=' after instruction id")
    instruction = _parse_instruction(state)
    body.place(instruction)
    if state.has_comma or accept(lexer, COMMA):
        state.has_comma = False
        _parse_attachments(state, instruction)
    body.name_instruction(instruction, key, start)
    return instruction


def _parse_instruction(state: ModuleState) -> Instruction:
    lexer = state.lexer
    if lexer.kind == END:
        lexer.refuse("found end of file when expecting more instructions")
    row = INSTRUCTION_PARSERS.get(lexer.text()) if lexer.kind == WORD else None
    if row is None:
        lexer.refuse("expected instruction opcode")
    state.opcode_start = lexer.start
    lexer.advance()
    opcode, parse = row
    return parse(state, opcode)


def _parse_attachments(state: ModuleState, instruction: Instruction) -> None:
    lexer, metadata = state.lexer, state.metadata
    while True:
        if lexer.kind != METADATA_NAME:
            lexer.refuse("expected metadata after comma")
        kind, node = parse_attachment(state)
        if kind == "dbg":
            metadata.locations.append((instruction, node))
        else:
            metadata.attachments.append((instruction, kind, node))
        if not accept(lexer, COMMA):
            return
