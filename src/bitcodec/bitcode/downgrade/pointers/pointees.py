"""What pointers point to: classes of pointers that agree, with the type that they point to.

A node stands for what a pointer points to.  If that is a pointer too, the node has another node, its content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import PointerType, VectorType

if TYPE_CHECKING:
    from bitcodec.ir.types import Type

__all__ = ["NO_NODE", "Pointees", "is_pointer"]

NO_NODE = -1
_DEPTH = 8
"""How many pointers to pointers there can be: the innermost of more points to `i8`."""


def is_pointer(type_: Type) -> bool:
    """Return whether a type is a pointer or a vector of pointers."""
    if type(type_) is PointerType:
        return True
    return type(type_) is VectorType and type(type_.element_type) is PointerType


class Pointees:
    """Nodes, in classes that agree.

    Args:
        byte: the type that is pointed to where nothing is known.

    Attributes:
        bytes: the node of what is taken for bytes.
    """

    def __init__(self, byte: Type) -> None:
        self._parents: list[int] = []
        self._shapes: list[Type | None] = []
        self._contents: list[int] = []
        self._byte = byte
        self.bytes = self.new(byte)

    def new(self, shape: Type | None = None, content: int = NO_NODE) -> int:
        """Return a new node.

        Args:
            shape: the type that is pointed to, None if it is not known yet.
            content: the node of the pointers that are pointed to.
        """
        node = len(self._parents)
        self._parents.append(node)
        self._shapes.append(None)
        self._contents.append(NO_NODE)
        if shape is not None:
            self._shapes[node] = shape
            if is_pointer(shape):
                self._contents[node] = self.new() if content == NO_NODE else content
        return node

    def find(self, node: int) -> int:
        """Return the node that stands for the class of a node."""
        parents = self._parents
        while parents[node] != node:
            parents[node] = node = parents[parents[node]]
        return node

    def shape(self, node: int) -> Type | None:
        """Return the type that is pointed to, None if it is not known."""
        return self._shapes[self.find(node)]

    def content(self, node: int) -> int:
        """Return the node of the pointers that are pointed to, `NO_NODE` if no pointers are."""
        return self._contents[self.find(node)]

    def use(self, node: int, shape: Type) -> int:
        """Let a pointer point to a type unless it points to another; return its content if it has one."""
        root = self.find(node)
        known = self._shapes[root]
        if known is None:
            self._shapes[root] = shape
            if is_pointer(shape):
                self._contents[root] = self.new()
        elif known is not shape:
            return NO_NODE
        return self._contents[root]

    def agree(self, one: int, other: int) -> bool:
        """Let two pointers point to the same if they can; return whether they do."""
        pairs = []
        for _ in range(_DEPTH):
            one, other = self.find(one), self.find(other)
            if one == other:
                break
            pairs.append((one, other))
            shape, other_shape = self._shapes[one], self._shapes[other]
            if shape is None or other_shape is None:
                break
            if shape is not other_shape:
                return False
            one, other = self._contents[one], self._contents[other]
            if one == NO_NODE:
                break
        else:
            return False
        for pair in pairs:
            self._merge(*pair)
        return True

    def _merge(self, one: int, other: int) -> None:
        one, other = self.find(one), self.find(other)
        if one == other:
            return
        if self._shapes[one] is None:
            one, other = other, one
        self._parents[other] = one

    def settle(self) -> None:
        """Let what is not known be bytes, and pointers to pointers end: those that go in circles, or are many."""
        contents, depths = self._contents, [0] * len(self._parents)
        for start in range(len(depths)):
            path = []
            node = self.find(start)
            while node != NO_NODE and not depths[node]:
                if self._shapes[node] is None:
                    self._shapes[node] = self._byte
                depths[node] = -1
                path.append(node)
                node = NO_NODE if contents[node] == NO_NODE else self.find(contents[node])
            depth = 0 if node == NO_NODE else depths[node]
            for each in reversed(path):
                if depth < 0 or depth >= _DEPTH:
                    contents[each] = self.bytes
                    depth = 1
                depths[each] = depth = depth + 1
