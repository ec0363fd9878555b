"""Values that never change: equal, hashed and shown by their fields."""

from __future__ import annotations

from operator import attrgetter
from typing import ClassVar, NoReturn

__all__ = ["Frozen"]


class Compared:
    """Base of small values that are compared and shown by the fields in `__match_args__`."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    __hash__: ClassVar[None]  # type: ignore[assignment] # fields may change
    _compared: ClassVar[attrgetter[object]]

    def __init_subclass__(cls) -> None:
        """Set the getter of the fields for comparisons."""
        if cls.__match_args__:
            cls._compared = attrgetter(*cls.__match_args__)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._compared(self) == self._compared(other)

    def __repr__(self) -> str:
        fields = [f"{name}={getattr(self, name)!r}" for name in self.__match_args__]
        return f"{type(self).__qualname__}({', '.join(fields)})"


class Frozen(Compared):
    """Base of small values with the fields in `__match_args__`; a class without fields has no instances.

    A child lists its own fields in `__slots__`, and all of them in `__match_args__` in the order in which `__init__`
    takes them, which sets them by `object.__setattr__`.  It does what a frozen dataclass does, but as nothing is
    generated for a class, a module of such classes is imported in a tenth of the time.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot change: {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot change: {name!r}")

    def __hash__(self) -> int:  # type: ignore[override] # fields stay
        return hash(self._compared(self))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Copy and pickle by the arguments, as slots cannot be set from outside."""
        return type(self), tuple([getattr(self, name) for name in self.__match_args__])


class FrozenColumns(Frozen):
    """Base of tables: columns, all given in the order of `__match_args__`, that have a row for each of some things."""

    __slots__ = ()

    def __init__(self, *columns: memoryview) -> None:
        for name, column in zip(self.__match_args__, columns, strict=True):
            object.__setattr__(self, name, column)
