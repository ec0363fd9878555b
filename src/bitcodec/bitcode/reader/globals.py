"""Reads the records of MODULE_BLOCK that define globals: from fields to variables, functions, aliases and ifuncs.

The operands of globals are not read here: initializers and the like are value ids until first access.
Rules: docs/reference/records.md, 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.reader.field_reader import alignment
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import (
    FIELD_BOUNDS,
    GLOBAL_LAYOUTS,
    GLOBAL_RECORDS,
    OLD_LINKAGES,
    VARIABLE_EXPLICIT_TYPE,
)
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction.deferring import defer_attributes, expect_initializer
from bitcodec.ir.construction.setting import set_name
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.ir.intrinsic_attributes import declared_attributes
from bitcodec.ir.lazy import Deferred, MaterializationLock
from bitcodec.ir.types import FunctionType, PointerType
from bitcodec.reasons import Reason
from bitcodec.tables import calling_conventions
from bitcodec.tables.global_rows import GlobalFieldKind as K
from bitcodec.tables.globals import fields_in
from bitcodec.tables.linkage import DLLStorageClass, Linkage, Visibility
from bitcodec.upgrade.attributes import with_byval_of_interrupt, without_implicit_section
from bitcodec.upgrade.comdats import IMPLICIT_COMDAT_LINKAGES
from bitcodec.upgrade.expansion import Expandable, removed_opcodes

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.bitcode.schema.globals import GlobalRecord
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.coded import CodedEnum
    from bitcodec.tables.global_rows import GlobalField

__all__ = ["IMPLICIT_COMDAT_CODES", "LINKAGES", "OLD_DLL_CLASSES", "GlobalReader", "set_operand"]

_BY_SPELLING = {linkage.spelling: linkage for linkage in Linkage}
LINKAGES = {linkage.code: linkage for linkage in Linkage} | {
    code: _BY_SPELLING[spelling] for code, spelling in OLD_LINKAGES.items()
}
"""By their numbers, including those that are no longer written; others are external."""
IMPLICIT_COMDAT_CODES = frozenset(code for code in OLD_LINKAGES if LINKAGES[code] in IMPLICIT_COMDAT_LINKAGES)
"""Numbers of linkages that imply a comdat in records without a field for it."""
_EXTERNAL, _INTERNAL, _PRIVATE = Linkage.EXTERNAL, Linkage.INTERNAL, Linkage.PRIVATE
OLD_DLL_CLASSES = {5: DLLStorageClass.IMPORT, 6: DLLStorageClass.EXPORT}
"""By the number of the linkage, in records without a field for it."""
_ADDRESS_SPACE_SHIFT = 2

_BOUNDS: dict[int, tuple[tuple[int, str, int, int], ...]] = {
    code: tuple((index, name, *FIELD_BOUNDS[name]) for index, name in enumerate(layout._fields) if name in FIELD_BOUNDS)
    for code, layout in GLOBAL_LAYOUTS.items()
}
"""By record code, the place and name of each field that has bounds, with its largest value and its mask."""
_MANY = 1 << 12
"""Ids of types and values may be larger, and so may most bounds be."""
_NARROW_BOUNDS = {code: tuple(bound for bound in bounds if bound[2] < _MANY) for code, bounds in _BOUNDS.items()}
_SMALLEST_BOUND = min(bound.most for bound in FIELD_BOUNDS.values())
_SMALLEST_WIDE_BOUND = min(bound.most for bound in FIELD_BOUNDS.values() if bound.most >= _MANY)


def _boolean(_: ModuleTables, field: GlobalField, record: GlobalRecord, place: int) -> bool:
    return field.bit is None or bool(record[place] >> field.bit[1] & 1)


def _member(_: ModuleTables, field: GlobalField, record: GlobalRecord, place: int) -> CodedEnum | None:
    found = field.members.of(record[place]) if field.members is not None else None
    if found is None and field.name == "code_model":
        raise Malformed(Reason.NO_CODE_MODEL(number=record[place]))
    return found or field.unknown or field.default


_READERS: dict[K, Callable[[ModuleTables, GlobalField, GlobalRecord, int], object]] = {
    K.BOOLEAN: _boolean,
    K.MEMBER: _member,
    K.ALIGNMENT: lambda _tables, _field, record, place: alignment(record[place]),
    K.TEXT: lambda tables, _, record, place: tables.string(record[place - 1], record[place]),
    K.SECTION: lambda tables, _, record, place: tables.section(record[place]),
    K.COLLECTOR: lambda tables, _, record, place: tables.collector(record[place]),
    K.COMDAT: lambda tables, _, record, place: tables.comdat(record[place]),
}
_JUDGED = ("visibility", "dll_storage_class", "dso_local")
"""Fields that depend on others."""
_FIELDS = {
    code: [
        (getattr(field, record) + (field.kind is K.TEXT), field, _READERS.get(field.kind))
        for field in fields_in(record)
        if field.kind is not K.OTHER and field.name not in _JUDGED
    ]
    for code, record in GLOBAL_RECORDS.items()
}
"""By record code, operands that are 0 for the default, and functions for other values; None for constants."""


class GlobalReader:
    """Makes globals of records.

    Args:
        module: the module they are in.
    """

    __slots__ = ("_makers", "_module", "_pointer", "_type", "_types")

    def __init__(self, module: ModuleTables) -> None:
        self._module = module
        self._types = module.file_types
        self._type = module.file_types.of
        self._pointer = module.types.pointer
        self._makers: dict[int, Callable[[Any], tuple[GlobalValue, int]]] = {
            ModuleCode.GLOBALVAR: self._variable,
            ModuleCode.FUNCTION: self._function,
            ModuleCode.ALIAS_OLD: self._old_alias,
            ModuleCode.ALIAS: self._alias,
            ModuleCode.IFUNC: self._ifunc,
        }

    def read(self, code: int, operands: list[int], name: str) -> tuple[GlobalValue, int]:
        """Return the global of a record, and the id of its type.

        Raises:
            Malformed: the record is malformed.
        """
        layout = GLOBAL_LAYOUTS[code]
        largest = max(operands, default=0)
        if largest > _SMALLEST_BOUND:
            operands = _bounded((_BOUNDS if largest > _SMALLEST_WIDE_BOUND else _NARROW_BOUNDS)[code], operands)
        require_operands(operands, len(layout._fields) - len(layout._field_defaults))
        record = layout(*operands[: len(layout._fields)])
        made, type_id = self._makers[code](record)
        set_name(made, name)
        self._set_fields(made, code, record)
        self._set_common(made, record)
        if isinstance(made, Function):
            self._set_attributes(made, record)
        return made, type_id

    def _set_fields(self, made: GlobalValue, code: int, record: GlobalRecord) -> None:
        module = self._module
        for place, field, read in _FIELDS[code]:
            if not record[place]:
                continue
            if read is None:
                module.add_operand(made, field.attribute, record[place] - 1)
            else:
                setattr(made, field.attribute, read(module, field, record, place))

    # Kinds of globals

    def _variable(self, record: GlobalRecord) -> tuple[GlobalValue, int]:
        value_type, pointer, type_id = self._variable_types(record.type, record.flags)
        made = GlobalVariable(pointer, value_type, LINKAGES.get(record.linkage, _EXTERNAL))
        if record.attributes:
            made.attributes = self._module.attribute_lists[record.attributes].for_function
        if record.initializer:
            expect_initializer(made)
            self._module.add_operand(made, "initializer", record.initializer - 1)
        self._imply_comdat(made, record)
        return made, type_id

    def _variable_types(self, type_id: int, flags: int) -> tuple[Type, PointerType, int]:
        """Return the type of a variable, the type of a pointer to it, and the id of the latter."""
        types = self._types
        if flags & VARIABLE_EXPLICIT_TYPE:
            pointer = self._pointer(flags >> _ADDRESS_SPACE_SHIFT)
            value_type = self._type(type_id)
            pointer_id = types.virtual(pointer, [type_id]) if types.has_typed_pointers else NO_TYPE_ID
        else:
            found = types.of(type_id)
            if not isinstance(found, PointerType):
                raise Malformed(Reason.VARIABLE_POINTER(type=found.brief))
            value_type, pointer, pointer_id = types.pointee(type_id), found, type_id
        if not value_type.is_first_class:
            raise Malformed(Reason.VARIABLE_TYPE(type=value_type.brief))
        return value_type, pointer, pointer_id

    def _function(self, record: GlobalRecord) -> tuple[GlobalValue, int]:
        types, type_id = self._types, record.type
        found, address_space = self._type(type_id), record.address_space
        if isinstance(found, PointerType):
            type_id = types.pointee_id(type_id)
            found = types.of(type_id)
        if not isinstance(found, FunctionType):
            raise Malformed(Reason.FUNCTION_TYPE(type=found.brief))
        if address_space is None:
            address_space = self._module.module.data_layout.program_address_space
        made = Function(self._pointer(address_space), found, LINKAGES.get(record.linkage, _EXTERNAL))
        if record.calling_convention:  # else it is C's, which all have
            made.calling_convention = record.calling_convention
        if not record.is_declaration:
            self._module.defined[made] = type_id
        self._imply_comdat(made, record)
        return made, types.virtual(made.type, [type_id]) if types.has_typed_pointers else NO_TYPE_ID

    def _set_attributes(self, made: Function, record: GlobalRecord) -> None:
        is_interrupt = record.calling_convention == calling_conventions.X86_INTR
        if record.attributes or is_interrupt or made.is_intrinsic:
            defer_attributes(made, _DeferredAttributes(self._module, made, record))

    def _old_alias(self, record: GlobalRecord) -> tuple[GlobalValue, int]:
        types = self._types
        type_ = types.of(record.type)
        if not isinstance(type_, PointerType):
            raise Malformed(Reason.ALIAS_POINTER(type=type_.brief))
        made = GlobalAlias(type_, types.pointee(record.type), LINKAGES.get(record.linkage, _EXTERNAL))
        self._module.add_operand(made, "aliasee", record.aliasee)
        return made, record.type

    def _alias(self, record: GlobalRecord) -> tuple[GlobalValue, int]:
        return self._indirect(GlobalAlias, "aliasee", record)

    def _ifunc(self, record: GlobalRecord) -> tuple[GlobalValue, int]:
        return self._indirect(GlobalIFunc, "resolver", record)

    def _indirect(
        self, kind: type[GlobalAlias | GlobalIFunc], role: str, record: GlobalRecord
    ) -> tuple[GlobalValue, int]:
        types = self._types
        pointer = self._pointer(record.address_space)
        made = kind(pointer, types.of(record.type), LINKAGES.get(record.linkage, _EXTERNAL))
        self._module.add_operand(made, role, record.aliasee)
        return made, types.virtual(made.type, [record.type]) if types.has_typed_pointers else NO_TYPE_ID

    # Common parts of globals

    def _set_common(self, made: GlobalValue, record: GlobalRecord) -> None:
        is_local = made.linkage is _INTERNAL or made.linkage is _PRIVATE
        if record.visibility and not is_local:
            made.visibility = visibility_of(record.visibility)
        if record.dll_storage_class and not is_local:
            made.dll_storage_class = DLLStorageClass.of(record.dll_storage_class) or DLLStorageClass.DEFAULT
        elif record.dll_storage_class is None and record.linkage in OLD_DLL_CLASSES:
            made.dll_storage_class = OLD_DLL_CLASSES[record.linkage]
        if record.dso_local == 1 or is_local:
            made.is_dso_local = True
        elif record.visibility:
            made.is_dso_local = is_hidden(made.visibility, made.linkage)

    def _imply_comdat(self, made: GlobalObject, record: GlobalRecord) -> None:
        if record.comdat is None and record.linkage in IMPLICIT_COMDAT_CODES:
            self._module.implicit_comdats.append(made)


class _DeferredAttributes(Deferred[AttributeList]):
    """The attributes of a function: from its record, but LLVM's own for an intrinsic."""

    __slots__ = ("_function", "_index", "_module", "_row", "_type_id")

    def __init__(self, module: ModuleTables, function: Function, record: GlobalRecord) -> None:
        self._module = module
        self._function = function
        self._index = record.attributes
        self._type_id = record.type
        self._row = module.row

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context."""
        return self._module.context.lock

    def resolve(self) -> AttributeList:
        """Return them.

        Raises:
            BitcodeError: they are malformed.
        """
        with self._module.records.placed(self._row):
            return self._read()

    def _read(self) -> AttributeList:
        function, module = self._function, self._module
        is_interrupt = function.calling_convention == calling_conventions.X86_INTR
        is_general = not (module.file_types.has_typed_pointers or function.is_intrinsic or is_interrupt)
        key = (self._index, function.value_type)
        known = module.function_attributes.get(key) if is_general else None
        if known is not None:
            return known
        attributes = module.attribute_lists[self._index]
        if module.file_types.has_typed_pointers:
            attributes = self._with_pointees(attributes)
        else:
            attributes = module.fitter.with_pointees(attributes, lambda _: None)
        if is_interrupt and function.value_type.parameter_types and "byval" not in attributes.for_parameter(0):
            raise Malformed(Reason.UNTYPED_INTERRUPT_PARAMETER())
        if function.is_intrinsic:
            declared = declared_attributes(function.name, function.value_type)
            if declared is not None:
                return declared
        attributes, section = without_implicit_section(attributes)
        fitting = module.fitter.without_incompatible(attributes, function.value_type)
        if section is not None:
            function.section = section
        elif is_general:
            module.function_attributes[key] = fitting
        return fitting

    def _with_pointees(self, attributes: AttributeList) -> AttributeList:
        """Return attributes with the types that old files leave to pointers."""
        types, function, type_id = self._module.file_types, self._function, self._type_id
        if isinstance(types.of(type_id), PointerType):
            type_id = types.pointee_id(type_id)

        def pointee(parameter: int) -> Type:
            return types.pointee(types.contained(type_id, parameter + 1))

        attributes = self._module.fitter.with_pointees(attributes, pointee)
        parameters = function.value_type.parameter_types
        is_interrupt = function.calling_convention == calling_conventions.X86_INTR
        if is_interrupt and parameters and isinstance(parameters[0], PointerType):
            return with_byval_of_interrupt(attributes, pointee(0))
        return attributes


def _bounded(bounds: tuple[tuple[int, str, int, int], ...], operands: list[int]) -> list[int]:
    """Return operands with the bits that LLVM keeps of them.

    Raises:
        Malformed: one is out of the bounds of its field.
    """
    bounded, count = operands, len(operands)
    for index, name, most, mask in bounds:
        if index >= count:
            break
        kept = operands[index] & mask
        if kept > most:
            raise Malformed(Reason.LARGE_FIELD(field=name.replace("_", " "), number=kept, maximum=most))
        if kept != operands[index]:
            bounded = operands.copy() if bounded is operands else bounded
            bounded[index] = kept
    return bounded


def visibility_of(code: int) -> Visibility:
    """Return the visibility that a field states."""
    return Visibility.of(code) or Visibility.DEFAULT


def is_hidden(visibility: Visibility, linkage: Linkage) -> bool:
    """Return whether a global is `dso_local` because of its visibility."""
    return visibility is not Visibility.DEFAULT and linkage is not Linkage.EXTERN_WEAK


def set_operand(holder: GlobalValue, role: str, value: Value | None, value_id: int) -> None:
    """Let a global hold a constant.

    Args:
        holder: the global.
        role: the role of the constant: the name of an attribute.
        value: the constant, None if it does not exist.
        value_id: its id.

    Raises:
        Malformed: it cannot hold that.
    """
    if value is None and isinstance(holder, Function):
        return  # as LLVM does
    if isinstance(value, Expandable):
        opcodes = ", ".join(removed_opcodes(value))
        raise Malformed(Reason.REMOVED_EXPRESSIONS(role=role, opcodes=opcodes))
    if not isinstance(value, Constant):
        raise Malformed(Reason.NO_CONSTANT(role=role, number=value_id))
    if isinstance(holder, GlobalAlias) and value.type is not holder.type:
        raise Malformed(Reason.ALIAS_TYPE(type=holder.type.brief, aliasee=value.type.brief))
    try:
        setattr(holder, role, value)
    except TypeError as error:
        raise Malformed(Reason.GLOBAL_PROBLEM(problem=str(error))) from error
