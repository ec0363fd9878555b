# C signatures of `constant_frames.py`.

cimport cython

from bitcodec.asm.parser.module_state cimport ModuleState


cpdef object closed(ModuleState state, object frame)
cpdef object check_type(ModuleState state, object frame, object constant)
cpdef object typed(ModuleState state, object constant, object type, Py_ssize_t start)
cpdef int check_same(ModuleState state, object found, object expected, Py_ssize_t start) except -1
cpdef object opened(ModuleState state, object frames, object frame, Py_ssize_t close)
