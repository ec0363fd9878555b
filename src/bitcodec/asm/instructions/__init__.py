"""Text of instructions: in `frequent` those that most bodies consist of, else one file for each family.

Rules: docs/reference/text.md, 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.instructions import arithmetic, control_flow, exceptions, memory, vectors

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
}
"""By class of an instruction that is not frequent: makers of the text between its name and its metadata."""
