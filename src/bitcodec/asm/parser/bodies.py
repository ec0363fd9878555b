# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Function bodies: blocks and the common parts of instructions.

Rules: docs/reference/text.md, 8; docs/reference/parsing.md, 2 and 3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.block_addresses import settle_block_addresses
from bitcodec.asm.parser.debug_records import parse_debug_record
from bitcodec.asm.parser.dialects.memory import with_volatile
from bitcodec.asm.parser.function_state import ParsedFunction
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
from bitcodec.ir.instructions.instruction import Instruction, Terminator
from bitcodec.malformed import Malformed
from bitcodec.upgrade.expansion import SpareBlock, expand

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.local_surroundings import LocalSurroundings
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function

__all__ = ["parse_blocks", "parse_body", "parse_instructions"]


def parse_body(state: ModuleState, function: Function, key: bytes | int, names: list[tuple[bytes | int, int]]) -> None:
    """Read the body of a function.

    Args:
        state: the parser.
        function: the function.
        key: its name or number.
        names: name or number of each argument, and its position.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    expect(lexer, LEFT_BRACE, "expected '{' in function body")
    body = ParsedFunction(lexer, state.label, state.void, function)
    for argument, (name, start) in zip(function.arguments, names, strict=True):
        if not isinstance(name, int) and body.known(name) is not None:
            lexer.refuse(f"redefinition of argument '%{decoded(name)}'", start)
        body.name_argument(argument, name)
    if lexer.kind == RIGHT_BRACE or is_word(lexer, b"uselistorder"):
        lexer.refuse("function body requires at least one basic block")
    settle_block_addresses(state, key, body)
    state.function = body
    while lexer.kind != RIGHT_BRACE and not is_word(lexer, b"uselistorder"):
        _parse_block(state, body)
    while lexer.kind != RIGHT_BRACE:
        parse_use_list_order(state)
    lexer.advance()
    _finish(state, body)


def parse_blocks(state: ModuleState, function: Function, surroundings: LocalSurroundings) -> None:
    """Read blocks, up to the end of the text.

    Args:
        state: the parser.
        function: the function that gets the blocks.
        surroundings: the function that they are added to.

    Raises:
        AssemblyError: they are malformed.
    """
    lexer = state.lexer
    body = state.function = ParsedFunction(lexer, state.label, state.void, function, surroundings)
    if lexer.kind == END:
        lexer.refuse("expected a block")
    while lexer.kind != END:
        _parse_block(state, body)
    _finish(state, body)


def parse_instructions(state: ModuleState, function: Function, surroundings: LocalSurroundings) -> None:
    """Read the instructions of a part of a block, up to the end of the text; with the arguments of `parse_blocks`.

    Raises:
        AssemblyError: they are malformed, or something follows the end of the block.
    """
    lexer = state.lexer
    body = state.function = ParsedFunction(lexer, state.label, state.void, function, surroundings)
    body.start_part()
    is_terminator = False
    while lexer.kind != END:
        if is_terminator:
            lexer.refuse("expected the end of the text behind the end of a block")
        is_terminator = isinstance(_parse_with_records(state, body), Terminator)
    _finish(state, body)


def _finish(state: ModuleState, body: ParsedFunction) -> None:
    if state.has_expandables:
        _expand(state, body.function)
    body.finish()
    state.function = None


def _expand(state: ModuleState, function: Function) -> None:
    """Insert instructions where the body uses expressions that are no longer constants."""
    state.has_expandables = False
    spare = SpareBlock(function, state.types)
    try:
        expand(function, spare, state.budget)
    except Malformed as error:
        state.lexer.refuse(str(error))
    spare.give_up()


def _label_name(lexer: Lexer) -> bytes:
    return lexer.content() if lexer.kind == LABEL else lexer.text().rstrip(b":")


def _parse_block(state: ModuleState, body: ParsedFunction) -> None:
    lexer = state.lexer
    start, kind = lexer.start, lexer.kind
    key: bytes | int | None = None
    if kind in (LABEL, LABEL_ID):
        # Up to LLVM 8 a label of digits is a name.
        is_name = kind == LABEL or state.dialect.is_before(9)
        key = _label_name(lexer) if is_name else lexer.number()
        lexer.advance()
    body.start_block(key, start)
    while not isinstance(_parse_with_records(state, body), Terminator):
        pass


def _parse_with_records(state: ModuleState, body: ParsedFunction) -> Instruction:
    """Read an instruction and the debug records before it."""
    lexer = state.lexer
    records: list[DebugRecord] = []
    while lexer.kind == HASH:
        records.append(parse_debug_record(state))
    instruction = _parse_named_instruction(state, body)
    if records:
        instruction.debug_records[:] = records
    return instruction


def _parse_named_instruction(state: ModuleState, body: ParsedFunction) -> Instruction:
    lexer = state.lexer
    start, kind = lexer.start, lexer.kind
    name, number = b"", -1
    if kind == LOCAL_NAME:
        name = lexer.content()
        lexer.advance()
        expect(lexer, EQUAL, "expected '=' after instruction name")
    elif kind == LOCAL_ID:
        number = lexer.index()
        lexer.advance()
        expect(lexer, EQUAL, "expected '=' after instruction id")
    instruction = _parse_instruction(state)
    body.place(instruction)
    if state.has_comma or accept(lexer, COMMA):
        state.has_comma = False
        _parse_attachments(state, instruction)
    if name:
        body.name_instruction(instruction, name, start)
    else:
        body.number_instruction(instruction, number, start)
    return instruction


def _parse_instruction(state: ModuleState) -> Instruction:
    lexer = state.lexer
    if lexer.kind == END:
        lexer.refuse("found end of file when expecting more instructions")
    text = lexer.text()
    row = state.opcodes.get(text) if lexer.kind == WORD else None
    if row is None:
        row = INSTRUCTION_PARSERS.get(text) if lexer.kind == WORD else None
        if row is None:
            row = _old_instruction(state)
        else:
            state.opcodes[text] = row
    state.opcode_start = lexer.start
    lexer.advance()
    opcode, parse = row
    return parse(state, opcode)


def _old_instruction(state: ModuleState) -> tuple[str, Callable[[ModuleState, str], Instruction]]:
    """Return the row of `load` or `store` after `volatile`, where LLVM 2.9 had it, which 3.0 still reads."""
    lexer, message = state.lexer, "expected instruction opcode"
    if is_word(lexer, b"unwind") and state.dialect.is_old:
        lexer.refuse("unwind instructions have no equivalent since LLVM 3.1; use resume")
    row = None
    if is_word(lexer, b"volatile") and state.dialect.accepts(lexer, message):
        lexer.advance()
        opcode = lexer.text()
        if opcode in (b"load", b"store"):
            spelling, parse = INSTRUCTION_PARSERS[opcode]
            row = spelling, lambda state, opcode: with_volatile(parse(state, opcode))
    if row is None:
        lexer.refuse(message)
    return row


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
