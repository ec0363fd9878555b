"""Results for a flag that two modules have, by their behaviours: the matrices of LLVM, and of the proposal.

Rules: docs/reference/flags.md, 3.2, 4 and 8; LLVM Language Reference, "Module Flags Metadata"; "[RFC] Module
Flags Metadata" (2012), the list of behaviours.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from bitcodec.flags.diagnostics import DiagnosticKind
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LANGREF", "PROPOSAL_2012", "Choice", "Dialect", "Rule"]


class Choice(Enum):
    """The value that results."""

    DESTINATION = auto()
    SOURCE = auto()
    GREATER = auto()
    LESSER = auto()
    BOTH = auto()
    BOTH_ONCE = auto()


class Rule(NamedTuple):
    """Result for a flag of two modules.

    Attributes:
        choice: the value that results.
        difference: the diagnostic if the values differ, None for none.
    """

    choice: Choice
    difference: DiagnosticKind | None = None


class Dialect(NamedTuple):
    """A set of rules.

    Attributes:
        name: its name.
        behaviors: the behaviours that exist.
        rules: by the behaviours of destination and source; for other pairs the behaviours are in conflict.
        keeps_first_list: whether the flags of the first module are taken unchanged, repeats and all.
        checks_each_link: whether requirements must hold after each module, not only in the end.
        has_one_requirement_per_key: whether requirements under one key may not differ.
        upgrades: whether flags of older LLVM are upgraded first.
        is_spelled_old: whether text has `metadata` before nodes and strings.
    """

    name: str
    behaviors: frozenset[Behavior]
    rules: Mapping[tuple[Behavior, Behavior], Rule]
    keeps_first_list: bool
    checks_each_link: bool
    has_one_requirement_per_key: bool
    upgrades: bool
    is_spelled_old: bool


_KEEP = Rule(Choice.DESTINATION)
_TAKE = Rule(Choice.SOURCE)
_EQUAL = Rule(Choice.DESTINATION, DiagnosticKind.CONFLICTING_VALUES)
_FIRST = Rule(Choice.DESTINATION, DiagnosticKind.DIFFERENT_VALUES)
_OVERRIDES = Rule(Choice.DESTINATION, DiagnosticKind.CONFLICTING_OVERRIDES)
_WARNED_GREATER = Rule(Choice.GREATER, DiagnosticKind.DIFFERENT_VALUES)
_WARNED_LESSER = Rule(Choice.LESSER, DiagnosticKind.DIFFERENT_VALUES)

_ALONE = frozenset(Behavior) - {Behavior.REQUIRE, Behavior.OVERRIDE}


def _overriding(others: frozenset[Behavior]) -> dict[tuple[Behavior, Behavior], Rule]:
    """Return the rules of Override: it wins over all others, from either side."""
    return {
        **{(Behavior.OVERRIDE, other): _KEEP for other in others},
        **{(other, Behavior.OVERRIDE): _TAKE for other in others},
        (Behavior.OVERRIDE, Behavior.OVERRIDE): _OVERRIDES,
    }


LANGREF = Dialect(
    name="langref",
    behaviors=frozenset(Behavior),
    rules={
        **_overriding(_ALONE),
        (Behavior.ERROR, Behavior.ERROR): _EQUAL,
        (Behavior.WARNING, Behavior.WARNING): _FIRST,
        (Behavior.APPEND, Behavior.APPEND): Rule(Choice.BOTH),
        (Behavior.APPEND_UNIQUE, Behavior.APPEND_UNIQUE): Rule(Choice.BOTH_ONCE),
        (Behavior.MAX, Behavior.MAX): Rule(Choice.GREATER),
        (Behavior.MIN, Behavior.MIN): Rule(Choice.LESSER),
        (Behavior.WARNING, Behavior.MAX): _WARNED_GREATER,
        (Behavior.MAX, Behavior.WARNING): _WARNED_GREATER,
        (Behavior.WARNING, Behavior.MIN): _WARNED_LESSER,
        (Behavior.MIN, Behavior.WARNING): _WARNED_LESSER,
    },
    keeps_first_list=True,
    checks_each_link=True,
    has_one_requirement_per_key=False,
    upgrades=True,
    is_spelled_old=False,
)
"""The rules of today, as LLVM 22 has them."""

PROPOSAL_2012 = Dialect(
    name="2012",
    behaviors=frozenset({Behavior.ERROR, Behavior.WARNING, Behavior.REQUIRE, Behavior.OVERRIDE}),
    # Behaviours as such never conflict: their errors and warnings are about different values.
    rules={
        **_overriding(frozenset({Behavior.ERROR, Behavior.WARNING})),
        (Behavior.ERROR, Behavior.ERROR): _EQUAL,
        (Behavior.ERROR, Behavior.WARNING): _EQUAL,
        (Behavior.WARNING, Behavior.ERROR): _EQUAL,
        (Behavior.WARNING, Behavior.WARNING): _FIRST,
    },
    keeps_first_list=False,
    checks_each_link=False,
    has_one_requirement_per_key=True,
    upgrades=False,
    is_spelled_old=True,
)
"""The rules that were proposed in January 2012; of values that are only warned of, the first module's stays."""
