"""SARIF logs keep to the standard, and name rules and inputs."""

from __future__ import annotations

from typing import Any

import pytest

from bitcodec.lint import FLAG_RULES, Finding, Fix, Severity, Side, sarif_log

from .sarif_schema import SARIF


def finding(*inputs: str, severity: Severity = Severity.ERROR) -> Finding:
    sides = (
        Side("i32 4 (Error)", ("good.bc",), 1, ("clang version 22",), is_odd=False),
        Side("i32 2 (Error)", inputs, len(inputs), (), is_odd=True),
    )
    fix = Fix({"clang": "-fno-short-wchar"}, ())
    return Finding("wchar-size-mixed", severity, "wchar_size", "inputs have different values", sides, "i32 4", fix)


def result(*inputs: str, severity: Severity = Severity.ERROR) -> dict[str, Any]:
    log = sarif_log([finding(*inputs, severity=severity)], FLAG_RULES)
    pytest.importorskip("jsonschema").Draft202012Validator(SARIF).validate(log)
    found: dict[str, Any] = log["runs"][0]["results"][0]
    return found


def uri(location: dict[str, Any]) -> str:
    found: str = location["physicalLocation"]["artifactLocation"]["uri"]
    return found


def test_a_result_names_its_rule_and_the_inputs_to_change() -> None:
    found = result("bad.bc", "worse.bc")

    assert FLAG_RULES[found["ruleIndex"]].identifier == found["ruleId"] == "wchar-size-mixed"
    assert found["level"] == "error"
    assert uri(found["locations"][0]) == "bad.bc"
    assert [uri(each) for each in found["relatedLocations"]] == ["worse.bc"]
    assert "compile bad.bc, worse.bc with -fno-short-wchar (clang)" in found["message"]["text"]


@pytest.mark.parametrize("severity", [*Severity], ids=lambda severity: severity.value)
def test_levels(severity: Severity) -> None:
    assert result("bad.bc", severity=severity)["level"] == severity.value


def test_members_of_archives_are_logical_locations() -> None:
    location = result("lib/a b.a(x.o)")["locations"][0]

    assert uri(location) == "lib/a%20b.a"
    assert location["logicalLocations"] == [{"name": "x.o", "kind": "member"}]


@pytest.mark.parametrize("name", ["a:b.bc", "c\\d.bc", "\udcff.bc", "new\nline.bc", "100%.bc", "ä.bc", ""])
def test_names_of_any_kind_are_addresses(name: str) -> None:
    assert result(name)["locations"]


def test_many_inputs_are_cut_off() -> None:
    found = result(*(f"{number}.bc" for number in range(1000)))

    assert len(found["relatedLocations"]) == 9
    assert found["properties"]["inputCount"] == 1001


def test_an_empty_log_has_the_rules() -> None:
    log = sarif_log([], FLAG_RULES, page="https://example.org/rules.html")

    pytest.importorskip("jsonschema").Draft202012Validator(SARIF).validate(log)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.identifier for rule in FLAG_RULES]
    assert rules[0]["helpUri"] == f"https://example.org/rules.html#{rules[0]['id']}"
