"""What `llvm-link` reports is predicted for modules that are made up, and what stops it is always a finding.

`BITCODEC_MERGES` says how many; a thousand take about a minute.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from bitcodec.lint import FlagLinter, FlagReport, Severity
from flags.cases import modules
from flags.outcomes import NAMES, _without_nodes, theirs
from flags.test_goldens import CASES
from flags.text import Flags, made, parsed

GOLDENS = CASES[:60]
MERGES = int(os.environ.get("BITCODEC_MERGES", "40"))


def lint(flags: Sequence[Flags]) -> FlagReport:
    linter = FlagLinter()
    for each, name in zip(flags, NAMES, strict=False):
        linter.add(made(each, name), name)
    return linter.report()


@given(modules())
@settings(max_examples=MERGES)
def test_what_stops_a_link_is_a_finding(flags: list[Flags]) -> None:
    report = lint(flags)

    if report.predictions[0].is_stopped:
        assert any(finding.severity is Severity.ERROR for finding in report.findings)
    assert all(finding.sides for finding in report.findings)
    assert all(finding.odd_inputs for finding in report.findings)


@pytest.mark.live
@given(modules())
@settings(max_examples=MERGES)
def test_llvm_link_is_predicted(tmp_path_factory: pytest.TempPathFactory, flags: list[Flags]) -> None:
    assert predicted(flags) == theirs(flags, Path(tmp_path_factory.getbasetemp())).messages


@pytest.mark.parametrize("case", GOLDENS, ids=range(len(GOLDENS)))
def test_recorded_merges_are_predicted(case: dict[str, Any]) -> None:
    assert predicted([parsed(text) for text in case["modules"]]) == case["messages"]


def predicted(flags: Sequence[Flags]) -> list[str]:
    """Return the messages that a report predicts."""
    prediction = lint(flags).predictions[0]
    messages = [f"{'error' if each.is_error else 'warning'}: {each.text}" for each in prediction.messages]
    return [_without_nodes(each) for each in messages]
