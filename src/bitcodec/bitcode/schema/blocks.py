"""Blocks and records of LLVM IR: one row each: its number, the name that `llvm-bcanalyzer` prints, and since when.

A third number is the first version of LLVM that knows a record.  Rules: LLVM's bitcode codes up to version 24; LLVM
Bitcode File Format, "LLVM IR Blocks".
"""

from __future__ import annotations

from bitcodec.bitcode.schema.codes import NamedCode

__all__ = [
    "METADATA_CODES_WITHOUT_ID",
    "METADATA_CODES_WITH_ID",
    "RECORD_CODES",
    "SUMMARY_BLOCKS",
    "BlockId",
    "ConstantsCode",
    "FunctionCode",
    "GlobalValueSummaryCode",
    "IdentificationCode",
    "MetadataAttachmentCode",
    "MetadataCode",
    "MetadataKindCode",
    "ModuleCode",
    "ModuleStrtabCode",
    "NamedCode",
    "OperandBundleTagsCode",
    "ParamattrCode",
    "ParamattrGroupCode",
    "StrtabCode",
    "SymtabCode",
    "SyncScopeNamesCode",
    "TypeCode",
    "UselistCode",
    "ValueSymtabCode",
]

UNNAMED = ""
"""Is in a row whose number `llvm-bcanalyzer` has no name for; None is where it has the name of the row."""


class BlockId(NamedCode):
    """Blocks."""

    MODULE_BLOCK = 8
    PARAMATTR_BLOCK = 9
    PARAMATTR_GROUP_BLOCK = 10, "PARAMATTR_GROUP_BLOCK_ID"
    CONSTANTS_BLOCK = 11
    FUNCTION_BLOCK = 12
    IDENTIFICATION_BLOCK = 13, "IDENTIFICATION_BLOCK_ID"
    VALUE_SYMTAB_BLOCK = 14, "VALUE_SYMTAB"
    METADATA_BLOCK = 15
    METADATA_ATTACHMENT_BLOCK = 16
    TYPE_BLOCK = 17, "TYPE_BLOCK_ID"
    USELIST_BLOCK = 18, "USELIST_BLOCK_ID"
    MODULE_STRTAB_BLOCK = 19
    GLOBALVAL_SUMMARY_BLOCK = 20
    OPERAND_BUNDLE_TAGS_BLOCK = 21
    METADATA_KIND_BLOCK = 22
    STRTAB_BLOCK = 23
    FULL_LTO_GLOBALVAL_SUMMARY_BLOCK = 24
    SYMTAB_BLOCK = 25
    SYNC_SCOPE_NAMES_BLOCK = 26, UNNAMED


SUMMARY_BLOCKS = (BlockId.GLOBALVAL_SUMMARY_BLOCK, BlockId.FULL_LTO_GLOBALVAL_SUMMARY_BLOCK)
"""Blocks that contain summaries: a module is for thin or for regular link-time optimization."""


class IdentificationCode(NamedCode):
    """Records of IDENTIFICATION_BLOCK."""

    STRING = 1
    EPOCH = 2


class ModuleCode(NamedCode):
    """Records of MODULE_BLOCK."""

    VERSION = 1
    TRIPLE = 2
    DATALAYOUT = 3
    ASM = 4
    SECTIONNAME = 5
    DEPLIB = 6
    GLOBALVAR = 7
    FUNCTION = 8
    ALIAS_OLD = 9, UNNAMED
    GCNAME = 11
    COMDAT = 12
    VSTOFFSET = 13
    ALIAS = 14
    METADATA_VALUES_UNUSED = 15
    SOURCE_FILENAME = 16
    HASH = 17
    IFUNC = 18, UNNAMED
    ASM_PROPERTY = 19, UNNAMED, 23
    GUIDLIST = 20, UNNAMED, 23


class ParamattrCode(NamedCode):
    """Records of PARAMATTR_BLOCK."""

    ENTRY_OLD = 1, "ENTRY"
    ENTRY = 2


class ParamattrGroupCode(NamedCode):
    """Records of PARAMATTR_GROUP_BLOCK."""

    ENTRY = 3


