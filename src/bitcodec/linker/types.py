"""Types of linked modules: identified structs of the same content become one.  Rules: docs/reference/linking.md, 8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.type_finder import TypeFinder
from bitcodec.ir.types import (
    ArrayType,
    FunctionType,
    StructType,
    TargetExtensionType,
    VectorType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.module import Module
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type

__all__ = ["StructSet", "TypeMapper"]


class StructSet:
    """The identified structs of a module that others are linked into."""

    __slots__ = ("_opaque", "_structs")

    def __init__(self) -> None:
        self._structs: dict[tuple[tuple[Type, ...] | None, bool], StructType] = {}
        self._opaque: set[StructType] = set()

    @classmethod
    def of(cls, module: Module) -> StructSet:
        """Return the structs that a module uses: as in LLVM, literal ones are among them."""
        finder = TypeFinder(with_literals=True)
        finder.find_in(module)
        made = cls()
        for struct in finder.structs:
            if struct.is_opaque or made.find(struct.elements or (), is_packed=struct.is_packed) is None:
                made.add(struct)
        return made

    def has(self, struct: StructType) -> bool:
        """Return whether this very struct is among them."""
        return struct in self._opaque or self._structs.get((struct.elements, struct.is_packed)) is struct

    def find(self, elements: tuple[Type, ...], *, is_packed: bool) -> StructType | None:
        """Return the struct of these elements, None if it is unknown."""
        return self._structs.get((elements, is_packed))

    def add(self, struct: StructType) -> None:
        """Add a struct; no other of the same elements is among them."""
        if struct.is_opaque:
            self._opaque.add(struct)
        else:
            self._structs[struct.elements, struct.is_packed] = struct


class TypeMapper:
    """Finds the destination's counterparts of a source's types.

    Args:
        structs: the identified structs of that module; more are added.
        table: the types of both.

    Attributes:
        mapped: the types that have been found, by the types of the source.
        has_changes: whether any type has become another.
    """

    __slots__ = ("_structs", "_table", "has_changes", "mapped")

    def __init__(self, structs: StructSet, table: TypeTable) -> None:
        self._structs = structs
        self._table = table
        self.mapped: dict[Type, Type] = {}
        self.has_changes = False

    def get(self, root: Type) -> Type:
        """Return the type that takes the place of a type of the source."""
        mapped = self.mapped
        found = mapped.get(root)
        return self._map(root) if found is None else found

    def _map(self, root: Type) -> Type:
        mapped = self.mapped
        pending, entered = [root], set()
        while pending:
            type_ = pending[-1]
            missing = [part for part in type_.element_types if part not in mapped]
            if type_ in mapped:
                pending.pop()
            elif missing and type_ not in entered and not self._is_known(type_):
                entered.add(type_)
                pending += reversed(missing)
            else:
                pending.pop()
                made = mapped[type_] = type_ if missing or self._is_known(type_) else self._of_parts(type_)
                self.has_changes |= made is not type_
        return mapped[root]

    def _is_known(self, type_: Type) -> bool:
        """Return whether a struct is one of the destination, which metadata may lead to."""
        return isinstance(type_, StructType) and not type_.is_literal and self._structs.has(type_)

    def _of_parts(self, type_: Type) -> Type:
        elements = tuple([self.mapped[part] for part in type_.element_types])
        if isinstance(type_, StructType) and not type_.is_literal:
            return self._of_identified(type_, elements)
        return type_ if elements == type_.element_types else self._rebuilt(type_, elements)

    def _of_identified(self, struct: StructType, elements: tuple[Type, ...]) -> Type:
        structs = self._structs
        if not struct.is_opaque:
            other = structs.find(elements, is_packed=struct.is_packed)
            if other is not None:
                self._table.release_name(struct)
                return other
            if elements != struct.elements:
                made = StructType(elements, is_packed=struct.is_packed, name="")
                self._table.name_struct(made, self._table.release_name(struct))
                struct = made
        structs.add(struct)
        return struct

    def _rebuilt(self, type_: Type, elements: tuple[Type, ...]) -> Type:
        rebuild = _REBUILDERS[type(type_)]
        return rebuild(self._table, type_, elements)


def _function(table: TypeTable, type_: Type, elements: tuple[Type, ...]) -> Type:
    return table.function(elements[0], elements[1:], is_vararg=isinstance(type_, FunctionType) and type_.is_vararg)


def _struct(table: TypeTable, type_: Type, elements: tuple[Type, ...]) -> Type:
    return table.struct(elements, is_packed=isinstance(type_, StructType) and type_.is_packed)


def _array(table: TypeTable, type_: Type, elements: tuple[Type, ...]) -> Type:
    assert isinstance(type_, ArrayType)  # noqa: S101 - the row says so
    return table.array(type_.count, elements[0])


def _extension(table: TypeTable, type_: Type, elements: tuple[Type, ...]) -> Type:
    assert isinstance(type_, TargetExtensionType)  # noqa: S101 - the row says so
    return table.target_extension(type_.name, elements, type_.integer_parameters)


_REBUILDERS: dict[type[Type], Callable[[TypeTable, Type, tuple[Type, ...]], Type]] = {
    FunctionType: _function,
    StructType: _struct,
    ArrayType: _array,
    VectorType: lambda table, type_, elements: table.like(type_, elements[0]),
    TargetExtensionType: _extension,
}
