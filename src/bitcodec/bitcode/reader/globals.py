"""Reads the records of MODULE_BLOCK that define globals: from fields to variables, functions, aliases and ifuncs.

What globals hold is not read here: initializers and the like are value ids until they are asked for.
Rules: bitcode record reference, section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.bitcode.reader.layouts import alignment
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import (
    GLOBAL_LAYOUTS,
    IMPLICIT_COMDAT_LINKAGES,
    OLD_LINKAGES,
    VARIABLE_EXPLICIT_TYPE,
)
from bitcodec.bitcode.upgrade.attributes import with_byval_of_interrupt, without_implicit_section
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.ir.intrinsic_attributes import declared_attributes
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.types import FunctionType, PointerType
from bitcodec.tables import calling_conventions
from bitcodec.tables.linkage import (
    CodeModel,
    DLLStorageClass,
    Linkage,
    ThreadLocalMode,
    UnnamedAddress,
    Visibility,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.types import Type

__all__ = ["GlobalReader", "implicit_comdat", "supports_comdats"]

_BY_SPELLING = {linkage.spelling: linkage for linkage in Linkage}
_LINKAGES = {linkage.code: linkage for linkage in Linkage} | {
    code: _BY_SPELLING[spelling] for code, spelling in OLD_LINKAGES.items()
}
_OLD_DLL_CLASSES = {5: DLLStorageClass.IMPORT, 6: DLLStorageClass.EXPORT}
_VISIBILITIES = tuple(Visibility)
_THREAD_LOCAL_MODES = tuple(ThreadLocalMode)
_UNNAMED = tuple(UnnamedAddress)
_DLL_CLASSES = tuple(DLLStorageClass)
_NO_SANITIZE_ADDRESS = 1
_NO_SANITIZE_HWADDRESS = 2
_SANITIZE_MEMTAG = 4
_SANITIZE_ADDRESS_DYNINIT = 8
_ADDRESS_SPACE_SHIFT = 2
_NO_COMDATS = ("-apple", "-darwin", "-macos", "-ios", "macho", "-aix", "xcoff", "dxil", "shadermodel")

Fields = dict[str, int]
E = TypeVar("E")


class GlobalReader:
    """Makes globals of records.

    Args:
        module: the module they are in.
    """

    __slots__ = ("_module",)

    def __init__(self, module: ModuleTables) -> None:
        self._module = module

    def read(self, code: int, operands: list[int], name: str) -> tuple[GlobalValue, int]:
        """Return the global of a record, and the id of its type.

        Raises:
            Malformed: it makes no sense.
        """
        layout = GLOBAL_LAYOUTS[code]
        if len(operands) < layout.required:
            raise Malformed("has too few operands")
        fields = dict(zip(layout.fields, operands, strict=False))
        made, type_id = _MAKERS[code](self, fields)
        made._name = name
        self._set_common(made, fields)
        if isinstance(made, (GlobalVariable, Function)):
            self._set_object(made, fields)
        if isinstance(made, Function) and (
            fields["attributes"] or made.is_intrinsic or made.calling_convention == calling_conventions.X86_INTR
        ):
            made._attributes = _DeferredAttributes(self._module, made, fields["attributes"], fields["type"])
        return made, type_id

    # Kinds of globals

    def _variable(self, fields: Fields) -> tuple[GlobalValue, int]:
        value_type, pointer, type_id = self._variable_types(fields)
        made = GlobalVariable(pointer, value_type, _linkage(fields))
        made.is_constant = bool(fields["flags"] & 1)
        made.is_externally_initialized = bool(fields.get("externally_initialized"))
        made._has_initializer = bool(fields["initializer"])
        sanitizer = fields.get("sanitizer", 0)
        if sanitizer:
            made.no_sanitize_address = bool(sanitizer & _NO_SANITIZE_ADDRESS)
            made.no_sanitize_hwaddress = bool(sanitizer & _NO_SANITIZE_HWADDRESS)
            made.sanitize_memtag = bool(sanitizer & _SANITIZE_MEMTAG)
            made.sanitize_address_dyninit = bool(sanitizer & _SANITIZE_ADDRESS_DYNINIT)
        if fields.get("code_model"):
            made.code_model = _code_model(fields["code_model"])
        if fields.get("attributes"):
            made.attributes = self._module.attribute_lists[fields["attributes"]].for_function
        if fields["initializer"]:
            self._module.hold(made, "initializer", fields["initializer"] - 1)
        return made, type_id

    def _variable_types(self, fields: Fields) -> tuple[Type, PointerType, int]:
        """Return the type of a variable, that of a pointer to it, and the id of the latter."""
        types, table = self._module.file_types, self._module.types
        type_id, flags = fields["type"], fields["flags"]
        if flags & VARIABLE_EXPLICIT_TYPE:
            pointer = table.pointer(flags >> _ADDRESS_SPACE_SHIFT)
            value_type = types.of(type_id)
            pointer_id = types.virtual(pointer, [type_id]) if types.has_typed_pointers else NO_TYPE_ID
        else:
            found = types.of(type_id)
            if not isinstance(found, PointerType):
                raise Malformed(f"a variable at a {found.brief}, which is no pointer")
            value_type, pointer, pointer_id = types.pointee(type_id), found, type_id
        if not value_type.is_first_class:
            raise Malformed(f"a variable of type {value_type.brief}")
        return value_type, pointer, pointer_id

    def _function(self, fields: Fields) -> tuple[GlobalValue, int]:
        types = self._module.file_types
        type_id = fields["type"]
        found = types.of(type_id)
        address_space = fields.get("address_space")
        if isinstance(found, PointerType):
            address_space = found.address_space
            type_id = fields["type"] = types.pointee_id(type_id)
            found = types.of(type_id)
        if not isinstance(found, FunctionType):
            raise Malformed(f"a function of type {found.brief}")
        if fields["calling_convention"] > calling_conventions.MAX_CALLING_CONVENTION:
            raise Malformed(f"there is no calling convention {fields['calling_convention']}")
        if address_space is None:
            address_space = self._module.module.data_layout.program_address_space
        made = Function(self._module.types.pointer(address_space), found, _linkage(fields))
        made.calling_convention = fields["calling_convention"]
        made.garbage_collector = self._module.collector(fields.get("gc", 0))
        made.preferred_alignment = alignment(fields.get("preferred_alignment", 0))
        for role, field in (("personality", "personality"), ("prefix_data", "prefix"), ("prologue_data", "prologue")):
            if fields.get(field):
                self._module.hold(made, role, fields[field] - 1)
        if not fields["is_declaration"]:
            self._module.defined[made] = type_id
        return made, types.virtual(made.type, [type_id]) if types.has_typed_pointers else NO_TYPE_ID

    def _alias_old(self, fields: Fields) -> tuple[GlobalValue, int]:
        types = self._module.file_types
        type_ = types.of(fields["type"])
        if not isinstance(type_, PointerType):
            raise Malformed(f"an alias of type {type_.brief}, which is no pointer")
        made = GlobalAlias(type_, types.pointee(fields["type"]), _linkage(fields))
        self._module.hold(made, "aliasee", fields["aliasee"])
        return made, fields["type"]

    def _alias(self, fields: Fields) -> tuple[GlobalValue, int]:
        return self._indirect(GlobalAlias, "aliasee", fields)

    def _ifunc(self, fields: Fields) -> tuple[GlobalValue, int]:
        return self._indirect(GlobalIFunc, "resolver", fields)

    def _indirect(self, kind: type[GlobalAlias | GlobalIFunc], role: str, fields: Fields) -> tuple[GlobalValue, int]:
        types = self._module.file_types
        value_type = types.of(fields["type"])
        made = kind(self._module.types.pointer(fields["address_space"]), value_type, _linkage(fields))
        self._module.hold(made, role, fields["aliasee"])
        return made, types.virtual(made.type, [fields["type"]]) if types.has_typed_pointers else NO_TYPE_ID

    # What globals have in common

    def _set_common(self, made: GlobalValue, fields: Fields) -> None:
        is_local = made.linkage.is_local
        if fields.get("visibility") and not is_local:
            made.visibility = _visibility(fields["visibility"])
        if fields.get("unnamed_addr"):
            made.unnamed_address = _row(_UNNAMED, fields["unnamed_addr"], UnnamedAddress.NONE)
        if fields.get("thread_local"):
            made.thread_local_mode = _row(_THREAD_LOCAL_MODES, fields["thread_local"], ThreadLocalMode.GENERAL_DYNAMIC)
        if not is_local:
            code = fields.get("dll_storage_class")
            if code:
                made.dll_storage_class = _row(_DLL_CLASSES, code, DLLStorageClass.DEFAULT)
            elif code is None and fields["linkage"] in _OLD_DLL_CLASSES:
                made.dll_storage_class = _OLD_DLL_CLASSES[fields["linkage"]]
        made.is_dso_local = (
            bool(fields.get("dso_local"))
            or is_local
            or (made.visibility is not Visibility.DEFAULT and made.linkage is not Linkage.EXTERN_WEAK)
        )
        if fields.get("partition_size"):
            made.partition = self._module.string(fields["partition_offset"], fields["partition_size"])

    def _set_object(self, made: GlobalObject, fields: Fields) -> None:
        if fields["alignment"]:
            made.alignment = alignment(fields["alignment"])
        if fields["section"]:
            made.section = self._module.section(fields["section"])
        comdat = fields.get("comdat")
        if comdat:
            made.comdat = self._module.comdat(comdat)
        elif comdat is None and fields["linkage"] in IMPLICIT_COMDAT_LINKAGES:
            self._module.implicit_comdats.append(made)


class _DeferredAttributes(Deferred[AttributeList]):
    """The attributes of a function: those of its record, but LLVM's own for an intrinsic."""

    __slots__ = ("_function", "_index", "_module", "_row", "_type_id")

    def __init__(self, module: ModuleTables, function: Function, index: int, type_id: int) -> None:
        self._module = module
        self._function = function
        self._index = index
        self._type_id = type_id
        self._row = module.row

    def resolve(self) -> AttributeList:
        """Return them.

        Raises:
            BitcodeError: they make no sense.
        """
        with self._module.records.placed(self._row):
            return self._read()

    def _read(self) -> AttributeList:
        function, module = self._function, self._module
        if function.is_intrinsic:
            declared = declared_attributes(function.name, function.value_type)
            if declared is not None:
                return declared
        attributes = module.attribute_lists[self._index]
        if module.file_types.has_typed_pointers:
            attributes = self._with_pointees(attributes)
        attributes, section = without_implicit_section(attributes)
        if section is not None:
            function.section = section
        return module.fitter.without_incompatible(attributes, function.value_type)

    def _with_pointees(self, attributes: AttributeList) -> AttributeList:
        """Return attributes with the types that old files leave to pointers."""
        types, function = self._module.file_types, self._function

        def pointee(parameter: int) -> Type:
            return types.pointee(types.contained(self._type_id, parameter + 1))

        attributes = self._module.fitter.with_pointees(attributes, pointee)
        parameters = function.value_type.parameter_types
        is_interrupt = function.calling_convention == calling_conventions.X86_INTR
        if is_interrupt and parameters and isinstance(parameters[0], PointerType):
            return with_byval_of_interrupt(attributes, pointee(0))
        return attributes


