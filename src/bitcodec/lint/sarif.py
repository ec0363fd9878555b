"""Findings as a SARIF log, which GitHub, GitLab, Azure DevOps and editors show beside the code.

Rules: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", OASIS, sections 3.13 to 3.58.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bitcodec.lint.findings import Severity
from bitcodec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.lint.findings import Finding, RuleInfo

__all__ = ["sarif_log"]

_VERSION = "2.1.0"
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_MOST_LOCATIONS = 10
"""Of one result; hosts that show results refuse logs with many more."""


def sarif_log(findings: Iterable[Finding], rules: Sequence[RuleInfo], *, page: str = "") -> dict[str, Any]:
    """Return findings as the document of a SARIF 2.1.0 log with one run.

    The location of a result is the first input to change; the others are related locations.

    Args:
        findings: the findings.
        rules: every rule that was applied.
        page: address of the page with a section for each rule, named by its identifier; "" for none.
    """
    numbers = {rule.identifier: number for number, rule in enumerate(rules)}
    driver = {
        "name": "bitcodec",
        "semanticVersion": __version__,
        "rules": [_rule(rule, page) for rule in rules],
    }
    results = [_result(finding, numbers) for finding in findings]
    return {
        "$schema": _SCHEMA,
        "version": _VERSION,
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _rule(rule: RuleInfo, page: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": rule.identifier,
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.consequence},
        "help": {"text": rule.remedy},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }
    return {**found, "helpUri": f"{page}#{rule.identifier}"} if page else found


def _result(finding: Finding, numbers: dict[str, int]) -> dict[str, Any]:
    inputs = finding.odd_inputs or tuple(name for side in finding.sides for name in side.inputs)
    first, *others = [_location(name) for name in inputs[:_MOST_LOCATIONS]] or [{}]
    found: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.text},
        "locations": [first] if first else [],
        "partialFingerprints": {"subject/v1": f"{finding.rule}:{finding.subject}"},
        "properties": {"subject": finding.subject, "inputCount": sum(side.size for side in finding.sides)},
    }
    if finding.rule in numbers:
        found["ruleIndex"] = numbers[finding.rule]
    if others:
        found["relatedLocations"] = [{"id": number, **each} for number, each in enumerate(others, 1)]
    return found


def _location(name: str) -> dict[str, Any]:
    """Return the location of an input: a file, and the member of it if its name ends in `(MEMBER)`."""
    file, bracket, member = name.partition("(")
    address = quote(file.replace("\\", "/").encode("utf-8", "surrogateescape"), safe="/:")
    artifact = {"artifactLocation": {"uri": f"./{address}" if ":" in address.split("/")[0] else address}}
    found: dict[str, Any] = {"physicalLocation": artifact}
    return {**found, "logicalLocations": [{"name": member.rstrip(")"), "kind": "member"}]} if bracket else found
