"""Instructions from tokens.  Rules: what LLVM's own reader of machine IR takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.mir.instruction import INSTRUCTION_FLAGS, SUFFIXES, MachineInstr
from bitcodec.mir.memory_parser import memory_operand
from bitcodec.mir.operand_parser import node, operand, register, symbol
from bitcodec.mir.registers import REGISTER_FLAGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.mir.instruction import Suffix
    from bitcodec.mir.lexer import Tokens
    from bitcodec.mir.memory_operands import MachineMemOperand
    from bitcodec.mir.operand import MachineOperand
    from bitcodec.mir.registers import Register

__all__ = ["instruction"]

_FLAGS = frozenset(INSTRUCTION_FLAGS)
_BEHIND_OPERANDS = frozenset({"::", "{"})


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
            tokens.fail("something that stands behind operands expected")
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
    return tokens.kind == "end" or tokens.text in _BEHIND_OPERANDS


def _memory(tokens: Tokens) -> list[MachineMemOperand]:
    found = [memory_operand(tokens)]
    while tokens.accept(","):
        found.append(memory_operand(tokens))
    return found


_SUFFIX_READERS: dict[str, Callable[[Tokens], Suffix]] = {
    "symbol": symbol,
    "node": node,
    "number": lambda tokens: tokens.integer(),
    "value": lambda tokens: operand(tokens, ""),
}
