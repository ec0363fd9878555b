# The C part of `members.py`.
#
# Where an attribute lies in an object is found by a search for a value that was just put there, so that nothing is
# assumed of how Cython lays out objects.  A member descriptor could delete an attribute, and compiled code relies on
# attributes that are there: so the types refuse deletion.  They check values that Python code assigns, too.

cimport bitcodec.host.native as native

cdef extern from *:
    """
    #include <structmember.h>

    /* Checks by member descriptor: a class whose instances are assigned as they are, or None; True if None is a value,
       too; and a function that converts other values.  Descriptors and checks last until the process ends. */
    static PyObject *bitcodec_checks = NULL;

    static int bitcodec_set_attribute(PyObject *object, PyObject *name, PyObject *value) {
        PyObject *descriptor, *check = NULL, *kind;
        int status;
        if (value == NULL) {
            PyErr_Format(PyExc_AttributeError, "cannot delete attribute '%U'", name);
            return -1;
        }
        descriptor = bitcodec_checks == NULL ? NULL : _PyType_Lookup(Py_TYPE(object), name);
        if (descriptor != NULL && Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
            check = PyDict_GetItemWithError(bitcodec_checks, descriptor);
            if (check == NULL && PyErr_Occurred())
                return -1;
        }
        if (check == NULL)
            return PyObject_GenericSetAttr(object, name, value);
        kind = PyTuple_GET_ITEM(check, 0);
        if ((PyType_Check(kind) && PyObject_TypeCheck(value, (PyTypeObject *)kind))
                || (value == Py_None && PyTuple_GET_ITEM(check, 1) == Py_True))
            return PyObject_GenericSetAttr(object, name, value);
        value = PyObject_CallOneArg(PyTuple_GET_ITEM(check, 2), value);
        if (value == NULL)
            return -1;
        status = PyObject_GenericSetAttr(object, name, value);
        Py_DECREF(value);
        return status;
    }

    /* Let a check hold for a member; return 0 if instances of its class do not look for checks. */
    static int bitcodec_check_member(PyObject *owner, PyObject *member, PyObject *check) {
        if (!PyType_Check(owner) || ((PyTypeObject *)owner)->tp_setattro != bitcodec_set_attribute
                || !Py_IS_TYPE(member, &PyMemberDescr_Type))
            return 0;
        if (bitcodec_checks == NULL)
            bitcodec_checks = PyDict_New();
        if (bitcodec_checks == NULL || PyDict_SetItem(bitcodec_checks, member, check) < 0)
            return -1;
        return 1;
    }

    static PyObject *bitcodec_dict_of(PyTypeObject *type) {
    #if PY_VERSION_HEX >= 0x030C0000
        return PyType_GetDict(type);
    #else
        Py_XINCREF(type->tp_dict);
        return type->tp_dict;
    #endif
    }

    /* Return where in an object an attribute lies, in bytes; -1 with an exception if nowhere. */
    static Py_ssize_t bitcodec_find_member(PyObject *object, PyObject *name) {
        PyObject *mark = PyList_New(0);
        Py_ssize_t offset = -1, at;
        if (mark == NULL)
            return -1;
        if (PyObject_SetAttr(object, name, mark) == 0) {
            for (at = sizeof(PyObject); at < Py_TYPE(object)->tp_basicsize; at += sizeof(PyObject *))
                if (*(PyObject **)((char *)object + at) == mark)
                    offset = at;
            if (offset < 0)
                PyErr_Format(PyExc_SystemError, "attribute '%U' is not a member", name);
            else if (PyObject_SetAttr(object, name, Py_None) < 0)
                offset = -1;
        }
        Py_DECREF(mark);
        return offset;
    }

    static int bitcodec_expose_member(PyTypeObject *type, PyObject *dict, PyObject *object, PyObject *name) {
        Py_ssize_t offset = bitcodec_find_member(object, name);
        PyMemberDef *member;
        PyObject *descriptor;
        int status;
        if (offset < 0)
            return -1;
        member = PyMem_Calloc(1, sizeof(PyMemberDef)); /* lasts as long as the type: until the process ends */
        if (member == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        Py_INCREF(name); /* the member keeps its characters */
        member->name = PyUnicode_AsUTF8(name);
        member->type = T_OBJECT_EX;
        member->offset = offset;
        descriptor = member->name == NULL ? NULL : PyDescr_NewMember(type, member);
        if (descriptor == NULL)
            return -1;
        status = PyDict_SetItem(dict, name, descriptor);
        Py_DECREF(descriptor);
        return status;
    }

    /* Have a type, and the classes that will be derived from it, refuse deletion of attributes. */
    static int bitcodec_guard(PyTypeObject *type, PyObject *dict) {
        static const char *const names[] = {"__setattr__", "__delattr__"};
        int index, status = 0;
        type->tp_setattro = bitcodec_set_attribute;
        /* The descriptors are those of `object`, but for the function. */
        for (index = 0; status == 0 && index < 2; index++) {
            PyObject *known = PyObject_GetAttrString((PyObject *)&PyBaseObject_Type, names[index]);
            PyObject *guard = known == NULL ? NULL : PyDescr_NewWrapper(
                type, ((PyWrapperDescrObject *)known)->d_base, (void *)bitcodec_set_attribute);
            status = guard == NULL ? -1 : PyDict_SetItemString(dict, names[index], guard);
            Py_XDECREF(known);
            Py_XDECREF(guard);
        }
        return status;
    }

    static int bitcodec_expose_slots(PyObject *kind, PyObject *names) {
        PyTypeObject *type = (PyTypeObject *)kind;
        PyObject *object = NULL, *dict = NULL, *nothing = PyTuple_New(0);
        Py_ssize_t index;
        int status = -1;
        if (nothing != NULL && PyType_Check(kind) && PyTuple_Check(names) && !(type->tp_flags & Py_TPFLAGS_HEAPTYPE)
                && type->tp_new != NULL)
            object = type->tp_new(type, nothing, NULL);
        else if (nothing != NULL)
            PyErr_SetString(PyExc_SystemError, "expected an extension type and a tuple of names");
        if (object != NULL)
            dict = bitcodec_dict_of(type);
        if (dict != NULL) {
            status = bitcodec_guard(type, dict);
            for (index = 0; status == 0 && index < PyTuple_GET_SIZE(names); index++)
                status = bitcodec_expose_member(type, dict, object, PyTuple_GET_ITEM(names, index));
            PyType_Modified(type);
        }
        Py_XDECREF(dict);
        Py_XDECREF(object);
        Py_XDECREF(nothing);
        return status;
    }
    """
    int expose_slots "bitcodec_expose_slots"(object kind, object names) except -1
    int register_check "bitcodec_check_member"(object owner, object member, object check) except -1
