# Attributes and C signatures of `starts.py`.

cimport cython

cimport bitcodec.host.native as native


cdef unsigned int _HALFWORDS, _WORDS, _RISCV, _SYSTEMZ, _POWERPC, _X86, _X86_64, _ONE_BYTE, _TWO_BYTES, _VECTOR
cdef unsigned int _PROMOTED, _ONE_BYTE_32, _MODRM, _BYTE, _WORD, _FULL, _WIDE, _ADDRESS, _TEST, _INVALID
cdef Py_ssize_t _LONGEST_X86


@cython.locals(
    found="unsigned char[::1]", table="const unsigned char[::1]", count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t,
    length=Py_ssize_t
)
cpdef misplaced(
    const unsigned char[::1] code, Py_ssize_t start, Py_ssize_t end, const unsigned long long[::1] places,
    unsigned int coding, bint is_big
)
@cython.locals(table="const unsigned char[::1]", found=list, at=Py_ssize_t, length=Py_ssize_t)
cpdef starts(const unsigned char[::1] code, Py_ssize_t start, Py_ssize_t end, unsigned int coding, bint is_big)
@cython.locals(first="unsigned int")
cdef Py_ssize_t _length(
    const unsigned char[::1] code, Py_ssize_t at, Py_ssize_t end, unsigned int coding, bint is_big,
    const unsigned char[::1] table
) noexcept
@cython.locals(
    at=Py_ssize_t, byte="unsigned int", has_short_operands=bint, has_other_addresses=bint, is_wide=bint,
    map_="unsigned int", operands="unsigned int", opcode="unsigned int"
)
cdef Py_ssize_t _x86_length(
    const unsigned char[::1] code, Py_ssize_t start, Py_ssize_t end, bint is_64, const unsigned char[::1] table
) noexcept
@cython.locals(
    map_="unsigned int", operands="unsigned int", opcode="unsigned int", is_wide=bint, has_short_operands=bint
)
cdef Py_ssize_t _vector_length(
    const unsigned char[::1] code, Py_ssize_t start, Py_ssize_t at, Py_ssize_t end, unsigned int byte, bint is_64,
    bint has_other_addresses, const unsigned char[::1] table
) noexcept
@cython.locals(modrm="unsigned int", mode="unsigned int", full=Py_ssize_t)
cdef Py_ssize_t _with_operands(
    const unsigned char[::1] code, Py_ssize_t start, Py_ssize_t at, Py_ssize_t end, unsigned int operands,
    unsigned int opcode, bint is_64, bint is_wide, bint has_short_operands, bint has_other_addresses
) noexcept
