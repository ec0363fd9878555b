"""How rules are written down: in tables, each row LLVM's words and what has to hold for them not to be said.

As in LLVM's verifier, only the first row of a table that does not hold is reported: the rows after it may rely on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAXIMUM_ALIGNMENT", "Rule", "Rules", "first_broken", "is_aligned"]

Rule: TypeAlias = "tuple[str, Callable[..., Any]]"
"""A message, in which `{0}`, `{0.opcode}`... stand for what the test is given, and the test."""
Rules: TypeAlias = "tuple[Rule, ...]"

MAXIMUM_ALIGNMENT = 1 << 32
"""In bytes: the largest that LLVM has room for."""


def first_broken(rules: Rules, *subjects: object) -> str | None:
    """Return the message of the first rule that does not hold, None if all do."""
    for message, holds in rules:
        if not holds(*subjects):
            return message.format(*subjects)
    return None


def is_aligned(value: Any, _context: object = None) -> bool:
    """Return whether the alignment of an instruction or a global, if it has one, is one that LLVM has room for."""
    alignment: int | None = value.alignment
    return alignment is None or alignment <= MAXIMUM_ALIGNMENT
