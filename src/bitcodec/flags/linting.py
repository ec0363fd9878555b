"""Doubts about known flags that satisfy the rules of all flags.

Rules: docs/reference/flags.md, 9; LLVM Language Reference, "Objective-C Garbage Collection Module Flags
Metadata" and "C type width Module Flags Metadata".
"""

from __future__ import annotations

from enum import auto
from typing import TYPE_CHECKING

from bitcodec.flags.explaining import meaning_of
from bitcodec.flags.spelling import spelled
from bitcodec.ir.metadata import MDString, MDTuple, constant_integer
from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum
from bitcodec.tables.known_flags import KNOWN_FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.module_flags import ModuleFlag, ModuleFlags
    from bitcodec.tables.known_flags import KnownFlag

__all__ = ["DoubtKind", "FlagDoubt", "lint"]

_VERSION, _SECTION = "Objective-C Version", "Objective-C Image Info Section"
_COLLECTION, _ONLY = "Objective-C Garbage Collection", "Objective-C GC Only"
_REQUIRED = (_VERSION, "Objective-C Image Info Version", _SECTION, _COLLECTION)
_USUAL = {_VERSION: "i32 2", "Objective-C Image Info Version": "i32 0", _COLLECTION: "i8 0"}
"""Values that clang writes for current Objective-C."""
_SECTIONS = {1: "__OBJC,__image_info,regular", 2: "__DATA,__objc_imageinfo,regular,no_dead_strip"}
_LONGEST = 60
"""Characters of a value in a sentence."""


class DoubtKind(PlainEnum):
    """The convention that a flag breaks."""

    FORM = auto()
    """The type or values that producers of the flag use."""
    BEHAVIOR = auto()
    """The behavior that producers of the flag use."""
    IMAGE_INFO = auto()
    """The rules for the flags of Objective-C's image info."""


class FlagDoubt(NamedTuple):
    """A property of a known flag that no producer would write.

    Attributes:
        key: of the flag.
        text: its description.
        kind: the convention that it breaks.
        wanted: the value that it should have, as `parse_value` reads it; "" if that is not known.
    """

    key: str
    text: str
    kind: DoubtKind = DoubtKind.FORM
    wanted: str = ""

    def __str__(self) -> str:
        return f"{self.key}: {self.text}"


def lint(flags: ModuleFlags) -> list[FlagDoubt]:
    """Return the doubts about known flags: types, values, and the rules of Objective-C for several flags."""
    return [*_single(flags), *_objective_c(flags)]


def _single(flags: ModuleFlags) -> Iterator[FlagDoubt]:
    for key, flag in flags.items():
        row = KNOWN_FLAGS.get(key)
        if row is not None:
            text = _wrong_type(row, flag) or _unknown_value(row, flag)
            if text:
                yield FlagDoubt(key, text)
            elif flag.behavior not in (row.behavior, *row.other_behaviors):
                yield FlagDoubt(key, _unusual_behavior(row, flag), DoubtKind.BEHAVIOR)


def _wrong_type(row: KnownFlag, flag: ModuleFlag) -> str:
    number = constant_integer(flag.value)
    is_right = True
    if row.bit_width is not None:
        is_right = number is not None
    elif row.type == "string":
        is_right = isinstance(flag.value, MDString)
    elif row.type == "tuple":
        is_right = isinstance(flag.value, MDTuple)
    elif isinstance(flag.value, MDString | MDTuple) or number is not None:
        is_right = False
    return "" if is_right else f"expected {row.type}, found {spelled(flag.value, most_characters=_LONGEST)}"


def _unknown_value(row: KnownFlag, flag: ModuleFlag) -> str:
    is_open = not row.values or (row.bit_width is not None and row.unit)
    if is_open or meaning_of(row.key, flag.value) is not None:
        return ""
    listed = ", ".join(map(str, row.values))
    return f"{spelled(flag.value, most_characters=_LONGEST)} is not one of the values {listed}"


def _unusual_behavior(row: KnownFlag, flag: ModuleFlag) -> str:
    return f"it behaves as {flag.behavior.spelling}, where producers write {row.behavior.spelling}"


def _objective_c(flags: ModuleFlags) -> Iterator[FlagDoubt]:
    if not any(key in flags for key in (*_REQUIRED, _ONLY)):
        return
    about = DoubtKind.IMAGE_INFO
    section, version = flags.string(_SECTION), flags.integer(_VERSION)
    expected = _SECTIONS.get(version or 0)
    usual = {**_USUAL, _SECTION: f'!"{expected or _SECTIONS[2]}"'}
    missing = (key for key in _REQUIRED if key not in flags)
    yield from (FlagDoubt(key, "it is required, and missing", about, usual[key]) for key in missing)
    if section is not None and expected is not None and section.replace(" ", "") != expected:
        yield FlagDoubt(
            _SECTION, f"it is not that of the Objective-C ABI {version}, {expected}", about, usual[_SECTION]
        )
    if _ONLY in flags and _COLLECTION in flags and flags.integer(_COLLECTION) != 2:
        yield FlagDoubt(_ONLY, f"it needs {_COLLECTION} to be 2", about)
