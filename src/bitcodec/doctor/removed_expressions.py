"""Files with initializers that only older LLVMs can evaluate: sound, but refused by newer readers.

Rules: `bitcodec.tables.removed_expressions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS

if TYPE_CHECKING:
    from bitcodec.sentences import Sentence

__all__ = ["message_about_expressions", "older_reader", "span_of"]

_MESSAGE = "Value referenced by initializer is an unsupported constant expression of type "


def message_about_expressions(reason: Sentence, version: int) -> str | None:
    """Return the message of a version of LLVM, None if it has the expressions.

    Args:
        reason: bitcodec's message about them.
        version: of LLVM.
    """
    opcodes = str(reason.parameters["opcodes"]).split(", ")
    refused = next((opcode for opcode in opcodes if REMOVED_EXPRESSIONS.get(opcode, version + 1) <= version), None)
    return None if refused is None else _MESSAGE + refused


def older_reader(versions: list[int]) -> str:
    """Return advice, given the versions that read the file."""
    if not versions:
        return "compile it again with a newer compiler"
    return f"use {span_of(versions)}, or compile it again with a newer compiler"


def span_of(versions: list[int]) -> str:
    """Return the name of some versions, oldest first, that follow one another."""
    return f"LLVM {versions[0]}" if len(versions) == 1 else f"LLVM {versions[0]} to {versions[-1]}"
