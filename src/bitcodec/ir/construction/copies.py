# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: ANN001, ANN201, ANN202, F821
"""Copies of values, casts and addresses that are in no block and in no list of uses, for hot loops.

Like the functions of `construction`, these check nothing.
"""

from __future__ import annotations

from bitcodec.host import native
from bitcodec.ir.instructions.arithmetic import Cast
from bitcodec.ir.instructions.instruction import slot_names
from bitcodec.ir.instructions.memory import GetElementPtr
from bitcodec.tables.instruction_flags import NO_CAST_FLAGS, NO_FAST_MATH, NO_GEP_FLAGS

_PLACES: dict = {}
"""By class, where its attributes lie, in units of four bytes; nothing if not all are members.  Of the compiled form."""


def copy_of(value):
    """Return a copy of a value, which is in no block and in no list of uses."""
    kind = type(value)
    places = _places_of(kind) if native.COMPILED else b""
    if places:
        copy = new_object(kind, ())
        for place in places:
            copy_member(copy, value, 4 * place)
    else:
        copy = kind.__new__(kind)
        for name in slot_names(kind):
            setattr(copy, name, getattr(value, name))
    copy._uses, copy._as_metadata = [], None
    return copy


def copy_with(user, operands, type_):
    """Return a copy of a user with other operands, and a type."""
    copy = copy_of(user)
    copy._operands, copy.type = operands, type_
    return copy


def _places_of(kind):
    """Return the places of the attributes of a class."""
    places = _PLACES.get(kind)
    if places is None:
        offsets = [member_offset(kind, name) for name in slot_names(kind)]
        places = _PLACES[kind] = bytes([offset // 4 for offset in offsets] if min(offsets) > 0 else [])
    return places


def unlisted_cast(opcode, value, type_):
    """Return a cast that is in no block and in no list of uses."""
    cast = Cast.__new__(Cast)
    cast._begin(type_, ())
    cast._operands = (value,)
    cast.opcode, cast.flags, cast.fast_math = opcode, NO_CAST_FLAGS, NO_FAST_MATH
    return cast


def unlisted_address(operands, source, type_):
    """Return a `getelementptr` that is in no block and in no list of uses."""
    address = GetElementPtr.__new__(GetElementPtr)
    address._begin(type_, ())
    address._operands, address.source_element_type, address.flags = operands, source, NO_GEP_FLAGS
    return address
