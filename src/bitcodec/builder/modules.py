"""Modules, and their contents: functions, variables, aliases, ifuncs, comdats, structs, blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from bitcodec.builder.attributes import attribute_list
from bitcodec.builder.constants import constant
from bitcodec.builder.kinds import SIZED, require, wrong
from bitcodec.builder.words import calling_convention as convention_of
from bitcodec.builder.words import row_of
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable
from bitcodec.ir.module import Module
from bitcodec.ir.types import FunctionType, PointerType, StructType
from bitcodec.tables.globals import FIELDS
from bitcodec.tables.linkage import Linkage, SelectionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Unpack

    from bitcodec.builder.attributes import AttributeLike
    from bitcodec.builder.constants import ConstantLike
    from bitcodec.ir.context import Context
    from bitcodec.ir.types import Type
    from bitcodec.tables.coded import CodedEnum
    from bitcodec.tables.linkage import CodeModel, DLLStorageClass, ThreadLocalMode, UnnamedAddress, Visibility

__all__ = [
    "FunctionOptions",
    "GlobalOptions",
    "ObjectOptions",
    "VariableOptions",
    "add_alias",
    "add_block",
    "add_comdat",
    "add_function",
    "add_ifunc",
    "add_struct",
    "add_variable",
    "new_module",
]


class GlobalOptions(TypedDict, total=False):
    """Properties of every global; tables' rows may be given as text spells them.

    Attributes:
        linkage: how a linker resolves the symbol. Default: external.
        visibility, dll_storage_class, thread_local_mode, unnamed_address: of `tables.linkage`.
        is_dso_local: whether it is in the same shared object.
        partition: the partition of the program it belongs to.
    """

    linkage: Linkage | str
    visibility: Visibility | str
    dll_storage_class: DLLStorageClass | str
    thread_local_mode: ThreadLocalMode | str
    unnamed_address: UnnamedAddress | str
    is_dso_local: bool
    partition: str


class ObjectOptions(GlobalOptions, total=False):
    """Further properties of variables and functions: see `ir.GlobalObject`."""

    alignment: int | None
    section: str
    comdat: Comdat | None


class VariableOptions(ObjectOptions, total=False):
    """Further properties of variables: see `ir.GlobalVariable`."""

    is_constant: bool
    is_externally_initialized: bool
    code_model: CodeModel | str


class FunctionOptions(ObjectOptions, total=False):
    """Further properties of functions: see `ir.Function`."""

    calling_convention: int | str
    garbage_collector: str
    personality: Constant | None
    prefix_data: Constant | None
    prologue_data: Constant | None
    preferred_alignment: int | None


_TABLES: dict[str, type[CodedEnum]] = {
    "linkage": Linkage,
    **{field.attribute: field.members for field in FIELDS if field.members is not None},
}
"""Options that are rows of a table."""


def new_module(name: str, *, target_triple: str = "", data_layout: str = "", context: Context | None = None) -> Module:
    """Return an empty module.

    Args:
        name: its name, and its source file's.
        target_triple: its target, "" to leave that open.
        data_layout: how its target lays out types, "" for LLVM's default.
        context: shares types and constants with other modules, None for a new one.

    Raises:
        ValueError: LLVM would not accept the data layout.
    """
    module = Module(name, DataLayout(data_layout), context)
    module.target_triple = target_triple
    return module


def add_function(
    module: Module,
    name: str,
    type: FunctionType,
    *,
    argument_names: Sequence[str] = (),
    attributes: AttributeList | Iterable[AttributeLike] = (),
    return_attributes: Iterable[AttributeLike] = (),
    parameter_attributes: Mapping[int, Iterable[AttributeLike]] | None = None,
    **options: Unpack[FunctionOptions],
) -> Function:
    """Declare a function; the first block that it gets makes a definition of it.

    Args:
        module: the module.
        name: "" for none.
        type: its parameters and result.
        argument_names: names of its parameters, in order.
        attributes: of the function, as `attribute_set` takes them; or all.
        return_attributes: of its return value.
        parameter_attributes: of its parameters, by index from 0.
        options: see `FunctionOptions`.

    Raises:
        ValueError: the name is taken, there are more names than parameters, or an option is not in its table.
        TypeError: the type is not a function type, or an attribute is not for a type.
    """
    if not isinstance(type, FunctionType):
        raise wrong("the type of a function", type, f"@{name}", "type")
    if len(argument_names) > len(type.parameter_types):
        raise ValueError(f"@{name} takes {len(type.parameter_types)} arguments, not {len(argument_names)} names")
    made = Function(module.context.types.pointer(module.data_layout.program_address_space), type)
    made.calling_convention = convention_of(options.pop("calling_convention", made.calling_convention))
    if isinstance(attributes, AttributeList):
        made.attributes = attributes
    else:
        made.attributes = attribute_list(attributes, return_attributes, parameter_attributes, type=type)
    _add(module, made, name, options)
    for argument, argument_name in zip(made.arguments, argument_names, strict=False):
        argument.name = argument_name
    return made


def add_variable(
    module: Module,
    name: str,
    type: Type,
    initializer: ConstantLike = None,
    *,
    address_space: int | None = None,
    **options: Unpack[VariableOptions],
) -> GlobalVariable:
    """Define a variable, or declare it if it has no initializer.

    Args:
        module: where.
        name: "" for none.
        type: type of its value.
        initializer: its initial value, as `constant` takes it; None for a declaration.
        address_space: where it lies, None for where the data layout has variables.
        options: see `VariableOptions`.

    Raises:
        ValueError: the name is taken, or an option is not in its table.
        TypeError: the type has no size, or the initializer does not have that type.
    """
    require(SIZED, type, f"@{name}", "type")
    space = module.data_layout.globals_address_space if address_space is None else address_space
    content = None if initializer is None else constant(module, type, initializer)
    made = GlobalVariable(module.context.types.pointer(space), type)
    _add(module, made, name, options)
    made.initializer = content
    return made


def add_alias(
    module: Module, name: str, aliasee: Constant, *, type: Type | None = None, **options: Unpack[GlobalOptions]
) -> GlobalAlias:
    """Define another name for a constant address.

    Args:
        module: the module.
        name: the other name.
        aliasee: the address.
        type: type of the object there; None for the value type of the global whose address it is.
        options: see `GlobalOptions`.

    Raises:
        ValueError: the name is taken, or an option is not in its table.
        TypeError: the aliasee is not an address, or nothing gives the type.
    """
    pointer, value_type = _pointed(name, aliasee, type)
    made = GlobalAlias(pointer, value_type)
    _add(module, made, name, options)
    made.aliasee = aliasee
    return made


def add_ifunc(
    module: Module, name: str, type: FunctionType, resolver: Constant, **options: Unpack[GlobalOptions]
) -> GlobalIFunc:
    """Define a function that a resolver chooses when the program is loaded.

    Raises:
        ValueError: the name is taken, or an option is not in its table.
        TypeError: the resolver is not an address.
    """
    pointer, _ = _pointed(name, resolver, type)
    made = GlobalIFunc(pointer, type)
    _add(module, made, name, options)
    made.resolver = resolver
    return made


def add_comdat(module: Module, name: str, selection_kind: SelectionKind | str = SelectionKind.ANY) -> Comdat:
    """Define a group of globals of which a linker takes all or none.

    Raises:
        ValueError: the name is taken, or the kind is unknown.
    """
    if name in module.comdats:
        raise ValueError(f"the module has a comdat ${name} already")
    made = module.comdats[name] = Comdat(name, row_of(SelectionKind, selection_kind))
    return made


def add_struct(
    module: Module, name: str, elements: Iterable[Type] | None = None, *, is_packed: bool = False
) -> StructType:
    """Return a new identified struct, opaque without elements; its `elements` can be set later, once.

    A name that is taken gets a number.
    """
    made = StructType(None if elements is None else tuple(elements), is_packed=is_packed, name="")
    module.context.types.name_struct(made, name)
    return made


def add_block(function: Function, name: str = "", *, before: BasicBlock | None = None) -> BasicBlock:
    """Return a new block, at the end of a function or in front of another block.

    Raises:
        ValueError: the function is not in a module, or the other block is in another function.
    """
    if function.parent is None:
        raise ValueError(f"{function!r} is in no module")
    made = BasicBlock(function.parent.context.types.label, name)
    function.insert_block(len(function) if before is None else function.blocks.index(before), made)
    return made


def _pointed(name: str, address: Constant, type: Type | None) -> tuple[PointerType, Type]:
    """Return the type of a constant address, and the type of the object there."""
    found = address.value_type if type is None and isinstance(address, GlobalValue) else type
    if not isinstance(address.type, PointerType):
        raise wrong("a pointer", address.type, f"@{name}", "address")
    if found is None:
        raise TypeError(f"@{name}: the type at {address!r} is unknown; give `type`")
    return address.type, found


def _add(module: Module, value: GlobalValue, name: str, options: Mapping[str, Any]) -> None:
    """Give a global its name and options, and put it into a module."""
    if name and module.get(name) is not None:
        raise ValueError(f"the module has a global @{name} already")
    for option, given in options.items():
        if not hasattr(value, option):
            raise TypeError(f"a {type(value).__name__} has no {option}")
        setattr(value, option, row_of(_TABLES[option], given) if option in _TABLES else given)
    value.name = name
    module.append(value)
