"""Makes a constant of the fields of its record, one function for each kind of record.

Rules: docs/reference/records.md, 6.2 to 6.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.bitcode.integers import rotated, wide
from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.reader import expressions
from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.text import characters
from bitcodec.ir.constants import Constant
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    FunctionType,
    IntegerType,
    PointerType,
    SequentialType,
    StructType,
    VectorType,
)
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason
from bitcodec.tables.instruction_flags import INLINE_ASSEMBLY, AsmFlags, flags_by_number
from bitcodec.upgrade.assembly import upgraded_assembly
from bitcodec.upgrade.expansion import Expandable, expandable_aggregate

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.field_reader import Fields
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["MAKERS", "Making", "check_count"]


_ASM_FLAGS = flags_by_number(INLINE_ASSEMBLY)
_MAX_SPLAT = 1 << 16
"""Elements of a vector that is given by one number: a few bytes could require any number of them."""


class Making(NamedTuple):
    """A constant in the making.

    Attributes:
        module: the tables of its module.
        type: its type.
        type_id: id of its type.
        fields: the fields of its record.
    """

    module: ModuleTables
    type: Type
    type_id: int
    fields: Fields

    @property
    def constants(self) -> ConstantTable:
        """Makes constants."""
        return self.module.constants


def _null(making: Making) -> Value:
    try:
        return making.constants.null(making.type)
    except TypeError as error:  # the type has no zero
        raise Malformed(Reason.CONSTANT_PROBLEM(problem=str(error))) from error


def _undef(making: Making) -> Value:
    return making.constants.undef(making.type)


def _poison(making: Making) -> Value:
    return making.constants.poison(making.type)


def _integer(making: Making) -> Value:
    return _splat_integer(making, rotated(making.fields["number"]))


def _wide_integer(making: Making) -> Value:
    numbers = making.fields["numbers"]
    require_operands(numbers, 1)
    return _splat_integer(making, wide(numbers))


def _splat_integer(making: Making, number: int) -> Value:
    scalar = making.type.scalar_type
    if not isinstance(scalar, IntegerType):
        raise Malformed(Reason.INTEGER_TYPE(type=making.type.brief))
    return _splat(making, making.constants.integer(scalar, number))


def _floating(making: Making) -> Value:
    scalar = making.type.scalar_type
    numbers = making.fields["numbers"]
    require_operands(numbers, 1)
    if not isinstance(scalar, FloatingPointType):
        return making.constants.poison(making.type)
    width = scalar.bit_width
    require_operands(numbers, 1 if width <= 64 else 2)
    if width <= 64:
        bits = numbers[0]
    elif scalar is making.module.types.x86_fp80:
        from bitcodec.ir.floating_point import format_of  # noqa: PLC0415 - few ask, and fractions take long

        bits = format_of(scalar).canonical(numbers[0] << 16 | numbers[1] & 0xFFFF)
    else:
        bits = numbers[0] | numbers[1] << 64
    return _splat(making, making.constants.floating(scalar, bits & ((1 << width) - 1)))


def _splat(making: Making, scalar: Constant) -> Value:
    if isinstance(making.type, VectorType):
        if making.type.count > _MAX_SPLAT:
            raise Malformed(Reason.LARGE_SPLAT(count=making.type.count))
        return making.constants.splat(making.type, scalar)
    return scalar


def check_count(type: Type, count: int) -> None:
    """Check the number of elements of an aggregate, before these are looked up, as LLVM does.

    Raises:
        Malformed: the type has another number.
    """
    if isinstance(type, StructType):
        expected = len(type.element_types)
    elif isinstance(type, SequentialType):
        expected = type.count
    else:
        return
    if count and count != expected:
        raise Malformed(Reason.ELEMENT_COUNT(count=count, type=type.brief))


def _aggregate(making: Making) -> Value:
    elements = making.fields["elements"]
    require_operands(elements, 1)
    type_ = making.type
    if isinstance(type_, StructType):
        expected = list(type_.element_types)
    elif isinstance(type_, SequentialType):
        expected = [type_.element_type] * type_.count
    else:
        return making.constants.poison(type_)
    if [element.type for element in elements] != expected:
        raise Malformed(Reason.OTHER_ELEMENTS(type=type_.brief))
    if any(isinstance(element, Expandable) for element in elements):
        return expandable_aggregate(making.constants, type_, elements)
    return making.constants.aggregate(type_, elements)


def _string(making: Making) -> Value:
    return _bytes(making, b"")


def _c_string(making: Making) -> Value:
    return _bytes(making, b"\0")


def _bytes(making: Making, end: bytes) -> Value:
    numbers = making.fields["numbers"]
    try:
        text = bytes(numbers) + end
    except ValueError:  # LLVM takes the low bits
        text = bytes(number & 0xFF for number in numbers) + end
    type_ = making.type
    if not isinstance(type_, ArrayType) or type_.count != len(text) or str(type_.element_type) != "i8":
        raise Malformed(Reason.STRING_TYPE(size=len(text), type=type_.brief))
    return making.constants.data(type_, text)


def _data(making: Making) -> Value:
    numbers = making.fields["numbers"]
    type_ = making.type
    if not isinstance(type_, SequentialType) or type_.count != len(numbers):
        raise Malformed(Reason.NUMBER_COUNT(count=len(numbers), type=type_.brief))
    element = type_.element_type
    width = element.bit_width if isinstance(element, (IntegerType, FloatingPointType)) else 0
    if width not in (8, 16, 32, 64):
        raise Malformed(Reason.NO_PLAIN_NUMBERS(type=type_.brief))
    mask = (1 << width) - 1
    return making.constants.data(type_, [number & mask for number in numbers])


def _inline_asm(making: Making) -> Value:
    """Take it from [flags, size, text, size, constraints], the function type ahead of it in new files."""
    texts = making.fields["texts"]
    flags = making.fields["flags"]
    require_operands(texts, 1)
    size = texts[0]
    require_operands(texts, size + 2)
    constraint_size = texts[1 + size]
    if 2 + size + constraint_size > len(texts):
        raise Malformed(Reason.LONG_TEXTS())
    text = upgraded_assembly(characters(texts[1 : 1 + size]))
    constraints = characters(texts[2 + size : 2 + size + constraint_size])
    return making.constants.inline_asm(_asm_type(making), text, constraints, _ASM_FLAGS[flags])


def _inline_asm_oldest(making: Making) -> Value:
    """LLVM 3.0 and 3.1 had one bit less: all bits above the first give whether the stack is aligned."""
    flags = making.fields["flags"]
    making.fields["flags"] = flags & AsmFlags.SIDEEFFECT | (AsmFlags.ALIGNSTACK if flags >> 1 else 0)
    return _inline_asm(making)


def _asm_type(making: Making) -> FunctionType:
    type_ = making.fields.get("function_type")
    if type_ is None:
        type_ = making.module.file_types.pointee(making.type_id)
    if not isinstance(type_, FunctionType) or not isinstance(making.type, PointerType):
        raise Malformed(Reason.ASSEMBLY_TYPE(type=type_.brief, pointer=making.type.brief))
    return type_


def _block_address(making: Making) -> Value:
    function = making.fields["function"]
    number = making.fields["block"]
    if not isinstance(function, Function):
        raise Malformed(Reason.ADDRESS_OF_NO_FUNCTION())
    if number == 0:
        raise Malformed(Reason.ADDRESS_OF_ENTRY())
    return making.constants.block_address(function, making.module.block_of(function, number))


def _dso_local_equivalent(making: Making) -> Value:
    return making.constants.dso_local_equivalent(_global(making))


def _no_cfi(making: Making) -> Value:
    return making.constants.no_cfi(_global(making))


def _global(making: Making) -> GlobalValue:
    value = making.fields["global_value"]
    if not isinstance(value, GlobalValue):
        raise Malformed(Reason.NO_GLOBAL())
    return value


def _ptr_auth(making: Making) -> Value:
    fields = making.fields
    symbol = fields.get("deactivation_symbol")
    if symbol is None:
        symbol = making.constants.null(making.module.types.ptr)
    names = ("pointer", "key", "discriminator", "address_discriminator")
    parts = [*(cast("Constant", fields[name]) for name in names), symbol]
    if not isinstance(parts[0].type, PointerType) or not isinstance(parts[3].type, PointerType):
        raise Malformed(Reason.UNSIGNED_POINTERS())
    if not isinstance(parts[1].type, IntegerType) or not isinstance(parts[2].type, IntegerType):
        raise Malformed(Reason.SIGNING_INTEGERS())
    return making.constants.ptr_auth(*parts)


def _expression(make: Callable[..., Value]) -> Callable[[Making], Value]:
    return lambda making: make(making.module, making.type, making.type_id, making.fields)


MAKERS: dict[int, Callable[[Making], Any]] = {
    ConstantsCode.NULL: _null,
    ConstantsCode.UNDEF: _undef,
    ConstantsCode.POISON: _poison,
    ConstantsCode.INTEGER: _integer,
    ConstantsCode.WIDE_INTEGER: _wide_integer,
    ConstantsCode.FLOAT: _floating,
    ConstantsCode.AGGREGATE: _aggregate,
    ConstantsCode.STRING: _string,
    ConstantsCode.CSTRING: _c_string,
    ConstantsCode.DATA: _data,
    ConstantsCode.CE_UNOP: _expression(expressions.unary),
    ConstantsCode.CE_BINOP: _expression(expressions.binary),
    ConstantsCode.CE_CAST: _expression(expressions.cast_),
    ConstantsCode.CE_GEP_OLD: _expression(expressions.get_element_ptr),
    ConstantsCode.CE_INBOUNDS_GEP: _expression(expressions.inbounds_get_element_ptr),
    ConstantsCode.CE_GEP_WITH_INRANGE_INDEX_OLD: _expression(expressions.get_element_ptr_with_index),
    ConstantsCode.CE_GEP: _expression(expressions.get_element_ptr),
    ConstantsCode.CE_GEP_WITH_INRANGE: _expression(expressions.get_element_ptr),
    ConstantsCode.CE_SELECT: _expression(expressions.select),
    ConstantsCode.CE_EXTRACTELT: _expression(expressions.extract_element),
    ConstantsCode.CE_INSERTELT: _expression(expressions.insert_element),
    ConstantsCode.CE_SHUFFLEVEC: _expression(expressions.shuffle_vector),
    ConstantsCode.CE_SHUFVEC_EX: _expression(expressions.shuffle_vector),
    ConstantsCode.CE_CMP: _expression(expressions.compare),
    ConstantsCode.INLINEASM_OLD: _inline_asm_oldest,
    ConstantsCode.INLINEASM_OLD2: _inline_asm,
    ConstantsCode.INLINEASM_OLD3: _inline_asm,
    ConstantsCode.INLINEASM: _inline_asm,
    ConstantsCode.BLOCKADDRESS: _block_address,
    ConstantsCode.DSO_LOCAL_EQUIVALENT: _dso_local_equivalent,
    ConstantsCode.NO_CFI_VALUE: _no_cfi,
    ConstantsCode.PTRAUTH: _ptr_auth,
    ConstantsCode.PTRAUTH2: _ptr_auth,
}
"""By record code.  Any other record is `undef`, as in LLVM."""
