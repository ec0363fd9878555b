cimport cython

cimport bitcodec.host.native as native
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.metadata cimport MDNode, MetadataTable
from bitcodec.ir.values cimport Value

cdef Py_ssize_t _NUMBER_BYTES, _CELLS, _VALUE_OPERANDS, _ROW_BITS, _ROW
cdef unsigned long long _ANY, _NUMBER, _COLUMN, _BOOLEAN, _SIGNED, _BITS, _FLAG, _OPTIONAL_NUMBER, _NODE, _ID
cdef unsigned long long _STRING, _OPTIONAL_STRING, _UNSIGNED, _EXPRESSION, _REST
cdef unsigned long long _WORD, _COLUMN_LIMIT
cdef long long _SIGN
cdef int _VALUE, _DISTINCT_NODE

cpdef known_node(made, outer, unsigned long long first_id, unsigned long long metadata_id)
cdef _text(made, metadata_id)
cdef _integer(made, raw, bint is_signed)


cdef class NodeForm:
    cdef readonly object kind
    cdef readonly unsigned long long distinct
    cdef readonly Py_ssize_t length
    cdef readonly object lengths
    cdef readonly object upgrade

    cpdef bint is_modern(self, list operands)
    cpdef list references(self, made, list operands)
    cpdef tuple contents(self, made, list operands)


cdef class TupleForm(NodeForm):
    cpdef list references(self, made, list operands)
    cpdef tuple contents(self, made, list operands)


cdef class DebugInfoForm(NodeForm):
    cdef tuple _references
    cdef tuple _ids
    cdef Py_ssize_t _rest
    cdef const unsigned long long[::1] _cells
    cdef Py_ssize_t _field_count
    cdef Py_ssize_t _operand_count

    @cython.locals(position=Py_ssize_t, found=list)
    cpdef list references(self, made, list operands)
    @cython.locals(place=Py_ssize_t, found=list)
    cpdef tuple contents(self, made, list operands)
    @cython.locals(
        step="unsigned long long", position=Py_ssize_t, number="unsigned long long", first="unsigned long long",
        signed="long long"
    )
    cdef _field(self, made, list operands, Py_ssize_t cell)


@cython.locals(index=Py_ssize_t, cells="const unsigned char[::1]")
cpdef list find_code(codes, int code, Py_ssize_t first=*)

@cython.locals(
    cells="long long[::1]", flags="const unsigned char[::1]", at=Py_ssize_t, index=Py_ssize_t, number="long long"
)
cpdef append_numbers(numbers, bytes marks, long long first, long long step)


cdef class RecordReader:
    cdef object _index
    cdef Py_ssize_t _first_id
    cdef list _columns
    cdef Py_ssize_t _block
    cdef const unsigned long long[::1] _bounds
    cdef const unsigned long long[::1] _operands

    @cython.locals(
        metadata_id=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, found=list, rewritten=dict,
        entries="const long long[::1]"
    )
    cpdef list operands_at(self, list metadata_ids, Py_ssize_t position)
    @cython.locals(block=Py_ssize_t, row=Py_ssize_t)
    cdef Py_ssize_t _row_of(self, Py_ssize_t entry) except -1
    @cython.locals(row=Py_ssize_t, at=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t)
    cdef list _operands_at(self, Py_ssize_t entry)


cdef class NodeReader(RecordReader):
    cdef object _maker
    cdef MetadataTable _table
    cdef dict _forms
    cdef dict _leaves
    cdef list _new
    cdef list _own
    cdef list _types
    cdef object _first_own

    @cython.locals(number=Py_ssize_t, entry=Py_ssize_t, metadata_id=Py_ssize_t, code=int, codes=bytearray, node=MDNode,
                   form=NodeForm)
    cpdef make_all(self)
    cdef list _operands_of(self, Py_ssize_t metadata_id, NodeForm form)
    @cython.locals(count=Py_ssize_t, length=Py_ssize_t, modern=list)
    cdef list _modernize(self, Py_ssize_t metadata_id, int code, NodeForm form, list operands)
    @cython.locals(node=MDNode, form=NodeForm, is_distinct=bint)
    cdef _make(self, Py_ssize_t metadata_id, int code, list operands)
    @cython.locals(value=Value)
    cdef _make_leaf(self, leaf, int code, list operands)
    @cython.locals(node=MDNode)
    cdef _make_node(self, Py_ssize_t metadata_id, NodeForm form, list operands)
    cdef _keep(self, Py_ssize_t metadata_id, metadata)
