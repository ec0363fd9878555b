"""The sections that `-fexperimental-sanitize-metadata` requests, and the contents of their entries.

Rules: docs/reference/pc-sections.md, 3.3.  In version 1 no bit marks whether the size of stack arguments is present.
"""

from __future__ import annotations

from enum import IntFlag

from bitcodec.pcsections.schemas.kinds import Field, Kind, SectionSchema

__all__ = ["FEATURES", "SANITIZERS", "STACK_ARGUMENTS", "SanitizerFeatures"]

FEATURES = "features"
"""The name of the field that has `SanitizerFeatures`."""

STACK_ARGUMENTS = "stack arguments"
"""The name of the field that has the bytes of a function's arguments on the stack."""


class SanitizerFeatures(IntFlag):
    """Properties of a function.

    Attributes:
        ATOMICS: it has memory operations that others may observe, and atomic ones are listed.
        UAR: use-after-return checking applies.
        STACK_ARGUMENTS: the size of its stack arguments follows.
    """

    ATOMICS = 1
    UAR = 2
    STACK_ARGUMENTS = 4

    @property
    def names(self) -> list[str]:
        """The names of the bits that are set, as users know them; bits without a name as numbers."""
        known = [str(bit.name).lower().replace("_", "-") for bit in SanitizerFeatures if bit in self]
        rest = int(self) & ~int(SanitizerFeatures.ATOMICS | SanitizerFeatures.UAR | SanitizerFeatures.STACK_ARGUMENTS)
        return [*known, hex(rest)] if rest else known


_RAW = Field("i32", 4, name=FEATURES)
_FEATURES = Field("i64", 0, name=FEATURES)
_STACK_ARGUMENTS = Field("i32", 0, name=STACK_ARGUMENTS, condition=SanitizerFeatures.STACK_ARGUMENTS)

_COVERED_1 = (
    Kind(is_function=True, fields=(_RAW,)),
    Kind(is_function=True, fields=(_RAW, Field("i32", 4, name=STACK_ARGUMENTS))),
)
_COVERED_2 = (Kind(is_function=True, fields=(_FEATURES, _STACK_ARGUMENTS), is_compressed=True),)
_ATOMICS = (Kind(is_function=False),)

SANITIZERS: dict[str, SectionSchema] = {
    "sanmd_covered": SectionSchema(_COVERED_1),
    "sanmd_atomics": SectionSchema(_ATOMICS),
    "sanmd_covered2": SectionSchema(_COVERED_2, pc_size=4),
    "sanmd_atomics2": SectionSchema(_ATOMICS, pc_size=4),
    "sanmd_covered65538": SectionSchema(_COVERED_2, pc_size=8),
    "sanmd_atomics65538": SectionSchema(_ATOMICS, pc_size=8),
}
"""By the name of the section."""
