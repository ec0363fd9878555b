"""Layouts of the records of CONSTANTS_BLOCK.  Rules: docs/reference/records.md, 6.2."""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.schema.fields import Layout, RecordField, WordKind

__all__ = ["CONSTANT_LAYOUTS"]


def _number(name: str, default: int | None = None) -> RecordField:
    return RecordField(name, WordKind.NUMBER, default=default)


def _type(name: str) -> RecordField:
    return RecordField(name, WordKind.TYPE)


def _absolute(name: str) -> RecordField:
    return RecordField(name, WordKind.ABSOLUTE)


_NUMBERS = (RecordField("numbers", WordKind.NUMBERS),)
_GEP_OLD = (
    RecordField("source_element_type", WordKind.TYPE, if_remaining=-1),
    RecordField("operands", WordKind.TYPED_ABSOLUTES),
)
_ASM_OLD = (_number("flags"), RecordField("texts", WordKind.NUMBERS))
_GLOBAL = (_type("type"), _absolute("global_value"))
_PTR_AUTH = (_absolute("pointer"), _absolute("key"), _absolute("discriminator"), _absolute("address_discriminator"))

CONSTANT_LAYOUTS: dict[ConstantsCode, Layout] = {
    ConstantsCode.NULL: (),
    ConstantsCode.UNDEF: (),
    ConstantsCode.POISON: (),
    ConstantsCode.INTEGER: (_number("number"),),
    ConstantsCode.WIDE_INTEGER: _NUMBERS,
    ConstantsCode.FLOAT: _NUMBERS,
    ConstantsCode.AGGREGATE: (RecordField("elements", WordKind.ABSOLUTES),),
    ConstantsCode.STRING: _NUMBERS,
    ConstantsCode.CSTRING: _NUMBERS,
    ConstantsCode.DATA: _NUMBERS,
    ConstantsCode.CE_UNOP: (_number("opcode"), _absolute("operand"), _number("flags", 0)),
    ConstantsCode.CE_BINOP: (_number("opcode"), _absolute("lhs"), _absolute("rhs"), _number("flags", 0)),
    ConstantsCode.CE_CAST: (_number("opcode"), _type("operand_type"), _absolute("operand"), _number("flags", 0)),
    ConstantsCode.CE_GEP_OLD: _GEP_OLD,
    ConstantsCode.CE_INBOUNDS_GEP: _GEP_OLD,
    ConstantsCode.CE_GEP_WITH_INRANGE_INDEX_OLD: (
        _type("source_element_type"),
        _number("flags"),
        RecordField("operands", WordKind.TYPED_ABSOLUTES),
    ),
    ConstantsCode.CE_GEP: (
        _type("source_element_type"),
        _number("flags"),
        RecordField("operands", WordKind.TYPED_ABSOLUTES),
    ),
    ConstantsCode.CE_GEP_WITH_INRANGE: (
        _type("source_element_type"),
        _number("flags"),
        RecordField("in_range", WordKind.RANGE),
        RecordField("operands", WordKind.TYPED_ABSOLUTES),
    ),
    ConstantsCode.CE_SELECT: (_absolute("condition"), _absolute("true_value"), _absolute("false_value")),
    ConstantsCode.CE_EXTRACTELT: (
        _type("vector_type"),
        _absolute("vector"),
        RecordField("index_type", WordKind.TYPE, if_remaining=2),
        _absolute("index"),
    ),
    ConstantsCode.CE_INSERTELT: (
        _absolute("vector"),
        _absolute("element"),
        RecordField("index_type", WordKind.TYPE, if_remaining=2),
        _absolute("index"),
    ),
    ConstantsCode.CE_SHUFFLEVEC: (_absolute("lhs"), _absolute("rhs"), _absolute("mask")),
    ConstantsCode.CE_SHUFVEC_EX: (_type("operand_type"), _absolute("lhs"), _absolute("rhs"), _absolute("mask")),
    ConstantsCode.CE_CMP: (_type("operand_type"), _absolute("lhs"), _absolute("rhs"), _number("predicate")),
    ConstantsCode.INLINEASM_OLD: _ASM_OLD,
    ConstantsCode.INLINEASM_OLD2: _ASM_OLD,
    ConstantsCode.INLINEASM_OLD3: _ASM_OLD,
    ConstantsCode.INLINEASM: (_type("function_type"), *_ASM_OLD),
    ConstantsCode.BLOCKADDRESS: (_type("type"), _absolute("function"), _number("block")),
    ConstantsCode.DSO_LOCAL_EQUIVALENT: _GLOBAL,
    ConstantsCode.NO_CFI_VALUE: _GLOBAL,
    ConstantsCode.PTRAUTH: _PTR_AUTH,
    ConstantsCode.PTRAUTH2: (*_PTR_AUTH, _absolute("deactivation_symbol")),
}
"""By record code; SETTYPE, which makes no constant, is not among them."""
