"""What a rule for PC sections found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.lint.findings import Severity
    from bitcodec.pcsections.decoding.entries import Entry

__all__ = ["MOST_ENTRIES", "PCFinding"]

MOST_ENTRIES = 20
"""Entries that a finding names."""


class PCFinding(NamedTuple):
    """A problem in the PC sections of a file.

    Attributes:
        rule: identifier of the rule.
        severity: how bad it is.
        file: the file, as the user named it; with its member in parentheses.
        subject: the section, or the function, that it is about.
        message: what is wrong, in one sentence.
        entries: the first of the entries that are wrong.
        size: how many are.
    """

    rule: str
    severity: Severity
    file: str
    subject: str
    message: str
    entries: tuple[Entry, ...] = ()
    size: int = 1
