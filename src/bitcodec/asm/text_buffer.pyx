# cython: language_level=3, boundscheck=False, wraparound=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Buffer of text that is built from pieces: one block of memory, so no objects are made for parts of lines."""

from cpython.long cimport PyLong_CheckExact
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_Check, PyUnicode_DATA, PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH
from libc.string cimport memcpy

cdef Py_ssize_t _FIRST_ROOM = 1 << 12
# Characters of lines that are held against the limit of text together.
cdef Py_ssize_t _SPENT_AT_ONCE = 1 << 16
cdef unsigned long long _MAX_UINT32 = 0xFFFF_FFFF


cdef class TextBuffer:
    """A text to which pieces are added.

    Args:
        limit: the `TextLimit` that counts the text, after some lines and when it is taken; None for no limit.
    """

    def __cinit__(self, limit=None):
        self._limit = limit
        self._grow(0)

    def __dealloc__(self):
        PyMem_Free(self._data)

    cpdef int add(self, text) except -1:
        """Add a piece."""
        cdef Py_ssize_t count
        cdef bytes data
        if not PyUnicode_Check(text):
            raise TypeError(f"expected a str, got {text!r}")
        count = PyUnicode_GET_LENGTH(text)
        if PyUnicode_IS_ASCII(text):
            # Most time is spent here: as in `_append`, without a call.
            if count > self._room - self._size:
                self._grow(count)
            memcpy(self._data + self._size, PyUnicode_DATA(text), count)
            self._size += count
        else:
            # Bytes that are not UTF-8 are surrogates in text, also two that would be a pair.
            data = text.encode("utf-8", "surrogatepass")
            self._append(data, len(data))
        self._unspent += count
        return 0

    cpdef int add_number(self, number) except -1:
        """Add the decimal digits of an integer."""
        cdef long long value = -1
        cdef int overflow = 0
        if PyLong_CheckExact(number):
            value = PyLong_AsLongLongAndOverflow(number, &overflow)
        if overflow or value < 0:
            return self.add(f"{number}")
        return self._add_digits(value)

    cpdef int add_label(self, unsigned long long number) except -1:
        """Add a `!` and the decimal digits of a number, which is not negative."""
        self._append(b"!", 1)
        self._unspent += 1
        return self._add_digits(number)

    cpdef int add_text_of(self, ObjectTexts texts, key) except -1:
        """Add the text of an object."""
        cdef Py_ssize_t number = texts.label_of(key)
        return self.add(texts.text_of(key)) if number < 0 else self.add_label(number)

    cpdef int end_line(self) except -1:
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

    cpdef Py_ssize_t line_count(self) except -1:
        """Return the number of lines that ended."""
        return self._spent_lines + self._lines

    cpdef take(self):
        """Return the text, and begin another.

        Raises:
            BitcodecError: there is too much text.
        """
        self._spend()
        text = PyUnicode_DecodeUTF8(self._data, self._size, "surrogatepass") if self._size else ""
        self._size = self._spent_lines = 0
        return text

    cdef int _spend(self) except -1:
        if self._limit is not None:
            self._limit.spend(self._unspent, self._lines)
        self._spent_lines += self._lines
        self._unspent = self._lines = 0
        return 0

    cdef int _add_digits(self, unsigned long long number) except -1:
        cdef char digits[20]
        cdef int place = 20
        # Most numbers fit in 32 bits, which are divided faster.
        cdef unsigned int small
        while number > _MAX_UINT32:
            place -= 1
            digits[place] = 48 + number % 10
            number //= 10
        small = <unsigned int>number
        while True:
            place -= 1
            digits[place] = 48 + small % 10
            small //= 10
            if not small:
                break
        self._append(digits + place, 20 - place)
        self._unspent += 20 - place
        return 0

    cdef int _append(self, const char *data, Py_ssize_t size) except -1:
        if size > self._room - self._size:
            self._grow(size)
        memcpy(self._data + self._size, data, size)
        self._size += size
        return 0

    cdef int _grow(self, Py_ssize_t size) except -1:
        """Make room for so many more bytes, and for as many as there are."""
        # Both are sizes of objects in memory: their sum does not overflow.
        cdef Py_ssize_t room = max(_FIRST_ROOM, self._room + max(size, self._room))
        cdef char *data = <char *>PyMem_Realloc(self._data, room)
        if not data:
            raise MemoryError
        self._data, self._room = data, room
        return 0
