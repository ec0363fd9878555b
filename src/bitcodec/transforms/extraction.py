"""Reduces a module to a few functions, and declarations that these need.  Rules: `llvm-extract` of LLVM 22."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantWithOperands
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.metadata import MDNode, MDString, MDTuple
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.ir.types import FunctionType
from bitcodec.ir.values import User
from bitcodec.tables.linkage import Linkage, Visibility
from bitcodec.transforms.dead_debug_info import strip_dead_debug_info
from bitcodec.transforms.gone_values import forgetting_gone_values
from bitcodec.transforms.reading import read_for_change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["delete_functions", "extract_functions"]

_STAYING = {Linkage.LINKONCE: Linkage.WEAK, Linkage.LINKONCE_ODR: Linkage.WEAK_ODR}
"""Linkage of globals that may be dropped if unused, and the linkage that prevents that."""
_CONSTRUCTORS = "llvm.global_ctors"
_PROFILE = "CG Profile"
"""The module flag with the edges of the call graph that a profile has."""
_LOCALRECOVER = "llvm.localrecover"
"""Looks into the frame of a function, which must be defined in the same module."""


def extract_functions(
    module: Module,
    names: Iterable[str] = (),
    *,
    recursive: bool = False,
    variables: Iterable[str] = (),
    aliases: Iterable[str] = (),
    keeps_constants: bool = False,
) -> None:
    """Reduce a module to some functions, variables and aliases, as `llvm-extract` does.

    Other globals that they use become declarations and visible to other modules: internal and private globals become
    external and hidden, `linkonce` functions `weak`, other aliases and ifuncs declarations of their aliasees.  Module
    assembly is removed.  Unlike `llvm-extract`, this keeps a function if a kept one recovers addresses from its frame,
    and keeps functions that are `available_externally`.

    Args:
        module: the module.
        names: the functions; a single name may be a string.
        recursive: whether to keep the functions, too, that they call directly, and the callees of these.
        variables: the variables.
        aliases: the aliases; LLVM accepts one of a declaration only where nothing verifies it.
        keeps_constants: whether all constants keep their initializers.

    Raises:
        ValueError: a function is unknown or only declared, or a variable or alias is unknown.
        BitcodecError: something in the module is malformed; it is then unchanged.
    """
    functions = [_definition(module, name) for name in ([names] if isinstance(names, str) else names)]
    others = _named_globals(module, variables, aliases)
    read_for_change(module)
    kept: dict[GlobalValue, None] = dict.fromkeys(_with_needed(functions, recursive=recursive))
    kept |= dict.fromkeys(others)
    if keeps_constants:
        kept |= dict.fromkeys(one for one in module.global_variables if one.is_constant and not one.is_declaration)
    module.module_asm = ""
    for value in (*module.aliases, *module.ifuncs):
        if value not in kept:
            _declare_instead(value, module)
    _declare_others(module, kept)
    for value in kept:
        _make_visible(value)
    with forgetting_gone_values(module):
        _erase_all_but(module, _reached_from(value for value in kept if _stays(value)))
    _drop_unused_comdats(module)
    strip_dead_debug_info(module)
    _drop_dead_edges(module)


def delete_functions(
    module: Module,
    names: Iterable[str] = (),
    *,
    recursive: bool = False,
    variables: Iterable[str] = (),
    aliases: Iterable[str] = (),
) -> None:
    """Make declarations of some functions, variables and aliases of a module, as `llvm-extract --delete` does.

    Everything else stays, and is visible to other modules: internal and private globals become external and hidden,
    `linkonce` globals `weak`.  Declarations that nothing uses are erased.

    Args:
        module: the module.
        names: the functions; a single name may be a string.
        recursive: whether to delete the functions that they call directly too, and the functions that those call.
        variables: the variables.
        aliases: the aliases.

    Raises:
        ValueError: a function is unknown or only declared, or a variable or alias is unknown.
        BitcodecError: something in the module is malformed; it is then unchanged.
    """
    chosen = [_definition(module, name) for name in ([names] if isinstance(names, str) else names)]
    others = _named_globals(module, variables, aliases)
    read_for_change(module)
    deleted = dict.fromkeys(_with_needed(chosen, recursive=True) if recursive else chosen)
    for value in module.globals:
        if value.linkage is not Linkage.AVAILABLE_EXTERNALLY and value.name != _CONSTRUCTORS:
            _make_visible(value)
    for function in reversed(list(deleted)):
        _make_visible(function)
        function.delete_body()
    # For LLVM, a constant in a deleted initializer still uses its operands.
    forgotten: list[User] = []
    for other in sorted(others, key=lambda one: not isinstance(one, GlobalAlias)):
        forgotten += (operand for operand in other.operands if isinstance(operand, ConstantWithOperands))
        if isinstance(other, GlobalAlias):
            _declare_instead(other, module)
        elif isinstance(other, GlobalVariable) and not other.is_declaration:
            _declare(other)
    defined: list[User] = [
        value for value in module.globals if not (isinstance(value, GlobalObject) and value.is_declaration)
    ]
    with forgetting_gone_values(module):
        _erase_all_but(module, _reached_from(defined + forgotten))
    _drop_unused_comdats(module)
    strip_dead_debug_info(module)
    _drop_dead_edges(module)


def _named_globals(module: Module, variables: Iterable[str], aliases: Iterable[str]) -> list[GlobalValue]:
    """Return variables and aliases by name.

    Raises:
        ValueError: a name is unknown.
    """
    found: list[GlobalValue] = []
    kinds = ((variables, module.global_variables, "variable"), (aliases, module.aliases, "alias"))
    for names, table, what in kinds:
        for name in [names] if isinstance(names, str) else names:
            value = table.get(name)
            if value is None:
                raise ValueError(f"unknown {what} {name}")
            found.append(value)
    return found


def _stays(value: GlobalValue) -> bool:
    """Return whether a value stays though nothing uses it."""
    if isinstance(value, GlobalVariable):
        return not value.is_declaration and value.linkage is not Linkage.AVAILABLE_EXTERNALLY
    return True


def _definition(module: Module, name: str) -> Function:
    function = module.functions.get(name)
    if function is None:
        raise ValueError(f"no function {name}")
    if function.is_declaration:
        raise ValueError(f"the function {name} is only declared here")
    return function


def _with_needed(functions: Iterable[Function], *, recursive: bool) -> Iterator[Function]:
    """Yield functions, and those defined here that must stay with them, and so on."""
    pending = list(functions)
    seen = set(pending)
    while pending:
        function = pending.pop()
        yield function
        for instruction in function.instructions:
            other = _needed_by(instruction, recursive=recursive) if isinstance(instruction, CallBase) else None
            if other is not None and not other.is_declaration and other not in seen:
                seen.add(other)
                pending.append(other)


def _needed_by(call: CallBase, *, recursive: bool) -> Function | None:
    """Return the function that stays because of a call: its callee, or the function whose frame it accesses."""
    callee = call.called_function
    if callee is not None and callee.name == _LOCALRECOVER:
        parent = call.arguments[0]
        return parent if isinstance(parent, Function) else None
    return callee if recursive else None


def _declare_instead(value: GlobalAlias | GlobalIFunc, module: Module) -> None:
    """Put a declaration in the place of an alias or ifunc, behind all others."""
    declaration: GlobalObject
    if isinstance(value.value_type, FunctionType):
        declaration = Function(value.type, value.value_type)
    else:
        declaration = GlobalVariable(value.type, value.value_type)
    declaration.thread_local_mode = value.thread_local_mode
    module.append(declaration)
    value.replace_all_uses_with(declaration)
    value.erase_from_parent()
    declaration.name = value.name


def _declare_others(module: Module, kept: Collection[GlobalValue]) -> None:
    """Make declarations of all functions and variables that are defined and not kept."""
    for variable in module.global_variables:
        if not variable.is_declaration and variable not in kept:
            _declare(variable)
    # The last uses of a value are found at once.
    for function in reversed(module.functions):
        if not function.is_declaration and function not in kept:
            _make_visible(function)
            function.delete_body()


def _declare(variable: GlobalVariable) -> None:
    """Make a declaration of a variable."""
    _make_visible(variable)
    variable.linkage = Linkage.EXTERNAL
    variable.initializer = None
    variable.comdat = None


def _make_visible(value: GlobalValue) -> None:
    """Make it visible to other modules, and keep it from being dropped."""
    if value.linkage.is_local:
        value.linkage = Linkage.EXTERNAL
        value.visibility = Visibility.HIDDEN
    value.linkage = _STAYING.get(value.linkage, value.linkage)


def _reached_from(values: Iterable[User]) -> set[Value]:
    """Return globals, and the globals and constants that they use, however deep."""
    pending: list[User] = list(values)
    seen: set[Value] = set(pending)
    while pending:
        user = pending.pop()
        for operand in _used_by(user):
            if isinstance(operand, GlobalValue | ConstantWithOperands) and operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return seen


def _used_by(user: User) -> Iterator[Value]:
    yield from user.operands
    if isinstance(user, Function):
        for instruction in user.instructions:
            yield from instruction.operands


def _erase_all_but(module: Module, needed: Collection[Value]) -> None:
    """Erase the globals that are not needed, which are only declared."""
    for function in module.functions:
        if function.operands and function not in needed:  # invalid modules have declarations that use others
            function.delete_body()
    for value in module.globals:
        if value in needed:
            value.remove_dead_constant_users()
        else:
            value.erase_from_parent()


def _drop_unused_comdats(module: Module) -> None:
    used = {value.comdat for value in module.globals if isinstance(value, GlobalObject)}
    for name in [name for name, comdat in module.comdats.items() if comdat not in used]:
        del module.comdats[name]


def _drop_dead_edges(module: Module) -> None:
    """Leave out the edges of functions that are gone; as in LLVM, the list of the others is distinct."""
    flags: list[MDNode] = module.named_metadata[MODULE_FLAGS].operands if MODULE_FLAGS in module.named_metadata else []
    for place, flag in enumerate(flags):
        parts: tuple[Any, ...] = flag.operands
        if len(parts) < _FLAG_LENGTH or not (isinstance(parts[1], MDString) and parts[1].text == _PROFILE):
            continue
        if isinstance(parts[2], MDTuple):
            edges = [edge for edge in parts[2].operands if isinstance(edge, MDNode) and None not in edge.operands]
            value = MDTuple(edges, is_distinct=True)
            flags[place] = module.context.metadata.tuple([*parts[:2], value])
        return


_FLAG_LENGTH = 3
