"""Numbers with names, of which files may hold others too."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

__all__ = ["Named"]


class Named(IntEnum):
    """A number and its name; text has `prefix` in front of the name, and the number where it has no name."""

    prefix: ClassVar[str]

    def __init_subclass__(cls, prefix: str) -> None:
        """Take the prefix of all names."""
        cls.prefix = prefix

    @property
    def spelling(self) -> str:
        """Its name as text has it; one that Python keeps for itself has a `_` behind it in the row."""
        return self.prefix + self.name.removesuffix("_")

    @classmethod
    def spelling_of(cls, number: int) -> str:
        """Return how text spells a number, named or not."""
        member = cls._value2member_map_.get(number)
        return member.spelling if isinstance(member, Named) else str(number)
