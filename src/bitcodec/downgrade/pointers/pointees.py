# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202, C901, SLF001
"""Pointees: classes of pointers that agree, with the type that they point to.

A node represents a pointee.  If that is a pointer too, the node has another node, its content.
"""

from __future__ import annotations

from bitcodec.bitcode.writer.instruction_forms import RecordTypes
from bitcodec.downgrade.pointers.integers import Integers
from bitcodec.ir.construction import present
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr
from bitcodec.ir.types import PointerType, VectorType
from bitcodec.object_numbers import ObjectNumbers

NO_NODE = -1
_DEPTH = 8
"""Maximum length of a chain of pointers to pointers: the innermost of a longer one points to `i8`."""

_NONE = NO_NODE
_FIRST_ROOM = 64
_LEVELS = _DEPTH
_FUNCTION, _POINTER, _VECTOR = Function, PointerType, VectorType


def is_pointers(type_):
    """Return whether a type is a pointer or a vector of pointers."""
    kind = type(type_)
    if kind is _POINTER:
        return True
    return kind is _VECTOR and type(type_.element_type) is _POINTER


class Pointees:
    """Nodes, in classes that agree.

    Args:
        byte: the type that is pointed to where nothing is known.

    Attributes:
        bytes: the node of pointees that are taken for bytes.
    """

    def __init__(self, byte) -> None:
        self._parents = Integers()
        self._shapes = []
        self._contents = Integers()
        self._byte = byte
        self.bytes = self.new(byte)

    def new(self, shape=None, content=_NONE):
        """Return a new node.

        Args:
            shape: the type that is pointed to, None if it is not known yet.
            content: the node of the pointers that are pointed to.
        """
        node = self._contents.add(_NONE)
        self._parents.add(node)
        if node == len(self._shapes):
            # A list that grows by parts of itself is copied often.
            self._shapes += [None] * max(node, _FIRST_ROOM)
        self._shapes[node] = shape
        if shape is not None and is_pointers(shape):
            if content == _NONE:
                content = self.new()
            self._contents.numbers[node] = content
        return node

    def alias(self, node):
        """Return a new node of the class of a node."""
        made = self.new()
        self._parents.numbers[made] = self.find(node)
        return made

    def find(self, node):
        """Return the representative of the class of a node."""
        parents = self._parents.numbers
        parent = parents[node]
        while parent != node:
            above = parents[parent]
            if above != parent:
                parents[node] = above
            node, parent = parent, above
        return node

    def shape(self, node):
        """Return the type that is pointed to, None if it is not known."""
        return self._shapes[self.find(node)]

    def content(self, node):
        """Return the node of the pointers that are pointed to, `NO_NODE` if no pointers are."""
        return self._contents.numbers[self.find(node)]

    def settled_shape(self, node):
        """Return the type that is pointed to once everything is settled."""
        return self._shapes[self._parents.numbers[node]]

    def contains(self, pointer, other):
        """Return whether a pointer to a pointer points to one like another, once everything is settled."""
        parents = self._parents.numbers
        return parents[self._contents.numbers[parents[pointer]]] == parents[other]

    def use(self, node, shape):
        """Let a pointer point to a type unless it points to another; return its content if it has one."""
        root = self.find(node)
        known = self._shapes[root]
        if known is None:
            self._shapes[root] = shape
            if is_pointers(shape):
                content = self.new()
                self._contents.numbers[root] = content
        elif known is not shape:
            return _NONE
        return self._contents.numbers[root]

    def agree(self, one, other):
        """Let two pointers point to the same if they can; return whether they do."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return True
        first = one
        second = other
        depth = 0
        contents = self._contents.numbers
        # What is pointed to is looked at first, and changed when everything fits.
        while True:
            shape, other_shape = self._shapes[one], self._shapes[other]
            depth += 1
            if shape is None or other_shape is None:
                break
            if shape is not other_shape:
                return False
            one, other = contents[one], contents[other]
            if one == _NONE:
                break
            one, other = self.find(one), self.find(other)
            if one == other:
                break
            if depth == _LEVELS:
                return False
        one, other = first, second
        while depth > 0:
            following = contents[one]
            other_following = contents[other]
            self._merge(one, other)
            depth -= 1
            if depth:
                one, other = self.find(following), self.find(other_following)
        return True

    def _merge(self, one, other):
        if one == other:
            return 0
        if self._shapes[one] is None:
            one, other = other, one
        self._parents.numbers[other] = one
        return 0

    def settle(self):
        """Make unknown pointees bytes, and cut chains of pointers to pointers that are cyclic or too long.

        Each node then has the representative of its class as its parent.
        """
        contents = self._contents.numbers
        parents = self._parents.numbers
        shapes = self._shapes
        count = self._parents.size
        bytes_node = self.bytes
        path = Integers()
        found = Integers()
        for _ in range(count):
            found.add(0)
        depths = found.numbers
        for start in range(count):
            node = parents[start]
            if parents[node] != node:
                node = parents[start] = self.find(start)
            if depths[node]:
                continue
            if contents[node] == _NONE:
                if shapes[node] is None:
                    shapes[node] = self._byte
                depths[node] = 1
                continue
            path.shorten(0)
            while node != _NONE and not depths[node]:
                if shapes[node] is None:
                    shapes[node] = self._byte
                depths[node] = -1
                path.add(node)
                node = contents[node]
                if node != _NONE:
                    node = self.find(node)
            depth = 0 if node == _NONE else depths[node]
            for place in range(path.size - 1, -1, -1):
                each = path.numbers[place]
                if depth < 0 or depth >= _LEVELS:
                    contents[each] = bytes_node
                    depth = 1
                depth += 1
                depths[each] = depth


class PointerTypes(RecordTypes):
    """The types that values have in records with typed pointers: found once, when all nodes are settled.

    Args:
        nodes: by global or argument, the node of its pointee.
        local_nodes: by function, the same of its instructions.
        pointees: the nodes.
        types: makes types with typed pointers.
        plain: the pointer type of address space 0.
        others: returns the type of a value without a node, and the types of functions that are called.
    """

    def __init__(self, nodes, local_nodes, pointees, types, plain, others) -> None:
        self.nodes = nodes
        self._of_functions = local_nodes
        self._local_nodes = ObjectNumbers()
        self._pointees = pointees
        self._types = types
        self._plain = plain
        self._others = others
        self._found = []
        self._set = {}
        self._last_type = self._last_typed = None
        self._places, self._typed = ObjectNumbers(), []
        self._places_of_pointees, self._pointers = ObjectNumbers(), []
        self._callees, self._signatures = ObjectNumbers(), []
        self._places_of_others, self._types_of_others = ObjectNumbers(), []

    def enter(self, function):
        """Switch to the nodes of a function's instructions."""
        found = self._of_functions.get(function)
        if found is None:
            found = self._of_functions[function] = ObjectNumbers()
        self._local_nodes = found

    def enter_body(self, function):
        """Do the same to write a body, which happens once: its nodes are dropped when another body is entered."""
        self.enter(function)
        del self._of_functions[function]

    def typed(self, type_):
        """Return a type with typed pointers; a type without pointers is returned itself."""
        if type_ is not self._last_type:
            place = self._places.find(type_)
            if place < 0:
                place = len(self._typed)
                self._typed.append(self._types.typed(type_))
                self._places.put(type_, place)
            self._last_type, self._last_typed = type_, self._typed[place]
        return self._last_typed

    def pointer_to(self, type_, pointee):
        """Return the pointer, or vector of pointers, like another one that points to a type."""
        if type_ is not self._plain:
            return self._types.to(type_, pointee)
        place = self._places_of_pointees.find(pointee)
        if place >= 0:
            return self._pointers[place]
        found = self._types.to(type_, pointee)
        self._places_of_pointees.put(pointee, len(self._pointers))
        self._pointers.append(found)
        return found

    def pointee(self, node):
        """Return the type that a node represents."""
        if self._set:
            found = self._set.get(node)
            if found is not None:
                return found
        root = self._pointees._parents.numbers[node]
        if root >= len(self._found):
            self._found += [None] * (self._pointees._parents.size - len(self._found))
        found = self._found[root]
        if found is None:
            shape = self._pointees._shapes[root]
            if shape is self._plain:
                # Settled nodes lead to few others.
                found = self.pointer_to(shape, self.pointee(self._pointees._contents.numbers[root]))
            else:
                found = self._types.pointee(root) if is_pointers(shape) else self.typed(shape)
            self._found[root] = found
        return found

    def known_pointee(self, value):
        """Return the type that a value with a node points to, None for other values."""
        node = self._local_nodes.find(value) if isinstance(value, Instruction) else self.nodes.find(value)
        return None if node < 0 else self.pointee(node)

    def has_set_pointees(self):
        """Return whether values point to other types than their classes do."""
        return bool(self._set)

    def set_pointee(self, value, pointee):
        """Let a value point to a type: one without a node, or with one that no other value has."""
        nodes = self._local_nodes if isinstance(value, Instruction) else self.nodes
        node = nodes.find(value)
        if node < 0:
            node = self._pointees.new(self._pointees._byte)
            nodes.put(value, node)
        self._set[node] = pointee

    def type_of(self, value):
        """Return the type that a value has."""
        type_ = value.type
        if type(type_) is not _POINTER and type(type_) is not _VECTOR:
            return self.typed(type_)
        if is_pointers(type_):
            pointee = self.known_pointee(value)
            if pointee is not None:
                return self.pointer_to(type_, pointee)
        place = self._places_of_others.find(value)
        if place >= 0:
            return self._types_of_others[place]
        found = self._others.find(value)
        # That of a function was found by those of its arguments.
        self._places_of_others.put(value, len(self._types_of_others))
        self._types_of_others.append(found)
        return found

    def explicit_type(self, _instruction):
        """Return the type that the record of an alloca, an address or a call has."""
        if type(_instruction) is GetElementPtr:
            address = _instruction
            type_ = address.source_element_type
            if is_pointers(type_) and len(present.operands_of(address)) == 2:
                return self.known_pointee(address)
            return type_
        if type(_instruction) is Alloca:
            alloca = _instruction
            type_ = alloca.allocated_type
            return self.known_pointee(alloca) if is_pointers(type_) else type_
        return self.call_type(_instruction)

    def call_type(self, call):
        """Return the function type of a call, which is the call's own unless the callee has its type."""
        operands = present.operands_of(call)
        callee = operands[len(operands) - 1]
        if type(callee) is _FUNCTION:
            signature = self.signature(callee)
            if signature[0] is call.function_type:
                return signature[1]
        return call.function_type

    def signature(self, callee):
        """Return the type that calls of a function have, and with typed pointers."""
        place = self._callees.find(callee)
        if place >= 0:
            return self._signatures[place]
        found = self._others.signature(callee)
        self._callees.put(callee, len(self._signatures))
        self._signatures.append(found)
        return found
