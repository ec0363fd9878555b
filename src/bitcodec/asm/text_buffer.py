# cython: language_level=3, boundscheck=False, wraparound=False, auto_pickle=False, nonecheck=True
"""Text that is made piece by piece.

Modules consist of millions of pieces: names, types, numbers, punctuation.  The compiled form copies them to one place
in memory, so no objects are made for lines or parts of lines; the interpreted form joins lists.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

if cython.compiled:
    from cython.cimports.cpython.long import PyLong_CheckExact
    from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
    from cython.cimports.cpython.unicode import (
        PyUnicode_Check,
        PyUnicode_DATA,
        PyUnicode_DecodeUTF8,
        PyUnicode_GET_LENGTH,
    )
    from cython.cimports.libc.string import memcpy

_FIRST_ROOM = cython.declare(cython.Py_ssize_t, 1 << 12)


if cython.compiled:

    @cython.final
    @cython.cclass
    class TextBuffer:
        """A text to which pieces are added."""

        def __cinit__(self):
            self._grow(0)

        def __dealloc__(self):
            PyMem_Free(self._data)

        @cython.ccall
        @cython.exceptval(-1, check=False)
        def add(self, text) -> cython.int:
            """Add a piece."""
            if not PyUnicode_Check(text):
                raise TypeError(f"expected a str, got {text!r}")
            count: cython.Py_ssize_t = PyUnicode_GET_LENGTH(text)
            if PyUnicode_IS_ASCII(text):
                self._append(cython.cast(cython.p_char, PyUnicode_DATA(text)), count)
            else:
                # Bytes that are not UTF-8 are surrogates in text, also two that would be a pair.
                data: bytes = text.encode("utf-8", "surrogatepass")
                self._append(data, len(data))
            self._count += count
            return 0

        @cython.ccall
        @cython.exceptval(-1, check=False)
        def add_number(self, number) -> cython.int:
            """Add the decimal digits of an integer."""
            value: cython.longlong = -1
            overflow: cython.int = 0
            if PyLong_CheckExact(number):
                value = PyLong_AsLongLongAndOverflow(number, cython.address(overflow))
            if overflow or value < 0:
                return self.add(f"{number}")
            digits: cython.char[20]
            place: cython.int = 20
            left: cython.ulonglong = value
            while True:
                place -= 1
                digits[place] = 48 + left % 10
                left //= 10
                if not left:
                    break
            self._append(digits + place, 20 - place)
            self._count += 20 - place
            return 0

        @cython.ccall
        @cython.exceptval(-1, check=False)
        def count(self) -> cython.Py_ssize_t:
            """Return the number of characters."""
            return self._count

        @cython.ccall
        def take(self):
            """Return the text, and begin another."""
            text = PyUnicode_DecodeUTF8(self._data, self._size, "surrogatepass") if self._size else ""
            self._size = self._count = 0
            return text

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def _append(self, data: cython.pointer(cython.const[cython.char]), size: cython.Py_ssize_t) -> cython.int:
            if size > self._room - self._size:
                self._grow(size)
            memcpy(self._data + self._size, data, size)
            self._size += size
            return 0

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def _grow(self, size: cython.Py_ssize_t) -> cython.int:
            """Make room for so many more bytes, and for as many as there are."""
            # Both are sizes of objects in memory: their sum does not overflow.
            room: cython.Py_ssize_t = max(_FIRST_ROOM, self._room + max(size, self._room))
            data = cython.cast(cython.p_char, PyMem_Realloc(self._data, room))
            if not data:
                raise MemoryError
            self._data, self._room = data, room
            return 0

else:

    class TextBuffer:
        """The same in the interpreted form."""

        __slots__ = ("_count", "_parts", "_pieces", "add")

        def __init__(self):
            self._parts = []
            self._pieces = []
            self._count = 0
            self.add = self._pieces.append

        def add_number(self, number):
            """Add the decimal digits of an integer."""
            self.add(f"{number}")

        def count(self):
            """Return the number of characters."""
            part = "".join(self._pieces)
            self._pieces.clear()
            self._parts.append(part)
            self._count += len(part)
            return self._count

        def take(self):
            """Return the text, and begin another."""
            text = "".join(self._parts + self._pieces)
            self._parts.clear()
            self._pieces.clear()
            self._count = 0
            return text
