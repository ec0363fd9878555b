"""Properties that LLVM spells with words: rows of tables by their spellings, flags by keywords."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from bitcodec.tables.calling_conventions import CALLING_CONVENTIONS, MAX_CALLING_CONVENTION, C
from bitcodec.tables.coded import CodedEnum
from bitcodec.tables.instruction_flags import NO_FAST_MATH, FastMathFlags

if TYPE_CHECKING:
    from enum import IntFlag

__all__ = ["calling_convention", "fast_math_flags", "flags_of", "row_of"]

_Row = TypeVar("_Row", bound=CodedEnum)
_Flags = TypeVar("_Flags", bound="IntFlag")


def row_of(kind: type[_Row], given: _Row | str) -> _Row:
    """Return the row of a table, given as itself or by its spelling.

    Raises:
        ValueError: no row has that spelling.
    """
    if isinstance(given, kind):
        return given
    rows = _rows(kind)
    if given not in rows:
        known = ", ".join(row.spelling for row in kind if row.spelling)
        raise ValueError(f"unknown {kind.__name__} {given!r}: expected {known}")
    return cast("_Row", rows[given])


@cache
def _rows(kind: type[CodedEnum]) -> dict[object, CodedEnum]:
    return {row.spelling: row for row in kind}


def flags_of(kind: type[_Flags], given: _Flags | str = "", /, **chosen: bool) -> _Flags:
    """Return flags: the given ones, as themselves or in words, and the ones whose keyword is true.

    Raises:
        ValueError: a given word is unknown.
    """
    flags = kind(0) if isinstance(given, str) else given
    words = given.split() if isinstance(given, str) else []
    for word in (*words, *(word for word, is_set in chosen.items() if is_set)):
        if word.upper() not in kind.__members__:
            raise ValueError(f"unknown flag {word!r}: expected {', '.join(map(str.lower, kind.__members__))}")
        flags |= kind[word.upper()]
    return flags


_FAST_MATH_WORDS = {name.lower(): flag for name, flag in FastMathFlags.__members__.items() if flag & FastMathFlags.FAST}


def fast_math_flags(given: FastMathFlags | str) -> FastMathFlags:
    """Return fast-math flags, given as themselves or in words: `"nnan ninf"`, `"fast"`.

    Raises:
        ValueError: no row has that spelling.
    """
    if isinstance(given, FastMathFlags):
        return given
    flags = NO_FAST_MATH
    for word in given.split():
        if word not in _FAST_MATH_WORDS:
            raise ValueError(f"unknown fast-math flag {word!r}: expected {', '.join(_FAST_MATH_WORDS)}")
        flags |= _FAST_MATH_WORDS[word]
    return flags


_CONVENTIONS = {"ccc": C, **{spelling.strip(): number for number, spelling in CALLING_CONVENTIONS.items()}}


def calling_convention(given: int | str) -> int:
    """Return the number of a calling convention, given as itself or by its spelling.

    Raises:
        ValueError: no row has that number or spelling.
    """
    number = _CONVENTIONS.get(given, -1) if isinstance(given, str) else given
    if not 0 <= number <= MAX_CALLING_CONVENTION:
        raise ValueError(f"unknown calling convention {given!r}")
    return number
