"""Findings of linters, as data: the error, the inputs that disagree, the fix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["AnyFinding", "Finding", "Fix", "Location", "RuleInfo", "Severity", "Side"]


class Severity(PlainEnum):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    """The link stops, or the program is wrong."""
    WARNING = "warning"
    """The program lacks target properties of some inputs."""
    NOTE = "note"
    """Harmless in most programs."""


class RuleInfo(NamedTuple):
    """Subject and purpose of a rule, for lists of rules.

    Attributes:
        identifier: of the rule, as `--disable` takes it, and the section of the page.
        severity: of its worst findings.
        title: the error that it finds, in one line.
        consequence: the consequence of the error, in sentences.
        remedy: the remedy, in sentences.
        subjects: its subjects, such as keys of module flags; empty for anything.
    """

    identifier: str
    severity: Severity
    title: str
    consequence: str
    remedy: str
    subjects: tuple[str, ...] = ()


class Location(NamedTuple):
    """Place of a problem.

    Attributes:
        input: the file, as the user named it; with its member in parentheses.
        source, line: of the source code, None if they are unknown.
    """

    input: str
    source: str | None = None
    line: int | None = None


class AnyFinding(Protocol):
    """Members that findings of all linters have."""

    @property
    def rule(self) -> str:
        """Identifier of the rule."""

    @property
    def severity(self) -> Severity:
        """How bad it is."""

    @property
    def subject(self) -> str:
        """Subject of the finding."""

    @property
    def text(self) -> str:
        """The whole finding in sentences."""

    @property
    def locations(self) -> tuple[Location, ...]:
        """Place of the finding."""

    @property
    def size(self) -> int:
        """Number of its places."""


class Side(NamedTuple):
    """Inputs with the same statement.

    Attributes:
        text: their statement: `i32 4 (Error)`; `absent`.
        inputs: the first of them, in order.
        size: how many there are.
        compilers: compilers that made them, by their own names.
        is_odd: whether these are the inputs to change.
    """

    text: str
    inputs: tuple[str, ...]
    size: int
    compilers: tuple[str, ...]
    is_odd: bool


class Fix(NamedTuple):
    """Remedy for a finding.

    Attributes:
        options: of compilers, by the name of the compiler, for the inputs to change.
        steps: arguments of `bitcodec flags` for each input to change, without the file, in order: for inputs that
            cannot be compiled again.
    """

    options: Mapping[str, str]
    steps: tuple[tuple[str, ...], ...]


class Finding(NamedTuple):
    """A problem that a rule found.

    Attributes:
        rule: identifier of the rule.
        severity: how bad it is.
        subject: the key of a module flag.
        message: the error, in one sentence.
        sides: the statements and their inputs, the most inputs first.
        result: the value in the linked module, "" if nothing results.
        fix: the remedy.
    """

    rule: str
    severity: Severity
    subject: str
    message: str
    sides: tuple[Side, ...]
    result: str
    fix: Fix

    @property
    def text(self) -> str:
        """The whole finding in sentences, for reports that have room for one text."""
        sides = "; ".join(f"{_listed(side)}: {side.text}" for side in self.sides)
        options = ", ".join(f"{option} ({compiler})" for compiler, option in self.fix.options.items())
        parts = [f"{self.subject}: {self.message}. {sides}."]
        parts += [f"The linked module has {self.result}."] if self.result else []
        parts += [f"Fix: compile {', '.join(self.odd_inputs[:_LISTED])} with {options}."] if options else []
        return " ".join(parts)

    @property
    def locations(self) -> tuple[Location, ...]:
        """The inputs to change, or all if nothing distinguishes these."""
        names = self.odd_inputs or tuple(name for side in self.sides for name in side.inputs)
        return tuple(map(Location, names))

    @property
    def size(self) -> int:
        """Number of inputs."""
        return sum(side.size for side in self.sides)

    @property
    def odd_inputs(self) -> tuple[str, ...]:
        """The inputs to change, as far as `sides` lists them."""
        return tuple(name for side in self.sides if side.is_odd for name in side.inputs)


_LISTED = 3
"""Names of inputs in a sentence."""


def _listed(side: Side) -> str:
    more = side.size - _LISTED
    return ", ".join(side.inputs[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
