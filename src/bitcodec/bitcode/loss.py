"""Constructs that are lost when a module is written for an older LLVM, and their places."""

from __future__ import annotations

from bitcodec.ir.types import quoted_name
from bitcodec.named_tuple import NamedTuple

__all__ = ["Loss"]


class Loss(NamedTuple):
    """A construct that a version of LLVM lacks, in one function, in one global, or in the module itself.

    Attributes:
        construct: in LLVM IR's terms.
        since: the first version of LLVM that has it; 0 if the reader of a profile has no such version.
        action: "dropped" if it is lost, "lowered" if something else with the same meaning is written, "kept" if it is
            written unchanged, because only code generators lack it.
        instead: its replacement, "" if there is none.
        place: the name of the function or other global, "" for the module itself.
        occurrences: how often it occurs there.
        example: the text of the first instruction or node that has it, "" if the place itself has it.
        reader: the reader of the profile that lacks it, "" if the version of LLVM does.
    """

    construct: str
    since: int
    action: str
    instead: str
    place: str
    occurrences: int
    example: str
    reader: str = ""

    def __str__(self) -> str:
        where = f"in @{quoted_name(self.place)}" if self.place else "in the module"
        joined = " to " if self.action == "lowered" else ", leaving "
        instead = f"{joined}{self.instead}" if self.instead else ""
        times = f", {self.occurrences} times" if self.occurrences > 1 else ""
        example = f": {self.example}" if self.example else ""
        lacking = f"not in {self.reader}" if self.reader else f"LLVM {self.since}"
        return f"{self.construct} ({lacking}) {self.action}{instead} {where}{times}{example}"
