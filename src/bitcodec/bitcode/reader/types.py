"""Reads TYPE_BLOCK.

A type id contains more than its type: all typed pointers are `ptr` in the model, but the ids still give
their pointees, and old records cannot be read without them.  Values of such files therefore have a type id.
Rules: docs/reference/records.md, 4 and 7.9.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands, unknown
from bitcodec.bitcode.schema.blocks import TypeCode
from bitcodec.bitcode.schema.globals import MAX_ADDRESS_SPACE
from bitcodec.bitcode.text import characters
from bitcodec.ir.target_types import parameter_problem
from bitcodec.ir.type_table import array_type, function_type, name_struct
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
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.ir.type_table import TypeTable

__all__ = ["HANDLED_TYPE_CODES", "NO_TYPE_ID", "FileTypes"]

NO_TYPE_ID = -1
"""The type id of a value whose type holds no pointer, so that nothing needs it."""

_MAX_VECTOR = (1 << 32) - 1
_MAX_INTEGER_PARAMETER = (1 << 32) - 1
_NUMENTRY, _STRUCT_NAME = int(TypeCode.NUMENTRY), int(TypeCode.STRUCT_NAME)


class FileTypes:
    """The types of a module by id, and the contained types of ids.

    Attributes:
        types: types by id.
        parts: if there are typed pointers, the ids of contained types (see `contained`), one type's after
            another's.
        part_ends: the end of each type's parts.
        addresses: ids of pointers of the address space 0 that the file has no ids for, by their pointee.
        has_typed_pointers: whether ids of pointers give their pointees.
    """

    __slots__ = (
        "_count",
        "_forward",
        "_held_ahead",
        "_name",
        "_virtual",
        "addresses",
        "has_typed_pointers",
        "part_ends",
        "parts",
        "pointers",
        "table",
        "types",
    )

    def __init__(self, table: TypeTable) -> None:
        self.table = table
        self.types: list[Type] = []
        self.parts = array("q")
        self.part_ends = array("Q")
        self.addresses: dict[int, int] = {}
        self.pointers: dict[int, PointerType] = {}
        self._virtual: dict[tuple[Type, tuple[int, ...]], int] = {}
        self._forward: dict[int, StructType] = {}
        self._name: list[int] = []
        self._count: int | None = None
        self._held_ahead: list[Type] = []
        self.has_typed_pointers = False

    def read(self, records: Records) -> None:
        """Read a TYPE_BLOCK.

        Raises:
            BitcodeError: it is malformed.
        """
        if self._count is not None:
            raise records.error(-1, Reason.SECOND_TYPE_TABLE())
        types, forward, maker_of = self.types, self._forward, _MAKERS.get
        count = -1
        # Without typed pointers nothing needs to know what the type of an id is made of.
        keeps_parts = any(TypeCode.POINTER in records.code_bytes(rows) for rows in records.ranges())
        ends = self.part_ends
        with records.placed():
            for _, code, operands in records:
                maker, number = maker_of(code), len(types)
                if maker is None or number >= count:
                    count = self._read_record(code, operands)
                    continue
                make, shortest = maker
                require_operands(operands, shortest)
                made, ids = make(self, operands)
                if number in forward and forward.pop(number) is not made:
                    raise Malformed(Reason.TYPE_BEFORE_DEFINITION())
                types.append(made)
                if keeps_parts:
                    if ids:
                        self._extend_parts(ids)
                    ends.append(len(self.parts))
        endless = _type_that_holds_itself(self._held_ahead) if self._held_ahead else None
        if endless is not None:
            raise records.error(-1, Reason.ENDLESS_TYPE(type=endless.brief))
        if records.current >= 0 and self._count != len(self.types):
            raise records.error(records.current, Reason.FEW_TYPES(count=len(self.types), stated=str(self._count)))

    def of(self, type_id: int) -> Type:
        """Return the type of an id.

        Raises:
            Malformed: the id is unknown.
        """
        if not 0 <= type_id < len(self.types):
            raise Malformed(Reason.NO_TYPE(number=type_id))
        return self.types[type_id]

    def contained(self, type_id: int, index: int = 0) -> int:
        """Return the id of a contained type: pointee, element, or return type (0) and parameters (from 1).

        Raises:
            Malformed: it has no such contained type.
        """
        if not 0 <= type_id < len(self.part_ends):
            raise Malformed(Reason.UNKNOWN_CONTENTS(number=type_id))
        at = index + (self.part_ends[type_id - 1] if type_id else 0)
        if index < 0 or at >= self.part_ends[type_id]:
            raise Malformed(Reason.UNKNOWN_CONTENTS(number=type_id))
        return self.parts[at]

    def pointee(self, type_id: int) -> Type:
        """Return the pointee type of the typed pointer of an id.

        Raises:
            Malformed: it is not a typed pointer.
        """
        return self.of(self.pointee_id(type_id))

    def pointee_id(self, type_id: int) -> int:
        """Return the pointee's id of the typed pointer of an id.

        Raises:
            Malformed: it is not a typed pointer.
        """
        if type_id == NO_TYPE_ID or not isinstance(self.of(type_id), PointerType):
            raise Malformed(Reason.UNKNOWN_POINTEE())
        return self.contained(type_id)

    def scalar_id(self, type_id: int) -> int:
        """Return the id of the elements of a vector, the id itself otherwise."""
        return self.contained(type_id) if isinstance(self.of(type_id), VectorType) else type_id

    def virtual(self, type: Type, contained: Sequence[int] = ()) -> int:
        """Return an id for a type that the file has no id for."""
        key = (type, tuple(contained))
        found = self._virtual.get(key)
        if found is None:
            found = self._virtual[key] = len(self.types)
            self.types.append(type)
            if self.has_typed_pointers:
                self._extend_parts(contained)
                self.part_ends.append(len(self.parts))
        return found

    def _extend_parts(self, contained: Sequence[int]) -> None:
        """Append the ids of the types contained in a type."""
        try:
            self.parts.extend(contained)
        except OverflowError:
            raise Malformed(Reason.DISTANT_TYPE()) from None

    def address(self, pointer: Type, type_id: int) -> int:
        """Return the id of the pointers to a type, of the type `ptr` or one like it of another address space."""
        found = self.virtual(pointer, (type_id,))
        if pointer is self.table.ptr:
            self.addresses[type_id] = found
        return found

    def _read_record(self, code: int, operands: list[int]) -> int:
        """Read a record that defines no type, or must not; return how many types the table has, -1 if not known yet."""
        if code == _NUMENTRY:
            require_operands(operands, 1)
            self._count = operands[0]
        elif code == _STRUCT_NAME:
            # Names that no type has taken yet add up, as in LLVM.
            self._name += operands
        elif self._count is None:
            raise Malformed(Reason.TYPE_COUNT_NOT_STATED())
        elif len(self.types) >= self._count:
            raise Malformed(Reason.MANY_TYPES(count=self._count))
        else:
            raise unknown("kind of type", TypeCode, code)
        return -1 if self._count is None else self._count

    def element(self, type_id: int) -> Type:
        """Return a type that another holds; one that is not defined yet must become a named struct."""
        if type_id < len(self.types):
            return self.types[type_id]
        found = self.pointed_to(type_id)
        self._held_ahead.append(found)
        return found

    def pointed_to(self, type_id: int) -> Type:
        """Return a type that another does not hold, but refers to; it may be defined later, as in `element`."""
        if type_id < len(self.types):
            return self.types[type_id]
        if self._count is None or type_id >= self._count:
            raise Malformed(Reason.NO_TYPE(number=type_id))
        return self._forward.setdefault(type_id, StructType(None, name=""))

    def elements(self, type_ids: Sequence[int], *unfit: type[Type]) -> list[Type]:
        """Return the element types of a type; types of unfit classes are refused."""
        types = self.types
        try:
            elements = [types[type_id] for type_id in type_ids]
        except IndexError:
            elements = [self.element(type_id) for type_id in type_ids]
        if unfit and not _ALWAYS_FIT.issuperset(map(type, elements)):
            for element in elements:
                if isinstance(element, unfit):
                    raise _no_element(element)
        return elements

    def named_struct(self) -> StructType:
        """Return the struct of the next id, with the name that was read before."""
        struct = self._forward.get(len(self.types)) or StructType(None, name="")
        name_struct(self.table, struct, self.take_name())
        return struct

    def identified_structs(self) -> list[StructType]:
        """Return all identified structs, in the order of their ids."""
        return [type_ for type_ in self.types if isinstance(type_, StructType) and not type_.is_literal]

    def take_name(self) -> str:
        """Return the name that the last records have given to the next type."""
        name, self._name = characters(self._name), []
        return name


def _type_that_holds_itself(types: Sequence[Type]) -> Type | None:
    """Return one that holds itself by value, so that it could have no size; None if none does.

    Args:
        types: types that others contained before they were defined: one of them is in each circle.
    """
    sound: set[Type] = set()
    around: set[Type] = set()
    pending = [*types]
    while pending:
        current = pending[-1]
        if current in sound or current in around:
            sound.add(pending.pop())
            continue
        around.add(current)
        for part in current.element_types:
            if part not in sound:
                if part in around:
                    return part
                pending.append(part)
    return None


def _no_element(type: Type) -> Malformed:
    return Malformed(Reason.NO_ELEMENT_TYPE(type=type.brief))


_Made = tuple[Type, "Sequence[int]"]
_NOT_ELEMENTS = (VoidType, LabelType, MetadataType, FunctionType, TokenType, X86AMXType)
_NOT_POINTED_TO = frozenset({VoidType, LabelType, MetadataType, TokenType})
_NOT_FIELDS = (VoidType, LabelType, MetadataType, FunctionType, TokenType)
_POINTER_WITH_SPACE = 2
"""Operands of a typed pointer with an address space; LLVM looks at no longer record for one."""
_ALWAYS_FIT = frozenset({IntegerType, FloatingPointType, PointerType, ArrayType, VectorType, StructType})
"""Classes of types that may be elements, parameters and results of anything."""


def _primitive(name: str) -> Callable[[FileTypes, list[int]], _Made]:
    return lambda reader, _operands: (getattr(reader.table, name), ())


def _integer(reader: FileTypes, operands: list[int]) -> _Made:
    if not 1 <= operands[0] <= IntegerType.MAX_WIDTH:
        raise Malformed(Reason.INTEGER_WIDTH(width=operands[0]))
    return reader.table.integer(operands[0]), ()


def _pointer(reader: FileTypes, operands: list[int]) -> _Made:
    reader.has_typed_pointers = True
    types, type_id = reader.types, operands[0]
    element = types[type_id] if type_id < len(types) else reader.pointed_to(type_id)
    if type(element) in _NOT_POINTED_TO:
        raise _no_element(element)
    return _pointer_into(reader, operands[1] if len(operands) == _POINTER_WITH_SPACE else 0), (type_id,)


def _opaque_pointer(reader: FileTypes, operands: list[int]) -> _Made:
    if len(operands) != 1:
        raise Malformed(Reason.ONE_OPERAND(count=len(operands)))
    return _pointer_into(reader, operands[0]), ()


def _pointer_into(reader: FileTypes, address_space: int) -> Type:
    found = reader.pointers.get(address_space)
    if found is None:
        if address_space > MAX_ADDRESS_SPACE:
            raise Malformed(Reason.NO_ADDRESS_SPACE(number=address_space))
        found = reader.pointers[address_space] = reader.table.pointer(address_space)
    return found


def _function(reader: FileTypes, operands: list[int]) -> _Made:
    is_vararg, ids = operands[0], operands[1:]
    elements = reader.elements(ids)
    result, parameters = elements[0], tuple(elements[1:])
    if not _ALWAYS_FIT.issuperset(map(type, elements)):
        for parameter in parameters:
            if not parameter.is_first_class or isinstance(parameter, LabelType):
                raise Malformed(Reason.NO_PARAMETER_TYPE(type=parameter.brief))
        if isinstance(result, (FunctionType, LabelType, MetadataType)):
            raise Malformed(Reason.NO_RETURN_TYPE(type=result.brief))
    return function_type(reader.table, (result, parameters, bool(is_vararg))), ids


def _function_old(reader: FileTypes, operands: list[int]) -> _Made:
    return _function(reader, [operands[0], *operands[2:]])


def _array(reader: FileTypes, operands: list[int]) -> _Made:
    count, element_id = operands[0], operands[1]
    element = reader.element(element_id)
    if isinstance(element, _NOT_ELEMENTS):
        raise _no_element(element)
    return array_type(reader.table, (count, element)), (element_id,)


def _vector(reader: FileTypes, operands: list[int]) -> _Made:
    count, element_id = operands[0], operands[1]
    element = reader.element(element_id)
    if not 0 < count <= _MAX_VECTOR or not isinstance(
        element, (IntegerType, FloatingPointType, PointerType, TargetExtensionType)
    ):
        raise Malformed(Reason.VECTOR_LENGTH(count=count, type=element.brief))
    is_scalable = bool(len(operands) > 2 and operands[2])
    return reader.table.vector(count, element, is_scalable=is_scalable), (element_id,)


def _literal_struct(reader: FileTypes, operands: list[int]) -> _Made:
    is_packed, ids = operands[0], operands[1:]
    return reader.table.struct(reader.elements(ids, *_NOT_FIELDS), is_packed=bool(is_packed)), ids


def _identified_struct(reader: FileTypes, operands: list[int]) -> _Made:
    is_packed, ids = operands[0], operands[1:]
    struct = reader.named_struct()
    struct.elements = tuple(reader.elements(ids, *_NOT_FIELDS))
    struct.is_packed = bool(is_packed)
    return struct, ids


def _opaque_struct(reader: FileTypes, operands: list[int]) -> _Made:
    if len(operands) != 1:
        raise Malformed(Reason.ONE_OPERAND(count=len(operands)))
    return reader.named_struct(), ()


def _target_extension(reader: FileTypes, operands: list[int]) -> _Made:
    count = operands[0]
    if count >= len(operands):
        raise Malformed(Reason.TARGET_TYPE_COUNT(count=count))
    ids, integers = operands[1 : count + 1], operands[count + 1 :]
    types, name = reader.elements(ids), reader.take_name()
    if max(integers, default=0) > _MAX_INTEGER_PARAMETER:
        raise Malformed(Reason.INTEGER_PARAMETER(number=max(integers)))
    problem = parameter_problem(name, len(types), len(integers))
    if problem:
        raise Malformed(Reason.TARGET_TYPE(problem=problem))
    return reader.table.target_extension(name, types, integers), ids


def _x86_mmx(reader: FileTypes, _operands: list[int]) -> _Made:
    return reader.table.vector(1, reader.table.integer(64)), ()


_MAKERS: dict[int, tuple[Callable[[FileTypes, list[int]], _Made], int]] = {
    TypeCode.VOID: (_primitive("void"), 0),
    TypeCode.FLOAT: (_primitive("float"), 0),
    TypeCode.DOUBLE: (_primitive("double"), 0),
    TypeCode.LABEL: (_primitive("label"), 0),
    TypeCode.OPAQUE: (_opaque_struct, 0),
    TypeCode.INTEGER: (_integer, 1),
    TypeCode.POINTER: (_pointer, 1),
    TypeCode.FUNCTION_OLD: (_function_old, 3),
    TypeCode.HALF: (_primitive("half"), 0),
    TypeCode.ARRAY: (_array, 2),
    TypeCode.VECTOR: (_vector, 2),
    TypeCode.X86_FP80: (_primitive("x86_fp80"), 0),
    TypeCode.FP128: (_primitive("fp128"), 0),
    TypeCode.PPC_FP128: (_primitive("ppc_fp128"), 0),
    TypeCode.METADATA: (_primitive("metadata"), 0),
    TypeCode.X86_MMX: (_x86_mmx, 0),
    TypeCode.STRUCT_ANON: (_literal_struct, 1),
    TypeCode.STRUCT_NAMED: (_identified_struct, 1),
    TypeCode.FUNCTION: (_function, 2),
    TypeCode.TOKEN: (_primitive("token"), 0),
    TypeCode.BFLOAT: (_primitive("bfloat"), 0),
    TypeCode.X86_AMX: (_primitive("x86_amx"), 0),
    TypeCode.OPAQUE_POINTER: (_opaque_pointer, 0),
    TypeCode.TARGET_TYPE: (_target_extension, 1),
}
"""Functions that make types, and how many operands a record has at least."""

HANDLED_TYPE_CODES = frozenset(_MAKERS) | {TypeCode.NUMENTRY, TypeCode.STRUCT_NAME}
