"""Names of the verifier's rules: the page lists each of them once."""

from __future__ import annotations

from collections import Counter

from bitcodec.ir.findings import rule_name

from .rule_names import PAGE, forms_of_findings, forms_of_rules, page


def test_the_page_on_names_is_that_of_the_rules() -> None:
    assert PAGE.read_text("utf-8") == page(), "python -m tests.verifier.rule_names writes it again"


def test_a_name_is_that_of_one_message() -> None:
    names = Counter(map(rule_name, forms_of_rules()))
    assert [name for name, count in names.items() if count > 1] == []
    assert {rule_name(form) for form in forms_of_findings()} <= set(names)
    assert len(names) > 900
