"""The choice between two comdats of one name.  Rules: docs/reference/linking.md, 6."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.constants import outside_user
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.linker.problems import ProblemKind
from bitcodec.linker.prototypes import declare_like
from bitcodec.named_tuple import NamedTuple
from bitcodec.symbols.base_objects import BaseObjects, address_parts
from bitcodec.tables.linkage import SelectionKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.globals import Comdat
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value
    from bitcodec.linker.metadata import NodesByValue

__all__ = [
    "ComdatChoice",
    "ComdatFacts",
    "choose_comdat",
    "comdat_facts",
    "comdat_of",
    "drop_replaced",
]


class ComdatChoice(Enum):
    """The module from which the members of a comdat are linked."""

    DESTINATION = "destination"
    SOURCE = "source"
    BOTH = "both"


_ANY_OR_LARGEST = {SelectionKind.ANY, SelectionKind.LARGEST}
_WITHOUT_LOOKING = {
    SelectionKind.ANY: ComdatChoice.DESTINATION,
    SelectionKind.NO_DEDUPLICATE: ComdatChoice.BOTH,
}
"""The choice for kinds that do not depend on the content of the key."""
_MAX_CHARACTERS = 60
"""Characters of an initializer in a message."""


class ComdatFacts(NamedTuple):
    """Facts that decide between two comdats of one name.

    Attributes:
        kind: its selection kind.
        problem: the reason why its key is unknown, None if the key is a variable.
        size: size in bytes of the key.
        initializer: of the key; compared by identity, or as text.
    """

    kind: SelectionKind
    problem: ProblemKind | None = None
    size: int = 0
    initializer: object = None

    def describe(self, name: str, problem: ProblemKind) -> str:
        """Return the description of this side for a message on a problem."""
        if problem is ProblemKind.EXACT_MATCH:
            return f"@{name} = {_shortened(str(self.initializer))}"
        if problem is ProblemKind.SAME_SIZE:
            return f"@{name} of {self.size} byte{'s' * (self.size != 1)}"
        key = "" if problem is ProblemKind.SELECTION_KINDS else _KEYS[self.problem]
        return f"comdat {self.kind}{key}"


_KEYS = {
    None: " of a variable",
    ProblemKind.NO_VARIABLE: " of no variable",
    ProblemKind.ALIAS_SIZE: " of an alias of no object",
}


def choose_comdat(
    kinds: tuple[SelectionKind, SelectionKind], facts: Callable[[], tuple[ComdatFacts, ComdatFacts]]
) -> ComdatChoice | ProblemKind:
    """Return the side from which the members of two comdats of one name are linked, or why that is unknown.

    Args:
        kinds: the kinds of the comdats of the destination and of the source.
        facts: returns the other facts about each; called if the kinds alone do not decide.
    """
    choice = _choice_of_kinds(*kinds)
    if choice is not None:
        return choice
    there, arriving = facts()
    kind = arriving.kind
    problem = there.problem or arriving.problem
    if problem is not None:
        return problem
    if kind is SelectionKind.EXACT_MATCH:
        is_equal = there.initializer == arriving.initializer
        return ComdatChoice.DESTINATION if is_equal else ProblemKind.EXACT_MATCH
    if kind is SelectionKind.SAME_SIZE:
        return ComdatChoice.DESTINATION if there.size == arriving.size else ProblemKind.SAME_SIZE
    return ComdatChoice.SOURCE if arriving.size > there.size else ComdatChoice.DESTINATION


def _choice_of_kinds(there: SelectionKind, arriving: SelectionKind) -> ComdatChoice | ProblemKind | None:
    """Return the choice that the kinds of two comdats alone make, None if their keys decide."""
    if there is arriving:
        return _WITHOUT_LOOKING.get(there)
    return None if {there, arriving} == _ANY_OR_LARGEST else ProblemKind.SELECTION_KINDS


def comdat_facts(module: Module, comdat: Comdat, bases: BaseObjects) -> ComdatFacts:
    """Return the facts that decide about a comdat of a module."""
    kind = comdat.selection_kind
    key = _key(module, comdat.name, bases)
    if isinstance(key, ProblemKind):
        return ComdatFacts(kind, key)
    return ComdatFacts(kind, None, alloc_size(key), key.initializer if kind is SelectionKind.EXACT_MATCH else None)


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}..."


def alloc_size(variable: GlobalVariable, layout: DataLayout | None = None) -> int:
    """Return the size of a variable in bytes, with padding; 0 for a type without a size.

    Args:
        variable: the variable.
        layout: the data layout. Default: the layout of its module.
    """
    if variable.parent is None or not variable.value_type.is_sized:
        return 0
    return (layout or variable.parent.data_layout).alloc_size(variable.value_type)


def _key(module: Module, name: str, bases: BaseObjects) -> GlobalVariable | ProblemKind:
    """Return the variable that a comdat is named after."""
    value: GlobalValue | None = module.get(name)
    if isinstance(value, GlobalAlias):
        value = bases.of(value)
        if value is None:
            return ProblemKind.ALIAS_SIZE
    return value if isinstance(value, GlobalVariable) else ProblemKind.NO_VARIABLE


def comdat_of(value: GlobalValue, bases: BaseObjects) -> Comdat | None:
    """Return the comdat of a global; of an alias, the comdat of the object that it is an address in.

    Args:
        value: the global.
        bases: finds the objects of aliases; aliases that it has seen must not have changed.
    """
    base = bases.of(value) if isinstance(value, GlobalAlias) else value
    return base.comdat if isinstance(base, GlobalObject) else None


def drop_replaced(destination: Module, replaced: set[Comdat], nodes: NodesByValue) -> None:
    """Drop the replaced members of comdats: used ones become declarations, the rest is erased.

    Args:
        destination: the module that others are linked into.
        replaced: its comdats that are replaced.
        nodes: its metadata nodes that wrap constants.
    """
    if not replaced:
        return
    _drop_aliases(destination, replaced)
    for value in (*destination.global_variables, *destination.functions):
        if value.comdat in replaced:
            if not _is_used(value):
                nodes.set_apart(value)
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


def _drop_aliases(destination: Module, replaced: set[Comdat]) -> None:
    """Drop the aliases that are members of comdats.

    An alias that leads through one before it stays: it has become an alias of a declaration, which has no comdat.
    """
    bases = BaseObjects()
    members = [alias for alias in destination.aliases if comdat_of(alias, bases) in replaced]
    staying: set[object] = set()
    for alias in members:
        if alias not in staying:
            _add_dependents(alias, staying)
            _drop_alias(destination, alias)


def _add_dependents(alias: GlobalAlias, found: set[object]) -> None:
    """Add the aliases, and the constants between them, that lead through an alias."""
    pending: list[Value] = [alias]
    while pending:
        current = pending.pop()
        users = tuple(present_uses(current)) if current.is_used else ()
        for user in users:
            is_address = isinstance(user, GlobalAlias | ConstantExpr) and current in address_parts(user)
            if is_address and user not in found:
                found.add(user)
                pending.append(user)


def _drop_alias(destination: Module, alias: GlobalAlias) -> None:
    if alias.is_used:
        made = declare_like(alias, alias.value_type)
        name, alias.name = alias.name, ""
        destination.append(made)
        made.name = name
        alias.replace_all_uses_with(made)
    alias.erase_from_parent()
