# Attributes and C signatures of `copies.py`.

from bitcodec.bitcode.downgrade.pointers.pointees cimport Integers
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

    /* Return a new object of the class of another. */
    static CYTHON_INLINE PyObject *bitcodec_new_like(PyObject *source, PyObject *nothing) {
        return Py_TYPE(source)->tp_new(Py_TYPE(source), nothing, NULL);
    }
    """
    int copy_member "bitcodec_copy_member"(object target, object source, Py_ssize_t offset)
    object new_like "bitcodec_new_like"(object source, tuple nothing)


cdef dict _OFFSETS


cdef Integers _offsets_of(kind)
cdef new_cast(value, type_)
cdef copy_of(Instruction instruction)
