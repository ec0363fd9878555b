"""How rules are written down: in tables, each row LLVM's words and what has to hold for them not to be said.

As in LLVM's verifier, of the rows of one table the first that does not hold is told: those behind it may rely on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.verifier.bodies import Body

__all__ = [
    "MAXIMUM_ALIGNMENT",
    "NOTHING_REMAINS",
    "Finder",
    "Remaining",
    "Rule",
    "Rules",
    "Shape",
    "first_broken",
    "is_aligned",
]

Rule: TypeAlias = "tuple[str, Callable[..., Any]]"
"""A message, in which `{0}`, `{0.opcode}`... stand for what the test is given, and the test."""
Rules: TypeAlias = "tuple[Rule, ...]"
Finder: TypeAlias = "Callable[[Any, Body], str | None]"
"""Returns the problem of an instruction, None if it has none."""

Remaining: TypeAlias = "tuple[tuple[Finder, ...], bool]"
"""The rules that are still applied to each instruction of a shape, and whether those on the order of calls are, too."""

NOTHING_REMAINS: Remaining = ((), False)

MAXIMUM_ALIGNMENT = 1 << 32
"""In bytes: the largest that LLVM has room for."""


class Shape(NamedTuple):
    """What the rules of a class of instructions depend on, besides the types of an instruction and of its operands.

    Instructions of one shape have the same problems, so the rules are applied to the first of them.  Whether an
    instruction is the last one of its block is always part of its shape.

    Attributes:
        attributes: the attributes that the rules read.
        first_constant: the operands from this index on count by their values if they are constants; negative indices
            count from the end.  None if no operand does.
        remaining_rules: returns, for the first sound instruction of a shape, the rules that depend on more than that.
    """

    attributes: tuple[str, ...] = ()
    first_constant: int | None = None
    remaining_rules: Callable[[Any, Body], Remaining] = lambda _instruction, _body: NOTHING_REMAINS


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
