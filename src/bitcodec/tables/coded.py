"""Rows of a table as members of an enumeration: a number as bitcode has it, a spelling as assembly text has it."""

from __future__ import annotations

from enum import Enum
from typing import Self, cast

__all__ = ["CodedEnum"]


class CodedEnum(Enum):
    """A row `NAME = number, "spelling"[, since]`; `Enumeration(number)` finds it.

    Attributes:
        spelling: in assembly text.
        since: the first version of LLVM that has it, 0 if it is as old as the oldest reader that is known.
    """

    spelling: str
    since: int

    # Each member is one object; `Enum` computes the hash of its name.
    __hash__ = object.__hash__

    def __new__(cls, code: int, spelling: str, since: int = 0) -> Self:
        """Make a member of a row."""
        member = object.__new__(cls)
        member._value_ = code
        member.spelling = spelling
        member.since = since
        return member

    @classmethod
    def of(cls, code: int) -> Self | None:
        """Return the row of a number, None if it is unknown."""
        return cast("Self | None", cls._value2member_map_.get(code))

    @property
    def code(self) -> int:
        """Its number in bitcode."""
        return int(self._value_)

    def __str__(self) -> str:
        return self.spelling

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
