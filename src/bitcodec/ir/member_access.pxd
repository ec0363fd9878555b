# How compiled loops read and copy attributes of instructions of any class: by where they lie in the object.

cdef extern from *:
    """
    #include <structmember.h>

    /* Return where in the instances of a class an attribute lies, in bytes; -1 if only the class knows. */
    static CYTHON_INLINE Py_ssize_t bitcodec_member_offset(PyObject *kind, PyObject *name) {
        PyObject *found = PyType_Check(kind) ? _PyType_Lookup((PyTypeObject *)kind, name) : NULL;
        PyMemberDef *member;
        if (found == NULL || !Py_IS_TYPE(found, &PyMemberDescr_Type))
            return -1;
        member = ((PyMemberDescrObject *)found)->d_member;
        return member->type == T_OBJECT_EX && PyType_IsSubtype((PyTypeObject *)kind, PyDescr_TYPE(found))
            ? member->offset : -1;
    }

    static CYTHON_INLINE PyObject *bitcodec_read_attribute(PyObject *object, Py_ssize_t offset, PyObject *name) {
        PyObject *value = offset < 0 ? NULL : *(PyObject **)((char *)object + offset);
        if (value == NULL)
            return PyObject_GetAttr(object, name);
        Py_INCREF(value);
        return value;
    }

    /* Let an attribute of an object, at an offset in bytes, be that of another object of its class. */
    static CYTHON_INLINE int bitcodec_copy_member(PyObject *target, PyObject *source, Py_ssize_t offset) {
        PyObject **place = (PyObject **)((char *)target + offset);
        PyObject *old = *place;
        *place = *(PyObject **)((char *)source + offset);
        Py_XINCREF(*place);
        Py_XDECREF(old);
        return 0;
    }

    /* Return an object of an extension type, without a call of `__init__`. */
    static CYTHON_INLINE PyObject *bitcodec_new_object(PyObject *kind, PyObject *no_arguments) {
        return ((PyTypeObject *)kind)->tp_new((PyTypeObject *)kind, no_arguments, NULL);
    }
    """
    Py_ssize_t member_offset "bitcodec_member_offset"(object kind, object name)
    object read_attribute "bitcodec_read_attribute"(object instruction, Py_ssize_t offset, object name)
    int copy_member "bitcodec_copy_member"(object target, object source, Py_ssize_t offset)
    object new_object "bitcodec_new_object"(object kind, tuple no_arguments)
