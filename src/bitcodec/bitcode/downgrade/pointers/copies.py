# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
"""Instructions that are written in the place of others: they are in no block and in no list of uses."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.ir.unlisted import slot_names, unlisted_copy
from bitcodec.tables.opcodes import NO_CAST_FLAGS, NO_FAST_MATH

if cython.compiled:
    from cython.cimports.bitcodec.ir.instructions.arithmetic import Cast
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.member_access import copy_member, member_offset
else:
    from bitcodec.ir.instructions.arithmetic import Cast
    from bitcodec.ir.instructions.instruction import Instruction

COMPILED = cython.compiled

_OFFSETS: dict = {}
"""By class, where its attributes lie; of the compiled form."""


@cython.cfunc
def new_cast(value, type_):
    """Return a cast that is in no block and in no list of uses."""
    cast: Cast = Cast.__new__(Cast)
    cast._begin(type_, ())
    cast._operands = (value,)
    cast.opcode, cast.flags, cast.fast_math = "bitcast", NO_CAST_FLAGS, NO_FAST_MATH
    return cast


@cython.cfunc
def copy_of(instruction: Instruction):
    """Return a copy of an instruction that is in no block and in no list of uses."""
    copy: Instruction
    if not cython.compiled:
        return unlisted_copy(instruction)
    kind = type(instruction)
    offsets = _OFFSETS.get(kind)
    if offsets is None:
        offsets = _OFFSETS[kind] = [member_offset(kind, name) for name in slot_names(kind)]
        if min(offsets) < 0:
            raise AssertionError(f"{kind.__name__} has attributes that are not members")
    copy = kind.__new__(kind)
    for offset in offsets:
        copy_member(copy, instruction, offset)
    copy._uses, copy._as_metadata = [], None
    return copy