class TypeCode(NamedCode):
    """Records of TYPE_BLOCK."""

    NUMENTRY = 1
    VOID = 2
    FLOAT = 3
    DOUBLE = 4
    LABEL = 5
    OPAQUE = 6
    INTEGER = 7
    POINTER = 8
    FUNCTION_OLD = 9, UNNAMED
    HALF = 10
    ARRAY = 11
    VECTOR = 12
    X86_FP80 = 13
    FP128 = 14
    PPC_FP128 = 15
    METADATA = 16
    X86_MMX = 17
    STRUCT_ANON = 18
    STRUCT_NAME = 19
    STRUCT_NAMED = 20
    FUNCTION = 21
    TOKEN = 22
    BFLOAT = 23, None, 11
    X86_AMX = 24, UNNAMED, 12
    OPAQUE_POINTER = 25, UNNAMED, 13
    TARGET_TYPE = 26, UNNAMED, 16
    BYTE = 27, UNNAMED, 23


class ConstantsCode(NamedCode):
    """Records of CONSTANTS_BLOCK."""

    SETTYPE = 1
    NULL = 2
    UNDEF = 3
    INTEGER = 4
    WIDE_INTEGER = 5
    FLOAT = 6
    AGGREGATE = 7
    STRING = 8
    CSTRING = 9
    CE_BINOP = 10
    CE_CAST = 11
    CE_GEP_OLD = 12, UNNAMED
    CE_SELECT = 13
    CE_EXTRACTELT = 14
    CE_INSERTELT = 15
    CE_SHUFFLEVEC = 16
    CE_CMP = 17
    INLINEASM_OLD = 18, UNNAMED
    CE_SHUFVEC_EX = 19
    CE_INBOUNDS_GEP = 20
    BLOCKADDRESS = 21, "CST_CODE_BLOCKADDRESS"
    DATA = 22
    INLINEASM_OLD2 = 23, UNNAMED
    CE_GEP_WITH_INRANGE_INDEX_OLD = 24, UNNAMED, 5
    CE_UNOP = 25, None, 8
    POISON = 26, UNNAMED, 12
    DSO_LOCAL_EQUIVALENT = 27, None, 13
    INLINEASM_OLD3 = 28, UNNAMED, 13
    NO_CFI_VALUE = 29, None, 14
    INLINEASM = 30, None, 14
    CE_GEP_WITH_INRANGE = 31, UNNAMED, 19
    CE_GEP = 32, None, 19
    PTRAUTH = 33, None, 19
    PTRAUTH2 = 34, UNNAMED, 22
    BYTE = 35, UNNAMED, 23
    WIDE_BYTE = 36, UNNAMED, 23


class FunctionCode(NamedCode):
    """Records of FUNCTION_BLOCK."""

    DECLAREBLOCKS = 1
    INST_BINOP = 2
    INST_CAST = 3
    INST_GEP_OLD = 4
    INST_SELECT = 5
    INST_EXTRACTELT = 6
    INST_INSERTELT = 7
    INST_SHUFFLEVEC = 8
    INST_CMP = 9
    INST_RET = 10
    INST_BR = 11
    INST_SWITCH = 12
    INST_INVOKE = 13
    INST_UNREACHABLE = 15
    INST_PHI = 16
    INST_ALLOCA = 19
    INST_LOAD = 20
    INST_VAARG = 23
    INST_STORE_OLD = 24, UNNAMED
    INST_EXTRACTVAL = 26
    INST_INSERTVAL = 27
    INST_CMP2 = 28
    INST_VSELECT = 29
    INST_INBOUNDS_GEP_OLD = 30
    INST_INDIRECTBR = 31, UNNAMED
    DEBUG_LOC_AGAIN = 33
    INST_CALL = 34
    DEBUG_LOC = 35
    INST_FENCE = 36
    INST_CMPXCHG_OLD = 37, UNNAMED
    INST_ATOMICRMW_OLD = 38, UNNAMED
    INST_RESUME = 39, UNNAMED
    INST_LANDINGPAD_OLD = 40, UNNAMED
    INST_LOADATOMIC = 41
    INST_STOREATOMIC_OLD = 42, UNNAMED
    INST_GEP = 43
    INST_STORE = 44
    INST_STOREATOMIC = 45
    INST_CMPXCHG = 46
    INST_LANDINGPAD = 47, UNNAMED
    INST_CLEANUPRET = 48
    INST_CATCHRET = 49
    INST_CATCHPAD = 50
    INST_CLEANUPPAD = 51, UNNAMED
    INST_CATCHSWITCH = 52, UNNAMED
    OPERAND_BUNDLE = 55
    INST_UNOP = 56, None, 8
    INST_CALLBR = 57, None, 9
    INST_FREEZE = 58, UNNAMED, 10
    INST_ATOMICRMW = 59, None, 13
    BLOCKADDR_USERS = 60, None, 15
    DEBUG_RECORD_VALUE = 61, None, 19
    DEBUG_RECORD_DECLARE = 62, None, 19
    DEBUG_RECORD_ASSIGN = 63, None, 19
    DEBUG_RECORD_VALUE_SIMPLE = 64, None, 19
    DEBUG_RECORD_LABEL = 65, None, 19
    DEBUG_RECORD_DECLARE_VALUE = 66, None, 22
    INST_BITINSERT = 67, UNNAMED, 24
    INST_BITEXTRACT = 68, UNNAMED, 24


