"""Module flags: properties that must agree across a program, merged as LLVM merges them at link time, and explained.

>>> import bitcodec
>>> module = bitcodec.open("examples/hello.bc")
>>> module.flags.integer("PIC Level")
2

The flags of one module are `Module.flags`, part of the model.  This package merges them: `rules` has the matrix of
behaviours as a table, `combining` combines two values, `merging` merges modules, `diagnostics` describes
conflicts, `surveying` finds conflicts of many modules, `upgrading` upgrades old flags, and `spelling` has values as
text.  The meaning of flags is a table, `tables.known_flags`: `explaining` returns it, `known` has flags as attributes,
`linting` finds values that no producer writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.known import KnownFlags, known, set_flag
from bitcodec.ir.module_flags import FlagProblem, ModuleFlag, ModuleFlags, Requirement
from bitcodec.on_demand import names_on_demand
from bitcodec.tables.known_flags import KNOWN_FLAGS, FlagMeaning, KnownFlag
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from bitcodec.flags.diagnostics import Diagnostic, DiagnosticKind, Side
    from bitcodec.flags.explaining import advice, describe, explain, explanation, meaning_of
    from bitcodec.flags.linting import DoubtKind, FlagDoubt, lint
    from bitcodec.flags.merging import Merge, Merger, merge
    from bitcodec.flags.rules import LANGREF, PROPOSAL_2012, Choice, Dialect, Rule
    from bitcodec.flags.spelling import listing, spelled
    from bitcodec.flags.surveying import (
        ConflictReport,
        FlagConflict,
        FlagSurvey,
        MalformedInput,
        ValueGroup,
        conflicts,
    )
    from bitcodec.flags.upgrading import Upgrade

__all__ = [
    "KNOWN_FLAGS",
    "LANGREF",
    "PROPOSAL_2012",
    "Behavior",
    "Choice",
    "ConflictReport",
    "Diagnostic",
    "DiagnosticKind",
    "Dialect",
    "DoubtKind",
    "FlagConflict",
    "FlagDoubt",
    "FlagMeaning",
    "FlagProblem",
    "FlagSurvey",
    "KnownFlag",
    "KnownFlags",
    "MalformedInput",
    "Merge",
    "Merger",
    "ModuleFlag",
    "ModuleFlags",
    "Requirement",
    "Rule",
    "Side",
    "Upgrade",
    "ValueGroup",
    "advice",
    "conflicts",
    "describe",
    "explain",
    "explanation",
    "known",
    "lint",
    "listing",
    "meaning_of",
    "merge",
    "set_flag",
    "spelled",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "diagnostics": ("Diagnostic", "DiagnosticKind", "Side"),
        "explaining": ("advice", "describe", "explain", "explanation", "meaning_of"),
        "linting": ("DoubtKind", "FlagDoubt", "lint"),
        "merging": ("Merge", "Merger", "merge"),
        "rules": ("LANGREF", "PROPOSAL_2012", "Choice", "Dialect", "Rule"),
        "spelling": ("listing", "spelled"),
        "surveying": ("ConflictReport", "FlagConflict", "FlagSurvey", "MalformedInput", "ValueGroup", "conflicts"),
        "upgrading": ("Upgrade",),
    },
)
