"""Copies of values, and instructions, that are in no block and in no list of uses: they serve to write another form.

Like the functions of `construction`, these check nothing.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from bitcodec.ir.instructions.arithmetic import Cast
from bitcodec.tables.instruction_flags import NO_CAST_FLAGS, NO_FAST_MATH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.instructions import CallBase, Instruction, OperandBundle
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

__all__ = [
    "moved_to",
    "rebuilt_call",
    "slot_names",
    "unlist",
    "unlisted",
    "unlisted_cast",
    "unlisted_copy",
    "with_bundles",
]


def rebuilt_call(call: CallBase, function_type: FunctionType, arguments: Sequence[Value]) -> CallBase:
    """Return a copy of a call that passes other arguments.

    The copy is in no block and in no list of uses: it serves to write the call in another form.
    """
    copy = unlisted_copy(call, type=function_type.return_type, function_type=function_type)
    copy._operands = (*arguments, *call._operands[call._argument_count :])
    copy._argument_count = len(arguments)
    return copy


def with_bundles(call: CallBase, bundles: Sequence[OperandBundle]) -> CallBase:
    """Return a copy of a call with other operand bundles, which is in no block and in no list of uses."""
    count = call._argument_count
    rest = call._operands[count + sum(number for _, number in call._bundles) :]
    copy = unlisted_copy(call)
    copy._operands = (*call._operands[:count], *[value for bundle in bundles for value in bundle.inputs], *rest)
    copy._bundles = tuple((bundle.tag, len(bundle.inputs)) for bundle in bundles)
    return copy


_Written = TypeVar("_Written", bound="Value")
_Made = TypeVar("_Made", bound="Instruction")


def unlisted_copy(value: _Written, **changes: object) -> _Written:
    """Return a copy of a value that is in no block and in no list of uses: it serves to write it in another form.

    Args:
        value: the value.
        changes: attributes that are other ones in the copy.
    """
    kind = value.__class__
    copy = kind.__new__(kind)
    names = slot_names(kind)
    for name, part in zip(names, attrgetter(*names)(value), strict=True):
        setattr(copy, name, part)
    copy._uses, copy._as_metadata = [], None
    for name, part in changes.items():
        setattr(copy, name, part)
    return copy


def unlist(made: Instruction) -> None:
    """Take an instruction that was just made out of the lists of uses of its operands."""
    operands = made._operands
    made._drop_operands()
    made._operands = operands


def slot_names(kind: type[Value]) -> tuple[str, ...]:
    """Return the names of all slots of a class."""
    names = _SLOTS.get(kind)
    if names is None:
        slots = [vars(base).get("__slots__", ()) for base in kind.__mro__]
        names = _SLOTS[kind] = tuple([name for each in slots for name in each])
    return names


_SLOTS: dict[type[Value], tuple[str, ...]] = {}


def moved_to(source: Instruction, made: _Written) -> _Written:
    """Copy name, location, attachments and debug records to an unlisted instruction; return it."""
    for name in ("_name", "_location", "_attachments", "_records", "parent"):
        setattr(made, name, getattr(source, name))
    return made


def unlisted(kind: type[_Made], type: Type, operands: tuple[Value, ...], **attributes: object) -> _Made:
    """Return an instruction that is in no block and in no list of uses.

    Args:
        kind: its class.
        type: of its value.
        operands: its operands.
        attributes: all others that its class has.
    """
    made = kind.__new__(kind)
    made._begin(type, ())
    made._operands = operands
    for name, part in attributes.items():
        setattr(made, name, part)
    return made


def unlisted_cast(opcode: str, value: Value, type: Type) -> Cast:
    """Return a cast that is in no block and in no list of uses."""
    return unlisted(Cast, type, (value,), opcode=opcode, flags=NO_CAST_FLAGS, fast_math=NO_FAST_MATH)
