"""What the verifier finds, and how it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitcodec.errors import BitcodecError
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.ir.types import VoidType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.values import Value

__all__ = ["Finding", "VerificationError"]

_LONGEST = 240
"""Characters of a subject's text that a finding shows."""
_KINDS: dict[type, str] = {
    Function: "function",
    GlobalVariable: "variable",
    GlobalAlias: "alias",
    GlobalIFunc: "ifunc",
}


_TOO_LONG = (GlobalValue, BasicBlock, Comdat, NamedMetadata, Module)
"""Subjects that are named, not shown."""


class Finding(NamedTuple):
    """A rule that does not hold.

    Attributes:
        message: what is wrong, in LLVM's words.
        where: the global, comdat or named metadata that it is wrong in; the module if it is in none.
        subject: the value, metadata, debug record or block that is wrong; `where` itself if it is wrong as a whole.
    """

    message: str
    where: GlobalValue | Comdat | NamedMetadata | Module
    subject: object

    def __str__(self) -> str:
        """Return one line: where, what is wrong, and the text of what is."""
        block = _block_of(self.subject)
        place = _place(self.where) + ("" if block is None else f", block {_local_name(block)}")
        text = "" if isinstance(self.subject, _TOO_LONG) else _line(self.subject)
        named = text if text or self.subject is self.where else _name(self.subject)
        return ": ".join(filter(None, (place, self.message, named)))


class VerificationError(BitcodecError):
    """A module breaks rules.

    Attributes:
        findings: which, and where; at least one.
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
    """Return the name of what has too long a text."""
    return f"@{subject.name}" if isinstance(subject, GlobalValue) else ""


def _line(subject: object) -> str:
    """Return the text of a subject in one line, cut off if it is long."""
    line = " ".join(part.strip() for part in str(subject).splitlines())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def _block_of(subject: object) -> BasicBlock | None:
    if isinstance(subject, Instruction):
        return subject.parent
    return subject if isinstance(subject, BasicBlock) else None


def _local_name(block: BasicBlock) -> str:
    """Return how text names a block: by its name, or by its number among what has no name."""
    if block.name or block.parent is None:
        return f"%{block.name}"
    number = 0
    for value in _numbered(block.parent):
        if value is block:
            break
        number += not value.name
    return f"%{number}"


def _numbered(function: Function) -> Iterator[Value]:
    """Yield what has a name or a number in a function, in order."""
    arguments: tuple[Argument, ...] = function.arguments
    yield from arguments
    for block in function.blocks:
        yield block
        yield from (found for found in block.instructions if not isinstance(found.type, VoidType))
