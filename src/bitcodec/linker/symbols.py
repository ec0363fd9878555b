"""Symbols of modules as linkers need them, and the members of archives that define undefined symbols."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, cast

from bitcodec.ir.construction.present import unread_symbols
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.sources import LinkerSymbols, SymbolRow
from bitcodec.linker.comdats import comdat_of
from bitcodec.linker.problems import LinkProblem, ProblemKind
from bitcodec.linker.records import archive_of
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module

__all__ = ["add_needed", "linker_symbols", "needed_members"]


def linker_symbols(module: Module) -> LinkerSymbols:
    """Return the symbols of a module that others see, and its comdats; no globals are made for it.

    Raises:
        BitcodecError: a symbol is malformed.
    """
    symbols = unread_symbols(module)
    if symbols is not None:
        return symbols
    bases = BaseObjects()
    rows = [_row_of(value, bases) for value in module.globals if value.name and not value.linkage.is_local]
    return LinkerSymbols(rows, {name: comdat.selection_kind for name, comdat in module.comdats.items()})


def _row_of(value: GlobalValue, bases: BaseObjects) -> SymbolRow:
    is_appending = isinstance(value, GlobalVariable) and value.linkage is Linkage.APPENDING
    variable = cast("GlobalVariable", value) if is_appending else None
    comdat = comdat_of(value, bases)
    group = "" if comdat is None else comdat.name
    return SymbolRow(
        value.name,
        value.linkage,
        value.is_declaration,
        value.dll_storage_class,
        value.visibility,
        value.is_dso_local,
        group,
        variable,
    )


def add_needed(
    members: Sequence[Module],
    names: Sequence[str],
    is_undefined: Callable[[str], bool],
    add: Callable[[Module], object],
) -> tuple[Iterable[Module], list[LinkProblem]]:
    """Add the needed members of an archive, as `needed_members` yields them; return the other members, and problems."""
    rest = dict.fromkeys(members)
    for member in needed_members(members, names, is_undefined):
        add(member)
        del rest[member]
    is_first = bool(members) and not names
    return rest, [LinkProblem(ProblemKind.NOTHING_NEEDED, "", archive_of(members[0]))] if is_first else []


def needed_members(
    members: Sequence[Module], undefined: Iterable[str], is_undefined: Callable[[str], bool]
) -> Iterator[Module]:
    """Yield the members of an archive that define undefined symbols, and members that these need.

    A member is linked before the next one is requested. Of several that are needed, the first of the archive is next.

    Args:
        members: the modules of the archive, in order.
        undefined: the symbols that are undefined so far.
        is_undefined: whether a symbol is undefined by now.

    Raises:
        BitcodecError: a symbol of a member is malformed.
    """
    symbols = [linker_symbols(member).rows for member in members]
    holders: dict[str, list[int]] = {}
    for number, rows in enumerate(symbols):
        for row in rows:
            if not row.is_declaration and row.linkage is not Linkage.AVAILABLE_EXTERNALLY:
                holders.setdefault(row.name, []).append(number)
    taken: set[int] = set()
    waiting: list[tuple[int, str]] = []
    wanted: set[str] = set()
    names = undefined
    while True:
        for name in names:
            if name in holders and name not in wanted and is_undefined(name):
                wanted.add(name)
                for number in holders[name]:
                    heappush(waiting, (number, name))
        while waiting and (waiting[0][0] in taken or not is_undefined(waiting[0][1])):
            heappop(waiting)
        if not waiting:
            return
        number, _ = heappop(waiting)
        taken.add(number)
        yield members[number]
        names = [row.name for row in symbols[number]]
