"""Intrinsics of older files and their replacements in LLVM 22.  Rules: docs/reference/upgrades.md, 10.5.

`replacement_of` finds out about declarations, `upgrade.calls` rewrites calls.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from bitcodec.ir.intrinsic_signatures import intrinsic_base, mangled_name
from bitcodec.ir.types import StructType
from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.upgrade.declarations import declared
from bitcodec.upgrade.intrinsics import generic, memory
from bitcodec.upgrade.intrinsics.rows import Replacement

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["Replacement", "has_odd_type", "listed_replacement_of", "replacement_of"]

_PREFIX = "llvm."
_TABLES = {
    "aarch64": "aarch64",
    "amdgcn": "amdgcn",
    "arm": "arm",
    "dbg": "debug",
    "nvvm": "nvvm",
    "riscv": "riscv",
    "wasm": "wasm",
    "x86": "x86",
}
"""The modules with the tables for names with these prefixes after `llvm.`; each is imported on demand."""
_REBUILT = frozenset({"bitreverse", "convert.from.fp16", "ctpop", "objectsize", "thread.pointer"})
"""Intrinsics whose calls LLVM rebuilds if their names change: the new calls have no attributes."""


class _Table(Protocol):
    """The old intrinsics of a target, by the rest of their names after it."""

    def replacement(self, name: str, function: Function, module: Module, /) -> Replacement | None: ...

    def __contains__(self, name: str, /) -> bool: ...


def replacement_of(function: Function, names: Collection[str] = ()) -> Replacement | None:
    """Return the replacement of an intrinsic that LLVM 22 no longer has in this form, None if it stays.

    A new declaration is added after all other functions of the module.

    Args:
        function: the intrinsic.
        names: names of functions that were in the module and may have been removed from it.
    """
    found, module = listed_replacement_of(function), function.parent
    if found is not None or not function.name.startswith(_PREFIX) or module is None:
        return found
    return _renamed(_intended_name(function.name, module, names), function, module)


def listed_replacement_of(function: Function) -> Replacement | None:
    """Return the replacement of an intrinsic in the tables of old ones, None if at most its name changes."""
    module = function.parent
    if not function.name.startswith(_PREFIX) or module is None:
        return None
    name = function.name.removeprefix(_PREFIX)
    tables, rest = _tables_of(name)
    return next(filter(None, (table.replacement(rest, function, module) for table in tables)), None)


def has_odd_type(function: Function) -> bool:
    """Return whether the tables of old intrinsics have a name, and LLVM 22 no intrinsic of that name and type.

    LLVM looks at a part of the type only: it upgrades the calls of such a declaration too.
    """
    name, module = function.name, function.parent
    if not name.startswith(_PREFIX) or module is None:
        return False
    tables, rest = _tables_of(name.removeprefix(_PREFIX))
    is_listed = any(rest in table for table in tables)
    return is_listed and mangled_name(name, function.value_type, module) is None


def _intended_name(name: str, module: Module, names: Collection[str]) -> str:
    """Return the name of an intrinsic without the number that a second declaration of it gets.

    LLVM keeps the intrinsic that the first name meant.
    """
    number = len(name) - len(name.rstrip("0123456789"))
    if not number:
        return name
    # Names in NVPTX have no dot before the number.
    dot = "" if module.target_triple.startswith("nvptx") else "."
    shorter = name[:-number].removesuffix(dot)
    is_first = name[:-number].endswith(dot) and (shorter in names or module.get(shorter) is not None)
    return shorter if is_first and intrinsic_base(shorter) is not None else name


def _tables_of(name: str) -> tuple[Sequence[_Table], str]:
    """Return the tables that a name may be in, and its key there."""
    target, _, rest = name.partition(".")
    if target in _TABLES:
        return [import_module(f"{__name__}.{_TABLES[target]}").TABLE], rest
    return [generic.TABLE, memory.TABLE], name


def _renamed(name: str, function: Function, module: Module) -> Replacement | None:
    """Return the intrinsic under the name that gives its types, and with a literal struct for its result."""
    function_type = function.value_type
    base = intrinsic_base(name)
    if base is None:
        return None
    expand = _rebuilt if base in _REBUILT else None
    if _returns_odd_struct(function_type) and _returns_struct(base):
        literal = module.context.types.struct(function_type.return_type.element_types)
        function_type = module.context.types.function(
            literal, function_type.parameter_types, is_vararg=function_type.is_vararg
        )
        expand = _with_old_struct
    is_same = function_type is function.value_type
    wanted = mangled_name(name, function_type, module) or (None if is_same else name)
    if wanted is None or (wanted == function.name and is_same):
        return None
    declaration = declared(module, wanted, function_type, suffix=".renamed")
    declaration.calling_convention = function.calling_convention
    return Replacement(declaration, expand)


def _returns_odd_struct(function_type: FunctionType) -> bool:
    """Return whether a function returns a struct that is not one of plain elements alone."""
    returned = function_type.return_type
    return isinstance(returned, StructType) and (not returned.is_literal or returned.is_packed)


def _returns_struct(base: str) -> bool:
    """Return whether an intrinsic returns several values, not one whose type its name contains."""
    return intrinsic_rows()[base].signature.startswith("{")


def _with_old_struct(rewriter: CallRewriter) -> Value:
    """Call the intrinsic that returns a literal struct, and make the old struct of it element by element."""
    old = rewriter.call
    call = rewriter.new_call(rewriter.arguments)
    call.attributes = old.attributes
    result: Value = rewriter.poison(old.type)
    for index in range(len(old.type.element_types)):
        result = rewriter.insert_value(result, rewriter.extract_value(call, index), index)
    return result


def _rebuilt(rewriter: CallRewriter) -> Value:
    call = rewriter.new_call(rewriter.arguments)
    rewriter.take_name(call)
    return call
