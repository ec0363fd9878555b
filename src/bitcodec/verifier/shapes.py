"""Shapes of instructions: the properties that their rules depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.named_tuple import NamedTuple
from bitcodec.verifier.rules import PassingProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.verifier import Verifier

__all__ = ["NOTHING_REMAINS", "Finder", "Remaining", "Shape", "problems_in_turn"]

Finder: TypeAlias = "Callable[[Any, Body], str | Sequence[str] | None]"
"""Returns the problem of an instruction, or its problems in order; None or an empty sequence for a sound instruction.

LLVM stops to check an instruction after a problem, unless that is a `PassingProblem`.
"""

Remaining: TypeAlias = "tuple[tuple[Finder, ...], bool]"
"""The rules that are still applied to each instruction of a shape, and whether those on the order of calls are, too."""

NOTHING_REMAINS: Remaining = ((), False)


class Shape(NamedTuple):
    """Facts that the rules of a class of instructions depend on, besides the types of instruction and operands.

    Instructions of one shape have the same problems, so the rules are applied to the first of them.  Whether an
    instruction is the last one of its block is always part of its shape.

    Attributes:
        attributes: the attributes that the rules read.
        first_constant: the operands from this index on count by their values if they are constants; negative indices
            count from the end.  None if no operand does.
        remaining_rules: returns, for the first valid instruction of a shape, the rules that depend on more than that.
        callee_facts: returns the facts about the last operand, the callee, that the rules depend on; called once for
            each such value.  None if the class calls nothing.
    """

    attributes: tuple[str, ...] = ()
    first_constant: int | None = None
    remaining_rules: Callable[[Any, Body], Remaining] = lambda _instruction, _body: NOTHING_REMAINS
    callee_facts: Callable[[Any, Verifier], object] | None = None


def problems_in_turn(finders: Iterable[Finder], subject: Any, body: Body) -> list[str]:
    """Return the problems that finders find in turn, up to the first one after which LLVM stops."""
    problems: list[str] = []
    for find in finders:
        found = find(subject, body)
        if found:
            problems += (found,) if isinstance(found, str) else found
            if not isinstance(problems[-1], PassingProblem):
                break
    return problems
