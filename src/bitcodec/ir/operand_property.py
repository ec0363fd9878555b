"""Named operands: one line in a class gives an operand its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, overload

from bitcodec.ir.values import User, Value

if TYPE_CHECKING:
    from typing import Self

__all__ = ["OperandProperty"]

V = TypeVar("V", bound=Value)


class OperandProperty(Generic[V]):  # noqa: D101 - a docstring here would leave no room for that of each operand
    # The operand at a fixed index, counted from the end if negative.

    __slots__ = ("__doc__", "_index")

    def __init__(self, index: int, doc: str) -> None:
        self._index = index
        self.__doc__ = doc

    @overload
    def __get__(self, user: None, owner: type) -> Self: ...
    @overload
    def __get__(self, user: User, owner: type) -> V: ...
    def __get__(self, user: User | None, owner: type) -> Self | V:
        """Return the operand."""
        if user is None:
            return self
        return user._operands[self._index]  # type: ignore[return-value]

    def __set__(self, user: User, value: V) -> None:
        """Give the user another operand."""
        user.set_operand(self._index, value)
