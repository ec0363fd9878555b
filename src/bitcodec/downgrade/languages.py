"""Source languages by name and version (LLVM 22) as the one number that older versions have for both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.metadata import content_of
from bitcodec.tables.dwarf import Language, LanguageName

if TYPE_CHECKING:
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.debug_info import DICompileUnit
    from bitcodec.ir.metadata import MDNode

__all__ = ["LANGUAGE_FIELDS", "lower_language"]

LANGUAGE_FIELDS = ("source_language_name", "source_language_version")
_SINCE = 22

_VERSIONS: dict[int, tuple[tuple[int, int], ...]] = {
    LanguageName.Ada: (
        (1983, Language.Ada83),
        (1995, Language.Ada95),
        (2005, Language.Ada2005),
        (2012, Language.Ada2012),
    ),
    LanguageName.C: (
        (0, Language.C),
        (198912, Language.C89),
        (199901, Language.C99),
        (201112, Language.C11),
        (201710, Language.C17),
    ),
    LanguageName.C_plus_plus: (
        (199711, Language.C_plus_plus),
        (200310, Language.C_plus_plus_03),
        (201103, Language.C_plus_plus_11),
        (201402, Language.C_plus_plus_14),
        (201703, Language.C_plus_plus_17),
        (202002, Language.C_plus_plus_20),
    ),
    LanguageName.Cobol: ((1974, Language.Cobol74), (1985, Language.Cobol85)),
    LanguageName.Fortran: (
        (1977, Language.Fortran77),
        (1990, Language.Fortran90),
        (1995, Language.Fortran95),
        (2003, Language.Fortran03),
        (2008, Language.Fortran08),
        (2018, Language.Fortran18),
    ),
}
"""By language, its numbered versions: the last version that the number is for, and the number."""
_OTHER_NAMES = {LanguageName.OpenCL_C: Language.OpenCL, LanguageName.Pascal: Language.Pascal83}


def _number_of(name: int, version: int) -> tuple[int, bool]:
    """Return the number of a language, and whether it is for that version; 0 if the language lacks a number."""
    versions = _VERSIONS.get(name)
    if versions is None:
        return _OTHER_NAMES.get(name) or _NUMBERS.get(name, 0), True
    return next(((number, True) for last, number in versions if version <= last), (versions[-1][1], False))


_NUMBERS = {
    number: vars(Language)[attribute]
    for attribute, number in vars(LanguageName).items()
    if isinstance(number, int) and attribute in vars(Language)
}
"""Languages whose only number has the name of the language."""


def lower_language(unit: DICompileUnit, place: str, losses: Losses, contents: dict[MDNode, tuple[Any, ...]]) -> bool:
    """Give a compile unit a language by number if the version has no names; return whether it has one now.

    Args:
        unit: the compile unit.
        place: where it is.
        losses: receives the lowered or lost languages.
        contents: receives the content that is written for the unit.
    """
    if losses.version >= _SINCE or not unit.source_language_name:
        return False
    number, is_same = _number_of(unit.source_language_name, unit.source_language_version or 0)
    if not number:
        return False
    name, instead = "field `sourceLanguageName` of !DICompileUnit", f"`language: {Language.spelling_of(number)}`"
    losses.add(Construct(name, _SINCE, Way.LOWER if is_same else Way.DROP, instead), place, unit)
    attributes = [field.attribute for field in unit.layout.fields]
    content = list(contents.get(unit, content_of(unit)))
    content[attributes.index("language")] = number
    for attribute in LANGUAGE_FIELDS:
        content[attributes.index(attribute)] = unit.defaults[attribute]
    contents[unit] = tuple(content)
    return True
