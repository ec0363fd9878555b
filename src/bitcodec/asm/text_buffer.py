# cython: language_level=3, boundscheck=False, wraparound=False, auto_pickle=False, nonecheck=True
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, ANN204, F821, I001
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
    from cython.cimports.bitcodec.object_numbers import ObjectTexts
    from cython.cimports.libc.string import memcpy

_FIRST_ROOM = cython.declare(cython.Py_ssize_t, 1 << 12)
_SPENT_AT_ONCE = cython.declare(cython.Py_ssize_t, 1 << 16)
"""Characters of lines that are held against the limit of text together."""
_PIECES_AT_ONCE = 1 << 12
"""The same for pieces in the interpreted form."""
_MAX_UINT32 = cython.declare(cython.ulonglong, 0xFFFF_FFFF)


if cython.compiled:

    @cython.final
    @cython.cclass
    class TextBuffer:
        """A text to which pieces are added.

        Args:
            limit: the `TextLimit` that counts the text, after some lines and when it is taken; None for no limit.
        """

        def __cinit__(self, limit=None):
            self._limit = limit
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
                # Most time is spent here: as in `_append`, without a call.
                if count > self._room - self._size:
                    self._grow(count)
                memcpy(self._data + self._size, PyUnicode_DATA(text), count)
                self._size += count
            else:
                # Bytes that are not UTF-8 are surrogates in text, also two that would be a pair.
                data: bytes = text.encode("utf-8", "surrogatepass")
                self._append(data, len(data))
            self._unspent += count
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
            return self._add_digits(value)

        @cython.ccall
        @cython.exceptval(-1, check=False)
        def add_label(self, number: cython.ulonglong) -> cython.int:
            """Add a `!` and the decimal digits of a number, which is not negative."""
            self._append(b"!", 1)
            self._unspent += 1
            return self._add_digits(number)

        @cython.ccall
        @cython.exceptval(-1, check=False)
        def add_text_of(self, texts: ObjectTexts, key) -> cython.int:
            """Add the text of an object."""
            number: cython.Py_ssize_t = texts.label_of(key)
            return self.add(texts.text_of(key)) if number < 0 else self.add_label(number)

        @cython.ccall
        @cython.exceptval(-1, check=False)
        def end_line(self) -> cython.int:
            """Add the end of a line.

            Raises:
                BitcodecError: there is too much text.
            """
            self._append(b"\n", 1)
            self._unspent += 1
            self._lines += 1
            if self._unspent > _SPENT_AT_ONCE:
                self._spend()
            return 0

        @cython.ccall
        @cython.exceptval(-1, check=False)
        def line_count(self) -> cython.Py_ssize_t:
            """Return the number of lines that ended."""
            return self._spent_lines + self._lines

        @cython.ccall
        def take(self):
            """Return the text, and begin another.

            Raises:
                BitcodecError: there is too much text.
            """
            self._spend()
            text = PyUnicode_DecodeUTF8(self._data, self._size, "surrogatepass") if self._size else ""
            self._size = self._spent_lines = 0
            return text

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def _spend(self) -> cython.int:
            if self._limit is not None:
                self._limit.spend(self._unspent, self._lines)
            self._spent_lines += self._lines
            self._unspent = self._lines = 0
            return 0

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def _add_digits(self, number: cython.ulonglong) -> cython.int:
            digits: cython.char[20]
            place: cython.int = 20
            # Most numbers fit in 32 bits, which are divided faster.
            small: cython.uint
            while number > _MAX_UINT32:
                place -= 1
                digits[place] = 48 + number % 10
                number //= 10
            small = cython.cast(cython.uint, number)
            while True:
                place -= 1
                digits[place] = 48 + small % 10
                small //= 10
                if not small:
                    break
            self._append(digits + place, 20 - place)
            self._unspent += 20 - place
            return 0

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

        __slots__ = ("_limit", "_lines", "_parts", "_pieces", "_spent_lines", "add")

        def __init__(self, limit=None):
            self._limit = limit
            self._parts = []
            self._pieces = []
            self._lines = self._spent_lines = 0
            self.add = self._pieces.append

        def add_number(self, number):
            """Add the decimal digits of an integer."""
            self.add(f"{number}")

        def add_label(self, number):
            """Add a `!` and the decimal digits of a number, which is not negative."""
            self.add(f"!{number}")

        def add_text_of(self, texts, key):
            """Add the text of an object."""
            self.add(texts[key])

        def end_line(self):
            """Add the end of a line.

            Raises:
                BitcodecError: there is too much text.
            """
            self.add("\n")
            self._lines += 1
            if len(self._pieces) > _PIECES_AT_ONCE:
                self._spend()

        def line_count(self):
            """Return the number of lines that ended."""
            return self._spent_lines + self._lines

        def take(self):
            """Return the text, and begin another.

            Raises:
                BitcodecError: there is too much text.
            """
            self._spend()
            text = "".join(self._parts)
            self._parts.clear()
            self._spent_lines = 0
            return text

        def _spend(self):
            pieces = self._pieces
            if self._limit is not None:
                # Pieces may be one string many times: they are joined when they are known to be short enough.
                self._limit.spend(sum(map(len, pieces)), self._lines)
            self._parts.append("".join(pieces))
            pieces.clear()
            self._spent_lines += self._lines
            self._lines = 0
