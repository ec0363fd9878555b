# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202
"""Types with typed pointers, for types without."""

from __future__ import annotations

from bitcodec.bitcode.writer.types import TypedPointerType
from bitcodec.downgrade.pointers.pointees import NO_NODE
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import ArrayType, FunctionType, PointerType, StructType, VectorType

_NONE = NO_NODE
_ARRAY, _POINTER, _TYPED_POINTER, _VECTOR = ArrayType, PointerType, TypedPointerType, VectorType


class TypedTypes:
    """Makes types with typed pointers, each once.

    Pointers in arrays, literal structs and types of functions point to bytes; pointers in named structs have the
    pointees that were found for the fields.

    Args:
        types: the types of the module.
        pointees: pointees of pointers.
        replaced: by type, the type that is written for it. Default: every type is written itself.
    """

    def __init__(self, types, pointees, replaced=None) -> None:
        self._made = dict(replaced or {})
        self._table = TypeTable()
        self._functions = {}
        self._pointers = {}
        self._pointees = pointees
        self._resolved = {}
        self._fields = {}
        self._unfilled = []
        self._byte = types.integer(8)
        self.byte_pointer = self.pointer(self._byte, 0)

    def field(self, struct, index):
        """Return the node of the pointee of a field of a named struct."""
        key = struct, index
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = self._pointees.new()
        return found

    def element_of(self, type_, index):
        """Return the type of an element, and the node of its pointee if it is a field of a named struct."""
        if not isinstance(type_, StructType):
            return type_.element_types[0], _NONE
        element = type_.element_types[index]
        is_field = type(element) is _POINTER and not type_.is_literal
        return element, self.field(type_, index) if is_field else _NONE

    def pointer(self, pointee, address_space):
        """Return the pointer to a type, which has typed pointers itself."""
        key = pointee, address_space
        found = self._pointers.get(key)
        if found is None:
            found = self._pointers[key] = TypedPointerType(pointee, address_space)
            self._made[found] = found
        return found

    def to(self, type_, pointee):
        """Return the pointer, or vector of pointers, like another one that points to a type."""
        if type(type_) is _VECTOR:
            made = self.pointer(pointee, type_.element_type.address_space)
            return self._table.vector(type_.count, made, is_scalable=type_.is_scalable)
        return self.pointer(pointee, type_.address_space)

    def array(self, count, element):
        """Return the type of an array."""
        return self._table.array(count, element)

    def struct(self, elements):
        """Return the type of a literal struct."""
        return self._table.struct(tuple(elements))

    def function(self, return_type, parameters, *, is_vararg):
        """Return the type of a function."""
        key = return_type, tuple(parameters), is_vararg
        found = self._functions.get(key)
        if found is None:
            found = self._functions[key] = FunctionType(key[0], key[1], is_vararg=is_vararg)
            self._made[found] = found
        return found

    def typed(self, type_):
        """Return a type with typed pointers; a type without pointers is returned itself."""
        found = self._made.get(type_)
        if found is None:
            found = self._make(type_)
            self._fill()
        return found

    def pointee(self, node):
        """Return the type that a node represents."""
        found = self._resolve(node)
        if self._unfilled:
            self._fill()
        return found

    # No function below recurses: structs are filled when everything else is made.

    def _fill(self):
        while self._unfilled:
            struct, made = self._unfilled.pop()
            made.elements = tuple(
                [self._field(struct, index, element) for index, element in enumerate(struct.element_types)]
            )
        return 0

    def _field(self, struct, index, element):
        if type(element) is not _POINTER:
            return self._make(element)
        pointee = self._resolve(self.field(struct, index))
        # A struct that holds a pointer to a function that takes the struct by value cannot be read.
        if isinstance(pointee, FunctionType):
            for part in pointee.element_types:
                if isinstance(part, StructType):
                    pointee = self._byte
                    break
        return self.pointer(pointee, element.address_space)

    def _resolve(self, node):
        pointees = self._pointees
        path = []
        node = pointees.find(node)
        while node not in self._resolved:
            content = pointees.content(node)
            if content == _NONE:
                shape = pointees.shape(node)
                self._resolved[node] = self._byte if shape is None else self._make(shape)
                break
            path.append(node)
            node = pointees.find(content)
        found = self._resolved[node]
        for node in reversed(path):
            # What has content is a pointer.
            found = self._resolved[node] = self.to(pointees.shape(node), found)
        return found

    def _make(self, type_):
        made = self._made
        found = made.get(type_)
        if found is not None:
            return found
        pending = [type_]
        while pending:
            current = pending[len(pending) - 1]
            if current in made:
                pending.pop()
                continue
            parts = current.element_types
            missing = [part for part in parts if part not in made]
            if missing:
                pending += missing
                continue
            pending.pop()
            made[current] = self._made_of(current, parts)
        return made[type_]

    def _made_of(self, type_, before):
        """Return the type that is made for one whose parts have been made."""
        if type(type_) is _POINTER:
            return self.pointer(self._byte, type_.address_space)
        is_same = True
        made = []
        for part in before:
            found = self._made[part]
            is_same = is_same and found is part
            made.append(found)
        if is_same:
            return type_
        return self._of_parts(type_, tuple(made))

    def _of_parts(self, type_, parts):
        if isinstance(type_, StructType):
            if type_.is_literal:
                return self._table.struct(parts, is_packed=type_.is_packed)
            made = StructType((), is_packed=type_.is_packed, name=type_.name)
            self._unfilled.append((type_, made))
            self._made[made] = made
            return made
        if isinstance(type_, FunctionType):
            return self.function(parts[0], parts[1:], is_vararg=type_.is_vararg)
        if type(type_) is _VECTOR:
            return self._table.vector(type_.count, parts[0], is_scalable=type_.is_scalable)
        return self._table.array(type_.count, parts[0]) if type(type_) is _ARRAY else type_

    def element(self, type_, index):
        """Return the type of an element of an aggregate with typed pointers."""
        if isinstance(type_, StructType):
            return type_.element_types[index]
        return type_.element_type


def pointee_of(type_):
    """Return the pointee of a typed pointer, or of a vector of them."""
    return type_.pointee if type(type_) is _TYPED_POINTER else type_.element_type.pointee


def is_like(typed, type_):
    """Return whether a type with typed pointers is a pointer, or vector of them, like one without."""
    if type(type_) is _VECTOR:
        if type(typed) is not _VECTOR or typed.count != type_.count or typed.is_scalable != type_.is_scalable:
            return False
        typed, type_ = typed.element_type, type_.element_type
    return type(type_) is _POINTER and type(typed) is _TYPED_POINTER and typed.address_space == type_.address_space
