"""Globals in the destination, before their references are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.moving import move_body, share_operands
from bitcodec.ir.construction.setting import set_type
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.ir.intrinsic_signatures import mangled_name
from bitcodec.ir.types import FunctionType, PointerType
from bitcodec.linker.attributes import AttributeMapper
from bitcodec.linker.detaching import Detacher
from bitcodec.tables.global_rows import GlobalFieldKind
from bitcodec.tables.globals import fields_of
from bitcodec.tables.linkage import Linkage
from bitcodec.upgrade.declarations import declared

if TYPE_CHECKING:
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.linker.types import TypeMapper

__all__ = ["Prototypes", "copy_properties", "declare_like", "force_name"]

_CONTENT = {GlobalFieldKind.COMDAT, GlobalFieldKind.CONSTANT}

_COPIED = {
    kind: [field.attribute for field in fields_of(kind.__name__) if field.kind not in _CONTENT]
    for kind in (GlobalValue, GlobalObject, GlobalVariable, Function)
}


class Prototypes:
    """Makes and changes globals of the destination.

    Args:
        destination: the module.
        types: finds its types.
        attribute_lists: lists of its functions; more are added.
    """

    def __init__(
        self, destination: Module, types: TypeMapper, attribute_lists: dict[AttributeList, AttributeList]
    ) -> None:
        self._context = destination.context
        self._types = types
        self._attributes = AttributeMapper(types, attribute_lists)
        self._detacher = Detacher(destination.context.metadata)

    def cast(self, value: Constant, type_: Type) -> Constant:
        """Return an address in the address space of another type."""
        if value.type is type_ or not isinstance(type_, PointerType):
            return value
        return self._context.constants.cast("addrspacecast", value, type_)

    def map_types(self, value: GlobalValue) -> None:
        """Map the types of a moving global to the destination's."""
        mapped = self._types.get(value.value_type)
        if mapped is not value.value_type:
            value.value_type = mapped
        if isinstance(value, Function):
            value.attributes = self._attributes.of_function(value.attributes)
            if self._types.has_changes:
                for argument in value.arguments:
                    set_type(argument, self._types.get(argument.type))

    def remangled(self, value: GlobalValue) -> GlobalValue:
        """Return the destination's intrinsic for one whose name contains types that have become others.

        Args:
            value: a global of the destination; it is returned unless it is such an intrinsic.
        """
        if not isinstance(value, Function) or not value.is_intrinsic or value.parent is None:
            return value
        name = mangled_name(value.name, value.value_type, value.parent)
        if name is None or name == value.name:
            return value
        return declared(value.parent, name, value.value_type, suffix=".renamed")

    def declaration(self, value: GlobalValue) -> GlobalValue:
        """Return a declaration of a symbol that the source defines and the destination only refers to."""
        made = declare_like(value, self._types.get(value.value_type))
        if not isinstance(value, GlobalAlias | GlobalIFunc):
            copy_properties(value, made)
        if isinstance(made, Function):
            made.attributes = self._attributes.of_function(made.attributes)
        elif isinstance(value, GlobalVariable):
            made.metadata.assign([(kind, self._detacher.detached(node)) for kind, node in value.metadata.items()])
        return made

    def split(self, value: GlobalValue) -> GlobalValue:
        """Return a new definition with the content of one of the source, for aliases of that."""
        type_ = self._types.get(value.value_type)
        made = type(value)(value.type, type_)
        made.name = value.name
        copy_properties(value, made)
        if isinstance(value, Function) and isinstance(made, Function):
            made.attributes = self._attributes.of_function(made.attributes)
            move_body(value, made)
        share_operands(value, made)
        if isinstance(value, GlobalObject) and isinstance(made, GlobalObject):
            made.metadata.assign(value.metadata.items())
        return made


def declare_like(value: GlobalValue, type_: Type) -> Function | GlobalVariable:
    """Return a declaration of a symbol, which may be an alias; `type_` is its value type."""
    made: Function | GlobalVariable
    if isinstance(type_, FunctionType):
        made = Function(value.type, type_)
    else:
        made = GlobalVariable(value.type, type_)
        made.thread_local_mode = value.thread_local_mode
    made.name = value.name
    return made


def copy_properties(source: GlobalValue, made: GlobalValue) -> None:
    """Copy the properties of a global to another, except linkage, comdat and content."""
    made.visibility = source.visibility
    for kind, names in _COPIED.items():
        if isinstance(source, kind):
            for name in names:
                setattr(made, name, getattr(source, name))
    if source.linkage is Linkage.EXTERN_WEAK:
        made.linkage = Linkage.EXTERN_WEAK


def force_name(value: GlobalValue, name: str) -> None:
    """Give a symbol of a module that others see its own name; another that has it gets a number."""
    if value.linkage.is_local or value.name == name or value.parent is None:
        return
    other = value.parent.get(name)
    if other is not None:
        other.name = ""
    value.name = name
    if other is not None:
        other.name = name
