"""Runs the tests that can notice a mutant, until one fails, on a copy of the sources that contains it."""

from __future__ import annotations

import ast
import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from find import find_tests, imported_modules
from quick import is_quick

from .copies import ENDLESS, ROOT, SOURCES, Copy
from .points import Mutant
from .reach import Reach, file_of
from .selecting import VARIABLE
from .uses import Traces

__all__ = ["Judge", "Judgement", "Verdict", "runs"]

_NO_TESTS = 5
_FAILED, _INTERRUPTED, _WRONG_USE = 1, 2, 4
_OWN_FIRST = 12
_BOUNDS = ((4.0, 4, 60), (16.0, 24, 400), (40.0, 200, 2000))
"""Of each run: seconds of its tests, and numbers of files and tests."""
_STARTING = 25.0
"""Seconds in which pytest starts and collects on a slow machine, at most."""
_LEAST_LETTERS, _MOST_LINES = 5, 20


class Verdict(enum.Enum):
    """The end of a mutant."""

    KILLED = "a test fails"
    BROKEN = "the tests cannot begin"
    ENDLESS = "the tests do not end"
    SURVIVES = "no test notices"
    NOT_REACHED = "no test reaches it"

    def __repr__(self) -> str:
        return self.name.lower()

    @property
    def is_killed(self) -> bool:
        return self not in (Verdict.SURVIVES, Verdict.NOT_REACHED)


class Judgement(NamedTuple):
    """The end of a mutant, and the test that fails, if one does."""

    verdict: Verdict
    test: str = ""


def runs(path: Path, mutant: Mutant, traces: Traces, reach: Reach) -> Iterator[list[str]]:
    """Yield the tests of one run after another.

    Tests that reach a function of the mutant, or that may use a faulty table themselves, are first, then tests of its
    file and quick tests of its room: what a process does once, as it imports a module, it does for its first test
    alone.  All tests of the room run if no function is known to use it.
    """
    reached = (reach.tests.get(str(function), ()) for function in traces.functions)
    reaching = set[str]().union(*reached) & reach.seconds.keys()
    near = [file.relative_to(ROOT).as_posix() for file in find_tests(path)]
    users = [file for file in reach.files if traces.names & imported_modules(ROOT / file)]
    users += near[:1] if traces.names else []
    near = list(dict.fromkeys([*near[:1], *users, *near]))
    room = {file for index, file in enumerate(near) if not (index and reaching) or is_quick(ROOT / file)} | {*users}
    later = {test for test in reach.seconds if file_of(test) in room} - reaching
    first = reaching | {test for test in later if file_of(test) in users}
    waiting = [*_ordered(first, near, path, mutant, reach), *_ordered(later - first, near, path, mutant, reach)]
    for seconds, files, count in _BOUNDS:
        chosen = list(_first(waiting, seconds, files, count, reach))
        if chosen:
            yield _by_file(chosen)
        taken = set(chosen)
        waiting = [test for test in waiting if test not in taken]


def _ordered(tests: set[str], near: list[str], path: Path, mutant: Mutant, reach: Reach) -> list[str]:
    """Return tests in order: of files that mention what is mutated, near ones, and the quickest; by turns of files."""
    places = {file: index for index, file in enumerate(near)}
    words = _words(path, mutant)
    files: dict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda test: (not any(word in test for word in words), reach.seconds[test])):
        files[file_of(test)].append(test)

    def distance(file: str) -> tuple[bool, bool, int, float]:
        text = _text_of(file)
        return (
            places.get(file, 1) != 0,
            not any(word in text for word in words),
            places.get(file, len(places)),
            reach.seconds[files[file][0]],
        )

    ordered = sorted(files, key=distance)
    found: list[str] = []
    step = _OWN_FIRST
    while files:
        for file in ordered:
            if file in files:
                found += files[file][:step]
                files[file] = files[file][step:]
                if not files[file]:
                    del files[file]
        step *= 4
    return found


def _first(tests: Iterable[str], seconds: float, files: int, count: int, reach: Reach) -> Iterator[str]:
    used: set[str] = set()
    for test in tests:
        if count and reach.seconds[test] <= seconds and (file_of(test) in used or len(used) < files):
            used.add(file_of(test))
            seconds -= reach.seconds[test]
            count -= 1
            yield test


def _by_file(tests: list[str]) -> list[str]:
    order = {file: index for index, file in enumerate(dict.fromkeys(map(file_of, tests)))}
    return sorted(tests, key=lambda test: order[file_of(test)])


def _words(path: Path, mutant: Mutant) -> set[str]:
    """Return strings of the row of a table that contains a mutant: tests may be named after it."""
    tree = ast.parse(path.read_bytes())
    around = [
        node
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.expr) and node.lineno <= mutant.line <= (node.end_lineno or 0)
    ]
    for node in reversed(around):  # what is inside others is behind them
        texts = (
            each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
        )
        words = {text for text in texts if len(text) >= _LEAST_LETTERS}
        if words and (node.end_lineno or 0) - node.lineno <= _MOST_LINES:
            return words
    return set()


@cache
def _text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


class Judge:
    """A copy of the sources, for one mutant at a time."""

    def __init__(self, reach: Reach) -> None:
        """Make the copy."""
        self._reach = reach
        self._copy = Copy()
        self._list = self._copy.place / "chosen.txt"

    def judgement(self, path: Path, mutant: Mutant, traces: Traces, without: set[str]) -> Judgement:
        """Return the end of a mutant; some tests are not asked."""
        file, source = path.relative_to(SOURCES).as_posix(), path.read_bytes()
        is_inner = len(traces.functions) == 1
        if is_inner and not any(self._reach.tests.get(str(function)) for function in traces.functions):
            return Judgement(Verdict.NOT_REACHED)
        self._copy.write(file, mutant.applied(source))
        try:
            for tests in runs(path, mutant, traces, self._reach):
                judgement = self._run([test for test in tests if test not in without])
                if judgement.verdict.is_killed:
                    return judgement
            return Judgement(Verdict.SURVIVES)
        finally:
            self._copy.write(file, source)

    def failing(self, tests: Iterable[str]) -> set[str]:
        """Return the tests that fail although nothing is mutated."""
        self._start(_by_file(list(tests)), "--maxfail=1000")
        return self._failed()

    def _run(self, tests: list[str]) -> Judgement:
        code = self._start(tests, "-x") if tests else _NO_TESTS
        if code in (0, _NO_TESTS):
            return Judgement(Verdict.SURVIVES)
        if code == ENDLESS:
            return Judgement(Verdict.ENDLESS)
        if code == _WRONG_USE and "usage:" in self._copy.output():
            raise ValueError(self._copy.output())
        return Judgement(Verdict.KILLED if code == _FAILED else Verdict.BROKEN, "".join(self._failed()))

    def _start(self, tests: list[str], option: str) -> int:
        self._list.write_text("\n".join(tests), encoding="utf-8")
        self._list.with_suffix(".failed").unlink(missing_ok=True)
        seconds = _STARTING + 3 * sum(self._reach.seconds.get(test, 0) for test in tests)
        arguments = ["-n", "0", option, "-p", "tests.mutants.selecting", *dict.fromkeys(map(file_of, tests))]
        return self._copy.test(arguments, seconds, [(VARIABLE, str(self._list))])

    def _failed(self) -> set[str]:
        failed = self._list.with_suffix(".failed")
        return set(failed.read_text(encoding="utf-8").splitlines()) if failed.exists() else set()

    def close(self) -> None:
        """Remove the copy."""
        self._copy.close()
