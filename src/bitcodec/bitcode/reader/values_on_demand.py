"""The values of a module for who needs few of them: constants are made when they are looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.ir.values import Value

__all__ = ["ValuesOnDemand"]


class ValuesOnDemand(list[Any]):
    """Values by value id, None for those that have not been made yet: these are made when they are looked up.

    Args:
        values: all values so far.
        make: returns the constant of a value id, None if there is no such constant.
    """

    def __init__(self, values: Iterable[Value | None], make: Callable[[int], Value | None]) -> None:
        super().__init__(values)
        self._make = make

    def __getitem__(self, index: Any) -> Any:
        """Return the value of a value id, or those of a slice, which are not made for this."""
        found = super().__getitem__(index)
        if found is None:
            found = self._make(range(len(self))[index])
            self[index] = found
        return found
