"""A few of the builds that `python -m tests.lint.flags` makes, with the compilers that are installed."""

from __future__ import annotations

import pytest

from bitcodec.lint import FlagReport

from .__main__ import consistent_builds
from .builds import compile_build, lint, odd_build
from .compilers import compiled, installed
from .reasons import reason_for

TARGET = "--target=x86_64-linux-gnu"
CONSISTENT, INCONSISTENT = 12, 12
needs_clang = pytest.mark.skipif(not installed(), reason="no clang is installed")


def subjects(report: FlagReport) -> list[str]:
    return [each.subject for each in report.findings]


@needs_clang
def test_consistent_builds_have_no_findings() -> None:
    builds = consistent_builds(0, installed())
    for build, inputs in (next(builds) for _ in range(CONSISTENT)):
        assert lint(inputs).findings == (), str(build)


@needs_clang
def test_inconsistent_builds_have_findings_or_a_reason() -> None:
    for number in range(INCONSISTENT):
        build, axis = odd_build(number, installed())
        inputs = compile_build(build)
        if inputs is not None:
            assert lint(inputs).findings or reason_for(axis, inputs), str(build)


@needs_clang
def test_other_versions_of_clang_link() -> None:
    """Flags that the older compiler does not have are no finding."""
    found = [
        compiled(version, (TARGET, "-fPIC", "-O1"), "c", "int f(void);") for version in installed() if version > 15
    ]

    assert subjects(lint([each for each in found if each is not None][-3:])) == []
