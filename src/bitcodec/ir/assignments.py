"""Checks of assignments to attributes of the model: values are converted, or refused at the assignment.

Code that constructs parts of a module sets attributes of extension types as fields, which checks nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

from bitcodec.host.code_copies import rename_attributes
from bitcodec.ir.members import check_member
from bitcodec.tables.calling_conventions import CALLING_CONVENTIONS, MAX_CALLING_CONVENTION, C

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from enum import IntFlag
    from types import MemberDescriptorType
    from typing import Self

    from bitcodec.tables.coded import CodedEnum

__all__ = [
    "Checked",
    "FlagAccess",
    "ValueCheck",
    "a_boolean",
    "a_calling_convention",
    "a_member_of",
    "a_text",
    "an_alignment",
    "an_instance_of",
    "check_members",
    "convert_boolean",
    "flags_of",
    "numbers",
    "one_of",
    "refuse",
]

R_co = TypeVar("R_co", covariant=True)
W_contra = TypeVar("W_contra", contravariant=True)


class Checked(Protocol, Generic[R_co, W_contra]):
    """Type of an attribute that accepts more than it returns, such as the spelling of an enumerator."""

    def __get__(self, owner: object, kind: type | None = None) -> R_co:
        """Return the attribute."""

    def __set__(self, owner: object, value: W_contra) -> None:
        """Convert a value and assign it."""


class ValueCheck:
    """A check of the values of an attribute.

    Attributes:
        kind: values of this class are assigned unchanged; None if all are converted.
        is_optional: whether None is a value.
        convert: returns the value to assign; raises TypeError or ValueError.
    """

    __slots__ = ("convert", "is_optional", "kind")

    def __init__(
        self, convert: Callable[[str, object], object], kind: type | None = None, *, is_optional: bool = False
    ) -> None:
        self.convert = convert
        self.kind = kind
        self.is_optional = is_optional

    def accept(self, name: str, value: object) -> object:
        """Return the value to assign to the attribute of a name.

        Raises:
            TypeError, ValueError: the value is invalid.
        """
        if self.kind is not None and isinstance(value, self.kind):
            return value
        return value if value is None and self.is_optional else self.convert(name, value)


def check_members(owner: type, /, **checks: ValueCheck) -> None:
    """Check assignments to attributes of a class, which are among its slots; its constructor is not checked."""
    unchecked = {}
    for name, check in checks.items():
        member = vars(owner)[name]
        if not check_member(owner, member, check.kind, check.is_optional, _with_name(check.convert, name)):
            setattr(owner, name, _checked_property(owner, member, check))
            setattr(owner, f"_{name}_slot", member)
            unchecked[name] = f"_{name}_slot"
    rename_attributes(owner, "__init__", unchecked)


def _with_name(convert: Callable[[str, object], object], name: str) -> Callable[[object], object]:
    return lambda value: convert(name, value)


def _checked_property(owner: type, member: MemberDescriptorType, check: ValueCheck) -> property:
    """Return a property that reads a slot and checks assignments to it."""
    name, kind, convert, put = member.__name__, check.kind, check.convert, member.__set__
    accepted: Any = (kind or (), type(None) if check.is_optional else ())

    def assign(self: object, value: object) -> None:
        put(self, value if isinstance(value, accepted) else convert(name, value))

    return property(member.__get__, assign, doc=f"See `{owner.__name__}`.")


def a_member_of(kind: type[CodedEnum], *, or_none: bool = False) -> ValueCheck:
    """Return a check for members of an enumeration, which converts LLVM's spelling and names of members."""
    spellings = {member.name.lower(): member for member in kind}
    spellings |= {member.spelling: member for member in kind}

    def convert(name: str, value: object) -> object:
        if isinstance(value, str) and value in spellings:
            return spellings[value]
        wanted = f"a member of {kind.__name__}, or one of {_list(member.spelling for member in kind)}"
        raise refuse(name, wanted, value, is_known_kind=isinstance(value, str))

    return ValueCheck(convert, kind, is_optional=or_none)


def flags_of(kind: type[IntFlag]) -> ValueCheck:
    """Return a check for flags, which converts their names, separated by blanks, and numbers."""
    known = {name.lower(): flag for name, flag in kind.__members__.items()}
    mask = 0
    for flag in known.values():
        mask |= flag

    def convert(name: str, value: object) -> object:
        if isinstance(value, str) and all(word in known for word in value.split()):
            flags = kind(0)
            for word in value.split():
                flags |= known[word]
            return flags
        if isinstance(value, int) and not isinstance(value, bool) and not value & ~mask:
            return kind(value)
        wanted = f"{kind.__name__}, or words among {_list(known)}"
        raise refuse(name, wanted, value, is_known_kind=isinstance(value, str | int))

    return ValueCheck(convert, kind)


