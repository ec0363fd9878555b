# Attributes and C signatures of `copies.py`.

from bitcodec.ir.instructions.instruction cimport Instruction


cdef extern from *:
    """
    /* Let an attribute of an object, at an offset in bytes, be that of another object of its class. */
    static CYTHON_INLINE int bitcodec_copy_member(PyObject *target, PyObject *source, Py_ssize_t offset) {
        PyObject **place = (PyObject **)((char *)target + offset);
        PyObject *old = *place;
        *place = *(PyObject **)((char *)source + offset);
        Py_XINCREF(*place);
        Py_XDECREF(old);
        return 0;
    }
    """
    int copy_member "bitcodec_copy_member"(object target, object source, Py_ssize_t offset)


cdef dict _OFFSETS


cdef new_cast(value, type_)
cdef copy_of(Instruction instruction)
