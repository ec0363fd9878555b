"""Findings of rules for PC sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.findings import Location
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.lint.findings import Severity
    from bitcodec.pcsections.decoding.entries import Entry

__all__ = ["MOST_ENTRIES", "PCFinding"]

MOST_ENTRIES = 20
"""Entries that a finding names."""


_LISTED = 3
"""Entries in a sentence."""


class PCFinding(NamedTuple):
    """A problem in the PC sections of a file.

    Attributes:
        rule: identifier of the rule.
        severity: how bad it is.
        file: the file, as the user named it; with its member in parentheses.
        subject: the section, or the function, that it is about.
        message: the error, in one sentence.
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

    @property
    def text(self) -> str:
        """The whole finding in sentences."""
        places = ", ".join(f"{entry.pc} (byte {entry.place})" for entry in self.entries[:_LISTED])
        more = ", ..." if self.size > _LISTED and places else ""
        return f"{self.file}: {self.subject}: {self.message}{f': {places}{more}' if places else ''}."

    @property
    def locations(self) -> tuple[Location, ...]:
        """Source lines of the entries if debug information specifies them, or the file."""
        lines = {(entry.file, entry.line): None for entry in self.entries if entry.file is not None}
        return tuple(Location(self.file, *line) for line in lines) or (Location(self.file),)
