"""How LLVM's messages about malformed records name the records: by block, name of the record, and version."""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import BlockId

__all__ = ["FIRST_TO_NAME_SHORT_RECORDS", "NAMES_OF_SHORT_RECORDS", "message_about_record"]

NAMES_OF_SHORT_RECORDS: dict[int, dict[str, str]] = {
    BlockId.MODULE_BLOCK: {"VERSION": "version"},
    BlockId.PARAMATTR_GROUP_BLOCK: {"ENTRY": "grp"},
    BlockId.TYPE_BLOCK: {
        "NUMENTRY": "numentry",
        "INTEGER": "integer",
        "POINTER": "pointer",
        "FUNCTION": "function",
        "STRUCT_ANON": "anon struct",
        "STRUCT_NAMED": "named struct",
        "ARRAY": "array type",
        "VECTOR": "vector type",
        "TARGET_TYPE": "target extension type",
    },
    BlockId.CONSTANTS_BLOCK: {
        "SETTYPE": "settype",
        "INTEGER": "integer const",
        "WIDE_INTEGER": "wide integer const",
        "FLOAT": "float const",
        "AGGREGATE": "aggregate",
        "CE_UNOP": "unary op constexpr",
        "CE_BINOP": "binary op constexpr",
        "CE_CAST": "cast constexpr",
        "CE_SELECT": "select constexpr",
        "CE_EXTRACTELT": "extractelement constexpr",
        "CE_INSERTELT": "insertelement constexpr",
        "CE_SHUFFLEVEC": "shufflevector constexpr",
        "CE_CMP": "cmp constexpt",
        "INLINEASM": "inlineasm",
        "BLOCKADDRESS": "blockaddress",
        "DSO_LOCAL_EQUIVALENT": "dso_local",
        "NO_CFI_VALUE": "no_cfi",
        "PTRAUTH": "ptrauth",
    },
    BlockId.FUNCTION_BLOCK: {"INST_PHI": "phi"},
    BlockId.VALUE_SYMTAB_BLOCK: {"BBENTRY": "bbentry"},
}
"""By block and record: the name in messages about records that are too short."""
FIRST_TO_NAME_SHORT_RECORDS = 15

_LATER_NAMES: dict[int, dict[str, str]] = {
    BlockId.MODULE_BLOCK: {
        "COMDAT": "comdat",
        "GLOBALVAR": "global variable",
        "FUNCTION": "function",
        "ALIAS": "global indirect symbol",
        "ALIAS_OLD": "global indirect symbol",
        "IFUNC": "global indirect symbol",
    },
    BlockId.MODULE_STRTAB_BLOCK: {"ENTRY": "code_entry"},
    BlockId.USELIST_BLOCK: {"DEFAULT": "uselist", "BB": "uselist"},
    BlockId.FUNCTION_BLOCK: {
        "DECLAREBLOCKS": "declareblocks",
        "DEBUG_LOC": "debug loc",
        "OPERAND_BUNDLE": "operand bundle",
        "INST_BINOP": "binary operator",
        "INST_CAST": "cast",
        "INST_GEP": "gep",
        "INST_GEP_OLD": "gep",
        "INST_INBOUNDS_GEP_OLD": "gep",
        "INST_VSELECT": "vector select",
        "INST_EXTRACTELT": "extractelement",
        "INST_INSERTELT": "insert element",
        "INST_SHUFFLEVEC": "shufflevector",
        "INST_CMP": "comparison",
        "INST_CMP2": "comparison",
        "INST_RET": "ret",
        "INST_BR": "br",
        "INST_SWITCH": "switch",
        "INST_INVOKE": "invoke",
        "INST_ALLOCA": "alloca",
        "INST_LOAD": "load",
        "INST_LOADATOMIC": "load atomic",
        "INST_STORE": "store",
        "INST_STORE_OLD": "store",
        "INST_STOREATOMIC": "store atomic",
        "INST_STOREATOMIC_OLD": "store atomic",
        "INST_VAARG": "va_arg",
        "INST_EXTRACTVAL": "extractvalue",
        "INST_INSERTVAL": "insertvalue",
        "INST_INDIRECTBR": "indirectbr",
        "INST_CALL": "call",
        "INST_FENCE": "fence",
        "INST_CMPXCHG": "cmpxchg",
        "INST_CMPXCHG_OLD": "cmpxchg",
        "INST_ATOMICRMW": "atomicrmw",
        "INST_ATOMICRMW_OLD": "atomicrmw",
        "INST_RESUME": "resume",
        "INST_LANDINGPAD": "landingpad",
        "INST_LANDINGPAD_OLD": "landingpad",
        "INST_CLEANUPRET": "cleanupret",
        "INST_CATCHRET": "catchret",
        "INST_CATCHPAD": "catchpad/cleanuppad",
        "INST_CLEANUPPAD": "catchpad/cleanuppad",
        "INST_CATCHSWITCH": "catchswitch",
        "INST_UNOP": "unary operator",
        "INST_FREEZE": "freeze",
    },
}
"""By block and record: the name in messages of LLVM 23, where older versions print none."""
_FIRST_TO_NAME_MORE_RECORDS = 23


def message_about_record(block: int | None, record: str, version: int) -> str:
    """Return the message of a version for a malformed record if it has no message for the reason.

    Args:
        block: the id of the block of the record, None for the top level.
        record: the name of the record.
        version: the version of LLVM.
    """
    name = _LATER_NAMES.get(block, {}).get(record, "") if block is not None else ""
    return f"Invalid {name} record" if name and version >= _FIRST_TO_NAME_MORE_RECORDS else "Invalid record"
