"""`Enum` for the tables of this package: a class is made in a fifth of the time that one of `enum` takes.

Hashing a member is faster too, because `Enum` does it in Python.  `auto()` numbers the members from 1; other values are
kept.  Members are found by name, not by value.  A `LazyEnum` makes each member when it is first used.
"""

from __future__ import annotations

from enum import auto
from typing import TYPE_CHECKING

__all__ = ["LazyEnum", "PlainEnum", "PlainEnumType"]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import Enum as LazyEnum
    from enum import Enum as PlainEnum
    from enum import EnumType as PlainEnumType
else:

    def _values(members: dict[str, object]) -> dict[str, object]:
        """Remove the members from the names of a class body; return their values."""
        rows = {key: members.pop(key) for key in list(members) if key.isupper()}
        return {
            key: number if isinstance(value, auto) else value for number, (key, value) in enumerate(rows.items(), 1)
        }

    class PlainEnumType(type):
        """Class of the enumerations: makes members of the names in capital letters in a class body."""

        def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
            """Make an enumeration."""
            values = _values(members)
            cls = super().__new__(mcs, name, bases, members)
            cls.__members__ = {}
            for key, value in values.items():
                member = cls.__members__[key] = cls._member(key, value)
                setattr(cls, key, member)
            return cls

        def _member(cls, name: str, value: object) -> PlainEnum:
            member = object.__new__(cls)
            member.name, member.value = name, value
            return member

        def __iter__(cls) -> Iterator[PlainEnum]:
            return iter(cls.__members__.values())

        def __len__(cls) -> int:
            return len(cls.__members__)

        def __getitem__(cls, name: str) -> PlainEnum:
            return cls.__members__[name]

    class PlainEnum(metaclass=PlainEnumType):
        """One of a fixed number of things, each of which is one object."""

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

        def __reduce__(self) -> tuple[object, tuple[type, str]]:
            """Copy and pickle by the name."""
            return getattr, (type(self), self.name)

    class _LazyEnumType(PlainEnumType):
        def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
            """Make an enumeration without members."""
            values = _values(members)
            cls = type.__new__(mcs, name, bases, members)
            cls._values, cls._made = values, {}
            return cls

        def __getattr__(cls, name: str) -> PlainEnum:
            values = cls.__dict__.get("_values", {})
            if name not in values:
                raise AttributeError(name)
            # Another thread may make it, too.
            member = cls._made.setdefault(name, cls._member(name, values[name]))
            setattr(cls, name, member)
            return member

        @property
        def __members__(cls) -> dict[str, PlainEnum]:
            return {name: getattr(cls, name) for name in cls._values}

    class LazyEnum(PlainEnum, metaclass=_LazyEnumType):
        """An enumeration of which programs use few members."""
