# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: ANN001, ANN003, ANN201, ANN202, F821
"""Copies of values, and instructions, that are in no block and in no list of uses: they serve to write another form.

Like the functions of `construction`, these check nothing.
"""

from __future__ import annotations

from bitcodec.host import native
from bitcodec.ir.instructions.arithmetic import Cast
from bitcodec.ir.instructions.instruction import Instruction, slot_names
from bitcodec.ir.instructions.memory import GetElementPtr
from bitcodec.tables.instruction_flags import NO_CAST_FLAGS, NO_FAST_MATH, NO_GEP_FLAGS

_SLOT_OF = {
    **{name: f"_{name}" for name in ("argument_count", "incoming_blocks", "location", "name", "operands")},
    "debug_records": "_records",
    "metadata": "_attachments",
}
"""Attributes that callers of a value in a module change by its verbs, and where a value keeps them."""
_PLACES: dict = {}
"""By class, where its attributes lie, in units of four bytes; nothing if not all are members.  Of the compiled form."""


def rebuilt_call(call, function_type, arguments):
    """Return a copy of a call that passes other arguments.

    The copy is in no block and in no list of uses: it serves to write the call in another form.
    """
    copy = copy_with(call, (*arguments, *call._operands[call._argument_count :]), function_type.return_type)
    copy.function_type = function_type
    copy._argument_count = len(arguments)
    return copy


def with_bundles(call, bundles):
    """Return a copy of a call with other operand bundles, which is in no block and in no list of uses."""
    count = call._argument_count
    rest = call._operands[count + sum([number for _, number in call._bundles]) :]
    inputs = [value for bundle in bundles for value in bundle.inputs]
    copy = copy_with(call, (*call._operands[:count], *inputs, *rest), call.type)
    copy._bundles = tuple([(bundle.tag, len(bundle.inputs)) for bundle in bundles])
    return copy


def unlisted_copy(value, **changes):
    """Return a copy of a value that is in no block and in no list of uses: it serves to write it in another form.

    Args:
        value: the value.
        changes: attributes that are other ones in the copy.
    """
    return changed(copy_of(value), **changes)


def changed(made, **changes):
    """Give an unlisted value other attributes; return it."""
    for name, part in changes.items():
        setattr(made, _SLOT_OF.get(name, name), part)
    return made


def copy_of(value):
    """Do as `unlisted_copy` without changes."""
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
    """Return where the attributes of a class lie."""
    places = _PLACES.get(kind)
    if places is None:
        offsets = [member_offset(kind, name) for name in slot_names(kind)]
        places = _PLACES[kind] = bytes([offset // 4 for offset in offsets] if min(offsets) > 0 else [])
    return places


def unlist(made):
    """Take an instruction that was just made out of the lists of uses of its operands."""
    operands = made._operands
    made._drop_operands()
    made._operands = operands


def moved_to(source, made):
    """Copy name, location, attachments and debug records to an unlisted instruction; return it."""
    made._name, made._location, made._attachments = source._name, source._location, source._attachments
    made._records, made.parent = source._records, source.parent
    return made


def unlisted(kind, type_, operands, **attributes):
    """Return a value that is in no block and in no list of uses.

    Args:
        kind: its class.
        type_: its type.
        operands: its operands.
        attributes: all others that its class has.
    """
    made = kind.__new__(kind)
    if isinstance(made, Instruction):
        made._begin(type_, ())
    else:
        made._name, made._uses, made._as_metadata, made.type = "", [], None, type_
    made._operands = operands
    return changed(made, **attributes)


def unlisted_cast(opcode, value, type_):
    """Return a cast that is in no block and in no list of uses."""
    cast = Cast.__new__(Cast)
    cast._begin(type_, ())
    cast._operands = (value,)
    cast.opcode, cast.flags, cast.fast_math = opcode, NO_CAST_FLAGS, NO_FAST_MATH
    return cast


def unlisted_address(operands, source, type_):
    """Return the address of a part of what a pointer points to, which is in no block and in no list of uses."""
    address = GetElementPtr.__new__(GetElementPtr)
    address._begin(type_, ())
    address._operands, address.source_element_type, address.flags = operands, source, NO_GEP_FLAGS
    return address
