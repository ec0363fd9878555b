"""Numbers of opcodes: as in LLVM's C interface (`LLVMOpcode` in `llvm-c/Core.h`), which never change."""

from __future__ import annotations

from bitcodec.tables.opcodes import CASTS

__all__ = ["OPCODE_NAMES", "OPCODE_NUMBERS"]

_FIRST = "ret br switch indirectbr invoke - unreachable"
_ARITHMETIC = "add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor"
_MEMORY = "alloca load store getelementptr"
_NO_CASTS = "- " * 12
_OTHERS = "icmp fcmp phi call select - - va_arg extractelement insertelement shufflevector extractvalue insertvalue"
_LATER = (
    "fence cmpxchg atomicrmw resume landingpad - cleanupret catchret catchpad cleanuppad catchswitch fneg callbr freeze"
)
_IN_ORDER = f"{_FIRST} {_ARITHMETIC} {_MEMORY} {_NO_CASTS} {_OTHERS} {_LATER}".split()

OPCODE_NUMBERS: dict[str, int] = {
    **{name: number for number, name in enumerate(_IN_ORDER, 1) if name != "-"},
    **{row.opcode: row.c_number for row in CASTS},
}
"""The number of each opcode."""
OPCODE_NAMES: dict[int, str] = {number: name for name, number in OPCODE_NUMBERS.items()}
"""The opcode of each number."""
