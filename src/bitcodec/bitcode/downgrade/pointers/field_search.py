# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
"""Which addresses are those of fields, and which fields are a number of bytes behind pointers."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitcode.downgrade.pointers.fields import Fields, described
from bitcodec.bitcode.downgrade.pointers.pointees import NO_NODE

if cython.compiled:
    from cython.cimports.bitcodec.bitcode.downgrade.pointers.pointees import Integers, Pointees
else:
    from bitcodec.bitcode.downgrade.pointers.pointees import Integers, Pointees

COMPILED = cython.compiled

_NONE = cython.declare(cython.Py_ssize_t, NO_NODE)
_ROUNDS = 4
"""How often fields are looked for: each time, more structs can be known that fields point to."""


@cython.cclass
class FieldSearch:
    """Collects addresses, and finds fields when more is known of what pointers point to.

    Args:
        layout: sizes and places of fields.
        pointees: what pointers point to.
        types: types with typed pointers.
        byte: the type of a byte.
        order: the nodes of instructions in order, of which those of paths are removed: a path is no use of its base.

    Attributes:
        paths: by address that is a number of bytes behind a pointer, the path to the field there.
    """

    def __init__(self, layout, pointees: Pointees, types, byte, order: Integers) -> None:
        self.paths = {}
        self._fields_of = Fields(layout)
        self._pointees = pointees
        self._types = types
        self._byte = byte
        self._order = order
        self._found_paths = {}
        self._derived, self._hints = [], []
        self._fields, self._nodes = [], Integers()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add_field(self, original, node: cython.Py_ssize_t, field: cython.Py_ssize_t) -> cython.int:
        """Note the address of a field, its node, and that of what the field points to."""
        self._fields.append(original)
        self._nodes.add(node)
        self._nodes.add(field)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add_address(self, base: cython.Py_ssize_t, offset, node: cython.Py_ssize_t, original) -> cython.int:
        """Note an address that is a number of bytes behind a pointer, whose nodes are the next in the order."""
        self._derived.append((base, offset, node, original, self._order.size))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add_access(self, base: cython.Py_ssize_t, shape) -> cython.Py_ssize_t:
        """Note an access to the first field of a struct by a pointer to the struct; return the node of the field."""
        node: cython.Py_ssize_t = self._pointees.new(shape)
        self._derived.append((base, 0, node, None, 0))
        return node

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add_hint(self, node: cython.Py_ssize_t, name) -> cython.int:
        """Note that a tag says to which struct a pointer points."""
        self._hints.append(node)
        self._hints.append(name)
        return 0

    def take_hints(self, types: list):
        """Let pointers point to the structs that tags name, of these types and what they contain."""
        place: cython.Py_ssize_t
        for place in range(0, len(self._hints), 2):
            struct = self._fields_of.struct_named(self._hints[place + 1], types)
            if struct is not None:
                self._pointees.use(self._hints[place], struct)

    def find(self):
        """Find the fields that are a number of bytes behind pointers to structs, as long as that finds others."""
        pointees: Pointees = self._pointees
        one: cython.Py_ssize_t
        base: cython.Py_ssize_t
        place: cython.Py_ssize_t
        paths: dict = self._found_paths
        for _ in range(_ROUNDS):
            left: list = []
            for derived in self._derived:
                base, offset, one, original, place = derived
                whole, wanted = pointees.shape(base), pointees.shape(one)
                if whole is None or wanted is None:
                    left.append(derived)
                    continue
                key = whole, offset, wanted
                found = paths.get(key)
                if found is None:
                    found = paths[key] = described(self._fields_of.find(whole, offset, wanted))
                if found[0] is None or not self._is_field(found, base, one, original):
                    left.append(derived)
                elif original is not None:
                    self.paths[original] = found[0]
                    self._order.numbers[place] = _NONE
            if len(left) == len(self._derived):
                break
            self._derived = left

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _is_field(self, found: tuple, base: cython.Py_ssize_t, node: cython.Py_ssize_t, original) -> cython.bint:
        """Return whether a pointer can point to a field."""
        field: cython.Py_ssize_t = self._pointees.bytes
        content: cython.Py_ssize_t = self._pointees.content(node)
        if content == _NONE:
            return True
        _, is_whole, struct, number = found
        if is_whole:
            field = self._pointees.content(base)
        elif struct is not None:
            field = self._types.field(struct, number)
            if original is not None:
                self.add_field(original, node, field)
        return self._pointees.agree(content, field)

    def take_bytes(self):
        """Let the pointers of addresses that are of no field point to bytes."""
        for base, _, node, original, _ in self._derived:
            if original is None:
                self._pointees.agree(node, base)
            else:
                self._pointees.use(base, self._byte)

    def lost(self):
        """Return addresses of fields that do not point to what the fields point to: chains of pointers were cut."""
        found: list = []
        place: cython.Py_ssize_t
        pointees: Pointees = self._pointees
        nodes: cython.pointer(cython.int) = self._nodes.numbers
        for place in range(len(self._fields)):
            address = self._fields[place]
            if address.source_element_type is self._byte and address not in self.paths:
                continue
            if pointees.find(pointees.content(nodes[2 * place])) != pointees.find(nodes[2 * place + 1]):
                found.append(address)
        return found
