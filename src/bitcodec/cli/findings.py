"""Findings of the verifier as commands print them: LLVM's text, and a line that names the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.module import Module
    from bitcodec.verifier import Finding

__all__ = ["BrokenModule", "finding_texts", "findings_as_json", "is_broken", "print_findings"]


class BrokenModule(Failure):
    """A module that breaks rules of LLVM IR: a line, and the findings below it, as llvm-as prints them.

    Attributes:
        module: the module.
        findings: the violations.
    """

    def __init__(self, message: str, module: Module, findings: Sequence[Finding]) -> None:
        super().__init__(message)
        self.module = module
        self.findings = findings

    def show(self) -> None:
        """Print the line and the findings."""
        super().show()
        print_findings(self.module, self.findings)


def finding_texts(module: Module, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the text of each finding as LLVM's verifier prints it, with line ends.

    Raises:
        BitcodecError: a type in it is too long to be spelled.
    """
    if not findings:
        return
    from bitcodec.asm.finding_text import FindingPrinter  # noqa: PLC0415 - most modules have no findings

    printer = FindingPrinter(module)
    for finding in findings:
        yield one_line(printer.text_of(finding), kept="\n")


def print_findings(module: Module, findings: Sequence[Finding]) -> None:
    """Print findings on standard error."""
    for text in finding_texts(module, findings):
        echo(text, err=True, nl=False)


def findings_as_json(module: Module, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the objects of JSON output, one for each finding."""
    if not findings:
        return []
    from bitcodec.asm.finding_text import FindingPrinter  # noqa: PLC0415 - most modules have no findings

    printer = FindingPrinter(module)
    return [
        {
            "severity": "warning" if finding.is_debug_info else "error",
            "message": finding.message,
            "values": printer.lines_of(finding),
            "text": str(finding),
        }
        for finding in findings
    ]


def is_broken(findings: Sequence[Finding]) -> bool:
    """Return whether a module breaks rules that do not concern debug information only."""
    return not all(finding.is_debug_info for finding in findings)