def supports_comdats(triple: str) -> bool:
    """Return whether object files for a target have comdats."""
    lowered = triple.lower()
    return not any(part in lowered for part in _NO_COMDATS)


def implicit_comdat(made: GlobalObject, comdats: dict[str, Comdat]) -> None:
    """Put a global into a comdat of its own name."""
    if made.name not in comdats:
        comdats[made.name] = Comdat(made.name)
    made.comdat = comdats[made.name]


def _linkage(fields: Fields) -> Linkage:
    return _LINKAGES.get(fields["linkage"], Linkage.EXTERNAL)


def _visibility(code: int) -> Visibility:
    return _row(_VISIBILITIES, code, Visibility.DEFAULT)


def _row(rows: tuple[E, ...], code: int, otherwise: E) -> E:
    return rows[code] if code < len(rows) else otherwise


def _code_model(code: int) -> CodeModel:
    model = CodeModel.of(code)
    if model is None:
        raise Malformed(f"there is no code model {code}")
    return model


_MAKERS: dict[int, Callable[[GlobalReader, Fields], tuple[GlobalValue, int]]] = {
    ModuleCode.GLOBALVAR: GlobalReader._variable,
    ModuleCode.FUNCTION: GlobalReader._function,
    ModuleCode.ALIAS_OLD: GlobalReader._alias_old,
    ModuleCode.ALIAS: GlobalReader._alias,
    ModuleCode.IFUNC: GlobalReader._ifunc,
}
