# ruff: noqa: ANN001, ANN201
"""Numbers and texts of objects, found by identity.

Printing and writing give numbers to values and metadata nodes, and look each number up many times.  Numbers are not
kept in the objects themselves: so several threads may number the same objects at the same time.

This is the interpreted form: dictionaries, whose own methods are used where they can be, for they are fast.
`object_numbers.pyx` is the compiled form.
"""

from __future__ import annotations

from itertools import count, repeat


class ObjectNumbers(dict):
    """Numbers from 0 of objects, which it keeps alive: a dictionary whose keys are equal if they are identical."""

    has = dict.__contains__
    enter = dict.setdefault
    put = dict.__setitem__
    number_of = dict.__getitem__

    def find(self, key):
        """Return the number of an object, -1 if it has none."""
        return self.get(key, -1)

    def add_all(self, keys, number):
        """Give numbers to objects, from a number on."""
        self.update(zip(keys, count(number), strict=False))

    def reserve(self, _count):
        """Do nothing: a dictionary grows by itself."""

    def truncate(self, count):
        """Forget all but so many objects, those that got a number first."""
        for _ in repeat(None, len(self) - count):
            self.popitem()


class ObjectTexts(dict):
    """Texts of objects, found by identity; `__missing__` of a subclass makes texts that are not there."""

    text_of = dict.__getitem__
    find = dict.get
    has = dict.__contains__
    put = dict.__setitem__

    def put_label(self, key):
        """Set the text of an object without one to `!` and the number of texts so far."""
        self[key] = f"!{len(self)}"

    def reserve(self, _count):
        """Do nothing: a dictionary grows by itself."""
