# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
# ruff: noqa: ANN001, ANN201, ANN204, C901, SLF001
"""What pointers point to: classes of pointers that agree, with the type that they point to.

A node stands for what a pointer points to.  If that is a pointer too, the node has another node, its content.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.ir.functions import Function
from bitcodec.ir.types import PointerType, VectorType

if cython.compiled:
    from cython.cimports.bitcodec.bitcode.writer.instruction_forms import RecordTypes
    from cython.cimports.bitcodec.ir.instructions.calls import CallBase
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.instructions.memory import Alloca, GetElementPtr
    from cython.cimports.bitcodec.ir.values import Value
    from cython.cimports.bitcodec.object_numbers import ObjectNumbers
    from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
else:
    from bitcodec.bitcode.writer.instruction_forms import RecordTypes
    from bitcodec.ir.instructions.calls import CallBase
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.instructions.memory import Alloca, GetElementPtr
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

COMPILED = cython.compiled

NO_NODE = -1
_DEPTH = 8
"""How many pointers to pointers there can be: the innermost of more points to `i8`."""

_NONE = cython.declare(cython.Py_ssize_t, NO_NODE)
_LEVELS = cython.declare(cython.Py_ssize_t, _DEPTH)
_FUNCTION, _POINTER, _VECTOR = Function, PointerType, VectorType
_FIRST_ROOM = cython.declare(cython.Py_ssize_t, 64)

if cython.compiled:

    @cython.final
    @cython.cclass
    class Integers:
        """Numbers of nodes: a list of C integers."""

        def __dealloc__(self):
            PyMem_Free(self.numbers)

        def __len__(self) -> int:
            return self.size

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def add(self, number: cython.Py_ssize_t) -> cython.Py_ssize_t:
            """Add a number; return its place."""
            place: cython.Py_ssize_t = self.size
            if place == self.room:
                self._grow(2 * place if place else _FIRST_ROOM)
            self.numbers[place] = number
            self.size = place + 1
            return place

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def _grow(self, room: cython.Py_ssize_t) -> cython.int:
            size: cython.size_t = room * cython.sizeof(cython.int)
            made = cython.cast(cython.pointer(cython.int), PyMem_Realloc(self.numbers, size))
            if not made:
                raise MemoryError
            self.numbers, self.room = made, room
            return 0

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def shorten(self, size: cython.Py_ssize_t) -> cython.int:
            """Forget all but so many numbers."""
            self.size = size
            return 0

else:

    class Integers(list):
        """The same in the interpreted form."""

        def __getattr__(self, name):
            return self if name == "numbers" else len(self)

        def add(self, number):
            """Add a number; return its place."""
            self.append(number)
            return len(self) - 1

        def shorten(self, size):
            """Forget all but so many numbers."""
            del self[size:]


@cython.ccall
@cython.exceptval(-1, check=False)
def is_pointers(type_) -> cython.bint:
    """Return whether a type is a pointer or a vector of pointers."""
    kind = type(type_)
    if kind is _POINTER:
        return True
    return kind is _VECTOR and type(type_.element_type) is _POINTER


@cython.cclass
class Pointees:
    """Nodes, in classes that agree.

    Args:
        byte: the type that is pointed to where nothing is known.

    Attributes:
        bytes: the node of what is taken for bytes.
    """

    def __init__(self, byte) -> None:
        self._parents = Integers()
        self._shapes = []
        self._contents = Integers()
        self._byte = byte
        self.bytes = self.new(byte)

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def new(self, shape=None, content: cython.Py_ssize_t = _NONE) -> cython.Py_ssize_t:
        """Return a new node.

        Args:
            shape: the type that is pointed to, None if it is not known yet.
            content: the node of the pointers that are pointed to.
        """
        node: cython.Py_ssize_t = self._contents.add(_NONE)
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

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def alias(self, node: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return a new node of the class of a node."""
        made: cython.Py_ssize_t = self.new()
        self._parents.numbers[made] = self.find(node)
        return made

    @cython.ccall
    @cython.exceptval(check=False)
    def find(self, node: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the node that stands for the class of a node."""
        parents: cython.pointer(cython.int) = self._parents.numbers
        parent: cython.Py_ssize_t = parents[node]
        above: cython.Py_ssize_t
        while parent != node:
            above = parents[parent]
            if above != parent:
                parents[node] = above
            node, parent = parent, above
        return node

    @cython.ccall
    def shape(self, node: cython.Py_ssize_t):
        """Return the type that is pointed to, None if it is not known."""
        return self._shapes[self.find(node)]

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def content(self, node: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the node of the pointers that are pointed to, `NO_NODE` if no pointers are."""
        return self._contents.numbers[self.find(node)]

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def use(self, node: cython.Py_ssize_t, shape) -> cython.Py_ssize_t:
        """Let a pointer point to a type unless it points to another; return its content if it has one."""
        root: cython.Py_ssize_t = self.find(node)
        known = self._shapes[root]
        if known is None:
            self._shapes[root] = shape
            if is_pointers(shape):
                content: cython.Py_ssize_t = self.new()
                self._contents.numbers[root] = content
        elif known is not shape:
            return _NONE
        return self._contents.numbers[root]

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def agree(self, one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Let two pointers point to the same if they can; return whether they do."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return True
        first: cython.Py_ssize_t = one
        second: cython.Py_ssize_t = other
        depth: cython.Py_ssize_t = 0
        contents: cython.pointer(cython.int) = self._contents.numbers
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
            following: cython.Py_ssize_t = contents[one]
            other_following: cython.Py_ssize_t = contents[other]
            self._merge(one, other)
            depth -= 1
            if depth:
                one, other = self.find(following), self.find(other_following)
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _merge(self, one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.int:
        if one == other:
            return 0
        if self._shapes[one] is None:
            one, other = other, one
        self._parents.numbers[other] = one
        return 0

    @cython.ccall
    def settle(self):
        """Let what is not known be bytes, and pointers to pointers end: those that go in circles, or are many.

        Each node has the one that stands for its class as its parent then.
        """
        contents: cython.pointer(cython.int) = self._contents.numbers
        parents: cython.pointer(cython.int) = self._parents.numbers
        shapes: list = self._shapes
        count: cython.Py_ssize_t = self._parents.size
        bytes_node: cython.Py_ssize_t = self.bytes
        start: cython.Py_ssize_t
        node: cython.Py_ssize_t
        depth: cython.Py_ssize_t
        place: cython.Py_ssize_t
        each: cython.Py_ssize_t
        path: Integers = Integers()
        found: Integers = Integers()
        for _ in range(count):
            found.add(0)
        depths: cython.pointer(cython.int) = found.numbers
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


@cython.cclass
class PointerTypes(RecordTypes):
    """The types that values have in records with typed pointers: found once, when all nodes are settled.

    Args:
        nodes: by global or argument, the node of what it points to.
        local_nodes: by function, the same of its instructions.
        pointees: the nodes.
        types: makes types with typed pointers.
        plain: the pointer type of address space 0.
        others: returns the type of a value without a node, and the types of functions that are called.
    """

    def __init__(self, nodes: ObjectNumbers, local_nodes: dict, pointees: Pointees, types, plain, others) -> None:
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
        """Let the types of instructions be those of a function's."""
        found = self._of_functions.get(function)
        if found is None:
            found = self._of_functions[function] = ObjectNumbers()
        self._local_nodes = found

    def enter_body(self, function):
        """Do the same when a body is written, which is once: its nodes are forgotten when others are entered."""
        self.enter(function)
        del self._of_functions[function]

    @cython.ccall
    def typed(self, type_):
        """Return a type with typed pointers; a type without pointers is returned itself."""
        place: cython.longlong
        if type_ is not self._last_type:
            place = self._places.find(type_)
            if place < 0:
                place = len(self._typed)
                self._typed.append(self._types.typed(type_))
                self._places.put(type_, place)
            self._last_type, self._last_typed = type_, self._typed[place]
        return self._last_typed

    @cython.ccall
    def pointer_to(self, type_, pointee):
        """Return the pointer, or vector of pointers, like another one that points to a type."""
        if type_ is not self._plain:
            return self._types.to(type_, pointee)
        place: cython.longlong = self._places_of_pointees.find(pointee)
        if place >= 0:
            return self._pointers[place]
        found = self._types.to(type_, pointee)
        self._places_of_pointees.put(pointee, len(self._pointers))
        self._pointers.append(found)
        return found

    @cython.ccall
    def pointee(self, node: cython.Py_ssize_t):
        """Return the type that a node stands for."""
        if self._set:
            found = self._set.get(node)
            if found is not None:
                return found
        root: cython.Py_ssize_t = self._pointees._parents.numbers[node]
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

    @cython.ccall
    def known_pointee(self, value):
        """Return the type that a value with a node points to, None for other values."""
        node: cython.longlong
        node = self._local_nodes.find(value) if isinstance(value, Instruction) else self.nodes.find(value)
        return None if node < 0 else self.pointee(node)

    def set_pointee(self, value, pointee):
        """Let a value point to a type: one without a node, or with one that no other value has."""
        nodes: ObjectNumbers = self._local_nodes if isinstance(value, Instruction) else self.nodes
        node: cython.Py_ssize_t = nodes.find(value)
        if node < 0:
            node = self._pointees.new(self._pointees._byte)
            nodes.put(value, node)
        self._set[node] = pointee

    @cython.ccall
    def type_of(self, value: Value):
        """Return the type that a value has."""
        type_ = value.type
        if type(type_) is not _POINTER and type(type_) is not _VECTOR:
            return self.typed(type_)
        if is_pointers(type_):
            pointee = self.known_pointee(value)
            if pointee is not None:
                return self.pointer_to(type_, pointee)
        place: cython.longlong = self._places_of_others.find(value)
        if place >= 0:
            return self._types_of_others[place]
        found = self._others.find(value)
        # That of a function was found by those of its arguments.
        self._places_of_others.put(value, len(self._types_of_others))
        self._types_of_others.append(found)
        return found

    @cython.ccall
    def explicit_type(self, _instruction: Instruction):
        """Return the type that the record of an alloca, an address or a call has."""
        address: GetElementPtr
        alloca: Alloca
        if type(_instruction) is GetElementPtr:
            address = _instruction
            type_ = address.source_element_type
            if is_pointers(type_) and len(address._operands) == 2:
                return self.known_pointee(address)
            return type_
        if type(_instruction) is Alloca:
            alloca = _instruction
            type_ = alloca.allocated_type
            return self.known_pointee(alloca) if is_pointers(type_) else type_
        return self.call_type(_instruction)

    @cython.ccall
    def call_type(self, call: CallBase):
        """Return the type of what a call calls, which it has itself unless it calls a function of its type."""
        callee = call._operands[len(call._operands) - 1]
        if type(callee) is _FUNCTION:
            signature: tuple = self.signature(callee)
            if signature[0] is call.function_type:
                return signature[1]
        return call.function_type

    @cython.ccall
    def signature(self, callee) -> tuple:
        """Return the type that calls of a function have, and with typed pointers."""
        place: cython.longlong = self._callees.find(callee)
        if place >= 0:
            return self._signatures[place]
        found = self._others.signature(callee)
        self._callees.put(callee, len(self._signatures))
        self._signatures.append(found)
        return found
