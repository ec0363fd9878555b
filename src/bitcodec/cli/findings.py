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

__all__ = [
    "BrokenModule",
    "InputVerifier",
    "check_result",
    "finding_texts",
    "findings_as_json",
    "is_broken",
    "print_findings",
]


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


class BrokenInput(BrokenModule):
    """The same, as llvm-link and opt print it: the findings, and the line below them."""

    def show(self) -> None:
        """Print the findings and the line."""
        print_findings(self.module, self.findings)
        echo(one_line(self.message), err=True)


class InputVerifier:
    """Verifies the inputs of a link that are assembly, as llvm-link does.

    Types of debug information that modules share make findings in an input that the result has not. So llvm-link
    reports an input that breaks rules only where it keeps these types apart, and else verifies the
    result.

    Attributes:
        is_result_checked: whether the result is to be verified, because an input breaks rules.
    """

    def __init__(self, *, stops: bool, hides_warnings: bool = False) -> None:
        """Make one; `stops` is whether an input that breaks rules is an error."""
        self._stops = stops
        self._hides_warnings = hides_warnings
        self.is_result_checked = False

    def check(self, module: Module) -> None:
        """Verify an input; drop debug information that breaks rules, if nothing else does, as LLVM's readers do.

        Raises:
            BrokenInput: it breaks rules, and the link stops for this.
        """
        from bitcodec.transforms.debug_info import strip_debug_info  # noqa: PLC0415 - few modules need it

        findings = _findings_in_link(module)
        if findings and not is_broken(findings):
            if not self._hides_warnings:
                print_findings(module, findings)
                echo(one_line(f"warning: ignoring invalid debug info in {module.identifier}"), err=True)
            strip_debug_info(module)
            findings = _findings_in_link(module)
        if findings and self._stops:
            raise BrokenInput(f"{module.identifier}: error: input module is broken!", module, findings)
        self.is_result_checked |= bool(findings)


def _findings_in_link(module: Module) -> list[Finding]:
    """Return the findings of a module that may have types of debug information of other modules."""
    from bitcodec.verifier import verify  # noqa: PLC0415 - `--help` need not wait for it
    from bitcodec.verifier.named_metadata import UNIT_NOT_LISTED  # noqa: PLC0415

    return [finding for finding in verify(module) if finding.message != UNIT_NOT_LISTED]


def check_result(module: Module, *, hides_warnings: bool = False) -> None:
    """Verify a linked module, and warn of debug information that breaks rules.

    Raises:
        BrokenInput: it breaks other rules.
    """
    findings = _findings_in_link(module)
    if is_broken(findings):
        raise BrokenInput("error: linked module is broken!", module, findings)
    if findings and not hides_warnings:
        print_findings(module, findings)
        echo("warning: invalid debug info in the linked module", err=True)


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
            "rule": finding.rule,
            "message": finding.message,
            "values": printer.lines_of(finding),
            "text": str(finding),
        }
        for finding in findings
    ]


def is_broken(findings: Sequence[Finding]) -> bool:
    """Return whether a module breaks rules that do not concern debug information only."""
    return not all(finding.is_debug_info for finding in findings)
