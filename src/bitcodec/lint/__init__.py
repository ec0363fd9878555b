"""Linters of whole builds: rules, findings that name inputs and fixes, SARIF.

>>> import bitcodec
>>> from bitcodec.lint import FlagLinter
>>> linter = FlagLinter()
>>> for name in ("examples/hello.bc", "examples/queue.bc"):
...     linter.add(bitcodec.open(name), name)
>>> linter.report().findings
()

`FlagLinter` checks module flags: whether inputs link, and whether the result keeps the target properties of each input.
`PCLinter` checks the PC sections of objects and programs; `contents_of` and `changes` compare two builds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.findings import AnyFinding, Finding, Fix, Location, RuleInfo, Severity, Side
from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.lint.flags.linter import FlagLinter, FlagReport
    from bitcodec.lint.flags.predicting import Message, Prediction
    from bitcodec.lint.flags.rules import FLAG_RULES
    from bitcodec.lint.pcsections.contents import Change, Content, Row, changes, contents_of
    from bitcodec.lint.pcsections.findings import PCFinding
    from bitcodec.lint.pcsections.linter import PCLinter, PCReport
    from bitcodec.lint.pcsections.rules import PC_RULES
    from bitcodec.lint.sarif import sarif_log

__all__ = [
    "FLAG_RULES",
    "PC_RULES",
    "AnyFinding",
    "Change",
    "Content",
    "Finding",
    "Fix",
    "FlagLinter",
    "FlagReport",
    "Location",
    "Message",
    "PCFinding",
    "PCLinter",
    "PCReport",
    "Prediction",
    "Row",
    "RuleInfo",
    "Severity",
    "Side",
    "changes",
    "contents_of",
    "sarif_log",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "flags.linter": ("FlagLinter", "FlagReport"),
        "flags.predicting": ("Message", "Prediction"),
        "flags.rules": ("FLAG_RULES",),
        "pcsections.contents": ("Change", "Content", "Row", "changes", "contents_of"),
        "pcsections.findings": ("PCFinding",),
        "pcsections.linter": ("PCLinter", "PCReport"),
        "pcsections.rules": ("PC_RULES",),
        "sarif": ("sarif_log",),
    },
)
