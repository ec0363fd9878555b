"""Enumerations of the summaries for link-time optimization: numbers as in bitcode, names as in text.

Rules: LLVM 22's module summary index; the numbers of flags are bit positions.
"""

from __future__ import annotations

from enum import IntFlag

from bitcodec.tables.coded import CodedEnum
from bitcodec.tables.linkage import Linkage

__all__ = [
    "CONST_VCALL_LISTS",
    "REGULAR_LTO",
    "SUMMARY_LINKAGES",
    "TYPE_TEST_FIELDS",
    "VCALL_LISTS",
    "AllocationType",
    "ByArgumentKind",
    "DevirtualizationKind",
    "FunctionFlag",
    "Hotness",
    "ImportKind",
    "IndexFlags",
    "SummaryFlag",
    "TypeTestKind",
    "VCallVisibility",
    "VariableFlag",
]

SUMMARY_LINKAGES = (
    Linkage.EXTERNAL,
    Linkage.AVAILABLE_EXTERNALLY,
    Linkage.LINKONCE,
    Linkage.LINKONCE_ODR,
    Linkage.WEAK,
    Linkage.WEAK_ODR,
    Linkage.APPENDING,
    Linkage.INTERNAL,
    Linkage.PRIVATE,
    Linkage.EXTERN_WEAK,
    Linkage.COMMON,
)
"""Linkages by their numbers in summaries, which differ from their numbers in modules."""


REGULAR_LTO = "[Regular LTO]"
"""Path of the module that regular link-time optimization makes."""

VCALL_LISTS = (
    ("type_test_assume_vcalls", "typeTestAssumeVCalls"),
    ("type_checked_load_vcalls", "typeCheckedLoadVCalls"),
)
CONST_VCALL_LISTS = (
    ("type_test_assume_const_vcalls", "typeTestAssumeConstVCalls"),
    ("type_checked_load_const_vcalls", "typeCheckedLoadConstVCalls"),
)
"""Fields of a function's virtual calls, and their names in text."""

TYPE_TEST_FIELDS = (
    ("align_log2", "alignLog2"),
    ("size_m1", "sizeM1"),
    ("bit_mask", "bitMask"),
    ("inline_bits", "inlineBits"),
)
"""Fields of a type test that may be missing, and their names in text."""


class SummaryFlag(CodedEnum):
    """Property of a global in its module."""

    NOT_ELIGIBLE_TO_IMPORT = 4, "notEligibleToImport"
    LIVE = 5, "live"
    DSO_LOCAL = 6, "dsoLocal"
    CAN_AUTO_HIDE = 7, "canAutoHide"


class ImportKind(CodedEnum):
    """Part of a global that another module imports."""

    DEFINITION = 0, "definition"
    DECLARATION = 1, "declaration"


class FunctionFlag(CodedEnum):
    """Property of a function."""

    READ_NONE = 0, "readNone"
    READ_ONLY = 1, "readOnly"
    NO_RECURSE = 2, "noRecurse"
    RETURN_DOES_NOT_ALIAS = 3, "returnDoesNotAlias"
    NO_INLINE = 4, "noInline"
    ALWAYS_INLINE = 5, "alwaysInline"
    NO_UNWIND = 6, "noUnwind"
    MAY_THROW = 7, "mayThrow"
    HAS_UNKNOWN_CALL = 8, "hasUnknownCall"
    MUST_BE_UNREACHABLE = 9, "mustBeUnreachable"


class VariableFlag(CodedEnum):
    """Property of a variable."""

    READ_ONLY = 0, "readonly"
    WRITE_ONLY = 1, "writeonly"
    CONSTANT = 2, "constant"


class VCallVisibility(CodedEnum):
    """Visibility of virtual calls through a table."""

    PUBLIC = 0, "public"
    LINKAGE_UNIT = 1, "linkage-unit"
    TRANSLATION_UNIT = 2, "translation-unit"


class IndexFlags(IntFlag):
    """Properties of a whole index."""

    DEAD_STRIPPED = 0x1
    SKIP_MODULE_BY_DISTRIBUTED_BACKEND = 0x2
    ENABLE_SPLIT_LTO_UNIT = 0x8
    PARTIALLY_SPLIT_LTO_UNITS = 0x10
    WITH_ATTRIBUTE_PROPAGATION = 0x20
    WITH_DSO_LOCAL_PROPAGATION = 0x40
    WITH_WHOLE_PROGRAM_VISIBILITY = 0x80
    WITH_SUPPORTS_HOT_COLD_NEW = 0x100
    UNIFIED_LTO = 0x200
    WITH_INTERNALIZE_AND_PROMOTE = 0x400


class Hotness(CodedEnum):
    """How often a call is made."""

    UNKNOWN = 0, "unknown"
    COLD = 1, "cold"
    NONE = 2, "none"
    HOT = 3, "hot"
    CRITICAL = 4, "critical"


class AllocationType(CodedEnum):
    """How long and how often memory is used that is allocated at a place."""

    NONE = 0, "none"
    NOT_COLD = 1, "notcold"
    COLD = 2, "cold"
    HOT = 4, "hot"


class TypeTestKind(CodedEnum):
    """Test whether an address has a type."""

    UNSATISFIED = 0, "unsat"
    BYTE_ARRAY = 1, "byteArray"
    INLINE = 2, "inline"
    SINGLE = 3, "single"
    ALL_ONES = 4, "allOnes"
    UNKNOWN = 5, "unknown"


class DevirtualizationKind(CodedEnum):
    """Kind of devirtualization."""

    INDIRECT = 0, "indir"
    SINGLE_IMPLEMENTATION = 1, "singleImpl"
    BRANCH_FUNNEL = 2, "branchFunnel"


class ByArgumentKind(CodedEnum):
    """Kind of devirtualization of calls with known arguments."""

    INDIRECT = 0, "indir"
    UNIFORM_RETURN_VALUE = 1, "uniformRetVal"
    UNIQUE_RETURN_VALUE = 2, "uniqueRetVal"
    VIRTUAL_CONSTANT_PROPAGATION = 3, "virtualConstProp"
