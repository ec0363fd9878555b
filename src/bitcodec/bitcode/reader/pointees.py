"""Type ids of what instructions give, in modules with typed pointers.

Rules: bitcode record reference, section 7.9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import ALLOCA_EXPLICIT_TYPE
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.types import StructType, VectorType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.field_reader import Fields
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.types import FileTypes
    from bitcodec.ir.instructions import Instruction

__all__ = ["result_type_id"]


def result_type_id(state: FunctionState, code: int, made: Instruction) -> int:
    """Return the type id of what the instruction read last gives, NO_TYPE_ID if nobody can ask what it points to."""
    rule = _RULES.get(code)
    if rule is None:
        return NO_TYPE_ID
    try:
        return rule(state.module.file_types, state.fields, made)
    except Malformed:
        return NO_TYPE_ID


def _of_field(name: str) -> Callable[[FileTypes, Fields, Instruction], int]:
    return lambda _types, fields, _made: fields[name]


def _alloca(types: FileTypes, fields: Fields, made: Instruction) -> int:
    if not fields["flags"] & ALLOCA_EXPLICIT_TYPE:
        return int(fields["type id"])
    return types.virtual(made.type, [fields["type id"]])


def _extract_element(types: FileTypes, fields: Fields, _made: Instruction) -> int:
    return types.contained(fields["vector type"])


def _shuffle_vector(types: FileTypes, fields: Fields, made: Instruction) -> int:
    return types.virtual(made.type, [types.contained(fields["lhs type"])])


def _gep(types: FileTypes, fields: Fields, made: Instruction) -> int:
    type_id = fields["source_element_type id"]
    for index in made.operands[2:]:
        if isinstance(types.of(type_id), StructType):
            type_id = types.contained(type_id, index.unsigned if isinstance(index, ConstantInt) else 0)
        else:
            type_id = types.contained(type_id)
    pointer = made.type.scalar_type
    pointer_id = types.virtual(pointer, [type_id])
    return types.virtual(made.type, [pointer_id]) if isinstance(made.type, VectorType) else pointer_id


def _extract_value(types: FileTypes, fields: Fields, made: Instruction) -> int:
    type_id = fields["aggregate type"]
    for index in made.indices:  # type: ignore[attr-defined]
        type_id = types.contained(type_id, index if isinstance(types.of(type_id), StructType) else 0)
    return int(type_id)


def _call(types: FileTypes, fields: Fields, _made: Instruction) -> int:
    return types.contained(fields["function_type id"])


def _cmpxchg(types: FileTypes, fields: Fields, made: Instruction) -> int:
    return types.virtual(made.type, [fields["compare type"], NO_TYPE_ID])


_RULES: dict[int, Callable[[FileTypes, Fields, Instruction], int]] = {
    FunctionCode.INST_UNOP: _of_field("operand type"),
    FunctionCode.INST_BINOP: _of_field("lhs type"),
    FunctionCode.INST_CAST: _of_field("type id"),
    FunctionCode.INST_SELECT: _of_field("true_value type"),
    FunctionCode.INST_VSELECT: _of_field("true_value type"),
    FunctionCode.INST_FREEZE: _of_field("operand type"),
    FunctionCode.INST_EXTRACTELT: _extract_element,
    FunctionCode.INST_INSERTELT: _of_field("vector type"),
    FunctionCode.INST_SHUFFLEVEC: _shuffle_vector,
    FunctionCode.INST_EXTRACTVAL: _extract_value,
    FunctionCode.INST_INSERTVAL: _of_field("aggregate type"),
    FunctionCode.INST_ALLOCA: _alloca,
    FunctionCode.INST_LOAD: lambda types, fields, _made: _loaded(types, fields),
    FunctionCode.INST_LOADATOMIC: lambda types, fields, _made: _loaded(types, fields),
    FunctionCode.INST_GEP: _gep,
    FunctionCode.INST_GEP_OLD: _gep,
    FunctionCode.INST_INBOUNDS_GEP_OLD: _gep,
    FunctionCode.INST_VAARG: _of_field("type id"),
    FunctionCode.INST_CMPXCHG: _cmpxchg,
    FunctionCode.INST_CMPXCHG_OLD: _cmpxchg,
    FunctionCode.INST_ATOMICRMW: _of_field("value type"),
    FunctionCode.INST_ATOMICRMW_OLD: _of_field("value type"),
    FunctionCode.INST_PHI: _of_field("type id"),
    FunctionCode.INST_CALL: _call,
    FunctionCode.INST_INVOKE: _call,
    FunctionCode.INST_CALLBR: _call,
    FunctionCode.INST_LANDINGPAD: _of_field("type id"),
    FunctionCode.INST_LANDINGPAD_OLD: _of_field("type id"),
}


def _loaded(types: FileTypes, fields: Fields) -> int:
    explicit = fields.get("type id")
    return types.pointee_id(fields["pointer type"]) if explicit is None else int(explicit)
