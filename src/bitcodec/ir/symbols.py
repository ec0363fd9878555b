# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Symbol tables: the names of a function's or a module's values, each name once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import ItemsView, Iterator, KeysView, ValuesView

    from bitcodec.ir.values import Value

__all__ = ["MAX_LOCAL_NAME_BYTES", "SymbolTable"]

MAX_LOCAL_NAME_BYTES = 1024
"""Names in a function are cut off after so many bytes, as in LLVM."""


class SymbolTable:
    """Values by name: a mapping that changes as values are named and removed.

    Args:
        separator: text between a taken name and the number that makes it unique.
        max_bytes: maximum length of a name in UTF-8. Default: no maximum.

    Attributes:
        changes: how often a value, with a name or without, was added, removed or renamed.
    """

    __slots__ = ("_last_number", "_max_bytes", "_values", "changes", "separator")

    def __init__(self, separator: str = "", max_bytes: int | None = None) -> None:
        self._values: dict[str, Value] = {}
        self._last_number = 0
        self._max_bytes = max_bytes
        self.changes = 0
        self.separator = separator

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __repr__(self) -> str:
        return f"<SymbolTable of {len(self)} names>"

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._values.keys()

    def values(self) -> ValuesView[Value]:
        """Return the values that have names."""
        return self._values.values()

    def items(self) -> ItemsView[str, Value]:
        """Return names and values."""
        return self._values.items()

    def get(self, name: str) -> Value | None:
        """Return the value of that name, None if there is none."""
        return self._values.get(name)

    def rename(self, value: Value, name: str) -> None:
        """Give a value a name, with a number added if another value has it already; "" takes its name away."""
        if name == value._name:
            return
        if not isinstance(name, str):
            raise TypeError(f"name must be str; got {name!r}")
        name = self._cut(name)
        self.changes += 1
        if name in self._values:
            name = self._unique(name)  # as in LLVM the value has its old name until it has a new one
        self.remove(value)
        value._name = name
        if name:
            self._values[name] = value

    def enter(self, value: Value) -> None:
        """Take a value in under the name that it has, with a number added if that is taken."""
        self.changes += 1
        name = value._name if self._max_bytes is None else self._cut(value._name)
        if not name:
            return
        if self._values.setdefault(name, value) is not value:
            name = self._unique(name)
            self._values[name] = value
        value._name = name

    def remove(self, value: Value) -> None:
        """Forget a value; it keeps its name."""
        self.changes += 1
        if self._values.get(value._name) is value:
            del self._values[value._name]

    def _cut(self, name: str) -> str:
        most = self._max_bytes
        return name if most is None or len(name) * _LONGEST_CHARACTER <= most else _first_bytes(name, most)

    def clear(self) -> None:
        """Forget all values; they keep their names."""
        self.changes += 1
        self._values.clear()

    def _unique(self, name: str) -> str:
        while True:
            self._last_number += 1
            suffix = f"{self.separator}{self._last_number}"
            candidate = name + suffix
            if self._cut(candidate) != candidate:
                # LLVM makes room for the number, and then takes the next one.
                name = _first_bytes(name, _size(name) - (_size(candidate) - (self._max_bytes or 0)))
            elif candidate not in self._values:
                return candidate


_LONGEST_CHARACTER = 4
"""Bytes that a character takes at most in UTF-8."""


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _first_bytes(text: str, count: int) -> str:
    return text.encode("utf-8", "surrogateescape")[:count].decode("utf-8", "surrogateescape")
