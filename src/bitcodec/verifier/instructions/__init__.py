"""Rules of instructions: one file for each family, as in `bitcodec.ir.instructions`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bitcodec.verifier.instructions import arithmetic, calls, control_flow, exceptions, memory, vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.verifier.bodies import Body

__all__ = ["PROBLEMS"]

PROBLEMS: defaultdict[type, tuple[Callable[[Any, Body], str | None], ...]] = defaultdict(
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
"""By class of an instruction: what returns what is wrong with one, None if all is well.

Those of one class are asked one after another, whatever the others return.
"""
