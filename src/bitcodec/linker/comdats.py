"""Which of two comdats of one name a linker takes.  Rules: linking reference, section 6."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import ConstantCast, ConstantGetElementPtr
from bitcodec.ir.constants import outside_user
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.linker.problems import ProblemKind
from bitcodec.linker.prototypes import declare_like
from bitcodec.tables.linkage import SelectionKind

if TYPE_CHECKING:
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.globals import Comdat
    from bitcodec.ir.module import Module

__all__ = ["ComdatChoice", "base_object", "choose_comdat", "comdat_of", "drop_replaced", "kinds_fit"]


class ComdatChoice(Enum):
    """Whose members of a comdat are linked."""

    DESTINATION = "destination"
    SOURCE = "source"
    BOTH = "both"


_ANY_OR_LARGEST = {SelectionKind.ANY, SelectionKind.LARGEST}
_WITHOUT_LOOKING = {
    SelectionKind.ANY: ComdatChoice.DESTINATION,
    SelectionKind.NO_DEDUPLICATE: ComdatChoice.BOTH,
}
"""The choice for kinds that do not depend on the content of the key."""


def kinds_fit(*kinds: SelectionKind) -> bool:
    """Return whether comdats of these kinds may have the same name."""
    return len({*kinds}) < 2 or {*kinds} <= _ANY_OR_LARGEST


def choose_comdat(destination: Module, source: Module, comdat: Comdat) -> ComdatChoice | ProblemKind:
    """Return whose members of a comdat of the source are linked, or why that cannot be known."""
    other = destination.comdats.get(comdat.name)
    if other is None:
        return ComdatChoice.SOURCE
    kinds = {other.selection_kind, comdat.selection_kind}
    if not kinds_fit(*kinds):
        return ProblemKind.SELECTION_KINDS
    kind = SelectionKind.LARGEST if len(kinds) > 1 else comdat.selection_kind
    if kind in _WITHOUT_LOOKING:
        return _WITHOUT_LOOKING[kind]
    keys = _key(destination, comdat.name), _key(source, comdat.name)
    for key in keys:
        if isinstance(key, ProblemKind):
            return key
    there, arriving = cast("tuple[GlobalVariable, GlobalVariable]", keys)
    return _by_content(kind, there, arriving)


def _by_content(kind: SelectionKind, there: GlobalVariable, arriving: GlobalVariable) -> ComdatChoice | ProblemKind:
    if kind is SelectionKind.EXACT_MATCH:
        return ComdatChoice.DESTINATION if there.initializer is arriving.initializer else ProblemKind.EXACT_MATCH
    difference = alloc_size(arriving) - alloc_size(there)
    if kind is SelectionKind.SAME_SIZE:
        return ProblemKind.SAME_SIZE if difference else ComdatChoice.DESTINATION
    return ComdatChoice.SOURCE if difference > 0 else ComdatChoice.DESTINATION


def alloc_size(variable: GlobalVariable, layout: DataLayout | None = None) -> int:
    """Return the size of a variable in bytes, with padding; 0 if its type has none.

    Args:
        variable: the variable.
        layout: the data layout. Default: that of its module.
    """
    if variable.parent is None or not variable.value_type.is_sized:
        return 0
    return (layout or variable.parent.data_layout).alloc_size(variable.value_type)


def _key(module: Module, name: str) -> GlobalVariable | ProblemKind:
    """Return the variable that a comdat is named after."""
    value: GlobalValue | None = module.get(name)
    if isinstance(value, GlobalAlias):
        value = base_object(value)
        if value is None:
            return ProblemKind.ALIAS_SIZE
    return value if isinstance(value, GlobalVariable) else ProblemKind.NO_VARIABLE


def base_object(alias: GlobalAlias) -> GlobalObject | None:
    """Return the object that an alias is an address in, None if it cannot be known."""
    seen: set[object] = set()
    target: object = alias
    while target not in seen:
        seen.add(target)
        if isinstance(target, GlobalAlias):
            target = target.aliasee
        elif isinstance(target, ConstantCast):
            target = target.operand
        elif isinstance(target, ConstantGetElementPtr):
            target = target.pointer
    return target if isinstance(target, GlobalObject) else None


def comdat_of(value: GlobalValue) -> Comdat | None:
    """Return the comdat of a global; of an alias, that of the object that it is an address in."""
    if isinstance(value, GlobalAlias):
        value = base_object(value) or value
    return value.comdat if isinstance(value, GlobalObject) else None


def drop_replaced(destination: Module, replaced: set[Comdat]) -> None:
    """Drop the members of comdats that those of a source replace: what is used is declared, the rest erased."""
    if not replaced:
        return
    for alias in destination.aliases:
        if comdat_of(alias) in replaced:
            _drop_alias(destination, alias)
    for value in (*destination.global_variables, *destination.functions):
        if value.comdat in replaced:
            if not _is_used(value):
                value.erase_from_parent()
            elif isinstance(value, Function):
                comdat = value.comdat
                value.delete_body()
                value.comdat = comdat
            else:
                value.initializer = None


def _is_used(value: GlobalValue) -> bool:
    """Return whether anything but constants that nothing uses refers to a global."""
    return outside_user([value], lambda _user, _value: False) is not None


def _drop_alias(destination: Module, alias: GlobalAlias) -> None:
    if alias.is_used:
        made = declare_like(alias, alias.value_type)
        name, alias.name = alias.name, ""
        destination.append(made)
        made.name = name
        alias.replace_all_uses_with(made)
    alias.erase_from_parent()
