# What compiled files read instead of `native.py`.

cdef enum:
    COMPILED = 1


cdef inline dict as_dict(object found):
    return <dict>found


cdef inline list as_list(object found):
    return <list>found
