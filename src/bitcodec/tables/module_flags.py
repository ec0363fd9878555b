"""Module flags: numbers as their metadata has them.  Rules: LLVM Language Reference, "Module Flags Metadata"."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Behavior"]


class Behavior(IntEnum):
    """What linking does where modules differ in a flag."""

    Error = 1
    Warning = 2
    Require = 3
    Override = 4
    Append = 5
    AppendUnique = 6
    Max = 7
    Min = 8
