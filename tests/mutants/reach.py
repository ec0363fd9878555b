"""The first phase: one run of all tests, which finds those that reach each function."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from .copies import ROOT, SOURCES, TESTS, Copy
from .marking import marked
from .uses import Function, Program

__all__ = ["Reach"]

_MOST_SECONDS = 3600
_OUTSIDE_TESTS = ""


class Reach:
    """Tests that reach functions, with the processor time of each test that passes, in seconds.

    Attributes:
        seconds: of each test.
        tests: of each function, by its name as text; functions that run while tests are imported have the test "" too.
        files: a digest of each test file when it was measured.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.tests: dict[str, set[str]] = {}
        self.files: dict[str, str] = {}

    @classmethod
    def load(cls, file: Path) -> Reach:
        """Return what an earlier run wrote."""
        found = cls()
        stored = json.loads(file.read_text(encoding="utf-8"))
        names = [*stored["seconds"], _OUTSIDE_TESTS]
        found.seconds, found.files = stored["seconds"], stored["files"]
        found.tests = {function: {names[index] for index in tests} for function, tests in stored["tests"].items()}
        return found

    def save(self, file: Path) -> None:
        """Write the file that `load` reads."""
        numbers = {name: index for index, name in enumerate([*self.seconds, _OUTSIDE_TESTS])}
        tests = {
            function: sorted(numbers[test] for test in tests if test in numbers)
            for function, tests in self.tests.items()
        }
        stored = {"seconds": self.seconds, "files": self.files, "tests": tests}
        file.write_text(json.dumps(stored), encoding="utf-8")

    def measure(self, program: Program, functions: Iterable[Function]) -> None:
        """Run the tests: all if these functions are not measured yet, otherwise those in changed files."""
        wanted = sorted(functions)
        current = _digests()
        if not all(str(each) in self.tests for each in wanted):
            self.__init__()  # type: ignore[misc]
        changed = [file for file, digest in current.items() if self.files.get(file) != digest]
        if not changed:
            return
        is_whole = len(changed) == len(current)
        print(f"measuring {'all tests' if is_whole else f'{len(changed)} files of tests'}", file=sys.stderr, flush=True)
        self._forget({file for file, digest in self.files.items() if current.get(file) != digest})
        copy = Copy()
        try:
            _mark(copy, program, wanted)
            jobs = "2" if is_whole else "0"
            copy.test(["-n", jobs, "-p", "tests.mutants.reaching", *([] if is_whole else changed)], _MOST_SECONDS)
            print(copy.output()[-1000:], file=sys.stderr, flush=True)
            self._read(copy.place / "src" / "reached", wanted)
        finally:
            copy.close()
        self.files = current

    def _forget(self, files: set[str]) -> None:
        self.seconds = {test: seconds for test, seconds in self.seconds.items() if file_of(test) not in files}
        for tests in self.tests.values():
            tests -= {test for test in tests if file_of(test) in files}

    def _read(self, folder: Path, functions: list[Function]) -> None:
        for file in folder.glob("*.tests"):
            for line in file.read_text(encoding="utf-8").splitlines():
                seconds, _, test = line.partition("\t")
                self.seconds[test] = float(seconds)
        found: dict[int, set[str]] = defaultdict(set)
        for file in folder.glob("*.notes"):
            with file.open(encoding="utf-8", errors="surrogateescape") as lines:
                for line in lines:
                    number, _, test = line.rstrip("\n").partition("\t")
                    found[int(number)].add(sys.intern(test))
        for number, function in enumerate(functions):
            known = {test for test in found[number] if test in self.seconds or test == _OUTSIDE_TESTS}
            self.tests[str(function)] = self.tests.get(str(function), set()) | known


def file_of(test: str) -> str:
    """Return the file of a test, relative to the checkout."""
    return test.partition("::")[0]


def _digests() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in sorted(TESTS.rglob("test_*.py"))
    }


def _mark(copy: Copy, program: Program, functions: list[Function]) -> None:
    numbers: dict[str, dict[int, Function]] = defaultdict(dict)
    for number, function in enumerate(functions):
        numbers[function.file][number] = function
    for file, inner in numbers.items():
        bodies = {number: program.bodies[file][function] for number, function in inner.items()}
        copy.write(file, marked((SOURCES / file).read_bytes(), bodies))
    beside = copy.sources.parent
    shutil.copyfile(Path(__file__).with_name("noting.py"), beside / "bitcodec_reached.py")
    (beside / "reached").mkdir()
