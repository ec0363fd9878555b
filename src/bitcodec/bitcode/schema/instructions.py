"""Layouts of the records of FUNCTION_BLOCK that make instructions.

Rules: docs/reference/records.md, 7.3.
"""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.fields import Layout, RecordField, TypeRule, WordKind

__all__ = [
    "ALIGNMENT_HIGH_SHIFT",
    "ALLOCA_ALIGNMENT_LOW_MASK",
    "ALLOCA_EXPLICIT_TYPE",
    "ATOMIC_ELEMENTWISE",
    "CALL_CONVENTION_SHIFT",
    "CALL_EXPLICIT_TYPE_BIT",
    "CALL_FAST_MATH_BIT",
    "CALL_MUST_TAIL_BIT",
    "CALL_NO_TAIL_BIT",
    "CALL_TAIL_BIT",
    "CONVENTION_MASK",
    "EXACT_RECORDS",
    "INSTRUCTION_LAYOUTS",
    "INVOKE_EXPLICIT_TYPE_BIT",
    "OPCODES_WITH_FLAGS",
    "SWITCH_RANGES_MAGIC",
    "first_version_of",
]

# Bits of the word that begins a call; an invoke has its calling convention at bit 0.
CALL_TAIL_BIT = 0
CALL_CONVENTION_SHIFT = 1
CONVENTION_MASK = 0x3FF
CALL_MUST_TAIL_BIT = 14
CALL_EXPLICIT_TYPE_BIT = 15
CALL_NO_TAIL_BIT = 16
CALL_FAST_MATH_BIT = 17
INVOKE_EXPLICIT_TYPE_BIT = 13

# Bits of an alloca's flags
ALLOCA_ALIGNMENT_LOW_MASK = 0x1F
ALLOCA_EXPLICIT_TYPE = 1 << 6
ALIGNMENT_HIGH_SHIFT = 8

ATOMIC_ELEMENTWISE = 1 << 5
"""The mark of the operation of an `atomicrmw` that is done for each element of a vector, since LLVM 23."""

SWITCH_RANGES_MAGIC = 0x4B5
"""The upper half of the first operand of a switch whose cases are ranges, as LLVM 3.3 wrote them for a while."""


def _value(name: str) -> RecordField:
    return RecordField(name, WordKind.VALUE)


def _same(name: str, of: str) -> RecordField:
    return RecordField(name, WordKind.TYPED_VALUE, TypeRule.SAME, of)


def _given(name: str, of: str) -> RecordField:
    return RecordField(name, WordKind.TYPED_VALUE, TypeRule.GIVEN, of)


def _pointee(name: str, of: str) -> RecordField:
    return RecordField(name, WordKind.TYPED_VALUE, TypeRule.POINTEE, of)


def _token(name: str) -> RecordField:
    return RecordField(name, WordKind.TYPED_VALUE, TypeRule.TOKEN)


def _number(name: str, default: int | None = None, since: int = 0) -> RecordField:
    return RecordField(name, WordKind.NUMBER, default=default, since=since)


def _alignment(default: int | None = None, since: int = 0) -> RecordField:
    return RecordField("alignment", WordKind.ALIGNMENT, default=default, since=since)


def _flag(name: str) -> RecordField:
    return RecordField(name, WordKind.FLAG)


def _type(name: str) -> RecordField:
    return RecordField(name, WordKind.TYPE)


def _loaded_type(if_remaining: int) -> RecordField:
    """Return the field of the type of a load, which old files leave to the pointer."""
    return RecordField("type", WordKind.TYPE, TypeRule.POINTEE, "pointer", if_remaining=if_remaining)


def _block(name: str) -> RecordField:
    return RecordField(name, WordKind.BLOCK)


_POINTER = _value("pointer")
_ATOMIC = (RecordField("ordering", WordKind.ORDERING), RecordField("sync_scope", WordKind.SCOPE))
_CALLEE = (_value("callee"), RecordField("arguments", WordKind.ARGUMENTS, of="function_type"))
_CALL_TYPE = RecordField("function_type", WordKind.TYPE, if_bit=("flags", CALL_EXPLICIT_TYPE_BIT))
_PAD = (_token("parent_pad"), RecordField("arguments", WordKind.COUNTED_VALUES))

