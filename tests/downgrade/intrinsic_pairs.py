"""Compares what `downgrade` makes of intrinsics with real readers and verifiers.

python -m tests.downgrade.intrinsic_pairs --count 20000

Each pair is an intrinsic of LLVM 22, with types, and a version from 4 to 21.  What is written must be accepted by the
version; what is refused or reported as not there must be refused by it or not be there.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.downgrade.oracles import has
from tests.tables.intrinsic_instances import Instance, module_of
from tests.tables.intrinsic_readers import FEWER_TYPES, KNOWN, UNKNOWN, accepted_instances, verdicts

import bitcodec
from bitcodec.builder import new_module
from bitcodec.downgrade.constructs import Way
from bitcodec.ir.context import Context

__all__ = ["agree", "outcome"]

_VERSIONS = tuple(range(4, 22))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, help="write the answers of the readers to this file")
    parser.add_argument("--llvm", type=int, action="append", choices=_VERSIONS)
    given = parser.parse_args()
    context = Context()
    instances = list(accepted_instances(context).values())
    chosen, versions = random.Random(given.seed), [each for each in given.llvm or _VERSIONS if has(each)]
    pairs: dict[int, dict[Instance, None]] = defaultdict(dict)
    while sum(map(len, pairs.values())) < given.count:
        pairs[chosen.choice(versions)][chosen.choice(chosen.choice(instances))] = None
    wrong, answers = 0, []
    outcomes: Counter[str] = Counter()
    for version, some in sorted(pairs.items()):
        for instance, said, found in _compared(list(some), version, context):
            outcomes[said] += 1
            answers.append(f"{version} {instance.base} {instance.number} {found}\n")
            if not agree(said, found):
                wrong += 1
                print(f"LLVM {version}: {instance.name}: downgrade: {said}; reader: {found}", flush=True)
    if given.record:
        given.record.write_text("".join(answers), encoding="utf-8")
    print(f"{given.count - wrong} of {given.count} pairs agree; {dict(outcomes)}")
    return int(wrong > given.count // 1000)


def _compared(instances: Sequence[Instance], version: int, context: Context) -> Iterator[tuple[Instance, str, str]]:
    found = verdicts(instances, version, context)
    for each in instances:
        yield each, outcome(each, version, context), found[each]


def outcome(instance: Instance, version: int, context: Context) -> str:
    """Return what `downgrade` makes of a call: "refused", "kept", "lowered", "dropped", or "" for the call itself."""
    losses: list[bitcodec.Loss] = []
    module = module_of([instance], new_module("call", context=context))
    try:
        bitcodec.dumps(module, llvm_version=version, on_loss=losses.append)
    except bitcodec.EncodingError:
        return "refused"
    base = f"llvm.{instance.base}"
    actions = {loss.action for loss in losses if loss.construct in {base, instance.name}}
    return next((rule.value for rule in Way if rule.value in actions), "")


def agree(said: str, found: str) -> bool:
    """Return whether a verdict is that of the reader; of what is written in another form, other tests judge."""
    if said == "refused":
        return found != KNOWN
    if said == "kept":
        return found == UNKNOWN
    return said != "" or found in {KNOWN, FEWER_TYPES}


if __name__ == "__main__":
    sys.exit(main())
