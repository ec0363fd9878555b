"""Which members of archives are taken: like a search through all of them after each one."""

from __future__ import annotations

import random

import pytest

import bitcodec
from bitcodec.ir.module import Module
from bitcodec.linker.symbols import linker_symbols, needed_members
from bitcodec.tables.linkage import Linkage


class State:
    """What is defined and declared so far."""

    def __init__(self, *declared: str) -> None:
        self.declared = dict.fromkeys(declared)
        self.defined: set[str] = set()

    def is_undefined(self, name: str) -> bool:
        return name in self.declared and name not in self.defined

    def link(self, member: Module) -> None:
        for row in linker_symbols(member).rows:
            if row.is_declaration:
                self.declared[row.name] = None
            elif row.linkage is not Linkage.AVAILABLE_EXTERNALLY:
                self.defined.add(row.name)


def members(seed: int) -> list[Module]:
    chosen = random.Random(seed)
    made = []
    for number in range(12):
        names = chosen.sample("abcdefghijklmnop", 5)
        linkages = chosen.choices(["", "linkonce_odr ", "available_externally ", "internal "], [6, 2, 1, 1], k=2)
        lines = [
            f"define {linkage}void @{name}() {{\n  ret void\n}}"
            for linkage, name in zip(linkages, names[:2], strict=True)
        ]
        lines += [f"declare void @{name}()" for name in names[2 : 2 + chosen.randrange(4)]]
        made.append(bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly("\n".join(lines))), f"m{number}"))
    return made


def searched(modules: list[Module], state: State) -> list[str]:
    """Return the members that are taken if all are searched again after each one."""
    left, taken = list(modules), []
    while True:
        for member in left:
            rows = linker_symbols(member).rows
            defined = [row for row in rows if not row.is_declaration]
            names = [row.name for row in defined if row.linkage is not Linkage.AVAILABLE_EXTERNALLY]
            if any(map(state.is_undefined, names)):
                break
        else:
            return taken
        left.remove(member)
        taken.append(member.identifier)
        state.link(member)


@pytest.mark.same_in_both
def test_members_are_those_of_a_search_through_all() -> None:
    counts = set()
    for seed in range(25):
        modules, state = members(seed), State("a", "b")
        taken = []
        for member in needed_members(modules, ["a", "b"], state.is_undefined):
            taken.append(member.identifier)
            state.link(member)
        assert taken == searched(modules, State("a", "b"))
        counts.add(len(taken))
    assert len(counts) > 3


@pytest.mark.same_in_both
def test_symbols_are_the_same_when_globals_have_been_made() -> None:
    for member in members(1):
        unread = linker_symbols(member)
        assert all(row.comdat == "" for row in unread.rows)
        assert list(member.functions)
        assert linker_symbols(member).rows == unread.rows
