"""Type ids of the results of instructions, in modules with typed pointers.

Rules: docs/reference/records.md, 7.9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.ir.types import StructType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.types import FileTypes
    from bitcodec.ir.instructions import Instruction

__all__ = ["ADDRESS", "CONTAINED", "FIELD", "NO_RULE", "rare_type_id", "result_rules"]

NO_RULE, FIELD, CONTAINED, ADDRESS, RARE = range(5)
"""How the type id of a result follows from a field's: not at all, because it is not needed; it is the same; it is
its first part; it is the id of a pointer into it, by the indices of a `getelementptr`; by a special rule.
"""

_RULES: dict[int, tuple[int, str]] = {
    FunctionCode.INST_UNOP: (FIELD, "operand"),
    FunctionCode.INST_BINOP: (FIELD, "lhs"),
    FunctionCode.INST_CAST: (FIELD, "type"),
    FunctionCode.INST_SELECT: (FIELD, "true_value"),
    FunctionCode.INST_VSELECT: (FIELD, "true_value"),
    FunctionCode.INST_FREEZE: (FIELD, "operand"),
    FunctionCode.INST_EXTRACTELT: (CONTAINED, "vector"),
    FunctionCode.INST_INSERTELT: (FIELD, "vector"),
    FunctionCode.INST_SHUFFLEVEC: (RARE, "lhs"),
    FunctionCode.INST_EXTRACTVAL: (RARE, "aggregate"),
    FunctionCode.INST_INSERTVAL: (FIELD, "aggregate"),
    FunctionCode.INST_ALLOCA: (ADDRESS, "type"),
    FunctionCode.INST_LOAD: (FIELD, "type"),
    FunctionCode.INST_LOADATOMIC: (FIELD, "type"),
    FunctionCode.INST_GEP: (ADDRESS, "source_element_type"),
    FunctionCode.INST_GEP_OLD: (ADDRESS, "source_element_type"),
    FunctionCode.INST_INBOUNDS_GEP_OLD: (ADDRESS, "source_element_type"),
    FunctionCode.INST_VAARG: (FIELD, "type"),
    FunctionCode.INST_CMPXCHG: (RARE, "compare"),
    FunctionCode.INST_CMPXCHG_OLD: (RARE, "compare"),
    FunctionCode.INST_ATOMICRMW: (FIELD, "value"),
    FunctionCode.INST_ATOMICRMW_OLD: (FIELD, "value"),
    FunctionCode.INST_PHI: (FIELD, "type"),
    FunctionCode.INST_CALL: (CONTAINED, "function_type"),
    FunctionCode.INST_INVOKE: (CONTAINED, "function_type"),
    FunctionCode.INST_CALLBR: (CONTAINED, "function_type"),
    FunctionCode.INST_LANDINGPAD: (FIELD, "type"),
    FunctionCode.INST_LANDINGPAD_OLD: (FIELD, "type"),
}
"""For each record code the rule of its result and the field that this begins with."""


def result_rules(slots: dict[str, int]) -> tuple[bytes, bytes]:
    """Return for each record code the rule and the slot of the field.

    Args:
        slots: the slot of each field, by its name.
    """
    rules, fields = bytearray(256), bytearray(256)
    for code, (rule, name) in _RULES.items():
        rules[code], fields[code] = rule, slots[name]
    return bytes(rules), bytes(fields)


def rare_type_id(types: FileTypes, code: int, type_id: int, made: Instruction) -> int:
    """Return the type id of the result of an instruction with the rule RARE, NO_TYPE_ID if it is unknown.

    Args:
        types: the types of the module.
        code: of its record.
        type_id: the type id of the field.
        made: the instruction.
    """
    try:
        return _RARE[code](types, type_id, made)
    except Malformed:
        return NO_TYPE_ID


def _shuffle_vector(types: FileTypes, type_id: int, made: Instruction) -> int:
    return types.virtual(made.type, [types.contained(type_id)])


def _extract_value(types: FileTypes, type_id: int, made: Any) -> int:
    for index in made.indices:
        type_id = types.contained(type_id, index if isinstance(types.of(type_id), StructType) else 0)
    return type_id


def _cmpxchg(types: FileTypes, type_id: int, made: Instruction) -> int:
    return types.virtual(made.type, [type_id, NO_TYPE_ID])


_RARE: dict[int, Callable[[FileTypes, int, Any], int]] = {
    FunctionCode.INST_SHUFFLEVEC: _shuffle_vector,
    FunctionCode.INST_EXTRACTVAL: _extract_value,
    FunctionCode.INST_CMPXCHG: _cmpxchg,
    FunctionCode.INST_CMPXCHG_OLD: _cmpxchg,
}
