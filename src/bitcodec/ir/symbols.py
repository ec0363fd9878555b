"""Symbol tables: the names of a function's or a module's values, each name once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.values import Value

__all__ = ["SymbolTable"]


class SymbolTable:
    """Values by name.

    Args:
        separator: what stands between a name that is taken and the number that makes it unique.
    """

    __slots__ = ("_last_number", "_separator", "_values")

    def __init__(self, separator: str = "") -> None:
        self._values: dict[str, Value] = {}
        self._separator = separator
        self._last_number = 0

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def get(self, name: str) -> Value | None:
        """Return the value of that name, None if there is none."""
        return self._values.get(name)

    def rename(self, value: Value, name: str) -> None:
        """Give a value a name, with a number added if another value has it already; "" takes its name away."""
        if name == value._name:
            return
        self.remove(value)
        value._name = name
        self.enter(value)

    def enter(self, value: Value) -> None:
        """Take a value in under the name that it has, with a number added if that is taken."""
        name = value._name
        if name and self._values.setdefault(name, value) is not value:
            value._name = self._unique(name)
            self._values[value._name] = value

    def remove(self, value: Value) -> None:
        """Forget a value; it keeps its name."""
        if self._values.get(value._name) is value:
            del self._values[value._name]

    def _unique(self, name: str) -> str:
        while True:
            self._last_number += 1
            candidate = f"{name}{self._separator}{self._last_number}"
            if candidate not in self._values:
                return candidate
