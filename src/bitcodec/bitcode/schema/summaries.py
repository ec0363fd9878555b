"""Layouts of the records that summarize globals, in all versions of summaries.

The first operands of a record are fields, some of them only in later versions; value ids and calls follow.
Rules: LLVM 22's module summary index, versions 1 to 12.
"""

from __future__ import annotations

from enum import Enum, auto

from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode
from bitcodec.named_tuple import NamedTuple

__all__ = [
    "ALIAS_LAYOUTS",
    "FREQUENCY_BITS",
    "FUNCTION_LAYOUTS",
    "HOTNESS_BITS",
    "IMPORT_KIND_BIT",
    "LINKAGE_BITS",
    "NEWEST_SUMMARY_VERSION",
    "SUMMARY_VERSION",
    "VARIABLE_LAYOUTS",
    "VCALL_VISIBILITY_BIT",
    "VERSION_OF_CALL_INFO",
    "VERSION_OF_CFI_GUIDS",
    "VERSION_OF_COUNTED_CONTEXTS",
    "VERSION_OF_LATER_CONTEXTS",
    "VERSION_OF_LIVENESS",
    "VERSION_OF_SPLIT_GUIDS",
    "VERSION_OF_SPLIT_STACK_IDS",
    "VISIBILITY_BIT",
    "CallInfo",
    "SummaryField",
    "SummaryLayout",
]

NEWEST_SUMMARY_VERSION = 14
"""The newest version of summaries that is read; LLVM 23 and 24 write it."""

SUMMARY_VERSION = 12
"""The version of summaries that LLVM 22 writes, and the newest that it reads."""

VERSION_OF_CALL_INFO = 2
"""Before it calls have counts, which have no meaning today."""

VERSION_OF_LIVENESS = 3
"""Before it globals lack the flags for being live and for import."""

VERSION_OF_COUNTED_CONTEXTS = 10
"""Before it the contexts of an allocation are not counted: they fill the record."""

VERSION_OF_SPLIT_GUIDS = 11
"""From it on the GUIDs of values are two operands, the upper half first."""

VERSION_OF_SPLIT_STACK_IDS = 12
"""From it on stack ids are two operands each, the upper half first."""

VERSION_OF_LATER_CONTEXTS = 13
"""From it on the memory profile of a function follows its summary."""

VERSION_OF_CFI_GUIDS = 14
"""From it on the GUIDs of functions with jump tables precede their names."""

# Bits of the flags of all globals, and of variables; single flags have theirs in their table.
LINKAGE_BITS = 4
VISIBILITY_BIT = 8
IMPORT_KIND_BIT = 10
VCALL_VISIBILITY_BIT = 3

# Call information in the lowest bits; the tail-call flag in the bit above them.
HOTNESS_BITS = 3
FREQUENCY_BITS = 28


class CallInfo(Enum):
    """Operands that follow the callee of a call."""

    NOTHING = auto()
    HOTNESS = auto()
    """Hotness, and whether it is a tail call."""
    FREQUENCY = auto()
    """Relative block frequency, and whether it is a tail call."""


class SummaryField(NamedTuple):
    """A field, and the version from which on it is there."""

    name: str
    since: int = 1


class SummaryLayout(NamedTuple):
    """The fields of a record, and the operands of calls."""

    fields: tuple[SummaryField, ...]
    call_info: CallInfo = CallInfo.NOTHING

    def names(self, version: int) -> tuple[str, ...]:
        """Return the names of the fields that are there in a version."""
        return tuple(name for name, since in self.fields if since <= version)


_VALUE = SummaryField("value")
_MODULE = SummaryField("module")
_FLAGS = SummaryField("flags")
_INSTRUCTION_COUNT = SummaryField("instruction_count")
_FUNCTION_FLAGS = SummaryField("function_flags", since=4)
_ENTRY_COUNT = SummaryField("entry_count", since=6)
_REFERENCE_COUNT = SummaryField("reference_count")
_READ_ONLY_COUNT = SummaryField("read_only_count", since=5)
_WRITE_ONLY_COUNT = SummaryField("write_only_count", since=7)
_VARIABLE_FLAGS = SummaryField("variable_flags", since=5)
_VTABLE_FLAGS = SummaryField("variable_flags")
_ALIASEE = SummaryField("aliasee")

_COUNTS = (_REFERENCE_COUNT, _READ_ONLY_COUNT, _WRITE_ONLY_COUNT)
_FUNCTION = (_VALUE, _FLAGS, _INSTRUCTION_COUNT, _FUNCTION_FLAGS, *_COUNTS)
_COMBINED_FUNCTION = (_VALUE, _MODULE, _FLAGS, _INSTRUCTION_COUNT, _FUNCTION_FLAGS, _ENTRY_COUNT, *_COUNTS)

FUNCTION_LAYOUTS: dict[int, SummaryLayout] = {
    GlobalValueSummaryCode.PERMODULE: SummaryLayout(_FUNCTION),
    GlobalValueSummaryCode.PERMODULE_PROFILE: SummaryLayout(_FUNCTION, CallInfo.HOTNESS),
    GlobalValueSummaryCode.PERMODULE_RELBF: SummaryLayout(_FUNCTION, CallInfo.FREQUENCY),
    GlobalValueSummaryCode.COMBINED: SummaryLayout(_COMBINED_FUNCTION),
    GlobalValueSummaryCode.COMBINED_PROFILE: SummaryLayout(_COMBINED_FUNCTION, CallInfo.HOTNESS),
}
"""By record code.  As many references follow as are counted, the read-only and write-only ones last; then calls."""

VARIABLE_LAYOUTS: dict[int, SummaryLayout] = {
    GlobalValueSummaryCode.PERMODULE_GLOBALVAR_INIT_REFS: SummaryLayout((_VALUE, _FLAGS, _VARIABLE_FLAGS)),
    GlobalValueSummaryCode.PERMODULE_VTABLE_GLOBALVAR_INIT_REFS: SummaryLayout(
        (_VALUE, _FLAGS, _VTABLE_FLAGS, _REFERENCE_COUNT)
    ),
    GlobalValueSummaryCode.COMBINED_GLOBALVAR_INIT_REFS: SummaryLayout((_VALUE, _MODULE, _FLAGS, _VARIABLE_FLAGS)),
}
"""By record code.  References follow; if they are counted, then pairs of virtual function and offset."""

ALIAS_LAYOUTS: dict[int, SummaryLayout] = {
    GlobalValueSummaryCode.ALIAS: SummaryLayout((_VALUE, _FLAGS, _ALIASEE)),
    GlobalValueSummaryCode.COMBINED_ALIAS: SummaryLayout((_VALUE, _MODULE, _FLAGS, _ALIASEE)),
}
"""By record code.  Nothing follows."""
