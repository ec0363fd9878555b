"""How records hold attributes.  Rules: docs/reference/records.md, 5."""

from __future__ import annotations

from enum import IntEnum

from bitcodec.tables.attributes import KINDS_BY_NUMBER

__all__ = [
    "ATTRIBUTE_NAMES",
    "FUNCTION_INDEX",
    "MEMORY_VERSION_SHIFT",
    "OLD_BITS",
    "OLD_STACK_ALIGNMENT",
    "OLD_UNWIND_TABLE",
    "RETURN_INDEX",
    "AttributeTag",
]

RETURN_INDEX = 0
FUNCTION_INDEX = 0xFFFF_FFFF
"""Indices between the two are parameters, counted from 1; only the low 32 bits count."""


class AttributeTag(IntEnum):
    """First operand of an attribute in a group."""

    ENUM = 0
    INTEGER = 1
    STRING = 3
    STRING_WITH_VALUE = 4
    TYPE_UNKNOWN = 5
    TYPE = 6
    RANGE = 7
    RANGES = 8


ATTRIBUTE_NAMES = {
    **{number: kind.name for number, kind in KINDS_BY_NUMBER.items()},
    11: "nocapture",
    45: "argmemonly",
    49: "inaccessiblememonly",
    50: "inaccessiblemem_or_argmemonly",
    106: "denormal_fpenv",
    107: "nooutline",
}
"""Names by number, including removed ones, and those that are string attributes in the model."""

MEMORY_VERSION_SHIFT = 56
"""Bits of the value of `memory` below its version."""

OLD_BITS = {
    0: "zeroext",
    1: "signext",
    2: "noreturn",
    3: "inreg",
    4: "sret",
    5: "nounwind",
    6: "noalias",
    7: "byval",
    8: "nest",
    9: "readnone",
    10: "readonly",
    11: "noinline",
    12: "alwaysinline",
    13: "optsize",
    14: "ssp",
    15: "sspreq",
    21: "nocapture",
    22: "noredzone",
    23: "noimplicitfloat",
    24: "naked",
    25: "inlinehint",
    29: "returns_twice",
    31: "nonlazybind",
    32: "sanitize_address",
    33: "minsize",
    34: "noduplicate",
    35: "sspstrong",
    36: "sanitize_thread",
    37: "sanitize_memory",
    38: "nobuiltin",
    39: "returned",
    40: "cold",
}
"""Names by bit, in the bitmaps of LLVM up to 3.2 after the alignment is removed from them."""

OLD_STACK_ALIGNMENT = 26
"""First of three bits: the logarithm of the stack alignment, plus one."""
OLD_UNWIND_TABLE = 30
"""Bit that LLVM reads as `uwtable(sync)`, whereas the flag of groups becomes the default."""
