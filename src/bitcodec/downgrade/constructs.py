"""Constructs that an older version of LLVM lacks.

The rows are in the files of their families: one row each, with the first version that has the construct, and its
replacement.  If a construct is a record, the row of the record has the first version.  Rules:
docs/reference/older-readers.md.
"""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

__all__ = ["OPAQUE_POINTERS", "Construct", "Way"]

OPAQUE_POINTERS = 15
"""The first version of LLVM whose pointers have no types."""


class Way(PlainEnum):
    """Treatment of a construct that a version of LLVM lacks."""

    DROP = "dropped"
    """It is left out: only optimizations, checks or details of debug information are lost."""
    LOWER = "lowered"
    """Something else with the same meaning is written."""
    KEEP = "kept"
    """It is written unchanged: readers and verifiers accept it, code generators do not know it."""
    REFUSE = "refused"
    """Without it, the program would have another meaning."""


class Construct(NamedTuple):
    """A row.

    Attributes:
        name: of the construct, in the words of LLVM IR.
        since: the first version of LLVM that has it; 0 for one that a profile lacks.
        way: its treatment.
        instead: its replacement, "" for none.
        message: message of a profile's reader that lacks it, with `{0}` for the name of the function or other
            global; "" if it accepts the construct, and takes it for something else.
    """

    name: str
    since: int
    way: Way
    instead: str = ""
    message: str = ""

    @property
    def is_of_profile(self) -> bool:
        """Whether readers of a profile lack it, whatever their version of LLVM has."""
        return not self.since
