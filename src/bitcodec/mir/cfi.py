"""CFI instructions.  Rules: LLVM's `MCCFIInstruction`, as MIR spells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.mir.names import symbol_name
from bitcodec.mir.operands import CFIInstruction, MCSymbol

if TYPE_CHECKING:
    from bitcodec.mir.lexer import Tokens

__all__ = ["CFI_OPERATIONS", "cfi_instruction"]

CFI_OPERATIONS = {
    "same_value": "r",
    "offset": "rn",
    "rel_offset": "rn",
    "def_cfa_register": "r",
    "def_cfa_offset": "n",
    "adjust_cfa_offset": "n",
    "def_cfa": "rn",
    "llvm_def_aspace_cfa": "rnn",
    "remember_state": "",
    "restore": "r",
    "restore_state": "",
    "undefined": "r",
    "register": "rr",
    "window_save": "",
    "negate_ra_sign_state": "",
    "negate_ra_sign_state_with_pc": "",
}
"""Operands of each operation: registers (`r`) and numbers (`n`).  `escape`, which takes bytes, is not included."""


def cfi_instruction(tokens: Tokens) -> CFIInstruction:
    """Read the operand of a CFI instruction."""
    if tokens.text != "escape" and tokens.text not in CFI_OPERATIONS:
        tokens.fail("a CFI operation expected")
    operation = tokens.advance()
    label = None
    if tokens.kind == "symbol":
        label = MCSymbol(symbol_name(tokens.advance()))
    if operation == "escape":
        return CFIInstruction(operation, _bytes(tokens), label)
    values: list[str | int] = []
    for index, kind in enumerate(CFI_OPERATIONS[operation]):
        if index:
            tokens.expect(",")
        values.append(tokens.take("register", "a register") if kind == "r" else tokens.integer())
    return CFIInstruction(operation, tuple(values), label)


def _bytes(tokens: Tokens) -> tuple[int, ...]:
    values = [tokens.integer("a byte")]
    while tokens.accept(",") and tokens.kind == "hex":
        values.append(tokens.integer())
    return tuple(values)
