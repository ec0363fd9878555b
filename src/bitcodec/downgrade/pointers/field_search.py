# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202
"""Finds addresses of fields, and fields at a number of bytes behind pointers."""

from __future__ import annotations

from bitcodec.downgrade.pointers.fields import FieldFinder, described
from bitcodec.downgrade.pointers.integers import Integers
from bitcodec.downgrade.pointers.pointees import NO_NODE
from bitcodec.object_numbers import ObjectNumbers

_NONE = NO_NODE
_ROUNDS = 4
"""Number of searches for fields: each may find further structs that fields point to."""


class FieldSearch:
    """Collects addresses, and finds fields when more pointees are known.

    Args:
        layout: sizes and places of fields.
        pointees: pointees of pointers.
        types: types with typed pointers.
        byte: the type of a byte.
        order: the nodes of instructions in order; nodes of paths are removed: a path is not a use of its base.

    Attributes:
        paths: paths to fields, each once.
        numbers_of_paths: by address that is a number of bytes behind a pointer, the number of the path to the field
            there.
    """

    def __init__(self, layout, pointees, types, byte, order) -> None:
        self.paths, self.numbers_of_paths = [], ObjectNumbers()
        self._fields_of = FieldFinder(layout)
        self._pointees = pointees
        self._types = types
        self._byte = byte
        self._order = order
        self._found_paths = {}
        # What was noted, by number: the node of the base, how far behind it, the node of the part, the address if it is
        # one, and where its nodes are in the order; and the numbers of those that are of no field yet.
        self._bases, self._offsets, self._parts = Integers(), [], Integers()
        self._originals, self._places, self._left = [], Integers(), Integers()
        # The types between which there was no field when these were looked at last.
        self._wholes, self._wanted = [], []
        self._hinted, self._hints = Integers(), []
        self._fields, self._nodes = [], Integers()

    def add_field(self, original, node, field):
        """Record the address of a field, its node, and the node of the field's pointee."""
        self._fields.append(original)
        self._nodes.add(node)
        self._nodes.add(field)
        return 0

    def add_address(self, base, offset, node, original):
        """Record an address that is a number of bytes behind a pointer, whose nodes are the next in the order."""
        return self._add(base, offset, node, original, self._order.size)

    def add_access(self, base, shape):
        """Record an access to the first field of a struct by a pointer to the struct; return the node of the field."""
        node = self._pointees.new(shape)
        self._add(base, 0, node, None, 0)
        return node

    def _add(self, base, offset, part, original, place):
        self._left.add(self._bases.add(base))
        self._parts.add(part)
        self._places.add(place)
        self._offsets.append(offset)
        self._originals.append(original)
        self._wholes.append(None)
        self._wanted.append(None)
        return 0

    def add_hint(self, node, name):
        """Record the struct that a pointer points to according to a tag."""
        self._hinted.add(node)
        self._hints.append(name)
        return 0

    def take_hints(self, types):
        """Let pointers point to the structs that tags name, among these types and the types inside them."""
        structs = {name: self._fields_of.struct_named(name, types) for name in dict.fromkeys(self._hints)}
        for place in range(len(self._hints)):
            struct = structs[self._hints[place]]
            if struct is not None:
                self._pointees.use(self._hinted.numbers[place], struct)

    def find(self):
        """Find the fields that are a number of bytes behind pointers to structs, as long as that finds others."""
        for _ in range(_ROUNDS):
            if not self._try():
                break

    def _try(self):
        """Look for fields once; return how many were found."""
        pointees = self._pointees
        count = 0
        for place in range(self._left.size):
            number = self._left.numbers[place]
            whole = pointees.shape(self._bases.numbers[number])
            wanted = pointees.shape(self._parts.numbers[number])
            if whole is None or wanted is None or not self._is_found(number, whole, wanted):
                self._left.numbers[count] = number
                count += 1
        found = self._left.size - count
        self._left.shorten(count)
        return found

    def _is_found(self, number, whole, wanted):
        """Return whether a recorded address is the field of a whole with the requested type."""
        if self._wholes[number] is whole and self._wanted[number] is wanted:
            return False
        original = self._originals[number]
        base = self._bases.numbers[number]
        key = whole, self._offsets[number], wanted
        found = self._found_paths.get(key)
        if found is None:
            path = self._fields_of.find(*key)
            found = self._found_paths[key] = [*described(path), len(self.paths), _NONE]
            if path is not None:
                self.paths.append(path)
        if found[0] is None:
            self._wholes[number], self._wanted[number] = whole, wanted
            return False
        if not self._is_field(found, base, self._parts.numbers[number], original):
            return False
        if original is not None:
            self.numbers_of_paths.put(original, found[4])
            self._order.numbers[self._places.numbers[number]] = _NONE
        return True

    def _is_field(self, found, base, node, original):
        """Return whether a pointer can point to a field."""
        field = self._pointees.bytes
        content = self._pointees.content(node)
        if content == _NONE:
            return True
        _, is_whole, struct, number, _, known = found
        if is_whole:
            field = self._pointees.content(base)
        elif struct is not None:
            if known == _NONE:
                known = found[5] = self._types.field(struct, number)
            field = known
            if original is not None:
                self.add_field(original, node, field)
        return self._pointees.agree(content, field)

    def take_bytes(self):
        """Let the pointers of addresses that are of no field point to bytes."""
        for place in range(self._left.size):
            number = self._left.numbers[place]
            if self._originals[number] is None:
                self._pointees.agree(self._parts.numbers[number], self._bases.numbers[number])
            else:
                self._pointees.use(self._bases.numbers[number], self._byte)

    def lost(self):
        """Return addresses of fields that do not have the fields' pointees: chains of pointers were cut."""
        found = []
        pointees = self._pointees
        nodes = self._nodes.numbers
        for place in range(len(self._fields)):
            address = self._fields[place]
            if address.source_element_type is self._byte and self.numbers_of_paths.find(address) < 0:
                continue
            if pointees.find(pointees.content(nodes[2 * place])) != pointees.find(nodes[2 * place + 1]):
                found.append(address)
        return found