class ValueSymtabCode(NamedCode):
    """Records of VALUE_SYMTAB_BLOCK."""

    ENTRY = 1
    BBENTRY = 2
    FNENTRY = 3
    COMBINED_ENTRY = 5


class MetadataCode(NamedCode):
    """Records of METADATA_BLOCK."""

    STRING_OLD = 1
    VALUE = 2
    NODE = 3
    NAME = 4
    DISTINCT_NODE = 5
    KIND = 6
    LOCATION = 7
    OLD_NODE = 8
    OLD_FN_NODE = 9
    NAMED_NODE = 10
    GENERIC_DEBUG = 12
    SUBRANGE = 13
    ENUMERATOR = 14
    BASIC_TYPE = 15
    FILE = 16
    DERIVED_TYPE = 17
    COMPOSITE_TYPE = 18
    SUBROUTINE_TYPE = 19
    COMPILE_UNIT = 20
    SUBPROGRAM = 21
    LEXICAL_BLOCK = 22
    LEXICAL_BLOCK_FILE = 23
    NAMESPACE = 24
    TEMPLATE_TYPE = 25
    TEMPLATE_VALUE = 26
    GLOBAL_VAR = 27
    LOCAL_VAR = 28
    EXPRESSION = 29
    OBJC_PROPERTY = 30
    IMPORTED_ENTITY = 31
    MODULE = 32
    MACRO = 33
    MACRO_FILE = 34
    STRINGS = 35
    GLOBAL_DECL_ATTACHMENT = 36
    GLOBAL_VAR_EXPR = 37
    INDEX_OFFSET = 38
    INDEX = 39
    LABEL = 40, UNNAMED, 7
    STRING_TYPE = 41, UNNAMED, 12
    COMMON_BLOCK = 44, UNNAMED, 9
    GENERIC_SUBRANGE = 45, UNNAMED, 12
    ARG_LIST = 46, None, 13
    ASSIGN_ID = 47, UNNAMED, 16
    SUBRANGE_TYPE = 48, UNNAMED, 21
    FIXED_POINT_TYPE = 49, UNNAMED, 21
    PROPERTY = 50, UNNAMED, 24


METADATA_CODES_WITHOUT_ID = frozenset(
    {
        MetadataCode.STRINGS,
        MetadataCode.NAME,
        MetadataCode.NAMED_NODE,
        MetadataCode.KIND,
        MetadataCode.GLOBAL_DECL_ATTACHMENT,
        MetadataCode.INDEX_OFFSET,
        MetadataCode.INDEX,
    }
)
METADATA_CODES_WITH_ID = frozenset(MetadataCode) - METADATA_CODES_WITHOUT_ID
"""Codes of the records of METADATA_BLOCK that take one metadata id each; STRINGS takes one for each string."""


class MetadataAttachmentCode(NamedCode):
    """Records of METADATA_ATTACHMENT_BLOCK."""

    ATTACHMENT = 11


class MetadataKindCode(NamedCode):
    """Records of METADATA_KIND_BLOCK."""

    KIND = 6


class UselistCode(NamedCode):
    """Records of USELIST_BLOCK."""

    DEFAULT = 1, "USELIST_CODE_DEFAULT"
    BB = 2, "USELIST_CODE_BB"


class ModuleStrtabCode(NamedCode):
    """Records of MODULE_STRTAB_BLOCK."""

    ENTRY = 1
    HASH = 2


