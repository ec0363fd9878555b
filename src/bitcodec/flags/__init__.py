"""Module flags: what must agree across a program, merged as LLVM merges it when modules meet, and explained.

>>> import bitcodec
>>> module = bitcodec.open("examples/hello.bc")
>>> module.flags.integer("PIC Level")
2

The flags of one module are `Module.flags`, part of the model.  Here is what becomes of them: `rules` has the matrix of
behaviours as a table, `combining` makes one value of two, `merging` goes through modules, `diagnostics` tells what does
not agree, `upgrading` what is another flag today, and `spelling` has values as text.
"""

from __future__ import annotations

from bitcodec.flags.diagnostics import Diagnostic, DiagnosticKind, Side
from bitcodec.flags.merging import Merge, Merger, merge
from bitcodec.flags.rules import LANGREF, PROPOSAL_2012, Choice, Dialect, Rule
from bitcodec.flags.spelling import listing, spelled
from bitcodec.flags.upgrading import Upgrade
from bitcodec.ir.module_flags import FlagProblem, ModuleFlag, ModuleFlags, Requirement
from bitcodec.tables.module_flags import Behavior

__all__ = [
    "LANGREF",
    "PROPOSAL_2012",
    "Behavior",
    "Choice",
    "Diagnostic",
    "DiagnosticKind",
    "Dialect",
    "FlagProblem",
    "Merge",
    "Merger",
    "ModuleFlag",
    "ModuleFlags",
    "Requirement",
    "Rule",
    "Side",
    "Upgrade",
    "listing",
    "merge",
    "spelled",
]
