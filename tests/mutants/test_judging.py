"""Which tests run for a mutant, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from find import SOURCES

from . import judging
from .copies import ROOT
from .judging import runs
from .points import Mutant
from .reach import Reach
from .uses import Function, Traces

OWN = "tests/linker/test_comdats.py"
NEAR, FAR, USER = "tests/linker/test_adding.py", "tests/cli/test_nm.py", "tests/cli/test_table.py"
MUTANT = Mutant("constant", 1, 0, 0, b"")
REACHED = Function("linker/comdats.py", "f", 0)


def reach_of(seconds: dict[str, float], reached: set[str]) -> Reach:
    reach = Reach()
    reach.seconds, reach.tests = seconds, {str(REACHED): reached}
    return reach


@pytest.fixture(autouse=True)
def few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find the tests of a module in few files: to read all takes seconds."""
    monkeypatch.setattr(judging, "find_tests", lambda _: [ROOT / OWN, ROOT / NEAR])
    monkeypatch.setattr(judging, "imported_modules", lambda file: {"x.ROWS"} if file == ROOT / USER else set())


def runs_of(reach: Reach, names: frozenset[str] = frozenset()) -> list[list[str]]:
    return list(runs(SOURCES / "linker/comdats.py", MUTANT, Traces(frozenset({REACHED}), names), reach))


def test_tests_that_reach_a_mutant_are_first_and_quick_ones_before_others() -> None:
    seconds = {
        f"{FAR}::far": 0.1,
        f"{NEAR}::slow": 1.0,
        f"{NEAR}::quick": 0.2,
        f"{OWN}::own": 2.0,
        f"{OWN}::other": 0.1,
    }
    reached = {f"{FAR}::far", f"{NEAR}::slow", f"{NEAR}::quick", f"{OWN}::own"}

    assert runs_of(reach_of(seconds, reached)) == [
        [f"{OWN}::own", f"{OWN}::other", f"{NEAR}::quick", f"{NEAR}::slow", f"{FAR}::far"]
    ]


def test_tests_that_use_a_faulty_table_run() -> None:
    reach = reach_of({f"{FAR}::far": 0.1, f"{USER}::uses": 0.2}, {f"{FAR}::far"})
    reach.files = dict.fromkeys([FAR, USER], "")

    assert runs_of(reach) == [[f"{FAR}::far"]]
    assert runs_of(reach, frozenset({"x.ROWS"})) == [[f"{USER}::uses", f"{FAR}::far"]]


def test_runs_take_longer_and_longer() -> None:
    seconds = {f"{OWN}::{number}": 1.5 for number in range(60)}
    found = [len(tests) for tests in runs_of(reach_of(seconds, set(seconds)))]

    assert found == [2, 10, 26]


def test_a_reach_is_kept(tmp_path: Path) -> None:
    reach = reach_of({"a": 0.5, "b": 1.0}, {"b", ""})
    reach.files = {"tests/a.py": "digest"}
    reach.save(tmp_path / "reach.json")
    found = Reach.load(tmp_path / "reach.json")

    assert (found.seconds, found.tests, found.files) == (reach.seconds, reach.tests, reach.files)
