"""Linters of whole builds: rules, findings that name inputs and fixes, SARIF.

>>> import bitcodec
>>> from bitcodec.lint import FlagLinter
>>> linter = FlagLinter()
>>> for name in ("examples/hello.bc", "examples/queue.bc"):
...     linter.add(bitcodec.open(name), name)
>>> linter.report().findings
()

`FlagLinter` checks module flags: whether inputs link, and whether the result is still what each was compiled for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.findings import Finding, Fix, RuleInfo, Severity, Side
from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.lint.flags.linter import FlagLinter, FlagReport
    from bitcodec.lint.flags.predicting import Message, Prediction
    from bitcodec.lint.flags.rules import FLAG_RULES
    from bitcodec.lint.sarif import sarif_log

__all__ = [
    "FLAG_RULES",
    "Finding",
    "Fix",
    "FlagLinter",
    "FlagReport",
    "Message",
    "Prediction",
    "RuleInfo",
    "Severity",
    "Side",
    "sarif_log",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "flags.linter": ("FlagLinter", "FlagReport"),
        "flags.predicting": ("Message", "Prediction"),
        "flags.rules": ("FLAG_RULES",),
        "sarif": ("sarif_log",),
    },
)
