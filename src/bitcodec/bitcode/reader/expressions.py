"""Makes constant expressions; those that LLVM 22 no longer has become `Expandable`s.

Rules: docs/reference/records.md, 6.4 and 6.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec import upgrade
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.shuffle_masks import mask_of
from bitcodec.ir.cast_rules import CAST_RULES, is_bitcast
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.constants import Constant
from bitcodec.ir.element_access import element_at
from bitcodec.ir.instructions import (
    BinaryOperator,
    Cast,
    ExtractElement,
    FCmp,
    GetElementPtr,
    ICmp,
    InsertElement,
    Select,
    ShuffleVector,
    UnaryOperator,
)
from bitcodec.ir.type_properties import is_same_shape
from bitcodec.ir.type_table import address_type
from bitcodec.ir.types import (
    FloatingPointType,
    IntegerType,
    PointerType,
    VectorType,
)
from bitcodec.reasons import Reason
from bitcodec.tables.instruction_flags import GEPFlags, IntegerFlags, fast_math_by_number, flags_by_number
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES, FCmpPredicate, ICmpPredicate
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS
from bitcodec.upgrade.expansion import Expandable, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.bitcode.reader.field_reader import Fields
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "binary",
    "binary_opcode",
    "cast_",
    "cast_opcode",
    "compare",
    "extract_element",
    "get_element_ptr",
    "get_element_ptr_with_index",
    "inbounds_get_element_ptr",
    "insert_element",
    "select",
    "shuffle_vector",
    "unary",
]

_INRANGE_INBOUNDS = 1
_GEP_FLAGS = flags_by_number("getelementptr")
_INBOUNDS = _GEP_FLAGS[GEPFlags.INBOUNDS]


def binary_opcode(number: int, type: Type) -> str:
    """Return the spelling of a binary operation on values of a type.

    Raises:
        Malformed: the number is unknown.
    """
    scalar = type.scalar_type
    row = BINARY_OPCODES[number] if number < len(BINARY_OPCODES) else None
    opcode = ""
    if row is not None and isinstance(scalar, IntegerType):
        opcode = row.integer
    elif row is not None and isinstance(scalar, FloatingPointType):
        opcode = row.floating
    if not opcode:
        raise Malformed(Reason.NO_BINARY_OPERATION(number=number, type=type.brief))
    return opcode


def cast_opcode(number: int) -> str:
    """Return the spelling of a cast.

    Raises:
        Malformed: the number is unknown.
    """
    if number >= len(CAST_OPCODES):
        raise Malformed(Reason.NO_CAST(number=number))
    return CAST_OPCODES[number]


def unary(_module: ModuleTables, type: Type, _type_id: int, fields: Fields) -> Value:
    """Make `fneg`, which no constant expression can be any more."""
    if fields["opcode"] or not isinstance(type.scalar_type, FloatingPointType):
        raise Malformed(Reason.NO_UNARY_OPERATION(number=fields["opcode"], type=type.brief))
    flags = fast_math_by_number("fneg")[fields["flags"]]
    return _expandable(type, [fields["operand"]], lambda parts: UnaryOperator("fneg", parts[0], flags))


def binary(module: ModuleTables, type: Type, _type_id: int, fields: Fields) -> Value:
    """Make a binary operation."""
    lhs, rhs = fields["lhs"], fields["rhs"]
    opcode = binary_opcode(fields["opcode"], type)
    if lhs.type is not type or rhs.type is not type:
        raise Malformed(Reason.BINARY_TYPES(opcode=opcode, lhs=lhs.type.brief, rhs=rhs.type.brief, type=type.brief))
    flags = IntegerFlags(fields["flags"] & 3) if isinstance(type.scalar_type, IntegerType) else IntegerFlags(0)
    if opcode not in REMOVED_EXPRESSIONS and _are_constants(lhs, rhs):
        return module.constants.binary(opcode, lhs, rhs, flags)
    return _expandable(type, [lhs, rhs], lambda parts: BinaryOperator(opcode, parts[0], parts[1], flags=flags))


def cast_(module: ModuleTables, type: Type, _type_id: int, fields: Fields) -> Value:
    """Make a cast."""
    operand = fields["operand"]
    opcode = cast_opcode(fields["opcode"])
    check_cast(opcode, operand.type, type)
    if opcode == "bitcast" and operand.type is type:
        return cast("Value", operand)  # between pointers that are no longer different
    if upgrade.is_address_space_bitcast(opcode, operand.type, type) and _are_constants(operand):
        return upgrade.upgraded_bitcast_constant(operand, type, module.types, module.constants)
    if opcode not in REMOVED_EXPRESSIONS and _are_constants(operand):
        return module.constants.cast(opcode, operand, type)
    return _expandable(type, [operand], lambda parts: Cast(opcode, parts[0], type))


def check_cast(opcode: str, source: Type, target: Type) -> None:
    """Check that a cast between two types is valid.

    Raises:
        Malformed: it is invalid.
    """
    rule = CAST_RULES.get(opcode)
    if rule is not None:
        fits = rule.allows(source, target)
    elif upgrade.is_address_space_bitcast(opcode, source, target):
        fits = is_same_shape(source, target)
    else:
        fits = is_bitcast(source, target)
    if not fits:
        raise Malformed(Reason.CAST_TYPES(opcode=opcode, source=source.brief, target=target.brief))


def get_element_ptr(module: ModuleTables, _type: Type, _type_id: int, fields: Fields) -> Value:
    """Make address arithmetic."""
    return _get_element_ptr(module, fields, _GEP_FLAGS[fields.get("flags", 0)], fields.get("in_range"))


def inbounds_get_element_ptr(module: ModuleTables, _type: Type, _type_id: int, fields: Fields) -> Value:
    """Make address arithmetic that stays inside the object."""
    return _get_element_ptr(module, fields, _INBOUNDS, None)


def get_element_ptr_with_index(module: ModuleTables, _type: Type, _type_id: int, fields: Fields) -> Value:
    """Make address arithmetic with an index that once limited the accessible range; LLVM 22 ignores it."""
    flags = _INBOUNDS if fields["flags"] & _INRANGE_INBOUNDS else GEPFlags(0)
    return _get_element_ptr(module, fields, flags, None)


def _get_element_ptr(module: ModuleTables, fields: Fields, flags: GEPFlags, in_range: ConstantRange | None) -> Value:
    operands = fields["operands"]
    if not operands:
        raise Malformed(Reason.NO_ADDRESS_OPERANDS())
    pointer, *indices = operands
    source = fields.get("source_element_type")
    type_ids = fields["operand type ids"]
    stated, *_ = map(module.file_types.of, type_ids)
    pointer_id = type_ids[0]
    if not isinstance(stated.scalar_type, PointerType):
        raise Malformed(Reason.ADDRESS_TYPE(type=stated.brief))
    if source is None:
        source = module.file_types.pointee(module.file_types.scalar_id(pointer_id))
    check_gep(module, source, pointer, indices)
    is_scalable = isinstance(source, VectorType) and source.is_scalable
    if not is_scalable and _are_constants(*operands):
        return module.constants.get_element_ptr(source, pointer, indices, flags, in_range)
    type_ = gep_type(module, pointer, indices)
    return _expandable(type_, operands, lambda parts: GetElementPtr(type_, source, parts[0], parts[1:], flags))


def check_gep(module: ModuleTables, source: Type, pointer: Value, indices: Sequence[Value]) -> None:
    """Check that indices lead to an element.

    Raises:
        Malformed: an index is invalid, or the pointer or source type is.
    """
    type_ = pointer.type
    if not isinstance(type_, PointerType) and not isinstance(type_.scalar_type, PointerType):
        raise Malformed(Reason.ADDRESS_TYPE(type=type_.brief))
    if source not in module.sized and not module.is_sized(source):
        raise Malformed(Reason.UNSIZED_ADDRESS_TYPE(type=source.brief))
    if len(indices) > 1 and element_at(source, indices[1:]) is None:
        raise Malformed(Reason.NO_INDEXED_ELEMENT(type=source.brief))


def gep_type(module: ModuleTables, pointer: Value, indices: Sequence[Value]) -> Type:
    """Return the type of an address: a vector if the pointer or an index is one."""
    return address_type(module.types, pointer, indices)


def select(_module: ModuleTables, type: Type, _type_id: int, fields: Fields) -> Value:
    """Make `select`, which no constant expression can be any more."""
    parts = [fields["condition"], fields["true_value"], fields["false_value"]]
    condition = parts[0].type
    if condition.scalar_type != _module.types.integer(1) or parts[1].type is not type or parts[2].type is not type:
        raise Malformed(
            Reason.SELECT_TYPES(condition=condition.brief, lhs=parts[1].type.brief, rhs=parts[2].type.brief)
        )
    return _expandable(type, parts, lambda parts: Select(parts[0], parts[1], parts[2]))


def extract_element(module: ModuleTables, _type: Type, _type_id: int, fields: Fields) -> Value:
    """Make an element of a vector."""
    vector, index = fields["vector"], fields["index"]
    if not isinstance(vector.type, VectorType) or not isinstance(index.type, IntegerType):
        raise Malformed(Reason.ELEMENT_TYPES(index=index.type.brief, type=vector.type.brief))
    if _are_constants(vector, index):
        return module.constants.extract_element(vector, index)
    return _expandable(vector.type.element_type, [vector, index], lambda parts: ExtractElement(parts[0], parts[1]))


def insert_element(module: ModuleTables, type: Type, _type_id: int, fields: Fields) -> Value:
    """Make a vector with one element replaced."""
    parts = [fields["vector"], fields["element"], fields["index"]]
    vector, element, index = parts
    if (
        not isinstance(vector.type, VectorType)
        or element.type is not vector.type.element_type
        or not isinstance(index.type, IntegerType)
    ):
        raise Malformed(
            Reason.INSERTED_TYPES(element=element.type.brief, index=index.type.brief, type=vector.type.brief)
        )
    if _are_constants(*parts):
        return module.constants.insert_element(vector, element, index)
    return _expandable(type, parts, lambda parts: InsertElement(parts[0], parts[1], parts[2]))


def shuffle_vector(module: ModuleTables, _type: Type, _type_id: int, fields: Fields) -> Value:
    """Make elements of two vectors, in any order."""
    lhs, rhs = fields["lhs"], fields["rhs"]
    mask = mask_of(fields["mask"])
    if not isinstance(lhs.type, VectorType) or lhs.type is not rhs.type:
        raise Malformed(Reason.SHUFFLED_TYPES(lhs=lhs.type.brief, rhs=rhs.type.brief))
    if any(index >= 2 * lhs.type.count for index in mask):
        raise Malformed(Reason.MASK_INDEX())
    if _are_constants(lhs, rhs):
        return module.constants.shuffle_vector(lhs, rhs, mask)
    type_ = module.types.vector(len(mask), lhs.type.element_type, is_scalable=lhs.type.is_scalable)
    return _expandable(type_, [lhs, rhs], lambda parts: ShuffleVector(type_, parts[0], parts[1], mask))


def compare(module: ModuleTables, _type: Type, _type_id: int, fields: Fields) -> Value:
    """Make a comparison, which no constant expression can be any more."""
    lhs, rhs = fields["lhs"], fields["rhs"]
    if lhs.type is not rhs.type:
        raise Malformed(Reason.COMPARED_TYPES(lhs=lhs.type.brief, rhs=rhs.type.brief))
    type_ = module.types.like(lhs.type, module.types.integer(1))
    predicate = predicate_of(fields["predicate"], lhs.type)
    kind: Any = FCmp if isinstance(predicate, FCmpPredicate) else ICmp
    return _expandable(type_, [lhs, rhs], lambda parts: kind(type_, predicate, *parts))


_ICMP = {predicate.code: predicate for predicate in ICmpPredicate}
_PREDICATES: dict[type[Type], dict[int, Any]] = {
    IntegerType: _ICMP,
    PointerType: _ICMP,
    FloatingPointType: {predicate.code: predicate for predicate in FCmpPredicate},
}
"""How scalars are compared, by the class of their type and the number of the predicate."""


def predicate_of(number: int, type: Type) -> ICmpPredicate | FCmpPredicate:
    """Return how values of a type are compared.

    Raises:
        Malformed: they cannot be compared so.
    """
    found: ICmpPredicate | FCmpPredicate | None = _PREDICATES.get(type.scalar_type.__class__, {}).get(number)
    if found is None:
        opcode = "fcmp" if isinstance(type.scalar_type, FloatingPointType) else "icmp"
        raise Malformed(Reason.NO_PREDICATE(number=number, type=type.brief, opcode=opcode))
    return found


def _expandable(
    type: Type,
    parts: list[Value],
    make: Callable[[Sequence[Value]], Instruction],
) -> Expandable:
    return Expandable(type, parts, lambda values: [Step(make(values), "constexpr")])


def _are_constants(*values: Any) -> bool:
    return all(isinstance(value, Constant) for value in values)
