"""Compiles random builds with every clang that is installed, and lints them.

`python -m tests.lint.flags --consistent 1000 --inconsistent 500`: consistent builds must have no findings.  Inputs that
differ in one choice of `options.txt` must have one, or `reasons.py` has the reason.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # as pytest does

from .builds import Build, compile_build, consistent_build, lint, odd_build
from .compilers import installed
from .reasons import differing_keys, reason_for


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--consistent", type=int, default=0, metavar="COUNT")
    parser.add_argument("--inconsistent", type=int, default=0, metavar="COUNT")
    parser.add_argument("--first", type=int, default=0, help="number of the first build")
    parser.add_argument("--versions", type=int, nargs="*", default=[each for each in installed() if each > 12])
    arguments = parser.parse_args()
    wrong = check_consistent(arguments.consistent, arguments.first, arguments.versions) if arguments.consistent else 0
    wrong += check_inconsistent(arguments.inconsistent, arguments.first, arguments.versions)
    return min(wrong, 1)


def check_consistent(count: int, first: int, versions: list[int]) -> int:
    """Print the findings in consistent builds, and return how many builds have some."""
    wrong = 0
    used: Counter[str] = Counter()
    for _, (build, inputs) in zip(range(count), consistent_builds(first, versions), strict=False):
        used.update({build.target, f"clang {build.version}", *build.options[0]})
        found = lint(inputs).findings
        if found:
            wrong += 1
            print(build, *(f"  {each.rule}: {each.text}" for each in found), sep="\n", flush=True)
    print(f"{count} consistent builds, {len(used)} targets, versions and options: {wrong} with findings", flush=True)
    return wrong


def consistent_builds(first: int, versions: list[int]) -> Iterator[tuple[Build, list[bytes]]]:
    """Yield consistent builds that compile."""
    for number in itertools.count(first):
        build = consistent_build(number, versions)
        inputs = compile_build(build)
        if inputs is not None:
            yield build, inputs


def check_inconsistent(count: int, first: int, versions: list[int]) -> int:
    """Print inconsistent builds without findings and without a reason, and return how many there are."""
    counts: Counter[str] = Counter()
    for number in itertools.count(first):
        if counts.total() >= count:
            break
        build, axis = odd_build(number, versions)
        inputs = compile_build(build)
        if inputs is None:
            continue
        reason = "found" if lint(inputs).findings else reason_for(axis, inputs)
        counts[reason or "missed"] += 1
        if reason is None:
            print(axis, sorted(differing_keys(inputs)), build, flush=True)
    for reason, number in counts.most_common():
        print(f"{number:6} {reason}", file=sys.stderr)
    return counts["missed"]


if __name__ == "__main__":
    sys.exit(main())
