# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202, F821, SLF001
"""Values that are written in the place of others: they are in no block and in no list of uses."""

from __future__ import annotations

from bitcodec.downgrade.pointers.integers import Integers
from bitcodec.host import native
from bitcodec.ir.construction.unlisted import slot_names, unlisted_copy
from bitcodec.ir.instructions.arithmetic import Cast
from bitcodec.ir.instructions.memory import GetElementPtr
from bitcodec.tables.instruction_flags import NO_CAST_FLAGS, NO_FAST_MATH, NO_GEP_FLAGS

_OFFSETS: dict = {}
"""By class, where its attributes lie; of the compiled form."""


def new_cast(value, type_):
    """Return a cast that is in no block and in no list of uses."""
    cast = Cast.__new__(Cast)
    cast._begin(type_, ())
    cast._operands = (value,)
    cast.opcode, cast.flags, cast.fast_math = "bitcast", NO_CAST_FLAGS, NO_FAST_MATH
    return cast


def new_address(value, indices, source, type_):
    """Return the address of a part of a pointee, which is in no block and in no list of uses."""
    address = GetElementPtr.__new__(GetElementPtr)
    address._begin(type_, ())
    address._operands, address.source_element_type, address.flags = (value, *indices), source, NO_GEP_FLAGS
    return address


def _offsets_of(kind):
    """Return where the attributes of a class lie that is copied for the first time."""
    offsets = Integers()
    for name in slot_names(kind):
        if member_offset(kind, name) < 0:
            raise AssertionError(f"{kind.__name__} has attributes that are not members")
        offsets.add(member_offset(kind, name))
    _OFFSETS[kind] = offsets
    return offsets


def copy_of(value):
    """Return a copy of a value that is in no block and in no list of uses."""
    if not native.COMPILED:
        return unlisted_copy(value)
    found = _OFFSETS.get(type(value))
    offsets = _offsets_of(type(value)) if found is None else found
    copy = new_object(type(value), ())
    for place in range(offsets.size):
        copy_member(copy, value, offsets.numbers[place])
    copy._uses, copy._as_metadata = [], None
    return copy
