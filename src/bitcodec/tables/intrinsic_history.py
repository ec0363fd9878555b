"""The versions of LLVM that have the intrinsics of LLVM 22, from `intrinsic_history.txt`, which explains its rows."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from bitcodec.plain_enum import PlainEnum
from bitcodec.tables.versions import MODEL, NEWEST, OLDEST

__all__ = ["Presence", "first_known", "first_version", "letters_of", "presence"]


class Presence(PlainEnum):
    """Verdict of a version of LLVM on a call of an intrinsic in LLVM 22's form."""

    SAME = "k"
    """It has the intrinsic in this form."""
    OTHER_FORM = "f"
    """It has the intrinsic with other types or attributes, and refuses this form."""
    IMMEDIATE = "i"
    """It has the intrinsic in this form for calls whose arguments of integer types are constants."""
    UNKNOWN = "u"
    """It takes the intrinsic for a function that it does not know."""
    OTHER = "o"
    """It takes the intrinsic for another one, or refuses it as such."""


def presence(base: str, version: int, kinds: str = "", sized: str = "") -> Presence:
    """Return the presence of an intrinsic in a version.

    Args:
        base: a name of `intrinsics.txt`, without `llvm.` and types.
        version: of LLVM, 4 to 24.
        kinds: of the types that its name contains.
        sized: the same, with the sizes of numbers.
    """
    if version == MODEL:
        return Presence.SAME
    letters = letters_of(base)[version - OLDEST]
    if letters[0] == _BY_TYPES:
        is_listed = not {kinds, sized or kinds}.isdisjoint(letters[2:].split("|"))
        return Presence.SAME if is_listed else Presence.OTHER_FORM
    return _BY_LETTER[letters]


def letters_of(base: str) -> list[str]:
    """Return the letter of each version from 4 on, and the kinds of types that decide about `m`."""
    starts, rows = _table()
    place = bisect_right(starts, tuple(base.split("."))) - 1
    return _parsed(rows[place]) if place >= 0 else [Presence.SAME.value] * (NEWEST + 1 - OLDEST)


def first_version(base: str, version: int, kinds: str = "", sized: str = "") -> int:
    """Return the first version after one from which on all have an intrinsic in the form of LLVM 22."""
    newest_without = max(
        (each for each in range(version, MODEL) if presence(base, each, kinds, sized) is not Presence.SAME),
        default=version,
    )
    return newest_without + 1


def first_known(base: str) -> int:
    """Return the first version from which on all take a name for this intrinsic, in whatever form; 0 if all do."""
    unknown = (Presence.UNKNOWN.value, Presence.OTHER.value)
    letters = letters_of(base)[: MODEL - OLDEST]
    return max((OLDEST + place + 1 for place, letter in enumerate(letters) if letter in unknown), default=0)


_BY_TYPES = "m"
_BY_LETTER = {each.value: each for each in Presence}


@cache
def _parsed(row: str) -> list[str]:
    """Return the letter of each version, and the kinds of types that decide about `m`."""
    found: list[str] = []
    for part in row.split(","):
        letter, equals, kinds = part.partition("=")
        since = int(letter[1:] or OLDEST) - OLDEST
        found += found[-1:] * (since - len(found))
        found.append(f"{letter[0]}{equals}{kinds}")
    return found + found[-1:] * (NEWEST + 1 - OLDEST - len(found))


@cache
def _table() -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the words of the first name of each row, and the rows."""
    starts: list[tuple[str, ...]] = []
    rows: list[str] = []
    words: list[str] = []
    with open(f"{__file__.rpartition('.')[0]}.txt", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import
        for line in file:
            if line[0] in "#\n":
                continue
            name, _, row = line.rstrip("\n").partition(" ")
            words = [*words[: int(name[0])], *name[1:].split(".")]
            starts.append(tuple(words))
            rows.append(row)
    return starts, rows
