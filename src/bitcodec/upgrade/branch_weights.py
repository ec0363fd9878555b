"""Weights of ways that are too few or too many for their instruction.  Rules: docs/reference/upgrades.md, 10.6."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.instructions import Branch, Call, IndirectBranch, Select, Switch
from bitcodec.ir.metadata import MDString

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction, Terminator
    from bitcodec.ir.metadata import MDNode

__all__ = ["WEIGHTED", "are_misfits", "ways_of"]

_NAME = MDString("branch_weights")
_ORIGIN = 1
_AS_MANY_AS_SUCCESSORS = 0
_WAYS: dict[type[Instruction], int] = {
    Branch: _AS_MANY_AS_SUCCESSORS,
    Switch: _AS_MANY_AS_SUCCESSORS,
    IndirectBranch: _AS_MANY_AS_SUCCESSORS,
    Call: 1,
    Select: 2,
}
WEIGHTED = frozenset(_WAYS)
"""Classes of the instructions that may have a certain number of weights alone."""


def ways_of(instruction: Instruction) -> int | None:
    """Return how many weights an instruction may have, None if any number."""
    ways = _WAYS.get(type(instruction))
    if ways == _AS_MANY_AS_SUCCESSORS:
        return len(cast("Terminator", instruction).successors)
    return ways


def are_misfits(profile: MDNode, ways: int | None) -> bool:
    """Return whether a node attached as `prof` holds weights, but not as many as there are ways."""
    operands = profile.operands
    if ways is None or operands[:1] != (_NAME,):
        return False
    # A string behind the name says where the weights are from.
    has_origin = len(operands) > _ORIGIN + 1 and isinstance(operands[_ORIGIN], MDString)
    return len(operands) - 1 - has_origin != ways