def one_of(spellings: Iterable[str]) -> ValueCheck:
    """Return a check for some spellings."""
    allowed = frozenset(spellings)

    def convert(name: str, value: object) -> object:
        if isinstance(value, str) and value in allowed:
            return value
        raise refuse(name, f"one of {_list(sorted(allowed))}", value, is_known_kind=isinstance(value, str))

    return ValueCheck(convert)


def an_instance_of(kind: type, *, or_none: bool = False) -> ValueCheck:
    """Return a check for instances of a class."""

    def convert(name: str, value: object) -> object:
        raise refuse(name, f"{kind.__name__}{' or None' if or_none else ''}", value)

    return ValueCheck(convert, kind, is_optional=or_none)


def numbers() -> ValueCheck:
    """Return a check for a tuple of integers, which converts other sequences."""

    def convert(name: str, value: object) -> object:
        if isinstance(value, tuple | list) and all(isinstance(each, int) for each in value):
            return tuple(value)
        raise refuse(name, "a tuple of integers", value)

    return ValueCheck(convert)


def convert_boolean(name: str, value: object) -> object:
    """Return a boolean for itself, 0 or 1.

    Raises:
        TypeError: the value is something else.
    """
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    raise refuse(name, "True or False", value)


def _convert_alignment(name: str, value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        if value > 0 and not value & (value - 1):
            return value
        raise refuse(name, "a power of two", value, is_known_kind=True)
    raise refuse(name, "a power of two", value)


def _convert_calling_convention(name: str, value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_CALLING_CONVENTION:
        return value
    if isinstance(value, str):
        number = _CONVENTION_NUMBERS.get(value.strip())
        if number is None and value.startswith("cc") and value[2:].strip().isdecimal():
            number = int(value[2:])
        if number is not None and number <= MAX_CALLING_CONVENTION:
            return number
    wanted = f"a number from 0 to {MAX_CALLING_CONVENTION}, or one of {_list(_CONVENTION_NUMBERS)}"
    raise refuse(name, wanted, value, is_known_kind=isinstance(value, int | str))


def refuse(name: str, wanted: str, value: object, *, is_known_kind: bool = False) -> Exception:
    """Return the error for a value that is refused."""
    return (ValueError if is_known_kind else TypeError)(f"{name} must be {wanted}; got {_shorten(repr(value))}")


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}..."


def _list(spellings: Iterable[str]) -> str:
    return ", ".join(repr(spelling) for spelling in spellings)


_MAX_QUOTED = 100
_CONVENTION_NUMBERS = {"ccc": C, **{text.strip(): number for number, text in CALLING_CONVENTIONS.items()}}


def an_alignment(*, or_none: bool = False) -> ValueCheck:
    """Return a check for alignments in bytes."""
    return ValueCheck(_convert_alignment, is_optional=or_none)


def a_text() -> ValueCheck:
    """Return a check for strings."""
    return an_instance_of(str)


def a_boolean() -> ValueCheck:
    """Return a check for booleans, which converts 0 and 1."""
    return ValueCheck(convert_boolean, bool)


def a_calling_convention() -> ValueCheck:
    """Return a check for calling conventions, which converts their spellings."""
    return ValueCheck(_convert_calling_convention)


class FlagAccess:  # noqa: D101 - a docstring here would leave no room for that of each flag
    # A bit of the attribute `flags`, as a boolean: `load.is_volatile`.

    __slots__ = ("__doc__", "_member", "_name")

    def __init__(self, name: str, member: IntFlag, doc: str) -> None:
        # Extension types do not call `__set_name__`.
        self._name = name
        self._member = member
        self.__doc__ = doc

    @overload
    def __get__(self, value: None, owner: type) -> Self: ...
    @overload
    def __get__(self, value: object, owner: type) -> bool: ...
    def __get__(self, value: Any, owner: type) -> Self | bool:
        """Return whether a value has the flag."""
        return self if value is None else bool(value.flags & self._member)

    def __set__(self, value: Any, is_set: bool) -> None:  # noqa: FBT001 - it is the value of an attribute
        """Set or remove the flag.

        Raises:
            TypeError: neither a boolean nor 0 or 1 is assigned.
        """
        member = self._member
        if convert_boolean(self._name, is_set):
            value.flags |= member
        else:
            value.flags &= ~member
