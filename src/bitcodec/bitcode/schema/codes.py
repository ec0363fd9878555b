"""Enumerations of record codes: a class is made in a fraction of the time that one of `enum` takes.

There are hundreds of codes, which every command that reads bitcode needs.
"""

# ruff: noqa: N805 - methods of a metaclass
from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.plain_enum import PlainEnumType

__all__ = ["NamedCode"]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import IntEnum
    from typing import Self

    class NamedCode(IntEnum):
        """A number, and what `llvm-bcanalyzer` calls it: the member's own name unless the row says otherwise."""

        dump_name: str

        def __new__(cls, number: int, dump_name: str | None = None) -> Self:
            """Make a member of a row."""

else:

    class _CodesType(PlainEnumType):
        """Class of the enumerations: behaves as that of `enum.IntEnum` does."""

        def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
            """Make an enumeration of the rows `NAME = number` and `NAME = number, dump_name` in a class body."""
            return super().__new__(mcs, name, bases, members | {"_by_number": {}})

        def _member(cls, name: str, row: object) -> NamedCode:
            number, dump_name = row if isinstance(row, tuple) else (row, name)
            member = cls._by_number.get(number)
            if member is None:
                member = cls._by_number[number] = int.__new__(cls, number)
                member.name, member.value, member.dump_name = name, number, dump_name
            return member

        def __call__(cls, number: int) -> NamedCode:
            """Return the code of a number."""
            try:
                return cls._by_number[number]
            except KeyError:
                raise ValueError(f"{number!r} is not a valid {cls.__qualname__}") from None

        def __iter__(cls) -> Iterator[NamedCode]:
            return iter(cls._by_number.values())

        def __len__(cls) -> int:
            return len(cls._by_number)

        def __contains__(cls, number: object) -> bool:
            return number in cls._by_number

    class NamedCode(int, metaclass=_CodesType):
        """A number, and what `llvm-bcanalyzer` calls it: the member's own name unless the row says otherwise."""

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value}>"

        def __str__(self) -> str:
            return int.__repr__(self)

        def __reduce__(self) -> tuple[type, tuple[int]]:
            """Copy and pickle by the number."""
            return type(self), (self.value,)
