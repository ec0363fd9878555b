"""Operations that LLVM once had as constant expressions, by opcode, and the first version without them.

Bodies that use such an expression get instructions in its place. Initializers cannot: LLVM refuses the module.

Rules: output of the readers of LLVM 14 to 22 for each operation in an initializer.
"""

from __future__ import annotations

__all__ = ["FIRST_WITH_CASTS_OF_CASES", "REMOVED_EXPRESSIONS"]

_BY_VERSION = {
    15: "udiv sdiv urem srem fadd fsub fmul fdiv frem",
    16: "fneg",
    17: "select",
    18: "and or lshr ashr zext sext fptrunc fpext fptoui fptosi uitofp sitofp",
    19: "shl icmp fcmp",
    21: "mul",
}

REMOVED_EXPRESSIONS: dict[str, int] = {
    opcode: version for version, opcodes in _BY_VERSION.items() for opcode in opcodes.split()
}

FIRST_WITH_CASTS_OF_CASES = 22
"""The first version that refuses `ptrtoint` of `inttoptr` of a number as a case of a switch: others compute it."""
