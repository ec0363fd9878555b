"""A few of the builds that `python -m tests.lint.flags` makes."""

from __future__ import annotations

import pytest

from .__main__ import consistent_builds
from .builds import compile_build, lint, odd_build
from .compilers import compiled, installed
from .reasons import reason_for

TARGET = "--target=x86_64-linux-gnu"
RECORDED = [14, 16, 19, 22]
"""Versions of clang."""


def check_consistent(first: int, count: int, versions: list[int]) -> None:
    builds = consistent_builds(first, versions)
    for build, inputs in (next(builds) for _ in range(count)):
        assert lint(inputs).findings == (), str(build)


def check_inconsistent(numbers: range, versions: list[int]) -> None:
    for number in numbers:
        build, axis = odd_build(number, versions)
        inputs = compile_build(build)
        if inputs is not None:
            assert lint(inputs).findings or reason_for(axis, inputs), str(build)


def test_consistent_builds_have_no_findings() -> None:
    check_consistent(0, 8, RECORDED)


def test_inconsistent_builds_have_findings_or_a_reason() -> None:
    check_inconsistent(range(12), RECORDED)


@pytest.mark.live
def test_other_builds() -> None:
    versions = installed() or pytest.skip("no clang is installed")
    check_consistent(100, 24, versions)
    check_inconsistent(range(100, 124), versions)


def test_other_versions_of_clang_link() -> None:
    """Flags that the older compiler does not have are no finding."""
    found = [compiled(version, (TARGET, "-fPIC", "-O1"), "c", "int f(void);") for version in (16, 19, 22)]

    assert lint([each for each in found if each is not None]).findings == ()
