"""Numbers and records of types.  Rules: docs/reference/records.md, 4; docs/reference/writer.md, 11.6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import BlockId, TypeCode
from bitcodec.bitcode.writer.abbreviations import id_width
from bitcodec.bitcode.writer.instruction_forms import RecordTypes
from bitcodec.bitcode.writer.rows import UNABBREVIATED, BlockRows, Rows, characters
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, Abbreviation, array, char6, fixed, vbr
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    FunctionType,
    IntegerType,
    LabelType,
    MetadataType,
    PointerType,
    StructType,
    TargetExtensionType,
    TokenType,
    Type,
    VectorType,
    VoidType,
    X86AMXType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.values import Value

__all__ = ["TypeNumbers", "TypedPointerType", "added_types", "type_block"]


class TypedPointerType(PointerType):
    """A pointer in versions of LLVM before 15: it has a pointee type.

    Attributes:
        pointee: the type of that.
    """

    __slots__ = ("pointee",)

    def __init__(self, pointee: Type, address_space: int) -> None:
        super().__init__(address_space)
        self.pointee = pointee

    def _pieces(self) -> Sequence[str | Type]:
        return (self.pointee, f" addrspace({self.address_space})*" if self.address_space else "*")


class TypeNumbers(dict[Type, int]):
    """Type ids, assigned in the order of first use, each after its element types.

    Attributes:
        is_typed: whether pointers are written with the types that they point to.
        record_types: the types that values have in records.
    """

    is_typed = False
    record_types = RecordTypes()

    def type_of(self, value: Value) -> Type:
        """Return the type that a value has in records."""
        return self.record_types.type_of(value)

    def of(self, value: Value) -> int:
        """Return the id of the type that a value has in records."""
        return self[self.record_types.type_of(value)]

    def written(self, value: Value) -> Value:
        """Return the constant that is written for another."""
        return value

    def listed(self) -> Sequence[Type]:
        """Return the types in the order of their ids."""
        return list(self)

    def __missing__(self, type_: Type) -> int:
        pending = [type_]
        while pending:
            current = pending[-1]
            missing = [part for part in current.element_types if part not in self]
            if missing:
                pending += reversed(missing)
            else:
                self.setdefault(current, len(self))
                pending.pop()
        return self[type_]


_WIDTH = 4
_CHAR6 = frozenset(CHAR6_ALPHABET)
_POINTER, _FUNCTION, _STRUCT_ANON, _STRUCT_NAME, _STRUCT_NAMED, _ARRAY = range(4, 10)
"""Ids of the abbreviations."""


def type_block(numbers: TypeNumbers) -> BlockRows:
    """Return the table of all types."""
    block = BlockRows(BlockId.TYPE_BLOCK, _WIDTH)
    width = fixed(id_width(len(numbers.listed())))
    block.items += [
        Abbreviation.of(TypeCode.POINTER, width, 0)
        if numbers.is_typed
        else Abbreviation.of(TypeCode.OPAQUE_POINTER, 0),
        Abbreviation.of(TypeCode.FUNCTION, fixed(1), array, width),
        Abbreviation.of(TypeCode.STRUCT_ANON, fixed(1), array, width),
        Abbreviation.of(TypeCode.STRUCT_NAME, array, char6),
        Abbreviation.of(TypeCode.STRUCT_NAMED, fixed(1), array, width),
        Abbreviation.of(TypeCode.ARRAY, vbr(8), width),
    ]
    rows = block.rows()
    rows.add(TypeCode.NUMENTRY, [len(numbers.listed())])
    _add_types(rows, numbers, 0)
    return block


def added_types(numbers: TypeNumbers, first: int) -> Rows:
    """Return the records of types from a number on, all unabbreviated."""
    rows = Rows()
    _add_types(rows, numbers, first)
    rows.unabbreviate()
    return rows


def _add_types(rows: Rows, numbers: TypeNumbers, first: int) -> None:
    for type_ in numbers.listed()[first:]:
        _RECORDS[type(type_)](rows, type_, numbers)


def _plain(code: TypeCode) -> Callable[[Rows, Any, TypeNumbers], None]:
    return lambda rows, _type, _numbers: rows.add(code, ())


_FLOATING = {
    "half": TypeCode.HALF,
    "bfloat": TypeCode.BFLOAT,
    "float": TypeCode.FLOAT,
    "double": TypeCode.DOUBLE,
    "x86_fp80": TypeCode.X86_FP80,
    "fp128": TypeCode.FP128,
    "ppc_fp128": TypeCode.PPC_FP128,
}


def _floating(rows: Rows, type_: FloatingPointType, _numbers: TypeNumbers) -> None:
    rows.add(_FLOATING[type_.spelling], ())


def _integer(rows: Rows, type_: IntegerType, _numbers: TypeNumbers) -> None:
    rows.add(TypeCode.INTEGER, [type_.bit_width])


def _pointer(rows: Rows, type_: PointerType, _numbers: TypeNumbers) -> None:
    space = type_.address_space
    rows.add(TypeCode.OPAQUE_POINTER, [space], UNABBREVIATED if space else _POINTER)


def _typed_pointer(rows: Rows, type_: TypedPointerType, numbers: TypeNumbers) -> None:
    space = type_.address_space
    rows.add(TypeCode.POINTER, [numbers[type_.pointee], space], UNABBREVIATED if space else _POINTER)


def _function(rows: Rows, type_: FunctionType, numbers: TypeNumbers) -> None:
    parts = (type_.return_type, *type_.parameter_types)
    rows.add(TypeCode.FUNCTION, [type_.is_vararg, *map(numbers.__getitem__, parts)], _FUNCTION)


def _array(rows: Rows, type_: ArrayType, numbers: TypeNumbers) -> None:
    rows.add(TypeCode.ARRAY, [type_.count, numbers[type_.element_type]], _ARRAY)


def _vector(rows: Rows, type_: VectorType, numbers: TypeNumbers) -> None:
    scalable = [1] if type_.is_scalable else []
    rows.add(TypeCode.VECTOR, [type_.count, numbers[type_.element_type], *scalable])


def _struct(rows: Rows, type_: StructType, numbers: TypeNumbers) -> None:
    if type_.name:
        _name(rows, type_.name)
    if type_.elements is None:
        rows.add(TypeCode.OPAQUE, [0])
        return
    parts: Sequence[int] = [type_.is_packed, *map(numbers.__getitem__, type_.elements)]
    if type_.is_literal:
        rows.add(TypeCode.STRUCT_ANON, parts, _STRUCT_ANON)
    else:
        rows.add(TypeCode.STRUCT_NAMED, parts, _STRUCT_NAMED)


def _name(rows: Rows, name: str) -> None:
    text = characters(name)
    rows.add(TypeCode.STRUCT_NAME, text, _STRUCT_NAME if _CHAR6.issuperset(text) else UNABBREVIATED)


def _target_extension(rows: Rows, type_: TargetExtensionType, numbers: TypeNumbers) -> None:
    _name(rows, type_.name)
    types = [numbers[part] for part in type_.type_parameters]
    rows.add(TypeCode.TARGET_TYPE, [len(types), *types, *type_.integer_parameters])


_RECORDS: dict[type[Type], Callable[[Rows, Any, TypeNumbers], None]] = {
    VoidType: _plain(TypeCode.VOID),
    LabelType: _plain(TypeCode.LABEL),
    MetadataType: _plain(TypeCode.METADATA),
    TokenType: _plain(TypeCode.TOKEN),
    X86AMXType: _plain(TypeCode.X86_AMX),
    FloatingPointType: _floating,
    IntegerType: _integer,
    PointerType: _pointer,
    TypedPointerType: _typed_pointer,
    FunctionType: _function,
    ArrayType: _array,
    VectorType: _vector,
    StructType: _struct,
    TargetExtensionType: _target_extension,
}
