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
        """A number, its name in `llvm-bcanalyzer`, and the versions of LLVM that know it.

        Attributes:
            dump_name: the member's own name unless the row gives another.
            since: the first version that has it, 0 if it is as old as the oldest reader that is known.
        """

        dump_name: str
        since: int

        def __new__(cls, number: int, dump_name: str | None = None, since: int = 0) -> Self:
            """Make a member of a row."""

else:

    class _CodesType(PlainEnumType):
        """Class of the enumerations: behaves as the class of `enum.IntEnum`."""

        def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
            """Make an enumeration of the rows `NAME = number`, `NAME = number, dump_name[, since]` in a class body."""
            return super().__new__(mcs, name, bases, members | {"_by_number": {}})

        def _member(cls, name: str, row: object) -> NamedCode:
            number, dump_name, since = (*row, 0)[:3] if isinstance(row, tuple) else (row, name, 0)
            member = cls._by_number.get(number)
            if member is None:
                member = cls._by_number[number] = int.__new__(cls, number)
                member.name, member.value, member.dump_name = name, number, name if dump_name is None else dump_name
                member.since = since
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
        """A number, its name in `llvm-bcanalyzer`, and the versions of LLVM that know it."""

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value}>"

        def __str__(self) -> str:
            return int.__repr__(self)

        def __reduce__(self) -> tuple[type, tuple[int]]:
            """Copy and pickle by the number."""
            return type(self), (self.value,)
