"""Values that are in no block and in no list of uses: they serve to write another form of a module.

Like the functions of `construction`, these check nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.ir.construction.copies import copy_of, copy_with
from bitcodec.ir.instructions.instruction import Instruction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.instructions import CallBase, OperandBundle
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import User, Value

    _Value = TypeVar("_Value", bound=Value)
    _User = TypeVar("_User", bound=User)
    _Made = TypeVar("_Made", bound=Instruction)

__all__ = ["changed", "moved_to", "rebuilt_call", "unlist", "unlisted", "unlisted_copy", "with_bundles"]

_SLOT_OF = {
    **{name: f"_{name}" for name in ("argument_count", "incoming_blocks", "location", "name", "operands")},
    "debug_records": "_records",
    "metadata": "_attachments",
}
"""Attributes that callers of a value in a module change by its verbs, and where a value keeps them."""


def rebuilt_call(call: CallBase, function_type: FunctionType, arguments: Sequence[Value]) -> CallBase:
    """Return a copy of a call that passes other arguments.

    The copy is in no block and in no list of uses: it serves to write the call in another form.
    """
    copy = copy_with(call, (*arguments, *call._operands[call._argument_count :]), function_type.return_type)
    copy.function_type = function_type
    copy._argument_count = len(arguments)
    return copy


def with_bundles(call: CallBase, bundles: Sequence[OperandBundle]) -> CallBase:
    """Return a copy of a call with other operand bundles, which is in no block and in no list of uses."""
    count = call._argument_count
    rest = call._operands[count + sum([number for _, number in call._bundles]) :]
    inputs = [value for bundle in bundles for value in bundle.inputs]
    copy = copy_with(call, (*call._operands[:count], *inputs, *rest), call.type)
    copy._bundles = tuple([(bundle.tag, len(bundle.inputs)) for bundle in bundles])
    return copy


def unlisted_copy(value: _Value, **changes: object) -> _Value:
    """Return a copy of a value that is in no block and in no list of uses: it serves to write it in another form.

    Args:
        value: the value.
        changes: attributes that are other ones in the copy.
    """
    return changed(copy_of(value), **changes)


def changed(made: _Value, **changes: object) -> _Value:
    """Give an unlisted value other attributes; return it."""
    for name, part in changes.items():
        setattr(made, _SLOT_OF.get(name, name), part)
    return made


def unlist(made: Instruction) -> None:
    """Take an instruction that was just made out of the lists of uses of its operands."""
    operands = made._operands
    made._drop_operands()
    made._operands = operands


def moved_to(source: Instruction, made: _Made) -> _Made:
    """Copy name, location, attachments and debug records to an unlisted instruction; return it."""
    made._name, made._location, made._attachments = source._name, source._location, source._attachments
    made._records, made.parent = source._records, source.parent
    return made


def unlisted(kind: type[_User], type_: Type, operands: tuple[Value, ...], **attributes: Any) -> _User:
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
