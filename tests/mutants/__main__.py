"""Makes mutants, runs the tests that can notice them, and lists the survivors.

The first phase runs all tests once and finds which functions each reaches; `--reached FILE` keeps that, and later runs
measure only what has changed.  `--again FILE` judges the survivors in the output of an earlier run.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants.copies import SOURCES
from mutants.judging import Judge, Judgement
from mutants.points import Mutant, changes_of_rows, mutants_of
from mutants.reach import Reach
from mutants.uses import Program, Traces

Case = tuple[Path, Mutant]


def chosen(count: int, seed: int, only: list[str], made: Callable[[bytes], list[Mutant]]) -> list[Case]:
    """Return mutants of random files, each room with a share that grows with its lines of code."""
    some = random.Random(seed)
    names = {path: path.relative_to(SOURCES).as_posix() for path in sorted(SOURCES.rglob("*.py"))}
    files = [path for path, name in names.items() if name.startswith(tuple(only))]
    mutants = {path: made(path.read_bytes()) for path in files}
    weights = [len(mutants[path]) ** 0.5 for path in files]
    cases: dict[Case, None] = {}
    while len(cases) < min(count, sum(map(len, mutants.values()))):
        (path,) = some.choices(files, weights)
        if mutants[path]:
            cases[path, some.choice(mutants[path])] = None
    return list(cases)


def survivors_in(output: str, made: Callable[[bytes], list[Mutant]]) -> list[Case]:
    """Return the mutants that an earlier run printed, if the sources still have their places."""
    lines = output.splitlines()
    files = [SOURCES / file for file in dict.fromkeys(line.partition(":")[0] for line in lines)]
    cases = [(path, mutant) for path in files if path.is_file() for mutant in made(path.read_bytes())]
    return [case for case in cases if any(line.startswith(f"{described(case)} (") for line in lines)]


def described(case: Case) -> str:
    """Return a mutant in a line."""
    path, mutant = case
    old = path.read_bytes()[mutant.start : mutant.end].decode()
    return f"{path.relative_to(SOURCES)}:{mutant.line}: {mutant.kind}: {old!r} -> {mutant.text.decode()!r}"


class Judges:
    """Copies of the sources, for mutants that are judged at the same time."""

    def __init__(self, jobs: int, reach: Reach, traces: dict[Case, Traces]) -> None:
        """Make the copies."""
        self._free = [Judge(reach) for _ in range(jobs)]
        self._traces = traces

    def judgements(self, cases: Iterable[Case], without: set[str]) -> Iterator[Judgement]:
        """Yield the end of each mutant."""

        def judgement(case: Case) -> Judgement:
            free = self._free.pop()
            try:
                return free.judgement(*case, self._traces[case], without)
            finally:
                self._free.append(free)

        with ThreadPoolExecutor(len(self._free)) as threads:
            yield from threads.map(judgement, cases)

    def failing(self, tests: Iterable[str]) -> set[str]:
        """Return the tests that fail although nothing is mutated."""
        return self._free[0].failing(tests)

    def close(self) -> None:
        """Remove the copies."""
        for each in self._free:
            each.close()


def judged(cases: list[Case], judges: Judges) -> dict[Case, Judgement]:
    """Return the end of each mutant; what only a test kills that fails without a mutant too is judged again."""
    found: dict[Case, Judgement] = {}
    unsure = cases
    flawed: set[str] = set()
    while unsure:
        for case, judgement in zip(unsure, judges.judgements(unsure, flawed), strict=True):
            found[case] = judgement
            end = f"{judgement.verdict!r} {judgement.test}"
            print(f"{len(found)} of {len(cases)}: {described(case)}: {end}", file=sys.stderr, flush=True)
            if not judgement.verdict.is_killed:
                print(f"{described(case)} ({judgement.verdict.value})", flush=True)
        failing = judges.failing({judgement.test for judgement in found.values()} - {"", *flawed})
        print(f"tests that fail without a mutant: {sorted(failing)}", file=sys.stderr, flush=True)
        unsure = [case for case, judgement in found.items() if judgement.test in failing]
        flawed |= failing
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument(
        "--only", nargs="*", default=[""], help="beginnings of the paths of the files, 'linker/' for one"
    )
    parser.add_argument("--rows", action="store_true", help="change numbers, words and defaults of tables only")
    parser.add_argument("--jobs", type=int, default=1, help="mutants that are judged at the same time")
    parser.add_argument("--reached", type=Path, help="file that keeps which tests reach which functions")
    parser.add_argument("--again", type=Path, help="output of an earlier run, whose survivors are judged")
    options = parser.parse_args()
    made = changes_of_rows if options.rows else mutants_of
    if options.again:
        cases = survivors_in(options.again.read_text(encoding="utf-8"), made)
    else:
        cases = chosen(options.count, options.seed, options.only, made)
    program = Program(SOURCES)
    traces = {(path, mutant): program.traces_of(path.relative_to(SOURCES).as_posix(), mutant) for path, mutant in cases}
    reach = Reach.load(options.reached) if options.reached and options.reached.exists() else Reach()
    reach.measure(program, set().union(*(each.functions for each in traces.values())))
    if options.reached:
        reach.save(options.reached)
    judges = Judges(options.jobs, reach, traces)
    try:
        ends = judged(cases, judges).values()
    finally:
        judges.close()
    verdicts = collections.Counter(end.verdict for end in ends)
    killed = sum(end.verdict.is_killed for end in ends)
    print(f"{killed} of {len(ends)} mutants killed ({100 * killed / max(len(ends), 1):.1f} %): {dict(verdicts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
