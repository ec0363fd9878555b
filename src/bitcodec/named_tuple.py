"""`NamedTuple` for the classes of this package: a module that defines one is imported several times faster.

`typing.NamedTuple` compiles source text for each class, and a type object for each annotation.  A file that
defines a class needs `from __future__ import annotations`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple
else:
    from collections import _tuplegetter

    _new = tuple.__new__

    class _NamedTupleType(type):
        """Class of the classes: turns annotations into fields; a class that has fields already gets no more."""

        def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
            """Make a class with the fields that its body annotates."""
            if bases[0] is tuple or hasattr(bases[0], "_fields"):
                return super().__new__(mcs, name, bases, members)
            fields = tuple(members.get("__annotations__", ()))
            defaults = {field: members[field] for field in fields if field in members}
            for index, field in enumerate(fields):
                members[field] = _tuplegetter(index, "")
            items = "".join(f"{field}, " for field in fields)
            constructor = eval(f"lambda cls, {items}: _new(cls, ({items}))", globals())  # noqa: S307 - names of fields
            constructor.__name__, constructor.__defaults__ = "__new__", tuple(defaults.values())
            constructor.__annotations__ = dict(members.get("__annotations__", ()))
            members.setdefault("__doc__", f"{name}({', '.join(fields)})")
            members |= {"__slots__": (), "__new__": constructor, "__match_args__": fields}
            members |= {"_fields": fields, "_field_defaults": defaults}
            return super().__new__(mcs, name, bases, members)

    class NamedTuple(tuple, metaclass=_NamedTupleType):
        """A tuple whose items have names; behaves as `typing.NamedTuple` does."""

        __slots__ = ()

        @classmethod
        def _make(cls, items: Iterable[object]) -> NamedTuple:
            return cls(*items)

        def _replace(self, /, **changes: object) -> NamedTuple:
            values = self._asdict()
            if unknown := [name for name in changes if name not in values]:
                raise ValueError(f"Got unexpected field names: {unknown!r}")
            return type(self)(**values | changes)

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            values = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({values})"

        def __getnewargs__(self) -> tuple[object, ...]:
            """Copy and pickle by the items."""
            return tuple(self)