INSTRUCTION_LAYOUTS: dict[FunctionCode, Layout] = {
    FunctionCode.INST_UNOP: (_value("operand"), _number("opcode"), _number("flags", 0)),
    FunctionCode.INST_BINOP: (_value("lhs"), _same("rhs", "lhs"), _number("opcode"), _number("flags", 0)),
    FunctionCode.INST_CAST: (_value("operand"), _type("type"), _number("opcode"), _number("flags", 0, since=18)),
    FunctionCode.INST_CMP: (_value("lhs"), _same("rhs", "lhs"), _number("predicate"), _number("flags", 0)),
    FunctionCode.INST_CMP2: (_value("lhs"), _same("rhs", "lhs"), _number("predicate"), _number("flags", 0)),
    FunctionCode.INST_SELECT: (
        _value("true_value"),
        _same("false_value", "true_value"),
        RecordField("condition", WordKind.TYPED_VALUE, TypeRule.BOOLEAN),
    ),
    FunctionCode.INST_VSELECT: (
        _value("true_value"),
        _same("false_value", "true_value"),
        _value("condition"),
        _number("flags", 0),
    ),
    FunctionCode.INST_FREEZE: (_value("operand"),),
    FunctionCode.INST_EXTRACTELT: (_value("vector"), _value("index")),
    FunctionCode.INST_INSERTELT: (
        _value("vector"),
        RecordField("element", WordKind.TYPED_VALUE, TypeRule.ELEMENT, "vector"),
        _value("index"),
    ),
    FunctionCode.INST_SHUFFLEVEC: (_value("lhs"), _same("rhs", "lhs"), _value("mask")),
    FunctionCode.INST_EXTRACTVAL: (_value("aggregate"), RecordField("indices", WordKind.NUMBERS)),
    FunctionCode.INST_INSERTVAL: (_value("aggregate"), _value("value"), RecordField("indices", WordKind.NUMBERS)),
    FunctionCode.INST_ALLOCA: (
        _type("type"),
        _type("size_type"),
        RecordField("array_size", WordKind.ABSOLUTE, of="size_type"),
        _number("flags"),
        RecordField("address_space", WordKind.NUMBER, is_optional=True),
    ),
    FunctionCode.INST_LOAD: (_POINTER, _loaded_type(3), _alignment(), _number("flags")),
    FunctionCode.INST_LOADATOMIC: (
        _POINTER,
        _loaded_type(5),
        _alignment(),
        _number("flags"),
        *_ATOMIC,
    ),
    FunctionCode.INST_STORE: (_POINTER, _value("value"), _alignment(), _number("flags")),
    FunctionCode.INST_STORE_OLD: (_POINTER, _pointee("value", "pointer"), _alignment(), _number("flags")),
    FunctionCode.INST_STOREATOMIC: (_POINTER, _value("value"), _alignment(), _number("flags"), *_ATOMIC),
    FunctionCode.INST_STOREATOMIC_OLD: (
        _POINTER,
        _pointee("value", "pointer"),
        _alignment(),
        _number("flags"),
        *_ATOMIC,
    ),
    FunctionCode.INST_GEP: (_number("flags"), _type("source_element_type"), RecordField("operands", WordKind.VALUES)),
    FunctionCode.INST_GEP_OLD: (RecordField("operands", WordKind.VALUES),),
    FunctionCode.INST_INBOUNDS_GEP_OLD: (RecordField("operands", WordKind.VALUES),),
    FunctionCode.INST_VAARG: (_type("list_type"), _given("pointer", "list_type"), _type("type")),
    FunctionCode.INST_FENCE: _ATOMIC,
    FunctionCode.INST_CMPXCHG: (
        _POINTER,
        _value("compare"),
        _same("new_value", "compare"),
        _number("flags"),
        RecordField("success_ordering", WordKind.ORDERING),
        RecordField("sync_scope", WordKind.SCOPE),
        RecordField("failure_ordering", WordKind.ORDERING),
        _number("is_weak"),
        _alignment(default=0, since=13),
    ),
    FunctionCode.INST_CMPXCHG_OLD: (
        _POINTER,
        _pointee("compare", "pointer"),
        _same("new_value", "compare"),
        _number("flags"),
        RecordField("success_ordering", WordKind.ORDERING),
        RecordField("sync_scope", WordKind.SCOPE),
        RecordField("failure_ordering", WordKind.ORDERING, is_optional=True),
        RecordField("is_weak", WordKind.NUMBER, is_optional=True),
    ),
    FunctionCode.INST_ATOMICRMW: (
        _POINTER,
        _value("value"),
        _number("operation"),
        _number("flags"),
        *_ATOMIC,
        _alignment(default=0),
    ),
    FunctionCode.INST_ATOMICRMW_OLD: (
        _POINTER,
        _pointee("value", "pointer"),
        _number("operation"),
        _number("flags"),
        *_ATOMIC,
        _alignment(default=0),
    ),
    FunctionCode.INST_PHI: (_type("type"), RecordField("incoming", WordKind.INCOMING, of="type")),
    FunctionCode.INST_RET: (RecordField("value", WordKind.VALUE, is_optional=True),),
    FunctionCode.INST_BR: (
        _block("target"),
        RecordField("otherwise", WordKind.BLOCK, is_optional=True),
        RecordField("condition", WordKind.TYPED_VALUE, TypeRule.BOOLEAN, is_optional=True),
    ),
    FunctionCode.INST_SWITCH: (
        _type("type"),
        _given("condition", "type"),
        _block("default"),
        RecordField("cases", WordKind.CASES, of="type"),
    ),
    FunctionCode.INST_INDIRECTBR: (
        _type("type"),
        _given("address", "type"),
        RecordField("destinations", WordKind.BLOCKS),
    ),
    FunctionCode.INST_UNREACHABLE: (),
    FunctionCode.INST_CALL: (
        RecordField("attributes", WordKind.ATTRIBUTES),
        _number("flags"),
        RecordField("fast_math", WordKind.NUMBER, default=0, if_bit=("flags", CALL_FAST_MATH_BIT)),
        _CALL_TYPE,
        *_CALLEE,
    ),
    FunctionCode.INST_INVOKE: (
        RecordField("attributes", WordKind.ATTRIBUTES),
        _number("flags"),
        _block("normal_destination"),
        _block("unwind_destination"),
        RecordField("function_type", WordKind.TYPE, if_bit=("flags", INVOKE_EXPLICIT_TYPE_BIT)),
        *_CALLEE,
    ),
    FunctionCode.INST_CALLBR: (
        RecordField("attributes", WordKind.ATTRIBUTES),
        _number("flags"),
        _block("default_destination"),
        RecordField("indirect_destinations", WordKind.COUNTED_BLOCKS),
        _CALL_TYPE,
        *_CALLEE,
    ),
    FunctionCode.INST_RESUME: (_value("value"),),
    FunctionCode.INST_LANDINGPAD: (_type("type"), _flag("is_cleanup"), RecordField("clauses", WordKind.CLAUSES)),
    FunctionCode.INST_LANDINGPAD_OLD: (
        _type("type"),
        _value("personality"),
        _flag("is_cleanup"),
        RecordField("clauses", WordKind.CLAUSES),
    ),
    FunctionCode.INST_CLEANUPRET: (
        _token("pad"),
        RecordField("unwind_destination", WordKind.BLOCK, is_optional=True),
    ),
    FunctionCode.INST_CATCHRET: (_token("pad"), _block("successor")),
    FunctionCode.INST_CATCHPAD: _PAD,
    FunctionCode.INST_CLEANUPPAD: _PAD,
    FunctionCode.INST_CATCHSWITCH: (
        _token("parent_pad"),
        RecordField("handlers", WordKind.COUNTED_BLOCKS),
        RecordField("unwind_destination", WordKind.BLOCK, is_optional=True),
    ),
    FunctionCode.OPERAND_BUNDLE: (_number("tag"), RecordField("inputs", WordKind.INPUTS)),
}
"""By record code, including older forms."""