class GlobalValueSummaryCode(NamedCode):
    """Records of GLOBALVAL_SUMMARY_BLOCK and FULL_LTO_GLOBALVAL_SUMMARY_BLOCK."""

    PERMODULE = 1
    PERMODULE_PROFILE = 2
    PERMODULE_GLOBALVAR_INIT_REFS = 3
    COMBINED = 4
    COMBINED_PROFILE = 5
    COMBINED_GLOBALVAR_INIT_REFS = 6
    ALIAS = 7
    COMBINED_ALIAS = 8
    COMBINED_ORIGINAL_NAME = 9
    VERSION = 10
    TYPE_TESTS = 11
    TYPE_TEST_ASSUME_VCALLS = 12
    TYPE_CHECKED_LOAD_VCALLS = 13
    TYPE_TEST_ASSUME_CONST_VCALL = 14
    TYPE_CHECKED_LOAD_CONST_VCALL = 15
    VALUE_GUID = 16
    CFI_FUNCTION_DEFS = 17
    CFI_FUNCTION_DECLS = 18
    PERMODULE_RELBF = 19
    FLAGS = 20
    TYPE_ID = 21
    TYPE_ID_METADATA = 22
    PERMODULE_VTABLE_GLOBALVAR_INIT_REFS = 23
    BLOCK_COUNT = 24
    PARAM_ACCESS = 25
    PERMODULE_CALLSITE_INFO = 26, None, 16
    PERMODULE_ALLOC_INFO = 27, None, 16
    COMBINED_CALLSITE_INFO = 28, None, 16
    COMBINED_ALLOC_INFO = 29, None, 16
    STACK_IDS = 30, None, 16
    ALLOC_CONTEXT_IDS = 31, None, 20
    CONTEXT_RADIX_TREE_ARRAY = 32, None, 20
    COMBINED_ALLOC_INFO_NO_CONTEXT = 33, None, 21
    DSO_LOCAL_WITHOUT_SUMMARY = 34, UNNAMED, 24


class OperandBundleTagsCode(NamedCode):
    """Records of OPERAND_BUNDLE_TAGS_BLOCK."""

    OPERAND_BUNDLE_TAG = 1


class StrtabCode(NamedCode):
    """Records of STRTAB_BLOCK."""

    BLOB = 1


class SymtabCode(NamedCode):
    """Records of SYMTAB_BLOCK."""

    BLOB = 1


class SyncScopeNamesCode(NamedCode):
    """Records of SYNC_SCOPE_NAMES_BLOCK."""

    SYNC_SCOPE_NAME = 1, UNNAMED


RECORD_CODES: dict[BlockId, type[NamedCode]] = {
    BlockId.MODULE_BLOCK: ModuleCode,
    BlockId.PARAMATTR_BLOCK: ParamattrCode,
    BlockId.PARAMATTR_GROUP_BLOCK: ParamattrGroupCode,
    BlockId.CONSTANTS_BLOCK: ConstantsCode,
    BlockId.FUNCTION_BLOCK: FunctionCode,
    BlockId.IDENTIFICATION_BLOCK: IdentificationCode,
    BlockId.VALUE_SYMTAB_BLOCK: ValueSymtabCode,
    BlockId.METADATA_BLOCK: MetadataCode,
    BlockId.METADATA_ATTACHMENT_BLOCK: MetadataAttachmentCode,
    BlockId.TYPE_BLOCK: TypeCode,
    BlockId.USELIST_BLOCK: UselistCode,
    BlockId.MODULE_STRTAB_BLOCK: ModuleStrtabCode,
    BlockId.GLOBALVAL_SUMMARY_BLOCK: GlobalValueSummaryCode,
    BlockId.OPERAND_BUNDLE_TAGS_BLOCK: OperandBundleTagsCode,
    BlockId.METADATA_KIND_BLOCK: MetadataKindCode,
    BlockId.STRTAB_BLOCK: StrtabCode,
    BlockId.FULL_LTO_GLOBALVAL_SUMMARY_BLOCK: GlobalValueSummaryCode,
    BlockId.SYMTAB_BLOCK: SymtabCode,
    BlockId.SYNC_SCOPE_NAMES_BLOCK: SyncScopeNamesCode,
}
"""Record codes of each block."""
