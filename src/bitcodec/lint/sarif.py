"""Findings as a SARIF log, which GitHub, GitLab, Azure DevOps and editors show next to the code.

Rules: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", OASIS, sections 3.13 to 3.58.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bitcodec.lint.findings import Severity
from bitcodec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.lint.findings import AnyFinding, Location, RuleInfo

__all__ = ["sarif_log"]

_VERSION = "2.1.0"
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_MOST_LOCATIONS = 10
"""Maximum number of locations of one result; hosts that show results refuse logs with many more."""


def sarif_log(findings: Iterable[AnyFinding], rules: Sequence[RuleInfo], *, page: str = "") -> dict[str, Any]:
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


def _result(finding: AnyFinding, numbers: dict[str, int]) -> dict[str, Any]:
    first, *others = [_location(each) for each in finding.locations[:_MOST_LOCATIONS]] or [{}]
    found: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.text},
        "locations": [first] if first else [],
        "partialFingerprints": {"subject/v1": f"{finding.rule}:{finding.subject}"},
        "properties": {"subject": finding.subject, "inputCount": finding.size},
    }
    if finding.rule in numbers:
        found["ruleIndex"] = numbers[finding.rule]
    if others:
        found["relatedLocations"] = [{"id": number, **each} for number, each in enumerate(others, 1)]
    return found


def _location(location: Location) -> dict[str, Any]:
    """Return a place in the source code if it is known, or an input: a file, and its member if there is one."""
    if location.source is not None:
        found: dict[str, Any] = {"artifactLocation": {"uri": _uri(location.source)}}
        region = {"region": {"startLine": location.line}} if location.line else {}
        return {"physicalLocation": {**found, **region}}
    file, bracket, member = location.input.partition("(")
    found = {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}}}
    return {**found, "logicalLocations": [{"name": member.rstrip(")"), "kind": "member"}]} if bracket else found


def _uri(path: str) -> str:
    address = quote(path.replace("\\", "/").encode("utf-8", "surrogateescape"), safe="/:")
    return f"./{address}" if ":" in address.split("/")[0] else address
