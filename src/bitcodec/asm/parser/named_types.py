"""The types that a text defines, and those that are one word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.types import SequentialType, StructType

if TYPE_CHECKING:
    from bitcodec.asm.parser.surroundings import Surroundings
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type

__all__ = ["NamedTypes", "described", "primitive_types"]


class NamedTypes:
    """The types that the text defines, by name and by number.

    Args:
        table: the types of the context.
        surroundings: the module whose structs the text may use without a definition, None without one.

    Attributes:
        types: the types so far.
        pointees: the pointees of those that are typed pointers.
        waiting: position of the first use of each type that is not defined yet.
        borrowed: the structs that are there already, have been used and not been defined.
    """

    __slots__ = (
        "_complete",
        "_completed",
        "_made",
        "_reserved",
        "_surroundings",
        "_table",
        "borrowed",
        "pointees",
        "types",
        "waiting",
    )

    def __init__(self, table: TypeTable, surroundings: Surroundings | None = None) -> None:
        self._table = table
        self._surroundings = surroundings
        self.borrowed: dict[bytes | int, StructType] = {}
        self._made: list[StructType] = []
        self._completed: list[StructType] = []
        self.types: dict[bytes | int, Type] = {}
        self.waiting: dict[bytes | int, int] = {}
        self.pointees: dict[bytes | int, Type] = {}
        self._complete: set[Type] = set()
        self._reserved: dict[bytes | int, StructType] = {}

    def used(self, key: bytes | int, position: int) -> Type:
        """Return a type by name or number; one that is not defined yet is a struct to come."""
        found = self.types.get(key)
        if found is None:
            there = self._outside(key)
            if there is not None:
                self.types[key] = self.borrowed[key] = there
                return there
            found = self.types[key] = self._new(key)
            self.waiting[key] = position
        return found

    def is_used(self, key: bytes | int) -> bool:
        """Return whether a type that has not been defined yet has been used."""
        return key in self.waiting or key in self.borrowed

    def is_defined(self, key: bytes | int) -> bool:
        """Return whether the text has defined a type."""
        return key in self.types and not self.is_used(key)

    def reserve_name(self, key: bytes | int) -> None:
        """Let a struct whose body is next have its name before the structs that the body mentions first have theirs."""
        if key not in self.types and self._outside(key) is None:
            self._reserved[key] = self._new(key)

    def defined_struct(self, key: bytes | int, body: StructType | None = None) -> StructType:
        """Return the struct that a definition completes; without a body it is opaque."""
        there = self._outside(key)
        if there is not None and _agree(there, body):
            if there.is_opaque and body is not None:
                self._completed.append(there)
            self.types[key] = there
        self.waiting.pop(key, None)
        self.borrowed.pop(key, None)
        found = self.types.get(key)
        if not isinstance(found, StructType):
            found = self.types[key] = self._new(key)
        return found

    def define_struct(self, key: bytes | int, body: StructType) -> bool:
        """Give a struct the elements of another; return False if it would contain itself."""
        has_been_used = self.is_used(key)
        struct = self.defined_struct(key, body)
        if has_been_used and self.holds(body, struct):
            return False
        struct.elements, struct.is_packed = body.elements, body.is_packed
        return True

    def conflict(self, key: bytes | int, body: StructType) -> str:
        """Return why a definition cannot be, "" if it can.

        A struct that only other modules of the context use does not matter: the new one gets a number.
        """
        there = self._outside(key)
        if there is None or self._surroundings is None or _agree(there, body):
            return ""
        is_shared = key in self.borrowed or self._surroundings.uses_struct(there)
        return f"redefinition of '{described(there)}' of the module" if is_shared else ""

    def _outside(self, key: bytes | int) -> StructType | None:
        """Return the struct of a name in the module around the text, None if absent."""
        if self._surroundings is None or isinstance(key, int):
            return None
        return self._table.find_struct(decoded(key))

    def roll_back(self) -> None:
        """Take names and elements away from the structs of a text in which an error was found."""
        for struct in self._made:
            self._table.release_name(struct)
        for struct in self._completed:
            struct.elements, struct.is_packed = None, False

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
        reserved = self._reserved.pop(key, None)
        if reserved is not None:
            return reserved
        struct = StructType(None, name="")
        if not isinstance(key, int):
            self._table.name_struct(struct, decoded(key))
            self._made.append(struct)
        return struct


def _agree(struct: StructType, body: StructType | None) -> bool:
    """Return whether a definition, with or without a body, matches a struct."""
    if body is None or struct.is_opaque:
        return True
    return (struct.elements, struct.is_packed) == (body.elements, body.is_packed)


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
