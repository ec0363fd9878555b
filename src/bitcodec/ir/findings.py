"""Verifier findings and their text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.debug_records import DebugRecord
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import Metadata, NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.ir.values import Value
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import beginning_of, reference_to

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Finding", "VerificationError", "rule_name"]

_LONGEST = 240
"""Characters of a subject's text that a finding shows."""
_ENOUGH = 4 * _LONGEST
"""Characters to make of each part of that text, indents and line ends included."""
_PRINTED = Value, Metadata, DebugRecord, NamedMetadata, Comdat, Module
"""Classes that `printing` makes texts of."""
_KINDS: dict[type, str] = {
    Function: "function",
    GlobalVariable: "variable",
    GlobalAlias: "alias",
    GlobalIFunc: "ifunc",
}


_TOO_LONG = (GlobalValue, BasicBlock, Comdat, NamedMetadata, Module)
"""Subjects that are named, not printed."""


class Finding(NamedTuple):
    """A rule that does not hold.

    `str` returns one line.  It is created on each call, from the current subject; the values of a function are
    numbered once for all lines, until the function changes.

    Attributes:
        message: LLVM's message.
        where: the global, comdat or named metadata that it is wrong in; the module if it is in none.
        subject: the value, metadata, debug record or block that is wrong; `where` itself if it is wrong as a whole.
        values: objects printed below the message: values, types, metadata, debug records, attributes, numbers; None
            means a null pointer, for which LLVM prints nothing.
        is_debug_info: whether the rule concerns debug information only: LLVM drops all debug information of a module
            that breaks no other rules.
        has_own_numbers: whether LLVM numbers attribute groups and nodes again before it prints the values, so that the
            numbers differ from the numbers in other findings.
        form: the message with `{...}` in the place of the parts that depend on the module; "" if absent.
    """

    message: str
    where: GlobalValue | Comdat | NamedMetadata | Module
    subject: object
    values: tuple[object, ...] = ()
    is_debug_info: bool = False
    has_own_numbers: bool = False
    form: str = ""

    @property
    def rule(self) -> str:
        """The name of the rule: the parts of the message that do not depend on the module, joined by hyphens."""
        return rule_name(self.form or self.message)

    def __str__(self) -> str:
        """Return one line: the place, the message, and the text of the subject."""
        block = _block_of(self.subject)
        place = _place(self.where) + ("" if block is None else f", block {reference_to(block)}")
        text = "" if isinstance(self.subject, _TOO_LONG) else _line(self.subject)
        named = text if text or self.subject is self.where else _name(self.subject)
        return ": ".join(filter(None, (place, self.message, named)))


def rule_name(form: str) -> str:
    """Return the name of the rule with a form of message."""
    return "-".join(re.findall("[a-z0-9]+", re.sub(r"\{[^{}]*\}", "", form).lower()))


class VerificationError(BitcodecError):
    """A module breaks rules.

    Attributes:
        findings: the findings; at least one.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(findings)
        self.findings = tuple(findings)

    def __str__(self) -> str:
        more = len(self.findings) - 1
        return f"{self.findings[0]}{f' (and {more} more)' if more else ''}"


def _place(where: object) -> str:
    if isinstance(where, GlobalValue):
        return f"{_KINDS[type(where)]} @{where.name}"
    if isinstance(where, Comdat):
        return f"comdat ${where.name}"
    return f"!{where.name}" if isinstance(where, NamedMetadata) else "module"


def _name(subject: object) -> str:
    """Return the name of a subject whose text is too long."""
    return f"@{subject.name}" if isinstance(subject, GlobalValue) else ""


def _line(subject: object) -> str:
    """Return the text of a subject in one line, cut off if it is long."""
    # A large subject of many findings (a constant, a type, a string) would be printed completely for each.
    text = beginning_of(subject, _ENOUGH) if isinstance(subject, _PRINTED) else str(subject)
    line = " ".join(part.strip() for part in text.splitlines())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def _block_of(subject: object) -> BasicBlock | None:
    if isinstance(subject, Instruction):
        return subject.parent
    return subject if isinstance(subject, BasicBlock) else None
