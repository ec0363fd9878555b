"""Instructions: one file for each family, as in the printer.

Each parser reads the text after the opcode.  Rules: docs/reference/text.md, 9 and 17.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.instructions import arithmetic, calls, control_flow, exceptions, memory, vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.instructions import Instruction

__all__ = ["INSTRUCTION_PARSERS"]

INSTRUCTION_PARSERS: dict[bytes, tuple[str, Callable[[ModuleState, str], Instruction]]] = {
    opcode.encode(): (opcode, parse)
    for family in (arithmetic, calls, control_flow, exceptions, memory, vectors)
    for opcode, parse in family.PARSERS.items()
}
"""By opcode: its text, and the parser of the rest of the instruction."""
