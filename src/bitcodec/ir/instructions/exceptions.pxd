from bitcodec.ir.instructions.instruction cimport Instruction, Terminator


cdef class LandingPad(Instruction):
    cdef public object _filters
    cdef public object is_cleanup


cdef class Resume(Terminator):
    pass


cdef class _FuncletPad(Instruction):
    pass


cdef class CatchPad(_FuncletPad):
    pass


cdef class CleanupPad(_FuncletPad):
    pass


cdef class CatchReturn(Terminator):
    pass


cdef class CleanupReturn(Terminator):
    pass


cdef class CatchSwitch(Terminator):
    cdef public object _has_unwind_destination
