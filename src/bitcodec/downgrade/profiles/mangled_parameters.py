"""Pointees of parameters of OpenCL's functions, from their mangled names.

Only numbers, vectors of these, qualifiers, pointers and references to earlier parts of the name are read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type

__all__ = ["pointees_of"]

_NAME = re.compile(r"_Z(\d{1,4})")
_QUALIFIERS = re.compile(r"(?:U(?P<length>\d{1,4})|[VKr])")
_REFERENCE = re.compile(r"S([0-9A-Z]{0,4})_")
_VECTOR = re.compile(r"Dv(\d{1,4})_")
_OTHER = re.compile(r"(\d{1,4})")
_INTEGERS = {"a": 8, "b": 8, "c": 8, "h": 8, "s": 16, "t": 16, "i": 32, "j": 32, "l": 64, "m": 64, "x": 64, "y": 64}
_FLOATS = {"f": "float", "d": "double", "Dh": "half"}
_REFERENCE_BASE = 36


class _MangledPart(NamedTuple):
    """A type in a mangled name: a pointer to a type, or not; None for a type that is not read."""

    type: Type | None
    is_pointer: bool = False


def pointees_of(name: str, types: TypeTable) -> list[Type | None]:
    """Return the pointee of each parameter of a function, None for an unknown one or if it is not a pointer.

    Args:
        name: the mangled name.
        types: makes types.
    """
    found = _NAME.match(name)
    if found is None:
        return []
    reader = _NameReader(name, found.end() + int(found[1]), types)
    return [part.type if part.is_pointer else None for part in reader.parameters()]


class _NameReader:
    def __init__(self, text: str, place: int, types: TypeTable) -> None:
        self._text = text
        self._place = place
        self._types = types
        self._parts: list[_MangledPart] = []

    def parameters(self) -> list[_MangledPart]:
        """Return the parameters up to the first that is not read."""
        found = []
        while self._place < len(self._text):
            part = self._parameter()
            if part is None:
                break
            found.append(part)
        return found

    def _parameter(self) -> _MangledPart | None:
        # Prefixes are read outermost first, and take effect from the innermost one.
        prefixes = []
        while self._place < len(self._text):
            start = self._place
            if self._text[start] == "P":
                self._place += 1
                prefixes.append("P")
            elif self._qualifiers():
                prefixes.append("Q")
            else:
                break
        part = self._base()
        for prefix in reversed(prefixes):
            if part is None:
                return None
            part = _MangledPart(None if part.is_pointer else part.type, is_pointer=True) if prefix == "P" else part
            self._parts.append(part)
        return part

    def _qualifiers(self) -> bool:
        """Go past qualifiers, which are one part together."""
        start = self._place
        while True:
            found = _QUALIFIERS.match(self._text, self._place)
            if found is None:
                return self._place > start
            self._place = found.end() + int(found["length"] or 0)

    def _base(self) -> _MangledPart | None:
        text, place = self._text, self._place
        reference, vector, other = (each.match(text, place) for each in (_REFERENCE, _VECTOR, _OTHER))
        if reference is not None:
            self._place = reference.end()
            index = int(reference[1], _REFERENCE_BASE) + 1 if reference[1] else 0
            return self._parts[index] if index < len(self._parts) else None
        if vector is not None:
            self._place = vector.end()
            element = self._number()
            count = int(vector[1])
            made = _MangledPart(None if element is None or not count else self._types.vector(count, element))
            self._parts.append(made)
            return made
        if other is not None:
            self._place = other.end() + int(other[1])
            self._parts.append(_MangledPart(None))
            return self._parts[-1]
        number = self._number()
        return None if number is None else _MangledPart(number)

    def _number(self) -> Type | None:
        for length in (2, 1):
            word = self._text[self._place : self._place + length]
            if word in _FLOATS or word in _INTEGERS:
                self._place += length
                if word in _INTEGERS:
                    return self._types.integer(_INTEGERS[word])
                type_: Type = getattr(self._types, _FLOATS[word])
                return type_
        return None
