# cython: boundscheck=False, wraparound=False, initializedcheck=False
# What compiled files read instead of `words.py`.

from libc.string cimport memcpy


cdef extern from "Python.h":
    bint PY_LITTLE_ENDIAN


cdef inline const unsigned char *pointer_to(const unsigned char[::1] data) noexcept:
    return &data[0] if len(data) else NULL


cdef inline const unsigned long long *numbers_at(const unsigned long long[::1] data) noexcept:
    return &data[0] if len(data) else NULL


cdef inline unsigned long long word_at(const unsigned char *start, Py_ssize_t bit, Py_ssize_t size) noexcept:
    cdef Py_ssize_t byte = bit >> 3, index
    cdef unsigned long long word = 0
    if (byte + 8) * 8 <= size and PY_LITTLE_ENDIAN:
        memcpy(&word, start + byte, 8)
    else:
        for index in range(byte, min(byte + 8, size >> 3)):
            word |= <unsigned long long>start[index] << ((index - byte) * 8)
    return word >> (bit & 7)


cdef inline void put_word(unsigned char[::1] data, Py_ssize_t at, unsigned long long word) noexcept:
    cdef Py_ssize_t index
    if PY_LITTLE_ENDIAN:
        memcpy(&data[at], &word, 4)
    else:
        for index in range(4):
            data[at + index] = word >> (8 * index) & 0xFF


cdef inline void copy_bytes(
    unsigned char[::1] data, Py_ssize_t at, const unsigned char[::1] source, Py_ssize_t count
) noexcept:
    if count:
        memcpy(&data[at], &source[0], count)


cdef inline void put_text(unsigned char[::1] data, Py_ssize_t at, bytes text) noexcept:
    memcpy(&data[at], <const char *>text, len(text))
