"""The rows of the table of rules."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from bitcodec.lint.findings import RuleInfo, Severity
from bitcodec.lint.flags.faults import FlagFault
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.lint.flags.faults import KeyView
    from bitcodec.lint.flags.profiles import BuildProfile

__all__ = ["STOPS", "FlagCheck"]

STOPS = MappingProxyType(
    {
        FlagFault.VALUES: Severity.ERROR,
        FlagFault.OVERRIDES: Severity.ERROR,
        FlagFault.BEHAVIORS: Severity.ERROR,
        FlagFault.APART: Severity.WARNING,
    }
)
"""The faults that stop a link, and the one that takes their place where inputs are never merged."""


def _always(_: KeyView) -> bool:
    return True


def _lacks(_key: str, _profile: BuildProfile) -> bool:
    return True


class FlagCheck(NamedTuple):
    """A row.

    Attributes:
        identifier: of the rule, and of its section on the page.
        keys: the flags that it is about; empty for all flags that no other rule with such a fault is about.
        faults: the faults that it reports, with their severities; empty for rules about single modules.
        title: the error that it finds, in one line.
        consequence: the consequence of the error.
        remedy: the remedy.
        severity: of rules about single modules.
        is_for_all: whether inputs of every compiler should have the flag, not only of compilers that write it.
        is_removed: whether an input that cannot be compiled again is fixed without the flag, not with another value.
        applies: whether the rule holds for the flags of a key.
        lacks: whether inputs without a flag differ from inputs with it.
    """

    identifier: str
    keys: frozenset[str]
    faults: Mapping[FlagFault, Severity]
    title: str
    consequence: str
    remedy: str
    severity: Severity = Severity.NOTE
    is_for_all: bool = False
    is_removed: bool = False
    applies: Callable[[KeyView], bool] = _always
    lacks: Callable[[str, BuildProfile], bool] = _lacks

    @property
    def info(self) -> RuleInfo:
        """The rule, as lists of rules have it."""
        severities = set(self.faults.values()) or {self.severity}
        worst = next(each for each in Severity if each in severities)
        return RuleInfo(self.identifier, worst, self.title, self.consequence, self.remedy, tuple(sorted(self.keys)))
