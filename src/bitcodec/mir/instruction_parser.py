"""Instructions from tokens.  Rules: the syntax that LLVM's own reader of machine IR accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.mir.instruction import INSTRUCTION_FLAGS, SUFFIXES, MachineInstr
from bitcodec.mir.lexer import Tokens
from bitcodec.mir.memory_parser import memory_operand
from bitcodec.mir.operand_parser import node, operand, register, symbol
from bitcodec.mir.registers import REGISTER_FLAGS
from bitcodec.mir.source import SourceText, decoded

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.mir.instruction import Suffix
    from bitcodec.mir.memory_operands import MachineMemOperand
    from bitcodec.mir.operand import MachineOperand
    from bitcodec.mir.registers import Register

__all__ = ["instruction", "parse_instruction"]

_FLAGS = frozenset(INSTRUCTION_FLAGS)
_BEHIND_OPERANDS = frozenset({"::", "{"})


def parse_instruction(text: str) -> MachineInstr:
    """Return the instruction that a line of machine IR contains; it is in no block yet.

    Args:
        text: the line, such as `$eax = COPY %2, debug-location !7`.

    Raises:
        MIRError: it is malformed, or there is more than one instruction; columns count from 1.
    """
    source = SourceText(decoded(text))
    end = len(text.rstrip())
    line_break = text.find("\n", 0, end)
    if line_break >= 0:
        raise source.error("one line expected", line_break)
    tokens = Tokens(source, 0, end)
    tokens.skip_comments()
    found = instruction(tokens)
    if tokens.kind != "end":
        tokens.fail("the end of the instruction expected")
    return found


def instruction(tokens: Tokens) -> MachineInstr:
    """Read an instruction, up to the end of the line or the brace of a bundle."""
    operands: list[MachineOperand] = []
    operands += _defs(tokens)
    flags = []
    while tokens.text in _FLAGS:
        flags.append(tokens.advance())
    opcode = tokens.take("word", "an opcode")
    suffixes: dict[str, Suffix] = {}
    while not _is_at_end(tokens):
        if tokens.text in SUFFIXES:
            keyword = tokens.advance()
            suffixes[keyword] = _SUFFIX_READERS[SUFFIXES[keyword]](tokens)
        elif suffixes:
            tokens.fail("a part of the instruction that follows the operands expected")
        else:
            operands.append(operand(tokens, opcode))
        if not tokens.accept(",") and not _is_at_end(tokens) and tokens.text not in SUFFIXES:
            tokens.fail("',' expected")
    memory = _memory(tokens) if tokens.accept("::") else []
    return MachineInstr(opcode, operands, flags=flags, suffixes=suffixes, memory_operands=memory)


def _defs(tokens: Tokens) -> list[Register]:
    """Read the registers before `=`; they are all written."""
    found: list[Register] = []
    while tokens.kind == "register" or tokens.text in REGISTER_FLAGS:
        found.append(register(tokens, "def"))
        if not tokens.accept(","):
            break
    if found:
        tokens.expect("=")
    return found


def _is_at_end(tokens: Tokens) -> bool:
    """Return whether the operands end here: LLVM takes a comma behind the last one."""
    tokens.skip_comments()
    return tokens.kind == "end" or tokens.text in _BEHIND_OPERANDS


def _memory(tokens: Tokens) -> list[MachineMemOperand]:
    found = []
    while not _is_at_end(tokens):
        found.append(memory_operand(tokens))
        if not tokens.accept(","):
            break
    return found


_SUFFIX_READERS: dict[str, Callable[[Tokens], Suffix]] = {
    "symbol": symbol,
    "node": node,
    "number": lambda tokens: tokens.integer(),
    "value": lambda tokens: operand(tokens, ""),
}
