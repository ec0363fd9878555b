"""Single flags as attributes: `load.is_volatile` is a bit of `load.flags`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from bitcodec.ir.assignments import convert_boolean

if TYPE_CHECKING:
    from enum import IntFlag
    from typing import Self

__all__ = ["FlagAccess"]


class FlagAccess:  # noqa: D101 - a docstring here would leave no room for that of each flag
    # A flag of an instruction, as a boolean.

    __slots__ = ("__doc__", "_member", "_name")

    def __init__(self, name: str, member: IntFlag, doc: str) -> None:
        # Extension types do not call `__set_name__`.
        self._name = name
        self._member = member
        self.__doc__ = doc

    @overload
    def __get__(self, instruction: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instruction: object, owner: type) -> bool: ...
    def __get__(self, instruction: Any, owner: type) -> Self | bool:
        """Return whether the instruction has the flag."""
        return self if instruction is None else bool(instruction.flags & self._member)

    def __set__(self, instruction: Any, value: bool) -> None:  # noqa: FBT001 - it is the value of an attribute
        """Set or remove the flag.

        Raises:
            TypeError: the value is neither a boolean nor 0 or 1.
        """
        member = self._member
        if convert_boolean(self._name, value):
            instruction.flags |= member
        else:
            instruction.flags &= ~member
