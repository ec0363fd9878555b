"""Makes mutants, runs the tests of their rooms, and lists the survivors."""

from __future__ import annotations

import argparse
import collections
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .judging import SOURCES, Judge, Verdict
from .points import Mutant, mutants_of

Case = tuple[Path, Mutant]


def chosen(count: int, seed: int, only: str) -> list[Case]:
    """Return mutants of random files, each room with a share that grows with its lines of code."""
    some = random.Random(seed)
    files = [path for path in sorted(SOURCES.rglob("*.py")) if only in path.relative_to(SOURCES).as_posix()]
    mutants = {path: mutants_of(path.read_bytes()) for path in files}
    weights = [len(mutants[path]) ** 0.5 for path in files]
    cases: dict[Case, None] = {}
    while len(cases) < min(count, sum(map(len, mutants.values()))):
        (path,) = some.choices(files, weights)
        if mutants[path]:
            cases[path, some.choice(mutants[path])] = None
    return list(cases)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--only", default="", help="part of the path of the files, 'linker/' for one")
    parser.add_argument("--jobs", type=int, default=2, help="mutants that are judged at the same time")
    options = parser.parse_args()
    cases = chosen(options.count, options.seed, options.only)
    verdicts: collections.Counter[Verdict] = collections.Counter()
    judges = [Judge() for _ in range(options.jobs)]

    def judge(case: Case) -> tuple[Case, Verdict]:
        free = judges.pop()
        try:
            return case, free.verdict(*case)
        finally:
            judges.append(free)

    with ThreadPoolExecutor(options.jobs) as threads:
        for (path, mutant), verdict in threads.map(judge, cases):
            verdicts[verdict] += 1
            if verdict is Verdict.SURVIVES:
                old = path.read_bytes()[mutant.start : mutant.end].decode()
                place = f"{path.relative_to(SOURCES)}:{mutant.line}"
                print(f"{place}: {mutant.kind}: {old!r} -> {mutant.text.decode()!r}", flush=True)
    for each in judges:
        each.close()
    judged = sum(verdicts.values())
    killed = judged - verdicts[Verdict.SURVIVES]
    print(f"{killed} of {judged} mutants killed ({100 * killed / max(judged, 1):.1f} %): {dict(verdicts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
