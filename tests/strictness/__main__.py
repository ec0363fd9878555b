"""Compares bitcodec with LLVM 22 on mutated modules: `python -m tests.strictness --count 20000`.

Groups of differences are printed by kind and count, with examples; `--only N` shows one mutation.  The seed of a
mutation is its number.  What differs goes into the file of `--keep`, and `--again` compares what
is in it once more.  The status is 1 if a difference is unexplained.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from strictness.comparing import Comparer, mutation_of, original_of, outcome_of
from strictness.difference import CLASSES, Difference
from strictness.expected import reason_for


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutation (default: 0)")
    parser.add_argument("--only", type=int, help="run one mutation, by its number")
    parser.add_argument("--save", type=Path, help="write the file of --only here")
    parser.add_argument("--keep", type=Path, help="write the numbers of what differs here, as JSON")
    parser.add_argument("--again", type=Path, help="compare only the mutations that such a file has")
    parser.add_argument("--examples", type=int, default=3, help="numbers shown for each group (default: 3)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so many (default: never)")
    arguments = parser.parse_args()
    if arguments.only is not None:
        show(arguments.only, arguments.save)
        return
    end = time.monotonic() + arguments.seconds
    numbers = [*range(arguments.first, arguments.first + arguments.count)]
    if arguments.again:
        numbers = [number for number, *_ in json.loads(arguments.again.read_text())]
    found: list[tuple[int, Difference]] = []
    explained: Counter[tuple[str, str]] = Counter()
    with Comparer() as comparer:
        for done, number in enumerate(numbers):
            if time.monotonic() > end:
                numbers = numbers[:done]
                break
            name, data = mutation_of(number)
            difference = comparer.compare(data)
            if difference is None:
                continue
            reason = reason_for(difference, data, original_of(name), comparer.compare)
            if reason is None:
                found.append((number, difference))
            else:
                explained[difference.kind, reason] += 1
        if arguments.keep:
            arguments.keep.write_text(json.dumps([(number, *difference) for number, difference in found], indent=0))
        report(found, arguments.examples)
        for (kind, reason), count in explained.most_common():
            print(f"expected: {count:4} {kind}: {reason}")
        print(f"{len(numbers)} mutations: {comparer.reads} read by both, LLVM crashed on {comparer.crashes}")
        print(f"{explained.total()} differ as expected, {len(found)} unexplained")
        print(f"{comparer.seconds[0]:.0f} s in bitcodec, {comparer.seconds[1]:.0f} s in LLVM")
    if found:
        raise SystemExit(1)


def report(found: list[tuple[int, Difference]], examples: int) -> None:
    """Print differences, grouped by both messages."""
    groups: dict[tuple[str, str, str], list[tuple[int, Difference]]] = defaultdict(list)
    for number, difference in found:
        groups[difference.group].append((number, difference))
    for kind, meaning in CLASSES.items():
        of_kind = sorted((group for group in groups if group[0] == kind), key=lambda group: -len(groups[group]))
        print(f"{kind}: {meaning}: {sum(len(groups[group]) for group in of_kind)}")
        for group in of_kind:
            members = groups[group]
            print(f"  {len(members):4} LLVM: {members[0][1].llvm[:200]}")
            print(f"       ours: {members[0][1].ours[:200]}  {[number for number, _ in members[:examples]]}")


def show(number: int, path: Path | None) -> None:
    """Print all that is known of one mutation."""
    name, data = mutation_of(number)
    if path:
        path.write_bytes(data)
    with Comparer() as comparer:
        answer = comparer.ask(data)
        print(f"{name}\nLLVM: {answer.status} {answer.message}", *answer.findings[:10], sep="\n  ")
        ours = outcome_of(data)
        print(f"bitcodec: {ours.error or 'read'}", *ours.findings[:10], sep="\n  ")
        print(comparer.compare(data))


main()