def first_version_of(code: FunctionCode, name: str) -> int:
    """Return the first version of LLVM that reads a field of a record."""
    return next(field.since for field in INSTRUCTION_LAYOUTS[code] if field.name == name) or code.since


OPCODES_WITH_FLAGS = {
    FunctionCode.INST_ALLOCA: "alloca",
    FunctionCode.INST_LOAD: "load",
    FunctionCode.INST_LOADATOMIC: "load",
    FunctionCode.INST_STORE: "store",
    FunctionCode.INST_STOREATOMIC: "store",
    FunctionCode.INST_CMPXCHG: "cmpxchg",
    FunctionCode.INST_ATOMICRMW: "atomicrmw",
    FunctionCode.INST_GEP: "getelementptr",
}
"""The opcode of the instructions of a record whose field `flags` is defined by `tables.instruction_flags`."""

METADATA_INPUT = 1 << 31
"""The mark before the relative id of metadata among the inputs of an operand bundle, since LLVM 20."""

EXACT_RECORDS = frozenset(
    {
        FunctionCode.INST_CMP,
        FunctionCode.INST_CMP2,
        FunctionCode.INST_FREEZE,
        FunctionCode.INST_ALLOCA,
        FunctionCode.INST_LOAD,
        FunctionCode.INST_LOADATOMIC,
        FunctionCode.INST_STORE,
        FunctionCode.INST_STORE_OLD,
        FunctionCode.INST_STOREATOMIC,
        FunctionCode.INST_STOREATOMIC_OLD,
        FunctionCode.INST_FENCE,
        FunctionCode.INST_CMPXCHG,
        FunctionCode.INST_CMPXCHG_OLD,
        FunctionCode.INST_ATOMICRMW,
        FunctionCode.INST_ATOMICRMW_OLD,
        FunctionCode.INST_RET,
        FunctionCode.INST_BR,
        FunctionCode.INST_CLEANUPRET,
        FunctionCode.INST_CATCHRET,
        FunctionCode.INST_CATCHPAD,
        FunctionCode.INST_CLEANUPPAD,
        FunctionCode.INST_CATCHSWITCH,
    }
)
"""Records that may have no operands after their fields; in others LLVM ignores further ones."""
