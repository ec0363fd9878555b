# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
"""Records that are collected before they are written, in growing buffers: memory that other compiled loops fill."""

from cpython.long cimport PyLong_AsUnsignedLongLong
from cpython.mem cimport PyMem_Free, PyMem_Realloc

from operator import index

from bitcodec.bitstream.abbreviations import AbbreviationId

COMPILED = True

cdef unsigned int _UNABBREVIATED = AbbreviationId.UNABBREV_RECORD
cdef Py_ssize_t _FIRST_ROOM = 8


cdef class Rows:
    """Sequence of records: code, abbreviation id and operands of each.

    A loop adds a record with `put` or `put_object` for each operand, then `end`.
    """

    def __dealloc__(self):
        PyMem_Free(self.codes)
        PyMem_Free(self.ids)
        PyMem_Free(self.operands)
        PyMem_Free(self.ends)

    def __len__(self):
        return self.count

    def add(self, unsigned int code, operands, unsigned int abbreviation_id=_UNABBREVIATED):
        """Add a record.

        Args:
            code: record code.
            operands: operands, 0..2**64-1 each.
            abbreviation_id: the id to write it by.
        """
        for operand in operands:
            self.put_object(operand)
        self.end(code, abbreviation_id)

    def all_codes(self):
        """Return the codes of all records."""
        return [self.codes[row] for row in range(self.count)]

    def record(self, Py_ssize_t row):
        """Return code and operands of a record.

        Raises:
            IndexError: there is no such record.
        """
        cdef Py_ssize_t first, last
        if not 0 <= row < self.count:
            raise IndexError(f"record {row} is out of range: there are {self.count}")
        first = self.ends[row - 1] if row else 0
        last = self.ends[row]
        return self.codes[row], [self.operands[place] for place in range(first, last)]

    def unabbreviate(self):
        """Have all records written without an abbreviation."""
        cdef Py_ssize_t row
        for row in range(self.count):
            self.ids[row] = _UNABBREVIATED

    def pack(self):
        """Give back the memory that is reserved for further records."""
        if self.count < self._room:
            self._resize_records(self.count)
        if self.operand_count < self._operand_room:
            self._resize_operands(self.operand_count)

    cdef int put(self, unsigned long long operand) except -1:
        """Add an operand to the record that ends next."""
        if self.operand_count == self._operand_room:
            self._resize_operands(self._operand_room * 2 or _FIRST_ROOM)
        self.operands[self.operand_count] = operand
        self.operand_count += 1
        return 0

    cdef int put_object(self, operand) except -1:
        """Do as `put`; raise `TypeError` for what is no integer, `OverflowError` for one that is not in 0..2**64-1."""
        return self.put(PyLong_AsUnsignedLongLong(operand if isinstance(operand, int) else index(operand)))

    cdef int end(self, unsigned int code, unsigned int abbreviation_id) except -1:
        """End a record: its operands are those put since the last one."""
        if self.count == self._room:
            self._resize_records(self._room * 2 or _FIRST_ROOM)
        self.codes[self.count] = code
        self.ids[self.count] = abbreviation_id
        self.ends[self.count] = self.operand_count
        self.count += 1
        return 0

    cdef int _resize_operands(self, Py_ssize_t room) except -1:
        operands = <unsigned long long *>PyMem_Realloc(self.operands, room * sizeof(unsigned long long))
        if not operands:
            raise MemoryError
        self.operands = operands
        self._operand_room = room
        return 0

    cdef int _resize_records(self, Py_ssize_t room) except -1:
        # Each is kept as soon as it has moved: there may be no memory for the next.
        self._room = min(self._room, room)
        codes = <unsigned int *>PyMem_Realloc(self.codes, room * sizeof(unsigned int))
        self.codes = codes or self.codes
        ids = <unsigned int *>PyMem_Realloc(self.ids, room * sizeof(unsigned int))
        self.ids = ids or self.ids
        ends = <unsigned long long *>PyMem_Realloc(self.ends, room * sizeof(unsigned long long))
        self.ends = ends or self.ends
        if not (codes and ids and ends):
            raise MemoryError
        self._room = room
        return 0
