"""Checks of arguments: constructors of types and constants refuse objects of wrong kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from bitcodec.ir.assignments import refuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["require", "require_all", "require_count", "require_number", "require_one_of"]

T = TypeVar("T")


def require(name: str, value: object, kind: type) -> None:
    """Check the class of an argument.

    Raises:
        TypeError: it has another class.
    """
    if not isinstance(value, kind):
        raise refuse(name, kind.__name__, value)


def require_all(name: str, values: Iterable[object], kind: type[T]) -> tuple[T, ...]:
    """Return the elements of an argument, whose classes are checked.

    Raises:
        TypeError: it has no elements, or one has another class.
    """
    try:
        elements = tuple(values)
    except TypeError:
        raise refuse(name, f"a sequence of {kind.__name__}", values) from None
    if not all(issubclass(found, kind) for found in set(map(type, elements))):
        wrong = next(element for element in elements if not isinstance(element, kind))
        raise refuse(f"each element of {name}", kind.__name__, wrong)
    return cast("tuple[T, ...]", elements)


def require_number(name: str, value: object) -> None:
    """Check an integer.

    Raises:
        TypeError: it is something else, or a boolean.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise refuse(name, "int", value)


def require_count(name: str, value: int) -> None:
    """Check a number that cannot be negative.

    Raises:
        TypeError: it is not an integer.
        ValueError: it is negative.
    """
    require_number(name, value)
    if value < 0:
        raise refuse(name, "at least 0", value, is_known_kind=True)


def require_one_of(name: str, value: object, spellings: Sequence[str]) -> None:
    """Check a spelling.

    Raises:
        TypeError: it is not a string.
        ValueError: it is another text.
    """
    if value not in spellings:
        wanted = f"one of {', '.join(map(repr, spellings))}"
        raise refuse(name, wanted, value, is_known_kind=isinstance(value, str))
