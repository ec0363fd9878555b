"""Numbers with names, of which files may hold others too."""

from __future__ import annotations

from typing import ClassVar

__all__ = ["Named"]


class Named:
    """A namespace of numbers: a row `name = number` for each; text has `prefix` before the name.

    A keyword of Python has a `_` after it in the row.  Rows are plain integers, not members of an
    enumeration: hundreds of members would take longer to make than most files take to read.

    Attributes:
        prefix: the prefix of all names in text.
        meaning: the term for such a number in error messages.
        limit: the largest number that text may have in the place of a name, None if it must have a name.
        spellings: how text spells each number that has a name.
    """

    prefix: ClassVar[str]
    meaning: ClassVar[str]
    limit: ClassVar[int | None]
    spellings: ClassVar[dict[int, str]]

    def __init_subclass__(cls, prefix: str, meaning: str, limit: int | None) -> None:
        """Set the attributes that all names share."""
        rows = {name: row for name, row in vars(cls).items() if isinstance(row, int) and not name.startswith("__")}
        cls.prefix = prefix
        cls.meaning = meaning
        cls.limit = limit
        cls.spellings = {number: prefix + name.removesuffix("_") for name, number in rows.items()}

    @classmethod
    def spelling_of(cls, number: int) -> str:
        """Return the spelling of a number in text: its name, or the number if it has none."""
        return cls.spellings.get(number) or str(number)
