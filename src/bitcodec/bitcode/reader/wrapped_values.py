"""The values that metadata of a function wraps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.bitcode.malformed import Malformed
from bitcodec.ir.instructions import Instruction
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["ModuleValues", "WrappedValues", "of_type"]


class ModuleValues(Protocol):
    """Finds the values of a module, until all metadata has been read.

    Attributes:
        value_of: returns the global or constant of a type id and a value id.
    """

    value_of: Callable[[int, int], Value | None]


class WrappedValues:
    """The values that metadata of a function may wrap: the module's, and its own.

    Deferred parts refer to this and not to the reader of the body, so that it is freed with the last of them.

    Attributes:
        own: the values of the function, once all are there.
        first_own: id of the first of them.
        types: the types of the module, by id.
    """

    __slots__ = ("_module", "_state", "first_own", "own", "types")

    def __init__(self, state: FunctionState, module: ModuleValues) -> None:
        self._state = state
        self._module = module
        self.own: list[Value] = []
        self.first_own = state.first_own
        self.types = state.type_list

    def of(self, type_id: int, value_id: int) -> Value | None:
        """Return a value, None if it is void.

        Raises:
            Malformed: it does not exist, or has another type.
        """
        state = self._state
        type_ = state.type_of_id(type_id)
        if type_ is state.void:
            return None
        number = value_id - self.first_own
        if number < 0:
            return self._module.value_of(type_id, value_id)
        own = self.own or state.values[self.first_own :]
        if number >= len(own):
            raise Malformed(Reason.NO_VALUE(number=value_id))
        value = own[number]
        if value.type is not type_ and isinstance(value, Instruction):
            # It follows the metadata, which said before what it is.
            raise Malformed(Reason.LATE_VALUE_TYPE(number=value_id, type=value.type.brief, stated=type_.brief))
        return of_type(value, value_id, type_)


def of_type(value: Value, value_id: int, type: Type) -> Value:
    """Return a value with an expected type.

    Raises:
        Malformed: it has another type.
    """
    if value.type is not type:
        raise Malformed(Reason.OTHER_VALUE_TYPE(number=value_id, type=value.type.brief, stated=type.brief))
    return value
