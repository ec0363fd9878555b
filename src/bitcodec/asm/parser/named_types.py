"""The types that a text defines, and those that are one word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.types import SequentialType, StructType

if TYPE_CHECKING:
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type

__all__ = ["NamedTypes", "described", "primitive_types"]


class NamedTypes:
    """The types that the text defines, by name and by number.

    Attributes:
        types: the types so far.
        pointees: what those that are typed pointers point to.
        waiting: where each type that has been used and not defined was used first.
    """

    __slots__ = ("_complete", "_reserved", "_table", "pointees", "types", "waiting")

    def __init__(self, table: TypeTable) -> None:
        self._table = table
        self.types: dict[bytes | int, Type] = {}
        self.waiting: dict[bytes | int, int] = {}
        self.pointees: dict[bytes | int, Type] = {}
        self._complete: set[Type] = set()
        self._reserved: dict[bytes | int, str] = {}

    def used(self, key: bytes | int, position: int) -> Type:
        """Return a type by name or number; one that is not defined yet is a struct to come."""
        found = self.types.get(key)
        if found is None:
            found = self.types[key] = self._new(key)
            self.waiting[key] = position
        return found

    def reserve_name(self, key: bytes | int) -> None:
        """Let a struct whose body is next have its name before the structs that the body mentions first have theirs."""
        if key not in self.types:
            self._reserved[key] = self._unique_name(key)

    def defined_struct(self, key: bytes | int) -> StructType:
        """Return the struct that a definition completes."""
        self.waiting.pop(key, None)
        found = self.types.get(key)
        if not isinstance(found, StructType):
            found = self.types[key] = self._new(key)
        return found

    def holds(self, whole: Type, part: StructType) -> bool:
        """Return whether a type holds a struct without a body by value."""
        seen: set[Type] = set()
        pending: list[Type] = [whole]
        is_complete = True
        while pending:
            type_ = pending.pop()
            if type_ is part:
                return True
            if type_ in seen or type_ in self._complete or not isinstance(type_, StructType | SequentialType):
                continue
            seen.add(type_)
            pending += type_.element_types
            is_complete = is_complete and not (isinstance(type_, StructType) and type_.elements is None)
        if is_complete:
            self._complete |= seen
        return False

    def _new(self, key: bytes | int) -> StructType:
        name = self._reserved.pop(key, None)
        return StructType(None, name=self._unique_name(key) if name is None else name)

    def _unique_name(self, key: bytes | int) -> str:
        return "" if isinstance(key, int) else self._table.unique_name(decoded(key))


def described(type: Type) -> str:
    """Return a type as messages of llvm-as have it: a struct of the text by its name and definition."""
    if not isinstance(type, StructType) or type.name is None:
        return str(type)
    return f"{type} = type {type.body}" if type.name else type.body


def primitive_types(table: TypeTable) -> dict[bytes, Type]:
    """Return the types that are one word."""
    words = (
        table.void,
        table.half,
        table.bfloat,
        table.float,
        table.double,
        table.x86_fp80,
        table.fp128,
        table.ppc_fp128,
        table.label,
        table.metadata,
        table.token,
        table.x86_amx,
        table.ptr,
    )
    return {str(type_).encode(): type_ for type_ in words}
