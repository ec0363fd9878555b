# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
# ruff: noqa: ANN001, ANN201, SLF001
"""Values that are written in the place of others: they are in no block and in no list of uses."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.ir.unlisted import slot_names, unlisted_copy
from bitcodec.tables.instruction_flags import NO_CAST_FLAGS, NO_FAST_MATH, NO_GEP_FLAGS

if cython.compiled:
    from cython.cimports.bitcodec.downgrade.pointers.pointees import Integers
    from cython.cimports.bitcodec.ir.instructions.arithmetic import Cast
    from cython.cimports.bitcodec.ir.instructions.memory import GetElementPtr
    from cython.cimports.bitcodec.ir.member_access import copy_member, member_offset, new_object
    from cython.cimports.bitcodec.ir.values import Value
else:
    from bitcodec.downgrade.pointers.pointees import Integers
    from bitcodec.ir.instructions.arithmetic import Cast
    from bitcodec.ir.instructions.memory import GetElementPtr
    from bitcodec.ir.values import Value

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
def new_address(value, indices: tuple, source, type_):
    """Return the address of a part of what a pointer points to, which is in no block and in no list of uses."""
    address: GetElementPtr = GetElementPtr.__new__(GetElementPtr)
    address._begin(type_, ())
    address._operands, address.source_element_type, address.flags = (value, *indices), source, NO_GEP_FLAGS
    return address


@cython.cfunc
def _offsets_of(kind) -> Integers:
    """Return where the attributes of a class lie that is copied for the first time."""
    offsets: Integers = Integers()
    for name in slot_names(kind):
        if member_offset(kind, name) < 0:
            raise AssertionError(f"{kind.__name__} has attributes that are not members")
        offsets.add(member_offset(kind, name))
    _OFFSETS[kind] = offsets
    return offsets


@cython.cfunc
def copy_of(value: Value):
    """Return a copy of a value that is in no block and in no list of uses."""
    copy: Value
    if not cython.compiled:
        return unlisted_copy(value)
    place: cython.Py_ssize_t
    found = _OFFSETS.get(type(value))
    offsets: Integers = _offsets_of(type(value)) if found is None else found
    copy = new_object(type(value), ())
    for place in range(offsets.size):
        copy_member(copy, value, offsets.numbers[place])
    copy._uses, copy._as_metadata = [], None
    return copy
