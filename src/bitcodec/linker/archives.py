"""Which members of archives are linked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bitcodec.ir.module import Module

__all__ = ["needed_members", "required"]


def needed_members(members: Iterable[Module], needed: Callable[[], Collection[str]]) -> Iterator[Module]:
    """Yield the members of an archive that define what is needed, and then what these need.

    Args:
        members: all members.
        needed: returns the symbols that are needed; called again after each member.
    """
    rest = [(member, offered(member)) for member in members]
    while True:
        names = needed()
        chosen = next((row for row in rest if not row[1].isdisjoint(names)), None)
        if chosen is None:
            return
        rest.remove(chosen)
        yield chosen[0]


def offered(module: Module) -> set[str]:
    """Return the symbols that a module offers to others."""
    return {
        value.name
        for value in module.globals
        if value.name
        and not value.is_declaration
        and not value.linkage.is_local
        and value.linkage is not Linkage.AVAILABLE_EXTERNALLY
    }


def required(module: Module) -> set[str]:
    """Return the symbols that a module needs from others."""
    return {
        value.name
        for value in (*module.functions, *module.global_variables)
        if value.is_declaration
        and value.linkage is not Linkage.EXTERN_WEAK
        and not (isinstance(value, Function) and value.is_intrinsic)
    }
