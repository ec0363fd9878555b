# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, ANN204
"""Records that are collected before they are written, in growing buffers.

Compiled, the buffers are memory that other compiled loops fill.  Interpreted, they are lists.
"""

from __future__ import annotations

from array import array
from operator import index

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitstream.abbreviations import AbbreviationId

if cython.compiled:
    from cython.cimports.cpython.long import PyLong_AsUnsignedLongLong
    from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc

COMPILED = cython.compiled

_UNABBREVIATED = cython.declare(cython.uint, AbbreviationId.UNABBREV_RECORD)
_FIRST_ROOM = cython.declare(cython.Py_ssize_t, 8)


@cython.cclass
class Rows:
    """Records that follow one another: code, abbreviation id and operands of each.

    A loop adds a record with `put` or `put_object` for each operand, then `end`.
    """

    def __init__(self) -> None:
        self.count = 0
        self.operand_count = 0
        if not cython.compiled:
            self._keep([], [], [], [])

    def __dealloc__(self):
        PyMem_Free(self.codes)
        PyMem_Free(self.ids)
        PyMem_Free(self.operands)
        PyMem_Free(self.ends)

    def _keep(self, codes, ids, operands, ends):
        """Keep the records in lists or arrays; of the interpreted form."""
        if not cython.compiled:
            self.codes, self.ids, self.operands, self.ends = codes, ids, operands, ends
            # Methods of the list itself are called in a third of the time.
            self.put = self.put_object = operands.append

    def __len__(self) -> int:
        return self.count

    def add(self, code: cython.uint, operands, abbreviation_id: cython.uint = _UNABBREVIATED):
        """Add a record.

        Args:
            code: record code.
            operands: operands, 0..2**64-1 each.
            abbreviation_id: the id to write it by.
        """
        if cython.compiled:
            for operand in operands:
                self.put_object(operand)
        else:
            self.operands.extend(operands)
        self.end(code, abbreviation_id)

    def all_codes(self):
        """Return the codes of all records."""
        return [self.codes[row] for row in range(self.count)]

    def record(self, row: cython.Py_ssize_t):
        """Return code and operands of a record.

        Raises:
            IndexError: there is no such record.
        """
        if not 0 <= row < self.count:
            raise IndexError(f"there is no record {row} among {self.count}")
        first: cython.Py_ssize_t = self.ends[row - 1] if row else 0
        last: cython.Py_ssize_t = self.ends[row]
        return self.codes[row], [self.operands[place] for place in range(first, last)]

    def unabbreviate(self):
        """Have all records written without an abbreviation."""
        row: cython.Py_ssize_t
        for row in range(self.count):
            self.ids[row] = _UNABBREVIATED

    def pack(self):
        """Give back the memory that is reserved for further records.

        Raises:
            OverflowError: an operand is not in 0..2**64-1.
        """
        if cython.compiled:
            if self.count < self._room:
                self._resize_records(self.count)
            if self.operand_count < self._operand_room:
                self._resize_operands(self.operand_count)
        elif isinstance(self.operands, list):
            self._keep(array("I", self.codes), array("I", self.ids), array("Q", self.operands), array("Q", self.ends))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put(self, operand: cython.ulonglong) -> cython.int:
        """Add an operand to the record that ends next."""
        if self.operand_count == self._operand_room:
            self._resize_operands(self._operand_room * 2 or _FIRST_ROOM)
        self.operands[self.operand_count] = operand
        self.operand_count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_object(self, operand) -> cython.int:
        """Do as `put`; raise `TypeError` for what is no integer, `OverflowError` for one that is not in 0..2**64-1."""
        return self.put(PyLong_AsUnsignedLongLong(operand if isinstance(operand, int) else index(operand)))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def end(self, code: cython.uint, abbreviation_id: cython.uint) -> cython.int:
        """End a record: its operands are those put since the last one."""
        if not cython.compiled:
            self.codes.append(code)
            self.ids.append(abbreviation_id)
            self.ends.append(len(self.operands))
            self.count += 1
            return 0
        if self.count == self._room:
            self._resize_records(self._room * 2 or _FIRST_ROOM)
        self.codes[self.count] = code
        self.ids[self.count] = abbreviation_id
        self.ends[self.count] = self.operand_count
        self.count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _resize_operands(self, room: cython.Py_ssize_t) -> cython.int:
        operands = cython.cast(cython.p_ulonglong, PyMem_Realloc(self.operands, room * cython.sizeof(cython.ulonglong)))
        if not operands:
            raise MemoryError
        self.operands = operands
        self._operand_room = room
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _resize_records(self, room: cython.Py_ssize_t) -> cython.int:
        # Each is kept as soon as it has moved: there may be no memory for the next.
        self._room = min(self._room, room)
        codes = cython.cast(cython.p_uint, PyMem_Realloc(self.codes, room * cython.sizeof(cython.uint)))
        self.codes = codes or self.codes
        ids = cython.cast(cython.p_uint, PyMem_Realloc(self.ids, room * cython.sizeof(cython.uint)))
        self.ids = ids or self.ids
        ends = cython.cast(cython.p_ulonglong, PyMem_Realloc(self.ends, room * cython.sizeof(cython.ulonglong)))
        self.ends = ends or self.ends
        if not (codes and ids and ends):
            raise MemoryError
        self._room = room
        return 0
