"""Types with typed pointers, for types without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.downgrade.pointers.pointees import NO_NODE
from bitcodec.bitcode.writer.types import TypedPointerType
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import ArrayType, FunctionType, PointerType, SequentialType, StructType, Type, VectorType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.bitcode.downgrade.pointers.pointees import Pointees

__all__ = ["TypedTypes", "is_like", "pointee_of"]


class TypedTypes:
    """Makes types with typed pointers, each once.

    Pointers in arrays, literal structs and types of functions point to bytes; those in named structs to what the
    fields were found to point to.

    Args:
        types: the types of the module.
        pointees: what pointers point to.
        replaced: by type, what is written for it. Default: every type is written itself.
    """

    def __init__(self, types: TypeTable, pointees: Pointees, replaced: Mapping[Type, Type] | None = None) -> None:
        self._made: dict[Type, Type] = dict(replaced or {})
        self._table = TypeTable()
        self._functions: dict[tuple[Type, tuple[Type, ...], bool], FunctionType] = {}
        self._pointers: dict[tuple[Type, int], TypedPointerType] = {}
        self._pointees = pointees
        self._resolved: dict[int, Type] = {}
        self._fields: dict[tuple[StructType, int], int] = {}
        self._unfilled: list[tuple[StructType, StructType]] = []
        self._byte = types.integer(8)
        self.byte_pointer = self.pointer(self._byte, 0)

    def field(self, struct: StructType, index: int) -> int:
        """Return the node of what a field of a named struct points to."""
        key = struct, index
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = self._pointees.new()
        return found

    def pointer(self, pointee: Type, address_space: int) -> TypedPointerType:
        """Return the pointer to a type, which has typed pointers itself."""
        key = pointee, address_space
        found = self._pointers.get(key)
        if found is None:
            found = self._pointers[key] = TypedPointerType(pointee, address_space)
            self._made[found] = found
        return found

    def to(self, type_: Type, pointee: Type) -> Type:
        """Return the pointer, or vector of pointers, like another one that points to a type."""
        if isinstance(type_, VectorType):
            element = type_.element_type
            assert isinstance(element, PointerType)  # noqa: S101 - callers have looked
            made = self.pointer(pointee, element.address_space)
            return self._table.vector(type_.count, made, is_scalable=type_.is_scalable)
        assert isinstance(type_, PointerType)  # noqa: S101 - callers have looked
        return self.pointer(pointee, type_.address_space)

    def array(self, count: int, element: Type) -> Type:
        """Return the type of an array."""
        return self._table.array(count, element)

    def struct(self, elements: Iterable[Type]) -> Type:
        """Return the type of a literal struct."""
        return self._table.struct(tuple(elements))

    def function(self, return_type: Type, parameters: Iterable[Type], *, is_vararg: bool) -> FunctionType:
        """Return the type of a function."""
        key = return_type, tuple(parameters), is_vararg
        found = self._functions.get(key)
        if found is None:
            found = self._functions[key] = FunctionType(key[0], key[1], is_vararg=is_vararg)
            self._made[found] = found
        return found

    def typed(self, type_: Type) -> Type:
        """Return a type with typed pointers; a type without pointers is returned itself."""
        found = self._made.get(type_)
        if found is None:
            found = self._make(type_)
            self._fill()
        return found

    def pointee(self, node: int) -> Type:
        """Return the type that a node stands for."""
        found = self._resolve(node)
        if self._unfilled:
            self._fill()
        return found

    # No function below recurses: structs are filled when everything else is made.

    def _fill(self) -> None:
        while self._unfilled:
            struct, made = self._unfilled.pop()
            made.elements = tuple(
                self._field(struct, index, element) for index, element in enumerate(struct.element_types)
            )

    def _field(self, struct: StructType, index: int, element: Type) -> Type:
        if type(element) is not PointerType:
            return self._make(element)
        pointee = self._resolve(self.field(struct, index))
        # A struct that holds a pointer to a function that takes the struct by value cannot be read.
        if isinstance(pointee, FunctionType) and any(isinstance(part, StructType) for part in pointee.element_types):
            pointee = self._byte
        return self.pointer(pointee, element.address_space)

    def _resolve(self, node: int) -> Type:
        pointees = self._pointees
        path = []
        node = pointees.find(node)
        while node not in self._resolved:
            content = pointees.content(node)
            if content == NO_NODE:
                shape = pointees.shape(node)
                self._resolved[node] = self._byte if shape is None else self._make(shape)
                break
            path.append(node)
            node = pointees.find(content)
        found = self._resolved[node]
        for node in reversed(path):
            shape = pointees.shape(node)
            assert shape is not None  # noqa: S101 - what has content is a pointer
            found = self._resolved[node] = self.to(shape, found)
        return found

    def _make(self, type_: Type) -> Type:
        made = self._made
        pending = [type_]
        while pending:
            current = pending[-1]
            if current in made:
                pending.pop()
                continue
            missing = [part for part in current.element_types if part not in made]
            if missing:
                pending += missing
                continue
            pending.pop()
            made[current] = self._made_of(current, tuple([made[part] for part in current.element_types]))
        return made[type_]

    def _made_of(self, type_: Type, parts: tuple[Type, ...]) -> Type:
        if type(type_) is PointerType:
            return self.pointer(self._byte, type_.address_space)
        if all(new is old for new, old in zip(parts, type_.element_types, strict=True)):
            return type_
        if isinstance(type_, StructType):
            if type_.is_literal:
                return self._table.struct(parts, is_packed=type_.is_packed)
            made = StructType((), is_packed=type_.is_packed, name=type_.name)
            self._unfilled.append((type_, made))
            self._made[made] = made
            return made
        return self._of_parts(type_, parts)

    def _of_parts(self, type_: Type, parts: tuple[Type, ...]) -> Type:
        if isinstance(type_, FunctionType):
            return self.function(parts[0], parts[1:], is_vararg=type_.is_vararg)
        if isinstance(type_, VectorType):
            return self._table.vector(type_.count, parts[0], is_scalable=type_.is_scalable)
        return self._table.array(type_.count, parts[0]) if isinstance(type_, ArrayType) else type_

    def element(self, type_: Type, index: int) -> Type:
        """Return the type of an element of an aggregate with typed pointers."""
        if isinstance(type_, StructType):
            return type_.element_types[index]
        assert isinstance(type_, SequentialType)  # noqa: S101 - nothing else has elements
        return type_.element_type


def pointee_of(type_: Type) -> Type:
    """Return what a typed pointer, or a vector of them, points to."""
    scalar = type_.scalar_type
    assert isinstance(scalar, TypedPointerType)  # noqa: S101 - callers have looked
    return scalar.pointee


def is_like(typed: Type, type_: Type) -> bool:
    """Return whether a type with typed pointers is a pointer, or vector of them, like one without."""
    if isinstance(type_, VectorType):
        shape = isinstance(typed, VectorType) and (typed.count, typed.is_scalable) == (type_.count, type_.is_scalable)
        return shape and is_like(typed.scalar_type, type_.element_type)
    return (
        isinstance(type_, PointerType)
        and isinstance(typed, TypedPointerType)
        and typed.address_space == type_.address_space
    )
