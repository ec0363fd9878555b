"""Attributes of globals that `tables.globals` has rows for: names, defaults, and checks of assignments.

The stub next to this file gives type checkers the attributes; a test keeps it equal to the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.assignments import a_boolean, a_member_of, a_text, an_alignment, check_members
from bitcodec.tables.global_rows import GlobalFieldKind
from bitcodec.tables.globals import fields_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.assignments import ValueCheck
    from bitcodec.tables.global_rows import GlobalField

__all__ = ["FunctionFields", "ObjectFields", "ValueFields", "VariableFields", "check_fields", "field_names"]


class ValueFields:
    """Attributes of all globals."""

    __slots__ = ()


class ObjectFields:
    """Attributes of variables, functions and ifuncs."""

    __slots__ = ()


class VariableFields:
    """Attributes of variables."""

    __slots__ = ()


class FunctionFields:
    """Attributes of functions."""

    __slots__ = ()


_NO_SLOTS = {GlobalFieldKind.OTHER, GlobalFieldKind.CONSTANT}
_CHECKS: dict[GlobalFieldKind, Callable[[], ValueCheck]] = {
    GlobalFieldKind.BOOLEAN: a_boolean,
    GlobalFieldKind.ALIGNMENT: lambda: an_alignment(or_none=True),
    GlobalFieldKind.TEXT: a_text,
    GlobalFieldKind.SECTION: a_text,
    GlobalFieldKind.COLLECTOR: a_text,
}


def field_names(owner: str) -> tuple[str, ...]:
    """Return the names of attributes that a class needs slots for."""
    return tuple(field.attribute for field in fields_of(owner) if field.kind not in _NO_SLOTS)


def check_fields(owner: type, **checks: ValueCheck) -> list[tuple[Callable[[object, object], None], object]]:
    """Check assignments to the attributes of a class.

    Args:
        owner: the class.
        checks: checks of further attributes, and of fields whose kind lacks one.

    Returns:
        For each field, a function that sets it without a check, and its value in a new global.
    """
    fields = [field for field in fields_of(owner.__name__) if field.kind not in _NO_SLOTS]
    setters = [(vars(owner)[field.attribute].__set__, field.initial) for field in fields]
    known = {field.attribute: _check(field) for field in fields if field.attribute not in checks}
    check_members(owner, **known, **checks)
    return setters


def _check(field: GlobalField) -> ValueCheck:
    if field.members is not None:
        return a_member_of(field.members, or_none=field.default is None)
    return _CHECKS[field.kind]()
