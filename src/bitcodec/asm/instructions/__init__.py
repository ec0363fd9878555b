"""Text of instructions: one file for each family, as in `bitcodec.ir.instructions`.

Rules: assembly text reference, section 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.instructions import arithmetic, calls, control_flow, exceptions, memory, vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["INSTRUCTION_TEXTS"]

INSTRUCTION_TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    **arithmetic.TEXTS,
    **vectors.TEXTS,
    **memory.TEXTS,
    **control_flow.TEXTS,
    **exceptions.TEXTS,
    **calls.TEXTS,
}
"""By class of an instruction: what makes its text, behind its name and in front of its metadata."""
