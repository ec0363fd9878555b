"""Rules of instructions: one file for each family, as in `bitcodec.ir.instructions`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bitcodec.verifier.instructions import arithmetic, calls, control_flow, exceptions, memory, vectors

if TYPE_CHECKING:
    from bitcodec.verifier.shapes import Finder, Shape

__all__ = ["PROBLEMS", "SHAPES"]

PROBLEMS: defaultdict[type, tuple[Finder, ...]] = defaultdict(
    tuple,
    {
        **arithmetic.PROBLEMS,
        **vectors.PROBLEMS,
        **memory.PROBLEMS,
        **control_flow.PROBLEMS,
        **exceptions.PROBLEMS,
        **calls.PROBLEMS,
    },
)
"""By class of an instruction: a function that returns the error in one, None if it is valid.

Those of one class are asked one after another, whatever the others return.
"""
SHAPES: dict[type, Shape] = {
    **arithmetic.SHAPES,
    **memory.SHAPES,
    **control_flow.SHAPES,
    **calls.SHAPES,
}
"""By class of an instruction: the facts that its rules depend on.  Classes without a shape are checked one by one."""
